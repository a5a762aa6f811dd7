/* split: a product with k in two parts, the second added to the first. */
#include "matmul/matmul.cuh"
#include "matmul/trial.cuh"

/* multiply in two parts */
static void in_two(char ta, char tb, int m, int n, int k, float alpha,
                   const float *a, int lda, const float *b, int ldb, float beta,
                   float *c, int ldc, cudaStream_t stream)
{
    int half = k / 2;

    matmul_tiled(ta, tb, m, n, half, alpha, a, lda, b, ldb, beta, c, ldc,
                 stream);
    a += half * steps_of(ta, lda).col;
    b += half * steps_of(tb, ldb).row;
    matmul_tiled(ta, tb, m, n, k - half, alpha, a, lda, b, ldb, 1, c, ldc,
                 stream);
}

int main(int argc, char **argv)
{
    static const struct way ways[] = {{"in two", in_two}, {NULL, NULL}};
    static const int sizes[] = {0, 1, 2, 31, 33, 65};
    uint64_t seed = args_parse(argc, argv, "k in two parts", NULL, 0);

    for (int i = 0; i < 36; i++)
        for (int t = 0; t < TRIALS; t++)
            if (t != 3)
                try_product(ways, "NT"[i % 2], "NT"[t % 2], sizes[i / 6], 40,
                            sizes[i % 6], &trials[t], seed);
    printf("ok: 180 products in two parts\n");
    return 0;
}
