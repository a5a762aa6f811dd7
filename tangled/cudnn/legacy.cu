/* legacy: the notes' comparison, repaired: cuDNN's legacy call beside the
   kernels of chapter 16. Needs a GPU. */
#include "conv/conv.cuh"
#include "cudnn/legacy.cuh"
#include "kernels/fill.cuh"
#include "tour/args.h"

/* compare one result with chapter 16's */
static void same(const char *what, const float *d_got, const float *d_want,
                 size_t n)
{
    float *got = (float *)check_alloc(n, sizeof *got);
    float *want = (float *)check_alloc(n, sizeof *want);

    CUDA_CHECK(cudaMemcpy(got, d_got, n * sizeof *got, cudaMemcpyDeviceToHost));
    CUDA_CHECK(
        cudaMemcpy(want, d_want, n * sizeof *want, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(got[i], want[i], 0.02 * (1 + fabs(want[i])),
                   "sums of whole numbers, by an algorithm that may transform");
    free(got), free(want);
    printf("ok: %s\n", what);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 4, 1, 256), ARG_SIZE("c", 3, 1, 512),
                         ARG_SIZE("h", 33, 1, 512), ARG_SIZE("w", 30, 1, 512),
                         ARG_SIZE("k", 8, 1, 512)};
    uint64_t seed =
        args_parse(argc, argv, "the legacy API", args, ARG_COUNT(args));
    struct conv v = {(int)args[0].value,
                     (int)args[1].value,
                     (int)args[2].value,
                     (int)args[3].value,
                     (int)args[4].value,
                     3,
                     3,
                     1,
                     1,
                     1};
    size_t nx = conv_x(&v), nw = conv_w(&v), ny = conv_y(&v);
    float *x = small_floats(nx, seed), *w = small_floats(nw, seed + 1);
    float *dy = small_floats(ny, seed + 2), *work;
    float *got = small_floats(ny > nx ? ny : nx, 0);
    float *want = small_floats(ny > nx ? ny : nx, 0);
    float *dw = small_floats(nw, 0), *dw2 = small_floats(nw, 0);
    cudnnHandle_t handle;
    struct legacy l;

    DNN_CHECK(cudnnCreate(&handle));
    DNN_CHECK(cudnnSetStream(handle, cudaStreamPerThread));
    CUDA_CHECK(cudaMalloc((void **)&work, conv_filter_gradient_bytes(&v)));
    l = legacy_make(handle, &v, CUDNN_DATA_FLOAT, false, CUDNN_FMA_MATH);
    legacy_choose(&l, CUDNN_FMA_MATH);
    legacy_run(&l, DNN_FORWARD, x, w, got);
    launch_conv_forward(&v, x, w, want, cudaStreamPerThread);
    CUDA_CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    same("forward", got, want, ny);
    legacy_run(&l, DNN_INPUT_GRADIENT, got, w, dy);
    launch_conv_input_gradient(&v, dy, w, want, cudaStreamPerThread);
    CUDA_CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    same("gradient by the input", got, want, nx);
    legacy_run(&l, DNN_FILTER_GRADIENT, x, dw, dy);
    launch_conv_filter_gradient(&v, x, dy, dw2, work, cudaStreamPerThread);
    CUDA_CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    same("gradient by the filters", dw, dw2, nw);
    legacy_free(l);
    DNN_CHECK(cudnnDestroy(handle));
    for (float *p : {x, w, dy, got, want, dw, dw2, work})
        CUDA_CHECK(cudaFree(p));
    return 0;
}
