/* odd: normal numbers in pairs, for odd n. */
#include <stdio.h>

#include "kernels/launch.h"
#include "random/init.h"
#include "tour/args.h"

__global__ void pairs(int n, uint64_t seed, uint64_t stream, float *x)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (2 * (int64_t)j < n) {
        struct philox b = philox_at(seed, stream, (uint64_t)j / 2);
        struct draw_pair p =
            j % 2 ? draw_normals(b.w[2], b.w[3]) : draw_normals(b.w[0], b.w[1]);

        x[2 * j] = p.x;
        if (2 * j + 1 < n)
            x[2 * j + 1] = p.y;
    }
}

/* compare with one at a time */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 999, 0, 1 << 24)};
    uint64_t seed = args_parse(argc, argv, "normals in pairs", args, 1);
    int n = (int)args[0].value;
    float *h = (float *)check_alloc((size_t)n + 1, sizeof *h), *d;

    CUDA_CHECK(cudaMalloc((void **)&d, ((size_t)n + 1) * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0xff, ((size_t)n + 1) * sizeof *d));
    if (n > 0)
        pairs<<<blocks_for((size_t)n / 2 + 1, 128), 128>>>(n, seed, 3, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(
        cudaMemcpy(h, d, ((size_t)n + 1) * sizeof *h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(h[i] == init_normal_at(seed, 3, (uint64_t)i, 1),
              "number %d of %d is %.9g", i, n, h[i]);
    CHECK(h[n] != h[n], "something is written behind the end");
    CUDA_CHECK(cudaFree(d));
    free(h);
    printf("ok: %d normals\n", n);
    return 0;
}
