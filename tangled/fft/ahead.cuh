/* ahead.cuh: rows by blocks that stay and fetch the next row ahead. */
#ifndef FFT_AHEAD_CUH
#define FFT_AHEAD_CUH

#include "fft/rows.cuh"
#include "loom/ptx.h"

/* fetch a row ahead */
/* May rows be copied in bulk? */
static __device__ inline int may_fetch(const struct fft_job &s)
{
    return s.from.step == 1 && s.from.group % 2 == 0 && s.group_rows == 1 &&
           (size_t)s.in % 16 == 0;
}

/* One thread starts to copy row b, if there is one. */
template <class L>
static __device__ inline void fetch_row(float2 *ahead, const struct fft_job &s,
                                        int b, uint64_t *arrived)
{
    if (b >= s.rows)
        return;
    ptx_mbarrier_expect(arrived, L::N * sizeof(float2));
    ptx_bulk_load(ahead, s.in + start(s.from, 1, b), L::N * sizeof(float2),
                  arrived);
}

/* transform rows that were fetched ahead */
template <class L>
__global__ void __launch_bounds__(L::THREADS, L::LEAST)
    fft_rows_ahead(const __grid_constant__ struct fft_job s)
{
    extern __shared__ __align__(16) float2 shared[];
    __shared__ uint64_t arrived;
    float2 *ahead = shared + (L::SHARED + 15) / 16 * 2;
    int bulk = may_fetch(s), first = threadIdx.x == 0;
    float2 v[L::E];

    if (first) {
        ptx_mbarrier_init(&arrived, 1);
        ptx_fence_mbarrier_init();
        if (bulk)
            fetch_row<L>(ahead, s, blockIdx.x, &arrived);
    }
    __syncthreads();
    for (int b = blockIdx.x, phase = 0; b < s.rows; b += gridDim.x) {
        struct fft_place home = {0, (int)threadIdx.x}, p = home;

        if (bulk) {
            ptx_mbarrier_wait(&arrived, phase);
            phase ^= 1;
#pragma unroll
            for (int i = 0; i < L::E; i++)
                v[i] = ahead[p.j + i * L::T];
            swap_parts<L::E>(v, s.swap_in);
        } else {
            load_row<L>(v, s, b, p.j);
        }
        __syncthreads();
        if (first && bulk)
            fetch_row<L>(ahead, s, b + gridDim.x, &arrived);
        transform(L(), v, shared, p, home, s.turns);
        store_row<L>(v, s, b, p.j);
    }
}

#endif
