/* reduce.cuh: sums over a block and over an array, five ways. */
#ifndef REDUCE_REDUCE_CUH
#define REDUCE_REDUCE_CUH

#include "kernels/launch.h"
#include "reduce/block.cuh"
#include "reduce/bound.h"

/* add up a block in shared memory */
enum { TREE_THREADS = 256 };

/* partial[b] = the sum of block b's elements. TREE_THREADS threads a block. */
__global__ void sum_tree(size_t n, const float *x, float *partial)
{
    __shared__ float part[TREE_THREADS];
    size_t i = (size_t)blockIdx.x * TREE_THREADS + threadIdx.x;

    part[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (unsigned half = TREE_THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = part[0];
}

/* add up a share, element by element */
/* This thread's share of x[0..n): every (all threads)-th element. */
static __device__ inline float share_plain(size_t n, const float *x)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    float sum = 0;

    for (; i < n; i += step)
        sum += x[i];
    return sum;
}

__global__ void sum_shuffle(size_t n, const float *x, float *partial)
{
    float sum = block_sum(share_plain(n, x));

    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

/* add up a share, several vectors at a time */
enum { SUM_LOADS = 4 }; /* loads of a thread that are on their way together */

/* add a vector */
static __device__ inline void add_vector(float4 *a, float4 v)
{
    a->x += v.x;
    a->y += v.y;
    a->z += v.z;
    a->w += v.w;
}

/* Adds this thread's share of v[0..n) to the four sums of *a. */
static __device__ inline void share_vectors(size_t n, const float4 *v,
                                            float4 *a)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    float4 w[SUM_LOADS];

    for (; i + (SUM_LOADS - 1) * step < n; i += SUM_LOADS * step) {
#pragma unroll
        for (int k = 0; k < SUM_LOADS; k++)
            w[k] = __ldcs(&v[i + k * step]);
#pragma unroll
        for (int k = 0; k < SUM_LOADS; k++)
            add_vector(a, w[k]);
    }
    for (; i < n; i += step)
        add_vector(a, __ldcs(&v[i]));
}

/* add up a share, head, body and tail */

/* find the head of an array */
/* The floats of x[0..n) before the first address that is a multiple of 16. */
static __host__ __device__ inline size_t head_of(size_t n, const float *x)
{
    size_t head = (0 - (uintptr_t)x) % 16 / sizeof(float);

    return head < n ? head : n;
}

/* This thread's share of x[0..n). */
static __device__ inline float share_wide(size_t n, const float *x)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t head = head_of(n, x), body = (n - head) / 4;
    float4 a = make_float4(0, 0, 0, 0);

    if (i < head)
        a.x = x[i];
    if (i < n - head - 4 * body)
        a.y = x[head + 4 * body + i];
    share_vectors(body, (const float4 *)(x + head), &a);
    return (a.x + a.y) + (a.z + a.w);
}

/* add up with wide loads */
__global__ void sum_wide(size_t n, const float *x, float *partial)
{
    float sum = block_sum(share_wide(n, x));

    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

/* add up in one pass */
/* *out = the sum of x[0..n). partial: room for gridDim.x; *done is 0 at the
   launch, and 0 again at the end. */
__global__ void sum_once(size_t n, const float *x, float *partial,
                         unsigned *done, float *out)
{
    __shared__ bool last;
    float sum = block_sum(share_wide(n, x));

    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence(); /* my sum is seen before my count */
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence(); /* the counts before the sums */
    }
    __syncthreads();
    if (last) {
        /* add up the partial sums in their order */
        sum = 0;
        for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
            sum += __ldcg(&partial[b]);
        sum = block_sum(sum);
        if (threadIdx.x == 0)
            *out = sum;
    }
}

