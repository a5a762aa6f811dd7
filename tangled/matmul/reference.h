/* reference.h: matrix products on the CPU. C11 and C++17. */
#ifndef MATMUL_REFERENCE_H
#define MATMUL_REFERENCE_H

#include "matmul/real.h"

#ifdef REAL_DOUBLE
#define matmul_reference matmul_reference_d
#define matmul_blocked matmul_blocked_d
#endif

/* begin declarations of C functions */
#ifdef __cplusplus
extern "C" {
#endif

/* declare the products */
/* C = alpha op(A) op(B) + beta C, all row-major: op(A) is m x k, op(B) k x n,
   C m x n. ta: 'N' for op(A) = A, 'T' for its transpose; tb likewise. lda is
   the distance from a row of A as it is stored to the next, in numbers; ldb,
   ldc likewise. Any size may be 0. C is not read when beta is 0; A and B are
   not when alpha is 0. Each sum is taken in the order of the index k. */
void matmul_reference(char ta, char tb, int m, int n, int k, real alpha,
                      const real *a, int lda, const real *b, int ldb, real beta,
                      real *c, int ldc);

/* The same to within rounding (the sums are taken in another order), fast. */
void matmul_blocked(char ta, char tb, int m, int n, int k, real alpha,
                    const real *a, int lda, const real *b, int ldb, real beta,
                    real *c, int ldc);

/* end declarations of C functions */
#ifdef __cplusplus
}
#endif

#endif
