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
    size_t a_row = ta == 'N' ? lda : 1, a_col = ta == 'N' ? 1 : lda;
    size_t b_row = tb == 'N' ? ldb : 1, b_col = tb == 'N' ? 1 : ldb;

    matmul_check("A", ta, m, k, lda);
    matmul_check("B", tb, k, n, ldb);
    matmul_check("C", 'N', m, n, ldc);
    if (alpha == 0)
        k = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            real sum = 0, *out = &c[(size_t)i * ldc + j];

            for (int p = 0; p < k; p++)
                sum += a[i * a_row + p * a_col] * b[p * b_row + j * b_col];
            *out = alpha * sum + (beta == 0 ? 0 : beta * *out);
        }
}

/* multiply in blocks */
enum { TALL = 64, DEEP = 128, WIDE = 128, LANES = 16 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* sum[0..wide) += x[0..deep) times the block y. Goes up to 3 rows and LANES - 1
   columns beyond: there must be zeros. */
static void add_row(int deep, int wide, const real *x, real (*restrict y)[WIDE],
                    real *restrict sum)
{
    for (int p = 0; p < deep; p += 4)
        for (int j = 0; j < wide; j += LANES)
            for (int l = j; l < j + LANES; l++)
                sum[l] += x[p] * y[p][l] + x[p + 1] * y[p + 1][l] +
                          x[p + 2] * y[p + 2][l] + x[p + 3] * y[p + 3][l];
}
void matmul_blocked(char ta, char tb, int m, int n, int k, real alpha,
                    const real *a, int lda, const real *b, int ldb, real beta,
                    real *c, int ldc)
{
    size_t a_row = ta == 'N' ? lda : 1, a_col = ta == 'N' ? 1 : lda;
    size_t b_row = tb == 'N' ? ldb : 1, b_col = tb == 'N' ? 1 : ldb;
    real sum[TALL][WIDE], block[DEEP][WIDE], row[DEEP];

    matmul_check("A", ta, m, k, lda);
    matmul_check("B", tb, k, n, ldb);
    matmul_check("C", 'N', m, n, ldc);
    if (alpha == 0)
        k = 0;
    for (int j0 = 0; j0 < n; j0 += WIDE)
        for (int i0 = 0; i0 < m; i0 += TALL) {
            int tall = smaller(TALL, m - i0), wide = smaller(WIDE, n - j0);

            memset(sum, 0, sizeof sum);
            for (int p0 = 0; p0 < k; p0 += DEEP) {
                int deep = smaller(DEEP, k - p0);
                /* add the products of one block */
                const real *a0 = a + i0 * a_row + p0 * a_col;
                const real *b0 = b + p0 * b_row + j0 * b_col;

                memset(block, 0, sizeof block);
                memset(row, 0, sizeof row);
                for (int p = 0; p < deep; p++)
                    for (int j = 0; j < wide; j++)
                        block[p][j] = b0[p * b_row + j * b_col];
                for (int i = 0; i < tall; i++) {
                    for (int p = 0; p < deep; p++)
                        row[p] = a0[i * a_row + p * a_col];
                    add_row(deep, wide, row, block, sum[i]);
                }
            }
            /* write the sums of one block */
            for (int i = 0; i < tall; i++)
                for (int j = 0; j < wide; j++) {
                    real *out = &c[(size_t)(i0 + i) * ldc + j0 + j];

                    *out = alpha * sum[i][j] + (beta == 0 ? 0 : beta * *out);
                }
        }
}
