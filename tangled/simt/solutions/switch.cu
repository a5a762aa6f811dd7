/* switch: how many of eight cases occur in a warp? */
#include <stdio.h>

#include "kernels/launch.h"
#include "simt/warp.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* count the cases of a warp */
enum { CASES = 8, CHOICES = 5, WARPS = 1024 };

static __host__ __device__ int choose_case(int choice, int i, uint64_t seed)
{
    int lane = i % WARP;

    switch (choice) {
    case 0:
        return lane % CASES;
    case 1:
        return lane / 4;
    case 2:
        return i / WARP % CASES;
    case 3:
        return (int)(rng_at(seed, (uint64_t)i) >> 61);
    }
    return lane == 31 ? 7 : 0;
}

__global__ void count_cases(int choice, uint64_t seed, int *counts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, different = 0;
    int mine = choose_case(choice, i, seed);

    for (int c = 0; c < CASES; c++)
        different += __any_sync(WARP_ALL, mine == c) != 0;
    if (my_lane() == 0)
        counts[i / WARP] = different;
}

/* count the cases on the host */
static double compare_counts(int choice, uint64_t seed, const int *counts)
{
    double total = 0;

    for (int w = 0; w < WARPS; w++) {
        unsigned seen = 0;

        for (int lane = 0; lane < WARP; lane++)
            seen |= 1u << choose_case(choice, w * WARP + lane, seed);
        CHECK(counts[w] == __builtin_popcount(seen), "choice %d, warp %d: %d",
              choice, w, counts[w]);
        total += counts[w];
    }
    return total / WARPS;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"lane % 8", "lane / 4", "warp % 8",
                                        "random", "one lane differs"};
    uint64_t seed = args_parse(argc, argv, "cases in a warp", NULL, 0);
    int *counts;

    CUDA_CHECK(cudaMallocManaged((void **)&counts, WARPS * sizeof *counts));
    for (int choice = 0; choice < CHOICES; choice++) {
        count_cases<<<WARPS / 8, 256>>>(choice, seed, counts);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(cudaDeviceSynchronize());
        printf("%-16s %.1f\n", names[choice],
               compare_counts(choice, seed, counts));
    }
    CUDA_CHECK(cudaFree(counts));
    return 0;
}
