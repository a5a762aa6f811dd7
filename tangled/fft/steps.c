/* steps: the transforms of fft.h beside the definition. */
#include <stdio.h>

#include "dft/trial.h"
#include "fft/fft.h"
#include "tour/args.h"

/* compare all ways at a length */
static void compare(const char *what, int n, const struct cplx *x,
                    const struct cplx *got, const struct cplx *want)
{
    for (int k = 0; k < n; k++)
        check_cplx(what, n, k, got[k], want[k], 2 * dft_near(n, x));
}

static void try_length(int n, int sign, uint64_t seed)
{
    struct cplx *x = cplx_random((size_t)n, seed), *y = cplx_alloc((size_t)n);
    struct cplx *want = cplx_alloc((size_t)n), *z = cplx_alloc((size_t)n);
    size_t bytes = (size_t)n * sizeof *x;

    dft(n, sign, x, want);
    fft_any(n, sign, x, y);
    compare("any length", n, x, y, want);
    if ((n & (n - 1)) == 0) {
        fft_halves(n, sign, 1, x, y);
        compare("halves", n, x, y, want);
        memcpy(y, x, bytes);
        fft_in_place(n, sign, y);
        compare("in place", n, x, y, want);
        memcpy(z, x, bytes);
        fft_in_order(n, sign, z, y);
        compare("in order", n, x, y, want);
    }
    free(x), free(y), free(z), free(want);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("most", 130, 1, 4096)};
    uint64_t seed = args_parse(argc, argv, "fast transforms on the host", args,
                               ARG_COUNT(args));
    int most = (int)args[0].value;

    for (int n = 1; n <= most; n++) {
        try_length(n, -1, seed + n);
        try_length(n, 1, seed + n);
    }
    for (int n = 256; n <= 1024; n *= 2)
        try_length(n, -1, seed + n);
    printf("ok: every length to %d, and powers of two to 1024\n", most);
    return 0;
}
