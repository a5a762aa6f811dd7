/* long.cuh: transforms of 2^14 to 2^17 points in one pass, by clusters. */
#ifndef FFT_LONG_CUH
#define FFT_LONG_CUH

#include "fft/rows.cuh"
#include "loom/ptx.h"

/* transform what a cluster holds */
/* A transform of A x B numbers, A = LA::N and B = LB::N, by C blocks: B / C
   columns of A numbers for each, then A / C rows of B. Before, v[i] is number
   p.j + i LA::T of column p.row; after, bin q.j + i LB::T of row q.row. */
template <class LA, class LB, int C>
static __device__ inline void
cluster_transform(float2 *v, float2 *shared, int rank, struct fft_place p,
                  struct fft_place q, const struct fft_halves_tables &t)
{
    constexpr int A = LA::N, B = LB::N, E = LA::E;
    int column = rank * LA::Q + p.row;

    static_assert(LA::Q * C == B && LB::Q * C == A && LB::E == E, "a share");
    transform(LA(), v, shared, p, p, t.columns);
    ptx_cluster_arrive();
    turn<E, true>(v, t.by + column, B, t.first[p.j * B + column]);
    ptx_cluster_wait();

/* send each number to the block of its row */
#pragma unroll
    for (int i = 0; i < E; i++) { /* number k of the column, k = p.j + i T */
        int block = p.j / LB::Q + i * LA::T / LB::Q;
        int row = p.j % LB::Q + i * LA::T % LB::Q;

        ptx_map(shared, block)[row * LB::PITCH + spread(column)] = v[i];
    }
    ptx_cluster_sync();

/* transform the rows of a block */
#pragma unroll
    for (int i = 0; i < E; i++)
        v[i] = shared[q.row * LB::PITCH + spread(q.j) + spread(i * LB::T)];
    __syncthreads();
    transform(LB(), v, shared, q, q, t.rows);
}

/* transform in a cluster */
template <class LA, class LB, int C>
__global__ void __launch_bounds__(LA::THREADS, 768 / LA::THREADS)
    fft_cluster(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];
    struct fft_place p = place<LA>(1), q = place<LB>(1);
    int rank = ptx_cluster_rank(), b = blockIdx.x / C;
    float2 v[LA::E];

    const float2 *in = s.in + start(s.from, s.group_rows, b) +
                       (rank * LA::Q + p.row + p.j * LB::N) * s.from.step;

/* read the columns of a block */
#pragma unroll
    for (int i = 0; i < LA::E; i++)
        v[i] = in[i * (LA::T * LB::N * s.from.step)];
    swap_parts<LA::E>(v, s.swap_in);
    cluster_transform<LA, LB, C>(v, shared, rank, p, q, s.there);
    float2 *out = s.out + start(s.to, s.group_rows, b) +
                  (rank * LB::Q + q.row + q.j * LA::N) * s.to.step;
    swap_parts<LA::E>(v, s.swap_out);

/* write the rows of a block */
#pragma unroll
    for (int i = 0; i < LA::E; i++)
        out[i * (LB::T * LA::N * s.to.step)] =
            make_float2(s.scale * v[i].x, s.scale * v[i].y);
}

/* filter in a cluster */
/* As fft_rows_filter, for one long row. */
template <class LA, class LB, int C>
__global__ void __launch_bounds__(LA::THREADS, 512 / LA::THREADS)
    fft_cluster_filter(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];
    struct fft_place p = place<LA>(1), q = place<LB>(1);
    int rank = ptx_cluster_rank(), b = blockIdx.x / C;
    const float2 *in = s.in + start(s.from, s.group_rows, b);
    float2 v[LA::E], *out = s.out + start(s.to, s.group_rows, b);

#pragma unroll
    for (int i = 0; i < LA::E; i++) {
        int k = rank * LA::Q + p.row + (p.j + i * LA::T) * LB::N;

        v[i] = k < s.take ? in[k * s.from.step] : float2{0, 0};
        swap_parts<1>(&v[i], s.swap_in);
        if (k < s.take)
            v[i] = mul(v[i], s.before[k]);
    }
    cluster_transform<LA, LB, C>(v, shared, rank, p, q, s.there);
#pragma unroll
    for (int i = 0; i < LA::E; i++)
        v[i] = mul(
            v[i], s.spectrum[rank * LB::Q + q.row + (q.j + i * LB::T) * LA::N]);
    swap_parts<LA::E>(v, 1);
    __syncthreads();
    cluster_transform<LB, LA, C>(v, shared, rank, q, p, s.back);
    swap_parts<LA::E>(v, 1);
#pragma unroll
    for (int i = 0; i < LA::E; i++) {
        int k = rank * LA::Q + p.row + (p.j + i * LA::T) * LB::N;

        if (k < s.keep)
            v[i] = mul(v[i], s.after[k]);
        swap_parts<1>(&v[i], s.swap_out);
        if (k < s.keep)
            out[k * s.to.step] =
                make_float2(s.scale * v[i].x, s.scale * v[i].y);
    }
}

#endif
