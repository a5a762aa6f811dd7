/* long.cuh: transforms of 2^14 to 2^17 points in one pass, by clusters. */
#ifndef FFT_LONG_CUH
#define FFT_LONG_CUH

#include "fft/rows.cuh"
#include "loom/ptx.h"

/* transform in a cluster */
/* A transform of A x B numbers, A = LA::N and B = LB::N, by C blocks. A block
   takes B / C columns of A numbers, then A / C rows of B. */
template <class LA, class LB, int C>
__global__ void __launch_bounds__(LA::THREADS, 768 / LA::THREADS)
    fft_cluster(const __grid_constant__ struct fft_job s)
{
    constexpr int A = LA::N, B = LB::N, E = LA::E;
    extern __shared__ float2 shared[];
    float2 v[E];
    struct fft_place p = place<LA>(1), next = place<LB>(1);
    int rank = ptx_cluster_rank(), column = rank * LA::Q + p.row;
    int b = blockIdx.x / C;
    const float2 *in = s.in + start(s.from, s.group_rows, b);
    float2 *out = s.out + start(s.to, s.group_rows, b);

    static_assert(LA::Q * C == B && LB::Q * C == A && LB::E == E, "a share");

/* transform the columns of a block */
#pragma unroll
    for (int i = 0; i < E; i++)
        v[i] = in[((p.j + i * LA::T) * B + column) * s.from.step];
    swap_parts<E>(v, s.swap_in);
    transform(LA(), v, shared, p, p, s.turns);
    ptx_cluster_arrive();
    turn<E, true>(v, s.by + column, B, s.first[p.j * B + column]);
    ptx_cluster_wait();

/* send each number to the block of its row */
#pragma unroll
    for (int i = 0; i < E; i++) {
        int k = p.j + i * LA::T;

        ptx_map(shared, k / LB::Q)[k % LB::Q * LB::PITCH + spread(column)] =
            v[i];
    }
    ptx_cluster_sync();

/* transform the rows of a block */
#pragma unroll
    for (int i = 0; i < E; i++)
        v[i] = shared[next.row * LB::PITCH + spread(next.j + i * LB::T)];
    __syncthreads();
    transform(LB(), v, shared, next, next, s.turns + s.count);
    swap_parts<E>(v, s.swap_out);
#pragma unroll
    for (int i = 0; i < E; i++)
        out[(rank * LB::Q + next.row + (next.j + i * LB::T) * A) * s.to.step] =
            make_float2(s.scale * v[i].x, s.scale * v[i].y);
}

#endif
