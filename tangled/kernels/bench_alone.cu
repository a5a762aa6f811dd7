/* bench_alone: the benchmark of this chapter without cuBLAS. */
#include "kernels/bench.cuh"

int main(int argc, char **argv)
{
    bench_all(argc, argv, NULL);
    return 0;
}
