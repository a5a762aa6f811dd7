/* matrix.h: what a warp does with small matrices. C11 and C++17. */
#ifndef LOOM_MATRIX_H
#define LOOM_MATRIX_H

#ifdef __cplusplus
extern "C" {
#endif

enum loom_element {
    LOOM_F16,
    LOOM_BF16,
    LOOM_TF32,
    LOOM_E4M3,
    LOOM_E5M2,
    LOOM_S8,
    LOOM_U8,
    LOOM_S4,
    LOOM_U4,
    LOOM_F64
};

/* D = A B + C of a warp; a, b, c and d are this lane's parts, as PTX deals them
   out for mma.sync. F64: 8 x 8 x 4; the others 16 x 8 by 32 bytes. */
void loom_mma(int element, void *d, const void *a, const void *b, const void *c,
              const char *file, int line);

/* The same for m x k by k x 8, m 8 or 16, k 16 or 32 bytes: two types of factors,
   sums of 16 bits or 32, of which integers may be bounded. */
struct loom_shape {
    int m, k, a, b, narrow, bounded;
};
void loom_mma_of(struct loom_shape shape, void *d, const void *a, const void *b,
                 const void *c, const char *file, int line);

/* The 16 bytes of each lane are a row; and the way back. */
void loom_ldmatrix(unsigned *d, int n, int trans, const void *row,
                   const char *file, int line);
void loom_stmatrix(void *row, int n, int trans, const unsigned *d,
                   const char *file, int line);

/* read an element here */
/* An element of a type as a number (loom_small: of any other type). */
double loom_small(int element, unsigned bits);
static inline double loom_element(int element, unsigned bits)
{
    float f;

    if (element != LOOM_BF16 && element != LOOM_TF32)
        return loom_small(element, bits);
    /* of tf32 the hardware looks at no more */
    bits = element == LOOM_BF16 ? bits << 16 : bits & 0xffffe000;
    __builtin_memcpy(&f, &bits, 4);
    return f;
}

/* The nearest element, in the rounding that is set; finite: no infinity. */
unsigned loom_narrow(int element, double x, int finite);
unsigned loom_tf32(float x);

/* Adds x[k] times row k of y, of eight numbers, to eight sums; n rows. */
void loom_add_products(double *sum, const double *x, const double *y, int n);

/* All lanes of the warp come here; the last calls run with what each has brought.
   The lanes' memory is there for it to change. */
struct loom_meeting {
    void (*run)(struct loom_meeting *lane[32]);
};
void loom_together(struct loom_meeting *call, const char *file, int line);

#ifdef __cplusplus
}
#endif
#endif
