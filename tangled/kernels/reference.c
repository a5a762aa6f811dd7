/* reference.c: the kernels of this chapter as loops on the CPU. */
#include "kernels/reference.h"

/* add on the CPU */
void add_reference(size_t n, const float *x, const float *y, float *z)
{
    for (size_t i = 0; i < n; i++) {
        /* add element i */
        z[i] = x[i] + y[i];
    }
}

/* square on the CPU */
void square_reference(size_t rows, size_t cols, size_t ld, const float *in,
                      float *out)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            out[r * ld + c] = in[r * ld + c] * in[r * ld + c];
}

/* add a bias on the CPU */
void bias_reference(size_t batch, size_t length, const float *in,
                    const float *bias, float *out)
{
    for (size_t b = 0; b < batch; b++)
        for (size_t j = 0; j < length; j++)
            out[b * length + j] = in[b * length + j] + bias[j];
}
