/* transforms: every transform of dft.cuh beside the reference. */
#include <stdio.h>

#include "dft/dft.cuh"
#include "dft/trial.h"
#include "reduce/unchanged.h"
#include "tour/args.h"

enum way { ANGLE, TABLE, MATRIX, BACK, REAL, WAYS };

static const char *const names[] = {"angle", "table", "matrix", "back", "real"};

/* run one transform */
static void run(enum way how, const struct dft_plan *p, int rows,
                const float *x, float *y)
{
    const float2 *in = (const float2 *)x;
    float2 *out = (float2 *)y;

    if (how == ANGLE)
        dft_by_bins(DFT_BY_ANGLE, p, rows, in, out, 0);
    else if (how == TABLE)
        dft_by_bins(DFT_BY_TABLE, p, rows, in, out, 0);
    else if (how == MATRIX)
        dft_forward(p, rows, in, out, 0);
    else if (how == BACK)
        dft_inverse(p, rows, in, out, 0);
    else
        dft_real(p, rows, x, out, 0);
}

/* know what a row should be */
/* Writes the transform of x to want, forward or back, not scaled; of real
   input, x loses its imaginary parts first. */
static void know(enum way how, int n, struct cplx *x, struct cplx *want)
{
    for (int j = 0; how == REAL && j < n; j++)
        x[j].im = 0;
    dft(n, how == BACK ? 1 : -1, x, want);
}

/* compare a row with what it should be */
static void compare(enum way how, int n, const struct cplx *x,
                    const struct cplx *want, const float *got)
{
    int bins = how == REAL ? n / 2 + 1 : n;
    double more = how == ANGLE ? 12 * BOUND_FLOAT * dft_total(n, x) : 0;

    for (int k = 0; k < bins; k++) {
        struct cplx size = dft_sizes(n, k, x), w = want[k];
        struct cplx g = {got[2 * k], got[2 * k + 1]};
        double scale = 1.0 / n;

        if (how == BACK) {
            w.re *= scale, w.im *= scale;
            check_parts("back", n, k, g, w,
                        bound_gemm(2.0 * n, 2.0 * n + 2, BOUND_FLOAT, scale, 0,
                                   size.re, 0),
                        bound_gemm(2.0 * n, 2.0 * n + 2, BOUND_FLOAT, scale, 0,
                                   size.im, 0));
        } else {
            check_parts(names[how], n, k, g, w, dft_bound(n, size.re) + more,
                        dft_bound(n, size.im) + more);
        }
    }
}

/* try one transform on a batch */
static void try_way(enum way how, int n, int rows, uint64_t seed)
{
    size_t each = how == REAL ? (size_t)n : 2 * (size_t)n, in = each * rows;
    size_t bins = how == REAL ? n / 2 + 1 : n, out = 2 * bins * rows + 14;
    size_t front = 2 * ((size_t)n % 4), end = front + 2 * bins * rows;
    struct dft_plan p = dft_plan_make(n);
    struct cplx *x = cplx_random((size_t)n * rows, seed), *want = cplx_alloc(n);
    float *h = (float *)check_alloc(in, sizeof *h), *d_in, *d_out;
    float *got = (float *)check_alloc(out, sizeof *got);

    for (size_t i = 0; i < (size_t)n * rows; i++)
        if (how == REAL)
            h[i] = (float)x[i].re;
        else
            h[2 * i] = (float)x[i].re, h[2 * i + 1] = (float)x[i].im;
    CUDA_CHECK(cudaMalloc((void **)&d_in, (in + 8) * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_out, out * sizeof *h));
    CUDA_CHECK(
        cudaMemcpy(d_in + front, h, in * sizeof *h, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_out, 0xff, out * sizeof *h));
    run(how, &p, rows, d_in + front, d_out + front);
    CUDA_CHECK(cudaMemcpy(got, d_out, out * sizeof *h, cudaMemcpyDeviceToHost));
    for (int b = 0; b < rows; b++) {
        know(how, n, x + (size_t)b * n, want);
        compare(how, n, x + (size_t)b * n, want, got + front + 2 * bins * b);
    }
    for (size_t i = 0; i < out; i++)
        CHECK((i >= front && i < end) || isnan(got[i]),
              "%s: wrote outside of %d rows", names[how], rows);
    check_unchanged(in, h, d_in + front);
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
    dft_plan_free(&p);
    free(x), free(want), free(h), free(got);
}

/* see what is refused */
static void refuse(const char *what)
{
    struct dft_plan p;
    float2 *d;

    if (!strcmp(what, "length"))
        p = dft_plan_make(DFT_MOST + 1);
    p = dft_plan_make(8);
    CUDA_CHECK(cudaMalloc((void **)&d, 64 * sizeof *d));
    if (!strcmp(what, "overlap"))
        dft_forward(&p, 4, d, d + 31, 0);
    else if (!strcmp(what, "null"))
        dft_inverse(&p, 1, d, NULL, 0);
    else if (!strcmp(what, "negative"))
        dft_by_bins(DFT_BY_TABLE, &p, -1, d, d + 32, 0);
    else if (!strcmp(what, "freed")) {
        dft_plan_free(&p);
        dft_real(&p, 1, (float *)d, d + 32, 0);
    }
    args_refuse("transforms", "nothing refuses '%s'", what);
}

int main(int argc, char **argv)
{
    struct arg args[] = {
        ARG_SIZE("n", 45, 1, DFT_MOST), ARG_SIZE("rows", 3, 0, 1 << 20),
        ARG_NUMBER("--below", 0, 0, 1024), ARG_TEXT("--refuse", "")};
    uint64_t seed = args_parse(argc, argv, "batches of Fourier transforms",
                               args, ARG_COUNT(args));
    int n = (int)args[0].value, rows = (int)args[1].value;
    int below = (int)args[2].value;

    if (*args[3].text)
        refuse(args[3].text);
    for (int size = below ? 1 : n; size < (below ? below : n + 1); size++)
        for (int how = 0; how < WAYS; how++)
            try_way((enum way)how, size, below ? size % 4 : rows, seed + size);
    if (below)
        printf("ok: five ways at every length below %d\n", below);
    else
        printf("ok: %d rows of %d by angle, table and matrix, back, and real\n",
               rows, n);
    return 0;
}
