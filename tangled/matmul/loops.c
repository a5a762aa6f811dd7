/* loops.c: C += A B by three loops in three orders. */
#include <stddef.h>

#include "matmul/loops.h"

/* multiply with k innermost */
void loops_ijk(int n, const float *a, const float *b, float *restrict c)
{
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j < (size_t)n; j++)
            for (size_t k = 0; k < (size_t)n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* multiply with j innermost */
void loops_ikj(int n, const float *a, const float *b, float *restrict c)
{
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t k = 0; k < (size_t)n; k++)
            for (size_t j = 0; j < (size_t)n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* multiply with i innermost */
void loops_jki(int n, const float *a, const float *b, float *restrict c)
{
    for (size_t j = 0; j < (size_t)n; j++)
        for (size_t k = 0; k < (size_t)n; k++)
            for (size_t i = 0; i < (size_t)n; i++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}
