/* bench: this chapter's kernels beside CUB's. */
#include <cub/cub.cuh>

#define BENCH_CUB 1
#include "reduce/bench.cuh"

int main(int argc, char **argv)
{
    bench_all(argc, argv);
    return 0;
}
