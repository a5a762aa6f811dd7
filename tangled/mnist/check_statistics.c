/* check_statistics: one pass gives the same in batches of any size, running
   averages are what their formula says, and the two give other answers. */
#include <stdlib.h>

#include "mnist/synth.h"
#include "mnist/train.h"
#include "tour/check.h"

enum { COUNT = 24, CHANNELS = 9 }; /* of a model of width 3 */

/* evaluate under both statistics */
/* A quarter of the digits and more get another answer by running averages than
   by one pass. */
static void answer_both(const struct path *path, void *net,
                        const struct model *m, const struct digits *d,
                        const struct running *r)
{
    float *w = (float *)check_alloc(m->total, sizeof *w);
    unsigned char answer[2][COUNT];
    int others = 0;

    path->get(net, w);
    running_put(r, m, w);
    path->set(net, w);
    train_right(path, net, d, 0, COUNT, answer[0]);
    train_calibrate(path, net, m, COUNT, COUNT, w);
    train_right(path, net, d, 0, COUNT, answer[1]);
    for (int i = 0; i < COUNT; i++)
        others += answer[0][i] != answer[1][i];
    CHECK(4 * others > COUNT, "%d of %d are answered otherwise", others, COUNT);
    printf("ok: %d digits, %d answered otherwise by running averages\n", COUNT,
           others);
    free(w);
}

int main(void)
{
    const struct path *path = &path_reference;
    struct model m = model_make(CHANNELS / 3);
    float *w[2], mean[CHANNELS], var[CHANNELS];
    struct running r;
    struct digits d;
    void *net;

    synth_digits(COUNT, 1, 0, &d);
    net = path->open(&m, &d, &d, COUNT, 2);
    /* compare two passes */
    for (int i = 0; i < 2; i++) {
        w[i] = (float *)check_alloc(m.total, sizeof *w[i]);
        model_init(&m, w[i], 1);
        path->set(net, w[i]);
        train_calibrate(path, net, &m, COUNT, i ? 1 : COUNT, w[i]);
    }
    for (size_t k = 0; k < (size_t)m.c1; k++) {
        size_t u = m.tensor[MODEL_LEARNED].at + k, v = u + m.c1;
        double a = w[0][u], b = w[0][v], off = 2 * 784 * 0x1p-24;

        CHECK_NEAR(w[1][u], a, off * sqrt(b + a * a), "784 additions in float");
        CHECK_NEAR(w[1][v], b, off * b, "784 additions in float");
    }
    free(w[0]);
    free(w[1]);
    /* compare running averages with their formula */
    path->forward(net, 0, COUNT);
    path->moments(net, mean, var);
    running_begin(&r);
    for (int s = 0; s < 3; s++)
        running_step(&r, path, net, &m, COUNT);
    for (int k = 0; k < CHANNELS; k++) {
        double n = COUNT * (k < m.c1 ? 784.0 : 196.0), left = 0.9 * 0.9 * 0.9;

        CHECK_NEAR(r.mean[k], (1 - left) * mean[k], 1e-12, "in double");
        CHECK_NEAR(r.var[k], left + (1 - left) * var[k] * n / (n - 1), 1e-12,
                   "in double");
    }
    answer_both(path, net, &m, &d, &r);
    path->close(net);
    digits_free(&d);
    return 0;
}
