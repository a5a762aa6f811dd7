/* product.cuh: a product of matrices of bf16, and how its results are written. */
#ifndef TENSOR_PRODUCT_CUH
#define TENSOR_PRODUCT_CUH

#include <cuda_bf16.h>

#include "kernels/launch.h"
#include "loom/ptx.h"
#include "matmul/args.h"

typedef __nv_bfloat16 bf16;

/* describe a product of bf16 */
/* C = alpha op(A) op(B) + beta C. op(A) is m x k, op(B) k x n, C m x n, row-major;
   rows as stored lie ld numbers apart. */
struct product16 {
    const bf16 *a, *b;
    bf16 *c;
    int m, n, k, lda, ldb, ldc;
    float alpha, beta;
    struct steps sa, sb;
    int down, across; /* tiles; of clusters' tiles, if there are clusters */
    int strip;        /* rows of tiles that are computed together */
    int pairs;        /* two neighbors of a row of C can be stored at once */
    int turn;         /* tile t begins with step t * turn; 0 with parts */
    int by_threads;   /* C is not written by boxes */
    int ahead;        /* A and B are brought to L2 before the product begins */
};

/* find the place of a tile */
/* Row and column of a tile; strips of `strip` rows, each by columns. */
static __device__ inline int2 tile_place(int tile, int down, int across,
                                         int strip)
{
    int s = tile / (strip * across), rest = tile % (strip * across);
    int tall = min(strip, down - s * strip);

    return make_int2(s * strip + rest % tall, rest / tall);
}

/* write pairs of results */
/* What belongs to (i, j) and (i, j + 1) of C: sums times alpha, plus beta times
   what is there. */
static __device__ inline void finish_pair(const struct product16 &g, int i,
                                          int j, float &x, float &y)
{
    size_t at = (size_t)i * g.ldc + j;

    x *= g.alpha;
    y *= g.alpha;
    if (g.beta != 0 && i < g.m) {
        x += j < g.n ? g.beta * __bfloat162float(g.c[at]) : 0;
        y += j + 1 < g.n ? g.beta * __bfloat162float(g.c[at + 1]) : 0;
    }
}

/* Both in bf16, x in the lower half. */
static __device__ inline unsigned pair_bits(float x, float y)
{
    __nv_bfloat162 v = __floats2bfloat162_rn(x, y);
    unsigned bits;

    memcpy(&bits, &v, 4);
    return bits;
}

/* Writes them; elements outside of C are left out. */
static __device__ inline void put_pair(const struct product16 &g, int i, int j,
                                       float x, float y)
{
    bf16 *to = g.c + (size_t)i * g.ldc + j;
    unsigned bits;

    finish_pair(g, i, j, x, y);
    bits = pair_bits(x, y);
    if (i < g.m && j + 1 < g.n && g.pairs) {
        *(unsigned *)to = bits;
    } else if (i < g.m && j < g.n) {
        to[0] = __ushort_as_bfloat16((unsigned short)(bits & 0xffff));
        if (j + 1 < g.n)
            to[1] = __ushort_as_bfloat16((unsigned short)(bits >> 16));
    }
}

#endif
