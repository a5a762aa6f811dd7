/* rungs: products of every kind by each rung, beside the reference. */
#include "gemm/rungs.cuh"
#include "matmul/trial.cuh"

int main(int argc, char **argv)
{
    static const struct way ways[] = {
        {"column", gemm_column},       {"square", gemm_square},
        {"vectors", gemm_vectors},     {"ahead", gemm_ahead},
        {"warps", gemm_warps},         {"wide", gemm_wide},
        {"snake", gemm_snake},         {"columns", gemm_columns},
        {"pairs", gemm_pairs},         {"bulk", gemm_bulk},
        {"bulk_wide", gemm_bulk_wide}, {NULL, NULL}};

    return try_ways(argc, argv, ways);
}
