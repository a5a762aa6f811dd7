/* bench_alone: the benchmark of this chapter without CUB. */
#include "atomics/bench.cuh"

int main(int argc, char **argv)
{
    bench_all(argc, argv);
    return 0;
}
