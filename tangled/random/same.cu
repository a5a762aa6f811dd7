/* same: every kind of number, on the device as on the host, bit for bit. */
#include <inttypes.h>
#include <stdio.h>

#include "kernels/launch.h"
#include "random/kinds.h"
#include "tour/args.h"

/* draw one number per thread */
__global__ void draw(int kind, uint64_t seed, uint64_t stream, uint64_t first,
                     int count, uint64_t n, uint32_t *bits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        bits[i] = kind_bits(kind, seed, stream, first + i, n);
}

/* compare one kind on both sides */
static void compare(int kind, uint64_t seed, uint64_t stream, uint64_t first,
                    int n)
{
    size_t bytes = ((size_t)n + 1) * sizeof(uint32_t);
    uint32_t *got = (uint32_t *)check_alloc((size_t)n + 1, sizeof *got), *d;

    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMemset(d, 0xff, bytes));
    if (n > 0) {
        draw<<<blocks_for((size_t)n, 256), 256>>>(kind, seed, stream, first, n,
                                                  (uint64_t)n, d);
        CUDA_LAUNCH_CHECK();
    }
    CUDA_CHECK(cudaMemcpy(got, d, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i <= n; i++) {
        uint32_t want =
            i == n ? 0xffffffffu
                   : kind_bits_host(kind, seed, stream, first + i, (uint64_t)n);

        CHECK(got[i] == want, "kind %d, number %d of %d: %08x, not %08x", kind,
              i, n, got[i], want);
    }
    CUDA_CHECK(cudaFree(d));
    free(got);
}

/* show numbers of every kind */
static void show(int kind, uint64_t seed)
{
    static const char *const name[KINDS] = {"words",   "floats", "normals",
                                            "weights", "ranges", "order"};
    static const uint64_t n[] = {1, 10, 257, 60000};

    for (uint64_t k = 0; k < 40; k++) {
        uint64_t i = k * k * k % n[k / 10];

        printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %08" PRIx32
               "\n",
               name[kind], seed, k, i, n[k / 10],
               kind_bits_host(kind, seed, k, i, n[k / 10]));
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 28), ARG_FLAG("--show")};
    uint64_t seed = args_parse(argc, argv, "the same numbers on both sides",
                               args, ARG_COUNT(args));
    int n = (int)args[0].value;

    for (int kind = 0; kind < KINDS; kind++) {
        compare(kind, seed, 0, 0, n);
        compare(kind, seed << 33, ~UINT64_C(0) - 5, 0, n);
        if (kind < RANGES) /* across a carry of the counter */
            compare(kind, ~seed, seed << 40, (UINT64_C(1) << 34) - 3, n);
        if (args[1].value)
            show(kind, seed);
    }
    printf("ok: %d kinds of %d numbers\n", KINDS, n);
    return 0;
}
