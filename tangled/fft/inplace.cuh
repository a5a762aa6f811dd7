/* inplace.cuh: rows that are exchanged where they lie. */
#ifndef FFT_INPLACE_CUH
#define FFT_INPLACE_CUH

#include "fft/rows.cuh"

/* find a number that is exchanged in place */
/* Where number (k, a, j) of a row is, a < B and j < C. */
template <int B, int C>
static __device__ inline int in_place(int k, int a, int j)
{
    return (k * B + a) * C + (j ^ (k % C));
}

/* make the first pass in place */
template <int A, int B, int C>
static __device__ inline void first_in_place(const struct fft_job &s,
                                             float2 *shared, int t)
{
    float2 v[A];

    load_row<fft_length<1, A, A, B, C>>(v, s, blockIdx.x, t);
    butterfly<A>(v);
#pragma unroll
    for (int k = 0; k < A; k++)
        shared[in_place<B, C>(k, t / C, t % C)] = v[k];
}

/* make the second pass in place */
template <int A, int B, int C>
static __device__ inline void second_in_place(const struct fft_job &s,
                                              float2 *shared, int t)
{
#pragma unroll
    for (int u = 0; u < A / B; u++) {
        int k = t / C + u * B;
        float2 x[B];

#pragma unroll
        for (int a = 0; a < B; a++)
            x[a] = shared[in_place<B, C>(k, a, t % C)];
        turn<B, false>(x, s.turns + k, A, {1, 0});
        butterfly<B>(x);
#pragma unroll
        for (int a = 0; a < B; a++)
            shared[in_place<B, C>(k, a, t % C)] = x[a];
    }
}

/* make the last pass in place */
template <int A, int B, int C>
static __device__ inline void last_in_place(const struct fft_job &s,
                                            const float2 *shared, int t)
{
    const float2 *turns = s.turns + turn_powers(B) * A;
    float2 *out = s.out + start(s.to, s.group_rows, blockIdx.x);

#pragma unroll
    for (int u = 0; u < A / C; u++) {
        int k = t + u * B * C; /* the bin, but for multiples of A B */
        float2 x[C];

#pragma unroll
        for (int i = 0; i < C; i++)
            x[i] = shared[in_place<B, C>(k % A, k / A, i)];
        turn<C, false>(x, turns + k, A * B, {1, 0});
        butterfly<C>(x);
        swap_parts<C>(x, s.swap_out);
#pragma unroll
        for (int i = 0; i < C; i++)
            out[(k + i * (A * B)) * s.to.step] =
                make_float2(s.scale * x[i].x, s.scale * x[i].y);
    }
}

/* transform rows in place */
/* Rows of A B C numbers, by B C threads; turns as for the radices A, B, C. */
template <int LEAST, int A, int B, int C>
__global__ void __launch_bounds__(B *C, LEAST)
    fft_rows_in_place(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];

    static_assert(A % B == 0 && A % C == 0 && B == C, "whole groups");
    first_in_place<A, B, C>(s, shared, threadIdx.x);
    __syncthreads();
    second_in_place<A, B, C>(s, shared, threadIdx.x);
    __syncthreads();
    last_in_place<A, B, C>(s, shared, threadIdx.x);
}

#endif
