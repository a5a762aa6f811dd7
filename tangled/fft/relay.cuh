/* relay.cuh: the four steps in one launch, with the numbers between the halves
   in a ring that stays in the L2 cache. */
#ifndef FFT_RELAY_CUH
#define FFT_RELAY_CUH

#include "fft/rows.cuh"
#include "sync/order.cuh"

/* draw a ticket and wait for others */
static __device__ inline unsigned draw_ticket(const struct fft_job &s)
{
    return atomicAdd(&s.done[2 * s.rows], 1u);
}

/* Before the first rows and behind the last columns there is nothing to do. */
static __device__ inline void relay_nothing(const struct fft_job &s,
                                            unsigned *ticket)
{
    __syncthreads();
    if (threadIdx.x == 0)
        *ticket = draw_ticket(s);
    __syncthreads();
}

static __device__ inline void wait_for(unsigned *count, unsigned goal)
{
    while (load_acquire(count) < goal)
        ;
}

/* transform columns into the ring */
template <class LA, class LB>
static __device__ inline void relay_columns(const struct fft_job &s, float2 *v,
                                            float2 *shared, int round, int part,
                                            float2 *ring, unsigned *ticket)
{
    constexpr int A = LA::N, B = LB::N;
    struct fft_place p = place<LA>(1);
    int column = part * LA::Q + p.row;
    unsigned drawn = 0;
    const float2 *in = s.in + start(s.from, s.group_rows, round) +
                       (column + p.j * B) * s.from.step;

    if (threadIdx.x == 0 && round >= s.slots)
        wait_for(&s.done[2 * (round - s.slots) + 1], A / LB::Q);
#pragma unroll
    for (int i = 0; i < LA::E; i++)
        v[i] = __ldcs(&in[i * (LA::T * B * s.from.step)]);
    swap_parts<LA::E>(v, s.swap_in);
    transform(LA(), v, shared, p, p, s.there.columns);
    if (threadIdx.x == 0)
        drawn = draw_ticket(s);
    turn<LA::E, true>(v, s.there.by + column, B,
                      s.there.first[p.j * B + column]);
    __syncthreads();
    ring += p.j * B + column;
#pragma unroll
    for (int i = 0; i < LA::E; i++)
        __stcg(&ring[i * (LA::T * B)], v[i]);
    if (threadIdx.x == 0)
        *ticket = drawn;
    __syncthreads();
    if (threadIdx.x == 0)
        add_release(&s.done[2 * round], 1);
}

/* transform rows out of the ring */
template <class LA, class LB>
static __device__ inline void relay_rows(const struct fft_job &s, float2 *v,
                                         float2 *shared, int round, int part,
                                         float2 *ring, unsigned *ticket)
{
    constexpr int A = LA::N, B = LB::N;
    struct fft_place r = place<LB>(0), q = place<LB>(1);
    float2 *out = s.out + start(s.to, s.group_rows, round) +
                  (part * LB::Q + q.row + q.j * A) * s.to.step;

    if (threadIdx.x == 0)
        wait_for(&s.done[2 * round], B / LA::Q);
    __syncthreads();
    ring += (part * LB::Q + r.row) * B + r.j;
#pragma unroll
    for (int i = 0; i < LB::E; i++)
        v[i] = __ldcg(&ring[i * LB::T]);
    if (threadIdx.x == 0)
        *ticket = draw_ticket(s);
    transform(LB(), v, shared, r, q, s.there.rows);
    __syncthreads();
    if (threadIdx.x == 0)
        add_release(&s.done[2 * round + 1], 1);
    swap_parts<LB::E>(v, s.swap_out);
#pragma unroll
    for (int i = 0; i < LB::E; i++)
        __stcs(&out[i * (LB::T * A * s.to.step)],
               make_float2(s.scale * v[i].x, s.scale * v[i].y));
}

/* relay a transform from its columns to its rows */
/* Four steps for each of s.rows transforms of A x B numbers. done[2 t] counts
   the blocks that have made columns of transform t, done[2 t + 1] those that
   have taken its rows out of the ring. */
template <class LA, class LB>
__global__ void __launch_bounds__(LA::THREADS, LA::LEAST)
    fft_relay(const __grid_constant__ struct fft_job s)
{
    constexpr int COLUMNS = LB::N / LA::Q, ITEMS = COLUMNS + LA::N / LB::Q;
    extern __shared__ float2 shared[];
    __shared__ unsigned ticket;
    float2 v[LA::E];

    static_assert(LA::THREADS == LB::THREADS && LA::E == LB::E, "one block");
    if (threadIdx.x == 0)
        ticket = draw_ticket(s);
    __syncthreads();
    for (;;) {
        int round = ticket / ITEMS, part = ticket % ITEMS;

        if (part >= COLUMNS)
            round -= s.lag;
        if (round >= s.rows && part >= COLUMNS)
            return;
        float2 *ring = s.ring + (size_t)(round % s.slots) * (LA::N * LB::N);

        if (round < 0 || round >= s.rows)
            relay_nothing(s, &ticket);
        else if (part < COLUMNS)
            relay_columns<LA, LB>(s, v, shared, round, part, ring, &ticket);
        else
            relay_rows<LA, LB>(s, v, shared, round, part - COLUMNS, ring,
                               &ticket);
    }
}

#endif
