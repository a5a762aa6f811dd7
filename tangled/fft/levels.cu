/* levels: transforms level by level, and butterflies, beside the reference. */
#include <stdio.h>

#include "dft/trial.h"
#include "fft/fft.h"
#include "fft/levels.cuh"
#include "tour/args.h"

/* try one butterfly */
template <int R>
__global__ void try_butterfly(float2 *x)
{
    float2 v[R];

    for (int i = 0; i < R; i++)
        v[i] = x[i];
    butterfly<R>(v);
    for (int i = 0; i < R; i++)
        x[i] = v[i];
}

typedef void butterfly_kernel(float2 *x);

static butterfly_kernel *const butterflies[] = {
    try_butterfly<1>,  try_butterfly<2>,  try_butterfly<3>,  try_butterfly<4>,
    try_butterfly<5>,  try_butterfly<6>,  try_butterfly<7>,  try_butterfly<8>,
    try_butterfly<9>,  try_butterfly<10>, try_butterfly<11>, try_butterfly<12>,
    try_butterfly<13>, try_butterfly<14>, try_butterfly<15>, try_butterfly<16>};

/* compare rows */
/* Rows of n numbers: got from the device, against the transforms of x. */
static void compare(const char *what, int n, int rows, const struct cplx *x,
                    const float2 *d_got)
{
    size_t count = (size_t)n * rows;
    float2 *got = (float2 *)check_alloc(count, sizeof *got);
    struct cplx *want = cplx_alloc(n);

    CUDA_CHECK(
        cudaMemcpy(got, d_got, count * sizeof *got, cudaMemcpyDeviceToHost));
    for (int b = 0; b < rows; b++) {
        double off = 0, all = 0;

        fft_any(n, -1, x + (size_t)b * n, want);
        for (int k = 0; k < n; k++) {
            float2 g = got[(size_t)b * n + k];

            off += pow(g.x - want[k].re, 2) + pow(g.y - want[k].im, 2);
            all += pow(want[k].re, 2) + pow(want[k].im, 2);
        }
        CHECK(sqrt(off / all) <= BOUND_FLOAT * (2 + 2 * log2(n)),
              "%s of %d, row %d: off by %.3g of its size", what, n, b,
              sqrt(off / all));
    }
    free(got), free(want);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 64, 1, 1 << 20),
                         ARG_SIZE("rows", 3, 0, 1 << 20),
                         ARG_SIZE("radix", 4, 0, 1024)};
    uint64_t seed =
        args_parse(argc, argv, "levels through memory", args, ARG_COUNT(args));
    int n = (int)args[0].value, rows = (int)args[1].value;
    size_t count = (size_t)n * rows, room = count > 16 ? count : 16;
    struct cplx *x = cplx_random(room, seed);
    float2 *h = (float2 *)check_alloc(room, sizeof *h), *d_x, *d_y;
    float2 *roots = fft_roots(n);

    for (size_t i = 0; i < room; i++)
        h[i] = {(float)x[i].re, (float)x[i].im};
    CUDA_CHECK(cudaMalloc((void **)&d_x, room * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_y, room * sizeof *h));
    for (int r = 1; r <= 16; r++) {
        CUDA_CHECK(cudaMemcpy(d_x, h, r * sizeof *h, cudaMemcpyHostToDevice));
        butterflies[r - 1]<<<1, 1>>>(d_x);
        CUDA_LAUNCH_CHECK();
        compare("butterfly", r, 1, x, d_x);
    }
    CUDA_CHECK(cudaMemcpy(d_x, h, count * sizeof *h, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_y, 0xff, room * sizeof *h));
    fft_levels((int)args[2].value, count, n, roots, d_x, d_y, 0);
    compare("levels", n, rows, x, d_y);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    CUDA_CHECK(cudaFree(roots));
    free(x), free(h);
    printf("ok: %d rows of %d by radix %d, and 16 butterflies\n", rows, n,
           (int)args[2].value);
    return 0;
}
