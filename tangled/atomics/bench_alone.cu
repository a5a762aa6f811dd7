/* bench_alone: the same without CUB, for the machine. */
#include "atomics/bench.cuh"

int main(int argc, char **argv)
{
    bench_all(argc, argv);
    return 0;
}
