/* bench_alone: the benchmark in small and without cuBLAS, for the machine. */
#include "memory/bench.cuh"

int main(int argc, char **argv)
{
    bench_all(1, args_parse(argc, argv, "time the memories", NULL, 0), NULL);
    return 0;
}
