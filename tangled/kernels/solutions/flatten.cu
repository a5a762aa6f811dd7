/* flatten: an image from h, w, c order to c, h, w order, as one vector. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* reorder an image */
__global__ void to_planes(int c, int h, int w, const float *in, float *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t pixels = (size_t)h * w;

    if (i < pixels * c)
        out[i] = in[i % pixels * c + i / pixels];
}

/* make an image whose values are their places */
/* The value of channel k of pixel p is its place in c, h, w order. */
static void fill_places(float *x, int c, size_t pixels)
{
    for (size_t p = 0; p < pixels; p++)
        for (int k = 0; k < c; k++)
            *x++ = (float)(k * pixels + p);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("c", 3, 1, 64), ARG_SIZE("h", 150, 1, 4096),
                         ARG_SIZE("w", 225, 1, 4096)};
    int c, h, w;
    size_t n, good = 0;

    args_parse(argc, argv, "flatten an image", args, ARG_COUNT(args));
    c = (int)args[0].value;
    h = (int)args[1].value;
    w = (int)args[2].value;
    n = (size_t)c * h * w;
    CHECK(n <= 1 << 24, "%zu values: a float counts exactly to 2^24 only", n);
    /* flatten it and count the values in place */
    float *h_x = (float *)check_alloc(n, sizeof(float)), *d_in, *d_out;
    size_t bytes = n * sizeof(float);

    fill_places(h_x, c, (size_t)h * w);
    CUDA_CHECK(cudaMalloc((void **)&d_in, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_out, bytes));
    CUDA_CHECK(cudaMemcpy(d_in, h_x, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_out, 0xff, bytes));
    to_planes<<<blocks_for(n, 256), 256>>>(c, h, w, d_in, d_out);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h_x, d_out, bytes, cudaMemcpyDeviceToHost));
    for (; good < n; good++)
        CHECK(h_x[good] == (float)good, "place %zu holds value %g", good,
              h_x[good]);
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
    free(h_x);
    printf("ok: %d x %d x %d flattens to %zu elements\n", c, h, w, good);
    return 0;
}