/* add up with atomics */
/* *out += the sum of x[0..n), in no fixed order. */
__global__ void sum_atomic(size_t n, const float *x, float *out)
{
    float sum = block_sum(share_wide(n, x));

    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

/* make room for partial sums */
enum { SUM_THREADS = 512, SUM_BLOCKS = 528 }; /* 4 on each of 132 SMs */

/* What a reduction of at most `most` floats needs; one at a time may use it. */
struct sum_space {
    size_t most;
    float *partial; /* SUM_BLOCKS partial sums, then the tree's */
    unsigned *done; /* blocks that are done; 0 between launches */
};

static struct sum_space sum_space_make(size_t most)
{
    struct sum_space s = {most, NULL, NULL};
    size_t room = SUM_BLOCKS + ceil_div(most, TREE_THREADS) + 1;

    CUDA_CHECK(cudaMalloc((void **)&s.partial, room * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&s.done, sizeof *s.done));
    CUDA_CHECK(cudaMemset(s.done, 0, sizeof *s.done));
    return s;
}

static void sum_space_free(struct sum_space *s)
{
    CUDA_CHECK(cudaFree(s->partial));
    CUDA_CHECK(cudaFree(s->done));
}

/* choose the number of blocks */
/* Blocks for n floats: `most` (0: SUM_BLOCKS), or fewer when n is small. */
static inline unsigned sum_blocks(size_t n, unsigned most)
{
    size_t b = ceil_div(n, 4 * SUM_THREADS);

    CHECK(most <= SUM_BLOCKS, "%u blocks; at most %d", most, SUM_BLOCKS);
    if (most == 0)
        most = SUM_BLOCKS;
    return b < 1 ? 1 : b < most ? (unsigned)b : most;
}

/* launch a sum */
enum sum_how { SUM_TREE, SUM_SHUFFLE, SUM_WIDE, SUM_ONCE, SUM_ATOMIC, SUMS };

static const char *const sum_names[] = {"tree", "shuffle", "wide", "once",
                                        "atomic"};

/* Queues *out = the sum of x[0..n), both on the device; n <= s->most. `blocks`:
   how many at most, 0 for the usual number; at most SUM_BLOCKS. */
static inline void sum_run(enum sum_how how, size_t n, const float *x,
                           struct sum_space *s, unsigned blocks, float *out)
{
    unsigned b = sum_blocks(n, blocks);

    CHECK(n <= s->most, "%zu floats; there is room for %zu", n, s->most);
    if (how == SUM_ONCE) {
        sum_once<<<b, SUM_THREADS>>>(n, x, s->partial, s->done, out);
    } else if (how == SUM_ATOMIC) {
        CUDA_CHECK(cudaMemsetAsync(out, 0, sizeof *out, 0));
        sum_atomic<<<b, SUM_THREADS>>>(n, x, out);
    } else {
        /* launch a sum of two steps */
        float *many = s->partial + SUM_BLOCKS;
        size_t trees = n ? ceil_div(n, TREE_THREADS) : 1;

        if (how == SUM_WIDE)
            sum_wide<<<b, SUM_THREADS>>>(n, x, s->partial);
        else if (how == SUM_SHUFFLE)
            sum_shuffle<<<b, SUM_THREADS>>>(n, x, s->partial);
        else {
            sum_tree<<<(unsigned)trees, TREE_THREADS>>>(n, x, many);
            sum_shuffle<<<b, SUM_THREADS>>>(trees, many, s->partial);
        }
        sum_shuffle<<<1, SUM_THREADS>>>(b, s->partial, out);
    }
    CUDA_LAUNCH_CHECK();
}

/* count the height of a sum */
/* The height of the tree of additions that sum_run makes. */
static inline double sum_height(enum sum_how how, size_t n, unsigned blocks)
{
    double b = sum_blocks(n, blocks);

    if (how == SUM_TREE)
        return 8 + bound_height((double)n / TREE_THREADS, b * SUM_THREADS) +
               bound_height(b, SUM_THREADS);
    return bound_height((double)n, b * SUM_THREADS) +
           (how == SUM_ATOMIC ? b : bound_height(b, SUM_THREADS)) + 2;
}

#endif
