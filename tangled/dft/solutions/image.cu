/* image: the transform of an image by two matrix products. */
#include "dft/dft.cuh"
#include "dft/trial.h"
#include "tour/args.h"

/* multiply every pair by i */
/* y = rows 2j as x's row j, rows 2j + 1 the same times i. */
__global__ void with_i(int w, size_t n, const float2 *x, float2 *y)
{
    size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t to = at + at / w * w;

    if (at >= n)
        return;
    y[to] = x[at];
    y[to + w] = {-x[at].y, x[at].x};
}

/* transform an image */
/* x, h x w complex numbers on the host, becomes its transform. */
static void transform_image(int h, int w, float *x)
{
    struct dft_plan rows = dft_plan_make(w), cols = dft_plan_make(h);
    size_t n = (size_t)h * w, bytes = n * sizeof(float2);
    float2 *d;

    CUDA_CHECK(cudaMalloc((void **)&d, 4 * bytes));
    CUDA_CHECK(cudaMemcpy(d, x, bytes, cudaMemcpyHostToDevice));
    dft_forward(&rows, h, d, d + n, 0);
    with_i<<<blocks_for(n, 256), 256>>>(w, n, d + n, d + 2 * n);
    CUDA_LAUNCH_CHECK();
    matmul_tiled('N', 'N', h, 2 * w, 2 * h, 1, cols.matrix, 4 * h,
                 (float *)(d + 2 * n), 2 * w, 0, (float *)d, 2 * w, 0);
    CUDA_CHECK(cudaMemcpy(x, d, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    dft_plan_free(&rows);
    dft_plan_free(&cols);
}

/* transform an image by the definition */
static struct cplx image_bin(int h, int w, const struct cplx *x, int k, int l)
{
    struct cplx sum = {0, 0};

    for (int64_t i = 0; i < h; i++)
        for (int64_t j = 0; j < w; j++)
            sum = cplx_add(
                sum, cplx_mul(x[i * w + j], dft_root(-(i * k * w + j * l * h),
                                                     (int64_t)h * w)));
    return sum;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("h", 12, 1, 128), ARG_SIZE("w", 9, 1, 128)};
    uint64_t seed =
        args_parse(argc, argv, "transform an image", args, ARG_COUNT(args));
    int h = (int)args[0].value, w = (int)args[1].value;
    struct cplx *x = cplx_random(h * w, seed);
    float *got = (float *)check_alloc(2 * (size_t)h * w, sizeof *got);
    double near = 0;

    for (int i = 0; i < h * w; i++) {
        got[2 * i] = (float)x[i].re, got[2 * i + 1] = (float)x[i].im;
        near += fabs(x[i].re) + fabs(x[i].im);
    }
    near *= 1.5 * bound_gamma(2 * (h + w) + 8, BOUND_FLOAT);
    transform_image(h, w, got);
    /* compare every bin of the image */
    for (int i = 0; i < h * w; i++) {
        struct cplx g = {got[2 * i], got[2 * i + 1]};

        check_cplx("image", h * w, i, g, image_bin(h, w, x, i / w, i % w),
                   near);
    }
    printf("ok: an image of %d x %d\n", h, w);
    free(x), free(got);
    return 0;
}
