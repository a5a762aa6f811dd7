/* ahead.cuh: rows by blocks that stay and fetch the next rows ahead. */
#ifndef FFT_AHEAD_CUH
#define FFT_AHEAD_CUH

#include "fft/rows.cuh"
#include "loom/ptx.h"

/* fetch numbers ahead */
/* Starts to copy this thread's numbers of its row b to ahead[i * THREADS]. */
template <class L>
static __device__ inline void fetch_row(float2 *ahead, const struct fft_job &s,
                                        int b, int j)
{
    const float2 *in = s.in + start(s.from, s.group_rows, b) + j * s.from.step;

#pragma unroll
    for (int i = 0; i < L::E; i++)
        if (b < s.rows)
            ptx_cp_async<8>(&ahead[i * L::THREADS],
                            &in[i * (L::T * s.from.step)]);
    ptx_cp_async_commit();
}

/* transform rows that were fetched ahead */
template <class L>
__global__ void __launch_bounds__(L::THREADS, L::LEAST)
    fft_rows_ahead(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];
    float2 *ahead = shared + L::SHARED / sizeof(float2) + threadIdx.x;
    struct fft_place next = place<L>(s.to.across);
    int blocks = (s.rows + L::Q - 1) / L::Q;
    float2 v[L::E];

    for (int block = blockIdx.x; block < blocks; block += gridDim.x) {
        struct fft_place p = place<L>(s.from.across);
        int b = block * L::Q + p.row;

        if (block == (int)blockIdx.x)
            fetch_row<L>(ahead, s, b, p.j);
        ptx_cp_async_wait<0>();
#pragma unroll
        for (int i = 0; i < L::E; i++)
            v[i] = b < s.rows ? ahead[i * L::THREADS] : float2{0, 0};
        swap_parts<L::E>(v, s.swap_in);
        __syncthreads();
        if (block + (int)gridDim.x < blocks)
            fetch_row<L>(ahead, s, b + gridDim.x * L::Q, p.j);
        transform(L(), v, shared, p, next, s.turns);
        b = block * L::Q + p.row;
        /* turn between the halves */
        if (s.first && b < s.rows) {
            int column = b % s.group_rows;

            turn<L::E, true>(v, s.by + column, s.group_rows,
                             s.first[p.j * s.group_rows + column]);
        }
        store_row<L>(v, s, b, p.j);
    }
}

#endif
