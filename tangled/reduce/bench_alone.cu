/* bench_alone: this chapter's kernels by themselves. */
#include "reduce/bench.cuh"

int main(int argc, char **argv)
{
    bench_all(argc, argv);
    return 0;
}
