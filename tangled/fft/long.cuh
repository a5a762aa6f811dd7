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

/* send in bulk */
/* stage: A / C rows of B / C numbers for each block of the cluster; inbox: the
   same from each block. */
template <class LA, class LB, int C>
static __device__ inline void
send_in_bulk(float2 *v, float2 *stage, float2 *inbox, uint64_t *arrived,
             int rank, struct fft_place p, struct fft_place q)
{
    constexpr int RUN = LB::Q * LA::Q;
    unsigned bytes = RUN * sizeof(float2);
    int t = threadIdx.x, to = (rank + 1 + t) % C;

#pragma unroll
    for (int i = 0; i < LA::E; i++)
        stage[(p.j + i * LA::T) * LA::Q + p.row] = v[i];
    ptx_fence_async();
    __syncthreads();
    ptx_cluster_wait();
    if (t < C)
        ptx_bulk_send(inbox + rank * RUN, stage + to * RUN, bytes, arrived, to);
    ptx_mbarrier_wait(arrived, 0);
#pragma unroll
    for (int i = 0; i < LB::E; i++) { /* number n of the row, n = q.j + i T */
        int from = q.j / LA::Q + i * LB::T / LA::Q;
        int column = q.j % LA::Q + i * LB::T % LA::Q;

        v[i] = inbox[from * RUN + q.row * LA::Q + column];
    }
}

/* transform in a cluster that sends in bulk */
template <class LA, class LB, int C>
__global__ void __launch_bounds__(LA::THREADS, 768 / LA::THREADS)
    fft_cluster_sent(const __grid_constant__ struct fft_job s)
{
    extern __shared__ __align__(16) float2 shared[];
    __shared__ uint64_t arrived;
    constexpr int MOST = LA::SHARED > LB::SHARED ? LA::SHARED : LB::SHARED;
    struct fft_place p = place<LA>(1), q = place<LB>(1);
    int rank = ptx_cluster_rank(), b = blockIdx.x / C;
    float2 v[LA::E], *inbox = shared + MOST / sizeof(float2);
    const float2 *in = s.in + start(s.from, s.group_rows, b) +
                       (rank * LA::Q + p.row + p.j * LB::N) * s.from.step;

    if (threadIdx.x == 0) {
        ptx_mbarrier_init(&arrived, 1);
        ptx_fence_mbarrier_init();
        ptx_mbarrier_expect(&arrived, LA::THREADS * LA::E * sizeof(float2));
    }
    ptx_cluster_arrive();

/* read the columns of a block */
#pragma unroll
    for (int i = 0; i < LA::E; i++)
        v[i] = in[i * (LA::T * LB::N * s.from.step)];
    swap_parts<LA::E>(v, s.swap_in);
    transform(LA(), v, shared, p, p, s.there.columns);
    turn<LA::E, true>(v, s.there.by + rank * LA::Q + p.row, LB::N,
                      s.there.first[p.j * LB::N + rank * LA::Q + p.row]);
    __syncthreads();
    send_in_bulk<LA, LB, C>(v, shared, inbox, &arrived, rank, p, q);
    ptx_cluster_arrive();
    __syncthreads();
    transform(LB(), v, inbox, q, q, s.there.rows);
    float2 *out = s.out + start(s.to, s.group_rows, b) +
                  (rank * LB::Q + q.row + q.j * LA::N) * s.to.step;
    swap_parts<LA::E>(v, s.swap_out);

/* write the rows of a block */
#pragma unroll
    for (int i = 0; i < LA::E; i++)
        out[i * (LB::T * LA::N * s.to.step)] =
            make_float2(s.scale * v[i].x, s.scale * v[i].y);
    ptx_cluster_wait();
}

#endif
