/* halves: an arena for each of two streams, cut from one. */
#include <stdio.h>

#include "async/arena.cuh"
#include "kernels/launch.h"

enum { WORDS = 1000, ROUNDS = 20 };

/* put a number, and add it up */
__global__ void put(int n, unsigned what, unsigned *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] = what;
}

__global__ void add_to(int n, const unsigned *x, unsigned *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        sum[i] += x[i];
}

int main(void)
{
    enum { BYTES = WORDS * sizeof(unsigned), BLOCKS = (WORDS + 127) / 128 };
    struct arena whole = arena_open(8 * BYTES), half[2];
    unsigned *d_sum[2], got[WORDS];
    cudaStream_t s[2];

    for (int k = 0; k < 2; k++) {
        half[k] = arena_part(&whole, 3 * BYTES);
        CUDA_CHECK(cudaStreamCreateWithFlags(&s[k], cudaStreamNonBlocking));
        d_sum[k] = (unsigned *)arena_take(&half[k], BYTES);
        CUDA_CHECK(cudaMemsetAsync(d_sum[k], 0, BYTES, s[k]));
    }
    /* take turns */
    for (int r = 0; r < 2 * ROUNDS; r++) {
        struct arena *a = &half[r % 2];
        size_t mark = arena_mark(a);
        unsigned *x = (unsigned *)arena_take(a, BYTES);

        put<<<BLOCKS, 128, 0, s[r % 2]>>>(WORDS, (unsigned)r, x);
        add_to<<<BLOCKS, 128, 0, s[r % 2]>>>(WORDS, x, d_sum[r % 2]);
        CUDA_LAUNCH_CHECK();
        arena_back(a, mark);
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    /* check both sums */
    for (int k = 0; k < 2; k++) {
        unsigned want = ROUNDS * (ROUNDS - 1) + (unsigned)k * ROUNDS;

        CUDA_CHECK(cudaMemcpy(got, d_sum[k], BYTES, cudaMemcpyDeviceToHost));
        for (int i = 0; i < WORDS; i++)
            CHECK(got[i] == want, "stream %d: %u, not %u", k, got[i], want);
        CUDA_CHECK(cudaStreamDestroy(s[k]));
    }
    arena_close(&whole);
    printf("ok: %d rounds in each of two streams\n", ROUNDS);
    return 0;
}
