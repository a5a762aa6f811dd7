/* reference.c: matrix products on the CPU. */
#include "matmul/reference.h"

#include <stddef.h>
#include <string.h>

#include "matmul/args.h"

/* multiply by the definition */
void matmul_reference(char ta, char tb, int m, int n, int k, real alpha,
                      const real *a, int lda, const real *b, int ldb, real beta,
                      real *c, int ldc)
{
    struct steps sa = steps_of(ta, lda), sb = steps_of(tb, ldb);

    matmul_check("A", ta, m, k, lda);
    matmul_check("B", tb, k, n, ldb);
    matmul_check("C", 'N', m, n, ldc);
    if (alpha == 0)
        k = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            real sum = 0, *out = &c[(size_t)i * ldc + j];

            for (int p = 0; p < k; p++)
                sum += a[i * sa.row + p * sa.col] * b[p * sb.row + j * sb.col];
            *out = alpha * sum + (beta == 0 ? 0 : beta * *out);
        }
}

/* hold a block and its sums */
/* A block of C is TALL x WIDE, one of B is DEEP x WIDE. */
enum { TALL = 64, DEEP = 128, WIDE = 128, LANES = 16 };

struct panel {
    real sum[TALL][WIDE]; /* of C */
    real b[DEEP][WIDE];   /* op(B), zeros where it ends */
    real row[DEEP];       /* of op(A), likewise */
};

static int round_up(int n, int step)
{
    return (n + step - 1) / step * step;
}

/* add a row times a block */
/* sum[0..wide) += row[0..deep) times b; deep is a multiple of 4, wide of
   LANES. */
static void add_row(int deep, int wide, const real *row,
                    real (*restrict b)[WIDE], real *restrict sum)
{
    for (int p = 0; p < deep; p += 4)
        for (int j = 0; j < wide; j += LANES)
            for (int l = j; l < j + LANES; l++)
                sum[l] += row[p] * b[p][l] + row[p + 1] * b[p + 1][l] +
                          row[p + 2] * b[p + 2][l] + row[p + 3] * b[p + 3][l];
}

/* add a block of products */
/* x->sum += a block of op(A), tall x deep at a, times one of op(B), deep x
   wide at b. */
static void add_block(struct panel *x, int tall, int deep, int wide,
                      const real *a, struct steps sa, const real *b,
                      struct steps sb)
{
    int deep_up = round_up(deep, 4), wide_up = round_up(wide, LANES);

    for (int p = 0; p < deep_up; p++)
        for (int j = 0; j < wide_up; j++)
            x->b[p][j] = p < deep && j < wide ? b[p * sb.row + j * sb.col] : 0;
    for (int i = 0; i < tall; i++) {
        for (int p = 0; p < deep_up; p++)
            x->row[p] = p < deep ? a[i * sa.row + p * sa.col] : 0;
        add_row(deep_up, wide_up, x->row, x->b, x->sum[i]);
    }
}

/* multiply in blocks */
static int smaller(int a, int b)
{
    return a < b ? a : b;
}

void matmul_blocked(char ta, char tb, int m, int n, int k, real alpha,
                    const real *a, int lda, const real *b, int ldb, real beta,
                    real *c, int ldc)
{
    struct steps sa = steps_of(ta, lda), sb = steps_of(tb, ldb);
    struct panel x;

    matmul_check("A", ta, m, k, lda);
    matmul_check("B", tb, k, n, ldb);
    matmul_check("C", 'N', m, n, ldc);
    if (alpha == 0)
        k = 0;
    for (int j0 = 0; j0 < n; j0 += WIDE)
        for (int i0 = 0; i0 < m; i0 += TALL) {
            int tall = smaller(TALL, m - i0), wide = smaller(WIDE, n - j0);

            /* sum a block of C */
            memset(x.sum, 0, sizeof x.sum);
            for (int p0 = 0; p0 < k; p0 += DEEP)
                add_block(&x, tall, smaller(DEEP, k - p0), wide,
                          a + i0 * sa.row + p0 * sa.col, sa,
                          b + p0 * sb.row + j0 * sb.col, sb);
            /* write a block of C */
            for (int i = 0; i < tall; i++)
                for (int j = 0; j < wide; j++) {
                    real *out = &c[(size_t)(i0 + i) * ldc + j0 + j];

                    *out = alpha * x.sum[i][j] + (beta == 0 ? 0 : beta * *out);
                }
        }
}
