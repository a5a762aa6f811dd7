/* lock.cuh: locks that work, and how to do without. */
#ifndef ATOMICS_LOCK_CUH
#define ATOMICS_LOCK_CUH

#include "atomics/device.h"
#include "sync/order.cuh"

/* take and leave */
/* *lock is 0 when free. Takes it if it is free; returns whether it did. */
static __device__ inline bool lock_try(unsigned *lock)
{
    if (atomicCAS(lock, 0u, 1u) != 0)
        return false;
    __threadfence(); /* I see what was done before the lock was left */
    return true;
}

static __device__ inline void lock_leave(unsigned *lock)
{
    __threadfence(); /* who takes it next sees what I have done */
    atomicExch(lock, 0u);
}

/* keep the best */
/* The largest value so far, where it was, and how many there have been. */
struct record {
    int best, where;
    unsigned count;
};

static __device__ inline void record_note(struct record *r, int x, int where)
{
    if (r->count == 0 || x > r->best) {
        r->best = x;
        r->where = where;
    }
    r->count++;
}

/* lock by lane */
/* Notes x[i] for i < n in *r, a lane at a time; REST: in no hurry. */
template <int REST>
__global__ void record_lanes(int n, const int *x, unsigned *lock,
                             struct record *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = i >= n;

    while (!done)
        if (lock_try(lock)) {
            record_note(r, x[i], i);
            lock_leave(lock);
            done = true;
        } else if (REST) {
            __nanosleep(100);
        }
}

/* lock by warp */
/* The same; lane 0 locks for its warp, and the lanes take turns inside. */
__global__ void record_warps(int n, const int *x, unsigned *lock,
                             struct record *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;

    if (lane == 0)
        while (!lock_try(lock))
            __nanosleep(100);
    __syncwarp();
    for (int turn = 0; turn < 32; turn++) {
        if (turn == lane && i < n)
            record_note(r, x[i], i);
        __syncwarp();
    }
    if (lane == 0)
        lock_leave(lock);
}

/* lock by ticket */
/* ticket[0]: the next to be drawn, ticket[1]: the one whose turn it is. */
static __device__ inline void ticket_take(unsigned *ticket)
{
    unsigned mine = atomicAdd(&ticket[0], 1u);

    while (load_acquire(&ticket[1]) != mine)
        __nanosleep(100);
}

static __device__ inline void ticket_leave(unsigned *ticket)
{
    add_release(&ticket[1], 1u);
}

/* note by ticket */
/* The same; one thread of a block notes all that the block has. */
__global__ void record_tickets(int n, const int *x, unsigned *ticket,
                               struct record *r)
{
    int first = blockIdx.x * blockDim.x;

    if (threadIdx.x != 0)
        return;
    ticket_take(ticket);
    for (int i = first; i < n && i < first + (int)blockDim.x; i++)
        record_note(r, x[i], i);
    ticket_leave(ticket);
}

/* do without a lock */
/* A larger value makes a larger word; of equal values the smaller place. */
static __host__ __device__ inline unsigned long long pack(int x, int where)
{
    return (unsigned long long)((unsigned)x ^ 0x80000000u) << 32 |
           (0x7fffffffu - (unsigned)where);
}

/* unpack a record */
static __host__ __device__ inline struct record unpack(unsigned long long w)
{
    struct record r = {0, 0, 0};

    r.best = (int)((unsigned)(w >> 32) ^ 0x80000000u);
    r.where = (int)(0x7fffffffu - (unsigned)w);
    return r;
}

/* *best is 0 at the launch. */
__global__ void record_packed(int n, const int *x, unsigned *count,
                              unsigned long long *best)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    atomicMax(best, pack(x[i], i));
    atomicAdd(count, 1u);
}

/* run one of the records */
enum recorder { BY_LANE, RESTING, BY_WARP, BY_TICKET, PACKED, RECORDERS };

static const char *const recorder_names[] = {
    "lock_lane", "lock_lane_rest", "lock_warp", "lock_ticket", "lock_none"};

/* What the device keeps: a word for the lock (two for tickets), the record. */
struct guarded {
    unsigned long long best;
    unsigned lock[2];
    struct record record;
};

/* Queues the noting of x[0..n), n >= 1; *d is cleared first. */
static inline void record_run(enum recorder how, int n, const int *d_x,
                              struct guarded *d)
{
    enum { THREADS = 128 };
    unsigned blocks = (unsigned)blocks_for((size_t)n, THREADS);

    CUDA_CHECK(cudaMemsetAsync(d, 0, sizeof *d, 0));
    if (how == BY_LANE)
        record_lanes<0><<<blocks, THREADS>>>(n, d_x, d->lock, &d->record);
    else if (how == RESTING)
        record_lanes<1><<<blocks, THREADS>>>(n, d_x, d->lock, &d->record);
    else if (how == BY_WARP)
        record_warps<<<blocks, THREADS>>>(n, d_x, d->lock, &d->record);
    else if (how == BY_TICKET)
        record_tickets<<<blocks, THREADS>>>(n, d_x, d->lock, &d->record);
    else
        record_packed<<<blocks, THREADS>>>(n, d_x, &d->record.count, &d->best);
    CUDA_LAUNCH_CHECK();
}

#endif
