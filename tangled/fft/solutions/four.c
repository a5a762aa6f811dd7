/* four: a transform in order, by fours. */
#include <stdio.h>

#include "dft/trial.h"
#include "fft/fft.h"
#include "tour/args.h"

/* transform in order by fours */
/* y := the forward transform of x, n a power of four; both are overwritten. */
static void fft_fours(int n, struct cplx *x, struct cplx *y)
{
    struct cplx *from = x, *to = y, *other;

    for (int ns = 1; ns < n; ns *= 4) {
        for (int j = 0; j < n / 4; j++) {
            int k = j % ns, at = 4 * (j - k) + k;
            struct cplx v[4], Y[4];

            for (int q = 0; q < 4; q++)
                v[q] = cplx_mul(dft_root(-q * k, 4 * ns), from[j + q * n / 4]);
            dft(4, -1, v, Y);
            for (int q = 0; q < 4; q++)
                to[at + q * ns] = Y[q];
        }
        other = from, from = to, to = other;
    }
    if (from != y)
        memcpy(y, from, (size_t)n * sizeof *y);
}

int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "radix 4 on the host", NULL, 0);

    for (int n = 1; n <= 1024; n *= 4) {
        struct cplx *x = cplx_random((size_t)n, seed), *y = cplx_alloc(n);
        struct cplx *want = cplx_alloc(n);
        double near = 2 * dft_near(n, x);

        dft(n, -1, x, want);
        fft_fours(n, x, y);
        for (int k = 0; k < n; k++)
            check_cplx("by fours", n, k, y[k], want[k], near);
        free(x), free(y), free(want);
    }
    printf("ok: powers of four to 1024\n");
    return 0;
}
