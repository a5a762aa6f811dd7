/* chirp: any length by a power of two. */
#include <stdio.h>

#include "dft/trial.h"
#include "fft/fft.h"
#include "tour/args.h"

/* transform any length by Bluestein */
static void fft_chirp(int n, const struct cplx *x, struct cplx *X)
{
    int m = 1;
    struct cplx *a, *b;

    while (m < 2 * n - 1)
        m *= 2;
    a = fft_room((size_t)m), b = fft_room((size_t)m);
    for (int64_t k = 0; k < n; k++) {
        int64_t angle = k * k % (2 * n);

        a[k] = cplx_mul(x[k], dft_root(-angle, 2 * n));
        b[k] = b[(m - k) % m] = dft_root(angle, 2 * n);
    }
    fft_in_place(m, -1, a);
    fft_in_place(m, -1, b);
    for (int k = 0; k < m; k++)
        a[k] = cplx_mul(a[k], b[k]);
    fft_in_place(m, 1, a);
    for (int64_t k = 0; k < n; k++) {
        X[k] = cplx_mul(a[k], dft_root(-(k * k % (2 * n)), 2 * n));
        X[k].re /= m;
        X[k].im /= m;
    }
    free(a), free(b);
}

int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "Bluestein on the host", NULL, 0);

    for (int n = 1; n <= 130; n++) {
        struct cplx *x = cplx_random((size_t)n, seed), *y = cplx_alloc(n);
        struct cplx *want = cplx_alloc(n);
        double near = 8 * dft_near(n, x);

        dft(n, -1, x, want);
        fft_chirp(n, x, y);
        for (int k = 0; k < n; k++)
            check_cplx("Bluestein", n, k, y[k], want[k], near);
        free(x), free(y), free(want);
    }
    printf("ok: every length to 130\n");
    return 0;
}
