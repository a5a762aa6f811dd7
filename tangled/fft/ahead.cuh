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

/* Starts to copy numbers i to end of row b, if there is one. Whoever copies the
   end tells the barrier to expect all of it. */
template <class L>
static __device__ inline void fetch_row(float2 *to, const struct fft_job &s,
                                        int b, int i, int end,
                                        uint64_t *arrived)
{
    if (b >= s.rows)
        return;
    if (end == L::N)
        ptx_mbarrier_expect(arrived, L::N * sizeof(float2));
    if (i < end)
        ptx_bulk_load(to, s.in + start(s.from, 1, b) + i,
                      (end - i) * sizeof(float2), arrived);
}

/* transform rows that were fetched ahead */
template <class L, int HEAD>
__global__ void __launch_bounds__(L::THREADS, L::LEAST)
    fft_rows_ahead(const __grid_constant__ struct fft_job s)
{
    extern __shared__ __align__(16) float2 shared[];
    __shared__ uint64_t arrived;
    float2 *head = shared + (L::SHARED + 15) / 16 * 2;
    int bulk = may_fetch(s), first = threadIdx.x == 0, b = blockIdx.x;
    float2 v[L::E];

    static_assert(HEAD == L::N || L::LANES > 0, "else nothing is free");
    if (first) {
        ptx_mbarrier_init(&arrived, 1);
        ptx_fence_mbarrier_init();
    }
    __syncthreads();
    if (first && bulk) {
        fetch_row<L>(head, s, b, 0, HEAD, &arrived);
        if (HEAD < L::N)
            fetch_row<L>(shared, s, b, HEAD, L::N, &arrived);
    }
    for (int phase = 0; b < s.rows; b += gridDim.x, phase ^= 1) {
        struct fft_place home = {0, (int)threadIdx.x}, p = home;
        int next = b + gridDim.x;

        if (bulk) {
            ptx_mbarrier_wait(&arrived, phase);
#pragma unroll
            for (int i = 0; i < L::E; i++)
                v[i] = i * L::T < HEAD ? head[p.j + i * L::T]
                                       : shared[p.j + i * L::T - HEAD];
            swap_parts<L::E>(v, s.swap_in);
        } else {
            load_row<L>(v, s, b, p.j);
        }
        __syncthreads();
        if (first && bulk)
            fetch_row<L>(head, s, next, 0, HEAD, &arrived);
        transform(L(), v, shared, p, home, s.turns, [&] {
            if (HEAD < L::N) {
                __syncthreads();
                if (first && bulk) {
                    ptx_fence_async();
                    fetch_row<L>(shared, s, next, HEAD, L::N, &arrived);
                }
            }
        });
        store_row<L>(v, s, b, p.j);
    }
}

#endif
