/* fused: what a fused kernel of the notes computes instead of a batch norm. */
#include <math.h>
#include <stdio.h>

#include "layers/reference_d.h"
#include "tour/args.h"
#include "tour/rng.h"

enum { N = 4096 };

int main(int argc, char **argv)
{
    static double x[N], y[N], wrong[N];
    double mean, var, m, v, scale = -2, none = 0;
    uint64_t seed = args_parse(argc, argv, "a fused kernel", NULL, 0);
    int before = 0, raw = 0;

    /* normalize and pool in the wrong ways */
    for (int i = 0; i < N; i++)
        x[i] = 10 * (2 * (double)rng_float(&seed) - 1);
    batchnorm_moments(1, 1, N, x, &mean, &var);
    for (int i = 0; i < N; i++)
        wrong[i] = (x[i] - mean) / (var + 1e-5);
    batchnorm_moments(1, 1, N, wrong, &m, &v);
    batchnorm_apply(1, 1, N, 1e-5, x, &mean, &var, &scale, &none, y);
    for (int i = 0; i < N / 2; i++) {
        double right = fmax(y[2 * i], y[2 * i + 1]);
        double first = fmax(x[2 * i], x[2 * i + 1]);

        batchnorm_apply(1, 1, 1, 1e-5, &first, &mean, &var, &scale, &none,
                        &first);
        before += first != right;
        raw += fmax(y[2 * i], x[2 * i + 1]) != right;
    }
    printf("divided by the variance: a spread of %.2f\n", sqrt(v));
    printf("pooled before a scale of -2: %d of %d differ\n", before, N / 2);
    printf("pooled with raw neighbors: %d of %d differ\n", raw, N / 2);
    return 0;
}
