/* loops.h: C += A B by three loops in three orders. C11 and C++17. */
#ifndef MATMUL_LOOPS_H
#define MATMUL_LOOPS_H

/* begin declarations of C functions */
#ifdef __cplusplus
extern "C" {
#endif

/* a, b, c: n x n floats each, row-major, in separate arrays. */
void loops_ijk(int n, const float *a, const float *b, float *c);
void loops_ikj(int n, const float *a, const float *b, float *c);
void loops_jki(int n, const float *a, const float *b, float *c);

/* end declarations of C functions */
#ifdef __cplusplus
}
#endif

#endif
