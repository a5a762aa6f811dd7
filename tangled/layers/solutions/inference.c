/* inference: the gradients of a batch norm with given statistics. */
#include <math.h>
#include <stdio.h>

#include "grad/gradcheck.h"
#include "layers/reference_d.h"

/* lose by a batch norm with given statistics */
enum { IMAGES = 3, CHANNELS = 2, HW = 5, N = IMAGES * CHANNELS * HW };
enum { ALL = N + 2 * CHANNELS };

static const double mean[CHANNELS] = {0.3, -0.2}, var[CHANNELS] = {0.5, 2};
static double p[ALL], dy[N], y[N]; /* p: x, scale, shift */

static double loss(void *work)
{
    double sum = 0;

    (void)work;
    batchnorm_apply(IMAGES, CHANNELS, HW, 1e-5, p, mean, var, p + N,
                    p + N + CHANNELS, y);
    for (int i = 0; i < N; i++)
        sum += dy[i] * y[i];
    return sum;
}

int main(void)
{
    double dp[ALL] = {0}, wrong[ALL];
    struct gradcheck r;
    uint64_t seed = 1;

    for (int i = 0; i < ALL; i++)
        p[i] = rng_float(&seed) - 0.5;
    for (int i = 0; i < N; i++)
        dy[i] = rng_float(&seed) - 0.5;
    /* go back with the statistics given */
    for (int i = 0; i < N; i++) {
        int k = i / HW % CHANNELS;
        double rstd = 1 / sqrt(var[k] + 1e-5);

        dp[i] = p[N + k] * rstd * dy[i];
        dp[N + k] += dy[i] * (p[i] - mean[k]) * rstd;
        dp[N + CHANNELS + k] += dy[i];
    }
    r = gradcheck(loss, NULL, p, ALL, dp);
    GRADCHECK("inference", r, 1e-6);
    batchnorm_backward(IMAGES, CHANNELS, HW, 1e-5, p, mean, var, p + N, dy,
                       wrong, wrong + N, wrong + N + CHANNELS);
    CHECK(gradcheck(loss, NULL, p, ALL, wrong).error > 0.01, "not told apart");
    printf("ok: off by %.1e; the training formula by %.1e\n", r.error,
           gradcheck(loss, NULL, p, ALL, wrong).error);
    return 0;
}
