/* product.cuh: what a kernel is told of a product of matrices. */
#ifndef MATMUL_PRODUCT_CUH
#define MATMUL_PRODUCT_CUH

#include "kernels/launch.h"
#include "matmul/args.h"

/* describe a product to a kernel */
enum { TILE = 32 }; /* a block computes TILE x TILE elements of C */

struct product {
    int m, n, k, across; /* across: tiles in a row of tiles of C */
    float alpha, beta;
    const float *a, *b;
    float *c;
    struct steps sa, sb;
    size_t ldc;
};

/* compute an element of C by one thread */
/* Writes element (i, j) of C, once its sum is known. */
static __device__ inline void put_product(struct product s, int i, int j,
                                          float sum)
{
    float *out = &s.c[i * s.ldc + j];

    *out = s.alpha * sum + (s.beta == 0 ? 0 : s.beta * *out);
}

static __device__ inline void multiply_one(struct product s, int i, int j)
{
    const float *a = s.a + i * s.sa.row, *b = s.b + j * s.sb.col;
    float sum = 0;

    for (int p = 0; p < s.k; p++)
        sum += a[p * s.sa.col] * b[p * s.sb.row];
    put_product(s, i, j, sum);
}

#endif
