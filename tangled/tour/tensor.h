/* tensor.h: a matrix of floats, shapes checked. C11 and C++17. */
#ifndef TOUR_TENSOR_H
#define TOUR_TENSOR_H

/* begin declarations of C functions */
#ifdef __cplusplus
extern "C" {
#endif

/* declare the handle */
struct tensor;

/* declare what can go wrong */
enum tensor_status {
    TENSOR_OK,
    TENSOR_BAD_SHAPE, /* a size below 1, or shapes that do not fit together */
    TENSOR_NO_MEMORY
};

/* The status in words. */
const char *tensor_error(enum tensor_status status);

/* declare what can be done with a tensor */
/* Makes a tensor of rows x cols zeros and stores its handle in *out. */
enum tensor_status tensor_create(struct tensor **out, int rows, int cols);
/* The same, but stops the program with a message when it cannot. */
struct tensor *tensor_new(int rows, int cols);
void tensor_destroy(struct tensor *t); /* a NULL is ignored */

int tensor_rows(const struct tensor *t);
int tensor_cols(const struct tensor *t);

/* Element (row, col), counted from 0; one outside stops the program. */
float tensor_get(const struct tensor *t, int row, int col);
void tensor_set(struct tensor *t, int row, int col, float value);

/* c = a b, where a is m x k, b is k x n and c is m x n, not a and not b. Each
   sum is taken in the order of the index k. */
enum tensor_status tensor_mul(struct tensor *c, const struct tensor *a,
                              const struct tensor *b);

/* end declarations of C functions */
#ifdef __cplusplus
}
#endif

#endif
