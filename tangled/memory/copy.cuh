/* copy.cuh: y = x, with more and more bytes on their way. */
#ifndef MEMORY_COPY_CUH
#define MEMORY_COPY_CUH

#include "memory/move.cuh"

/* copy a float a thread */
__global__ void copy_float(size_t n, const float *x, float *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = x[i];
}

/* copy several words a thread */
/* y = x, n floats, both at multiples of sizeof(V); U words a thread. */
template <class V, int U, int STREAM>
__global__ void copy_words(size_t n, const V *x, V *y)
{
    size_t whole = n / (sizeof(V) / 4);
    size_t i = (size_t)blockIdx.x * blockDim.x * U + threadIdx.x;
    V v[U];

    if (i + (U - 1) * blockDim.x < whole) {
#pragma unroll
        for (int k = 0; k < U; k++)
            v[k] = take<STREAM>(&x[i + k * blockDim.x]);
#pragma unroll
        for (int k = 0; k < U; k++)
            put<STREAM>(&y[i + k * blockDim.x], v[k]);
    } else {
        for (; i < whole; i += blockDim.x)
            y[i] = x[i];
    }
    /* copy what is left over */
    if (blockIdx.x == 0 && threadIdx.x < n % (sizeof(V) / 4)) {
        size_t rest = whole * (sizeof(V) / 4) + threadIdx.x;

        ((float *)y)[rest] = ((const float *)x)[rest];
    }
}

/* launch a copy */
static void launch_copy_float(int rows, int cols, const float *x, float *y)
{
    size_t n = (size_t)rows * cols;

    copy_float<<<blocks_for(n, 256), 256>>>(n, x, y);
}

template <class V, int U, int STREAM, int SHARED = 0>
static void launch_copy(int rows, int cols, const float *x, float *y)
{
    size_t n = (size_t)rows * cols;
    size_t words = ceil_div(n, sizeof(V) / 4),
           blocks = ceil_div(words, 256 * U);
    auto kernel = copy_words<V, U, STREAM>;
    int shared = shared_allowed(kernel, SHARED) ? SHARED : 0;

    kernel<<<(unsigned)blocks, 256, shared>>>(n, (const V *)x, (V *)y);
}

/* list the copies */
static const struct move copies[] = {
    {"copy_float", launch_copy_float, COPIED},
    {"copy_4_floats", launch_copy<float, 4, 0>, COPIED},
    {"copy_float4", launch_copy<float4, 1, 0>, COPIED},
    {"copy_4_float4s", launch_copy<float4, 4, 0>, COPIED},
    {"copy_few", launch_copy<float4, 4, 0, 100 << 10>, COPIED},
    {"copy_streamed", launch_copy<float4, 1, STREAM_BOTH>, COPIED},
    {"copy_in_streamed", launch_copy<float4, 1, STREAM_IN>, COPIED},
    {"copy_out_streamed", launch_copy<float4, 1, STREAM_OUT>, COPIED},
};

enum { COPIES = sizeof copies / sizeof *copies };
#endif
