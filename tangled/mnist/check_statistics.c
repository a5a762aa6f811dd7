/* check_statistics: one pass gives the same in batches of any size, running
   averages are what their formula says, and the two give other answers. */
#include <math.h>
#include <stdlib.h>

#include "mnist/synth.h"
#include "mnist/train.h"
#include "tour/check.h"

enum { COUNT = 24, NUMBERS = 18 }; /* digits; statistics of a width of 3 */

static const struct path *const path = &path_reference;
static struct model m;
static struct digits d;
static void *net;
static float *w[2]; /* with statistics from one batch, and from 24 */

/* compare two passes */
static void compare_passes(void)
{
    for (int i = 0; i < 2; i++) {
        w[i] = check_alloc(m.total, sizeof *w[i]);
        model_init(&m, w[i], 1);
        path->set(net, w[i]);
        train_calibrate(path, net, &m, COUNT, i ? 1 : COUNT, w[i]);
    }
    for (size_t u = m.count; u < m.count + (size_t)m.c1; u++) {
        double a = w[0][u], b = w[0][u + m.c1], off = 2 * 784 * 0x1p-24;

        CHECK_NEAR(w[1][u], a, off * sqrt(b + a * a), "784 additions in float");
        CHECK_NEAR(w[1][u + m.c1], b, off * b, "784 additions in float");
    }
}

/* compare running averages */
/* 3 means, 3 variances, 6 means, 6 variances. */
static int is_variance(int k)
{
    return (k >= 3 && k < 6) || k >= 12;
}

static void compare_running(void)
{
    unsigned char answer[2][COUNT];
    double s[NUMBERS], left = 0.9 * 0.9 * 0.9;
    float now[NUMBERS];
    int others = 0;

    path->measure(net, 0, COUNT, now);
    for (int k = 0; k < NUMBERS; k++)
        s[k] = is_variance(k);
    for (int i = 0; i < 3; i++)
        train_run(path, net, &m, COUNT, s);
    for (int k = 0; k < NUMBERS; k++) {
        double n = COUNT * (k < 6 ? 784.0 : 196.0);

        CHECK_NEAR(s[k],
                   is_variance(k) ? left + (1 - left) * now[k] * n / (n - 1)
                                  : (1 - left) * now[k],
                   1e-12, "in double");
    }
    train_put(&m, s, w[0]);
    for (int i = 0; i < 2; i++) {
        path->set(net, w[i]);
        train_right(path, net, &d, 0, COUNT, answer[i]);
        free(w[i]);
    }
    for (int i = 0; i < COUNT; i++)
        others += answer[0][i] != answer[1][i];
    CHECK(4 * others > COUNT, "%d of %d are answered otherwise", others, COUNT);
    printf("ok: %d digits, %d answered otherwise by running averages\n", COUNT,
           others);
}

int main(void)
{
    m = model_make(3);
    synth_digits(COUNT, 1, 0, &d);
    net = path->open(&m, &d, &d, COUNT, 2);
    compare_passes();
    compare_running();
    path->close(net);
    digits_free(&d);
    return 0;
}
