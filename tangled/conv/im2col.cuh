/* im2col.cuh: convolution as a stored matrix and a matrix product. */
#ifndef CONV_IM2COL_CUH
#define CONV_IM2COL_CUH

#include "conv/gather.cuh"
#include "matmul/matmul.cuh"

/* write the matrix of columns */
/* cols[(c, i, j)][(n, p, q)] = the input under tap (i, j) of channel c. */
__global__ void write_columns(struct gather g, const float *in, float *cols)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    size_t pixels = (size_t)g.n * g.p * g.q;
    size_t count = pixels * g.c * g.r * g.s;

    for (size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x; e < count;
         e += step) {
        int pixel = (int)(e % pixels), term = (int)(e / pixels);
        int q = pixel % g.q, p = pixel / g.q % g.p, n = pixel / g.q / g.p;
        int j = term % g.s, i = term / g.s % g.r, c = term / g.s / g.r;
        int row = gather_from(g, p, i, g.h), col = gather_from(g, q, j, g.w);

        cols[e] = row >= 0 && col >= 0
                      ? in[(((size_t)n * g.c + c) * g.h + row) * g.w + col]
                      : 0;
    }
}

/* put the images in order */
/* From [k][n][area] to [n][k][area]. */
__global__ void order_images(int n, int k, int area, const float *from,
                             float *to)
{
    size_t count = (size_t)n * k * area, step = (size_t)gridDim.x * blockDim.x;

    for (size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x; e < count;
         e += step) {
        size_t image = e / area / k, filter = e / area % k;

        to[e] = from[(filter * n + image) * area + e % area];
    }
}

/* launch a convolution by columns */
/* Bytes of work space: the columns, and a product of k rows. */
static inline size_t conv_im2col_bytes(const struct conv *v)
{
    size_t pixels = (size_t)v->n * conv_out_h(v) * conv_out_w(v);

    return pixels * ((size_t)v->c * v->r * v->s + v->k) * sizeof(float);
}

/* Queues y = x with the filters w; work has conv_im2col_bytes(v). */
static inline void launch_im2col(const struct conv *v, const float *x,
                                 const float *w, float *y, void *work,
                                 cudaStream_t stream)
{
    int area = conv_out_h(v) * conv_out_w(v), pixels = v->n * area;
    int terms = v->c * v->r * v->s;
    float *cols = (float *)work, *product = cols + (size_t)terms * pixels;

    /* queue columns, product and order */
    write_columns<<<1056, 256, 0, stream>>>(gather_forward(v), x, cols);
    matmul_tiled('N', 'N', v->k, pixels, terms, 1, w, terms, cols, pixels, 0,
                 product, pixels, stream);
    order_images<<<1056, 256, 0, stream>>>(v->n, v->k, area, product, y);
    CUDA_LAUNCH_CHECK();
}

#endif
