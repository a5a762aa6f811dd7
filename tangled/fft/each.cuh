/* each.cuh: what is done to numbers before and after a transform that cannot
   do it itself. */
#ifndef FFT_EACH_CUH
#define FFT_EACH_CUH

#include "fft/rows.cuh"

enum { EACH_THREADS = 256 };

/* find a number of a row */
/* Thread t of the grid has number k of row b, of s.n a row. */
static __device__ inline bool each(const struct fft_job &s, int *b, int *k)
{
    size_t t = (size_t)blockIdx.x * EACH_THREADS + threadIdx.x;

    *b = (int)(t / s.n);
    *k = (int)(t % s.n);
    return t < (size_t)s.rows * s.n;
}

/* multiply each number */
/* Numbers behind s.take are zeros; all are multiplied by s.before, if given. */
__global__ void fft_each(const __grid_constant__ struct fft_job s)
{
    float2 v = {0, 0};
    int b, k;

    if (!each(s, &b, &k))
        return;
    if (k < s.take)
        v = s.in[start(s.from, s.group_rows, b) + k * s.from.step];
    swap_parts<1>(&v, s.swap_in);
    if (s.before && k < s.take)
        v = mul(v, s.before[k]);
    swap_parts<1>(&v, s.swap_out);
    s.out[start(s.to, s.group_rows, b) + k * s.to.step] =
        make_float2(s.scale * v.x, s.scale * v.y);
}

/* make real numbers complex and back */
__global__ void fft_widen(const __grid_constant__ struct fft_job s)
{
    const float *in = (const float *)s.in;
    int b, k;

    if (each(s, &b, &k))
        s.out[start(s.to, s.group_rows, b) + k * s.to.step] = {
            in[start(s.from, s.group_rows, b) + k * s.from.step], 0};
}

__global__ void fft_narrow(const __grid_constant__ struct fft_job s)
{
    float *out = (float *)s.out;
    int b, k;

    if (each(s, &b, &k)) /* swapped: it comes from an inverse transform */
        out[start(s.to, s.group_rows, b) + k * s.to.step] =
            s.scale * s.in[start(s.from, s.group_rows, b) + k * s.from.step].y;
}

/* complete the bins by their mirror images */
/* n bins, swapped for an inverse transform, from the n / 2 + 1 of real input. */
__global__ void fft_mirror(const __grid_constant__ struct fft_job s)
{
    int b, k;

    if (each(s, &b, &k)) {
        int low = k <= s.n / 2;
        float2 v = s.in[start(s.from, s.group_rows, b) +
                        (low ? k : s.n - k) * s.from.step];

        s.out[start(s.to, s.group_rows, b) + k * s.to.step] = {low ? v.y : -v.y,
                                                               v.x};
    }
}

/* split and join long real rows */
/* s.n = N / 2 + 1 threads a row, two bins each; N numbers become N + 1. */
__global__ void fft_split(const __grid_constant__ struct fft_job s)
{
    int b, k, n = s.count;
    float2 low, high;

    if (!each(s, &b, &k))
        return;
    const float2 *in = s.in + start(s.from, s.group_rows, b);
    float2 *out = s.out + start(s.to, s.group_rows, b);

    split_real(in[k], in[(n - k) % n], s.before[k], &low, &high);
    out[k * s.to.step] = make_float2(s.scale * low.x, s.scale * low.y);
    out[(n - k) * s.to.step] = make_float2(s.scale * high.x, s.scale * high.y);
}

/* And back: N + 1 bins become N pairs, swapped. */
__global__ void fft_join(const __grid_constant__ struct fft_job s)
{
    int b, k, n = s.n;

    if (!each(s, &b, &k))
        return;
    const float2 *in = s.in + start(s.from, s.group_rows, b);
    float2 v =
        join_real(in[k * s.from.step], in[(n - k) * s.from.step], s.before[k]);

    s.out[start(s.to, s.group_rows, b) + k] = make_float2(v.y, v.x);
}

#endif
