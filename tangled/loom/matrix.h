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
    LOOM_F64
};

/* D = A B + C of a warp; a, b, c and d are this lane's parts, as PTX deals them
   out for mma.sync. F64: 8 x 8 x 4; the others 16 x 8 by 32 bytes. */
void loom_mma(int element, void *d, const void *a, const void *b, const void *c,
              const char *file, int line);

/* The 16 bytes of each lane are a row; and the way back. */
void loom_ldmatrix(unsigned *d, int n, int trans, const void *row,
                   const char *file, int line);
void loom_stmatrix(void *row, int n, int trans, const unsigned *d,
                   const char *file, int line);

/* An element of a type as a number. */
double loom_element(int element, unsigned bits);
unsigned loom_tf32(float x);

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
