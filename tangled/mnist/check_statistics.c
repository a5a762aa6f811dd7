/* check_statistics: one pass gives the same in batches of any size, running
   averages are what their formula says, and the two give other answers. */
#include <math.h>
#include <stdlib.h>

#include "mnist/synth.h"
#include "mnist/train.h"
#include "tour/check.h"

enum { COUNT = 24, NUMBERS = 18 }; /* digits; statistics of a width of 3 */

/* compare two passes */
static void compare_passes(const struct path *path, void *net,
                           const struct model *m)
{
    float *w[2];

    for (int i = 0; i < 2; i++) {
        w[i] = check_alloc(m->total, sizeof *w[i]);
        model_init(m, w[i], 1);
        path->set(net, w[i]);
        train_calibrate(path, net, m, COUNT, i ? 1 : COUNT, w[i]);
    }
    for (size_t u = m->count; u < m->count + (size_t)m->c1; u++) {
        double a = w[0][u], b = w[0][u + m->c1], off = 2 * 784 * 0x1p-24;

        CHECK_NEAR(w[1][u], a, off * sqrt(b + a * a), "784 additions in float");
        CHECK_NEAR(w[1][u + m->c1], b, off * b, "784 additions in float");
    }
    free(w[0]);
    free(w[1]);
}

static void compare_running(const struct path *path, void *net,
                            const struct model *m, double *s)
{
    float now[NUMBERS];

    path->measure(net, 0, COUNT, now);
    for (int k = 0; k < NUMBERS; k++) /* 3 means, 3 variances, 6, 6 */
        s[k] = (k >= 3 && k < 6) || k >= 12;
    for (int i = 0; i < 3; i++)
        train_run(path, net, m, COUNT, s);
    for (int k = 0; k < NUMBERS; k++) {
        double n = COUNT * (k < 6 ? 784.0 : 196.0), left = 0.9 * 0.9 * 0.9;
        int var = (k >= 3 && k < 6) || k >= 12;

        CHECK_NEAR(s[k],
                   var ? left + (1 - left) * now[k] * n / (n - 1)
                       : (1 - left) * now[k],
                   1e-12, "in double");
    }
}

/* evaluate under both statistics */
/* A quarter of the digits and more get another answer by running averages than
   by one pass. */
static void answer_both(const struct path *path, void *net,
                        const struct model *m, const struct digits *d,
                        const double *s)
{
    float *w = check_alloc(m->total, sizeof *w);
    unsigned char answer[2][COUNT];
    int others = 0;

    path->get(net, w);
    train_put(m, s, w);
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
    struct model m = model_make(3);
    double running[NUMBERS];
    struct digits d;
    void *net;

    synth_digits(COUNT, 1, 0, &d);
    net = path->open(&m, &d, &d, COUNT, 2);
    compare_passes(path, net, &m);
    compare_running(path, net, &m, running);
    answer_both(path, net, &m, &d, running);
    path->close(net);
    digits_free(&d);
    return 0;
}
