/* matmul: products of every kind by each kernel, beside the reference. */
#include "matmul/matmul.cuh"
#include "matmul/trial.cuh"

int main(int argc, char **argv)
{
    static const struct way ways[] = {{"naive", matmul_naive},
                                      {"coalesced", matmul_coalesced},
                                      {"tiled", matmul_tiled},
                                      {NULL, NULL}};

    return try_ways(argc, argv, ways);
}
