/* probes.cuh: kernels that read each memory in a certain way, with checks. */
#ifndef MEMORY_PROBES_CUH
#define MEMORY_PROBES_CUH

#include "kernels/fill.cuh"
#include "measure/bench.h"
#include "memory/peaks.h"
#include "memory/predict.h"
#include "simt/warp.cuh"

/* load from a level */
enum level { FROM_L1, FROM_L2, FROM_MEMORY };

template <int LEVEL>
static __device__ inline float4 load_from(const float4 *p)
{
    if (LEVEL == FROM_L2)
        return __ldcg(p);
    if (LEVEL == FROM_MEMORY)
        return __ldcs(p);
    return *p;
}

/* add two vectors */
static __device__ inline float4 add(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/* read from global memory */
/* Each thread adds up 4 * turns vectors; a warp's sum goes to sums[warp].
   x has mask + 1 of them (L1: mask + 1 for each block). */
template <int LEVEL>
__global__ void read_level(unsigned mask, int turns, const float4 *x,
                           float *sums)
{
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = LEVEL == FROM_L1 ? threadIdx.x : me;
    unsigned step = LEVEL == FROM_L1 ? blockDim.x : gridDim.x * blockDim.x;
    float4 sum = make_float4(0, 0, 0, 0);

    if (LEVEL == FROM_L1)
        x += (size_t)blockIdx.x * (mask + 1);
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 4; k++, at += step)
            sum = add(sum, load_from<LEVEL>(&x[at & mask]));
    /* add up the warp and keep the sum */
    sum.x = warp_sum((sum.x + sum.y) + (sum.z + sum.w));
    if (my_lane() == 0)
        sums[me / WARP] = sum.x;
}

/* read from shared memory */
enum { SHARED_VECTORS = 2048 }; /* 32 KiB */

__global__ void read_shared(unsigned mask, int turns, const float4 *x,
                            float *sums)
{
    __shared__ float4 s[SHARED_VECTORS];
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = threadIdx.x;
    float4 sum = make_float4(0, 0, 0, 0);

    for (unsigned i = threadIdx.x; i <= mask; i += blockDim.x)
        s[i] = x[i];
    __syncthreads();
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 4; k++, at += blockDim.x)
            sum = add(sum, s[at & mask]);
    /* add up the warp and keep the sum */
    sum.x = warp_sum((sum.x + sum.y) + (sum.z + sum.w));
    if (my_lane() == 0)
        sums[me / WARP] = sum.x;
}

/* read from registers */
__global__ void read_registers(int turns, float a, float b, float *sums)
{
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    float v[8], sum = 0;

    for (int k = 0; k < 8; k++)
        v[k] = (float)((me + k) % 7);
#pragma unroll 8
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 8; k++)
            v[k] = fmaf(v[k], a, b);
    for (int k = 0; k < 8; k++)
        sum += v[k];
    sum = warp_sum(sum);
    if (my_lane() == 0)
        sums[me / WARP] = sum;
}

/* describe a rung */
struct rung {
    const char *name;
    int blocks, threads, turns;
    unsigned mask; /* vectors of 16 bytes, less one */
    float *d_x, *d_sums;
    uint64_t seed;
};

/* Bytes that one run reads from the rung. */
static inline double rung_bytes(const struct rung *r)
{
    double each = r->name[0] == 'r' ? 8.0 * 12 : 4.0 * 16;

    return each * r->turns * r->blocks * r->threads;
}

/* run a rung */
static inline void run_rung(void *work, int, int)
{
    struct rung *r = (struct rung *)work;
    const float4 *x = (const float4 *)r->d_x;

    if (r->name[0] == 'r')
        read_registers<<<r->blocks, r->threads>>>(r->turns, 0.5f, 1, r->d_sums);
    else if (r->name[0] == 's')
        read_shared<<<r->blocks, r->threads>>>(r->mask, r->turns, x, r->d_sums);
    else if (strcmp(r->name, "l1") == 0)
        read_level<FROM_L1>
            <<<r->blocks, r->threads>>>(r->mask, r->turns, x, r->d_sums);
    else if (strcmp(r->name, "l2") == 0)
        read_level<FROM_L2>
            <<<r->blocks, r->threads>>>(r->mask, r->turns, x, r->d_sums);
    else
        read_level<FROM_MEMORY>
            <<<r->blocks, r->threads>>>(r->mask, r->turns, x, r->d_sums);
    CUDA_LAUNCH_CHECK();
}

/* compute what a warp should have read */
static inline float rung_want(const struct rung *r, int warp)
{
    int mine = strcmp(r->name, "l1") == 0 || r->name[0] == 's';
    unsigned threads = (unsigned)r->threads;
    unsigned step = mine ? threads : threads * (unsigned)r->blocks;
    uint64_t own = strcmp(r->name, "l1") == 0 ? r->mask + 1ull : 0;
    float sum = 0;

    if (r->name[0] == 'r')
        return 32 * 8 * 2;
    for (int lane = 0; lane < 32; lane++) {
        unsigned me = (unsigned)warp * 32 + (unsigned)lane;
        unsigned at = mine ? me % threads : me;

        for (int k = 0; k < 4 * r->turns; k++, at += step)
            for (int c = 0; c < 4; c++)
                sum += small_at(r->seed,
                                4 * (me / threads * own + (at & r->mask)) +
                                    (unsigned)c);
    }
    return sum;
}

/* check a rung */
/* Runs it once and compares every `every`-th warp's sum. */
static inline void check_rung(struct rung *r, int every)
{
    int warps = r->blocks * r->threads / 32;
    float *h = (float *)check_alloc((size_t)warps, sizeof *h);

    CUDA_CHECK(cudaMemset(r->d_sums, 0xff, warps * sizeof *h));
    run_rung(r, 0, 0);
    CUDA_CHECK(
        cudaMemcpy(h, r->d_sums, warps * sizeof *h, cudaMemcpyDeviceToHost));
    for (int w = 0; w < warps; w++) {
        CHECK(h[w] == h[w], "%s: warp %d wrote no sum", r->name, w);
        if (w % every == 0)
            CHECK(h[w] == rung_want(r, w), "%s: warp %d read %g, not %g",
                  r->name, w, h[w], rung_want(r, w));
    }
    free(h);
}

/* measure latencies and patterns */

/* link the lines */
struct line {
    struct line *next;
    char rest[120]; /* a cache line has 128 bytes */
};

/* The line after line `at`, of 2^k or 3 * 2^k. Hull and Dobell, 1962. */
static __host__ __device__ inline size_t line_after(size_t at, size_t lines)
{
    return (at * 1664557 + 1013904223) % lines;
}

__global__ void link_lines(size_t lines, struct line *x)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < lines; i += (size_t)gridDim.x * blockDim.x)
        x[i].next = &x[line_after(i, lines)];
}

/* chase through memory */
struct trip {
    struct line *end; /* where it came out */
    long long cycles, ns;
};

__global__ void chase_lines(int warm, int hops, struct line *at,
                            struct trip *trip)
{
    long long start;
    unsigned long long start_ns;

    for (int h = 0; h < warm; h++)
        at = at->next;
    start = clock64();
    start_ns = global_ns();
#pragma unroll 8
    for (int h = 0; h < hops; h++)
        at = at->next;
    trip->end = at;
    trip->cycles = clock64() - start;
    trip->ns = (long long)(global_ns() - start_ns);
}

/* bring the lines into L2 */
/* Counts the lines that lead nowhere. */
__global__ void touch_lines(size_t lines, struct line *x, unsigned *lost)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < lines; i += (size_t)gridDim.x * blockDim.x)
        if (x[i].next == NULL)
            atomicAdd(lost, 1);
}

/* chase through shared memory */
enum { SHARED_LINES = 1024 };

__global__ void chase_shared(int hops, struct trip *trip)
{
    __shared__ unsigned table[SHARED_LINES];
    unsigned at = 0;
    long long start;

    for (unsigned i = 0; i < SHARED_LINES; i++)
        table[i] = (unsigned)(line_after(i, SHARED_LINES) * sizeof *table);
    start = clock64();
#pragma unroll 8
    for (int h = 0; h < hops; h++)
        at = *(const unsigned *)((const char *)table + at);
    trip->ns = at; /* where it came out */
    trip->cycles = clock64() - start;
}

/* send a chase and check its end */
enum { TRIPS = 31 };

/* What a hop in a working set of `lines` lines takes: over `trips` trips. */
struct hop {
    struct stats cycles, ns;
};

static inline struct hop chase(size_t lines, int hops, int trips)
{
    int warm = lines <= 1 << 13 ? (int)lines : 64;
    double cycles[TRIPS], ns[TRIPS];
    struct trip trip, *d_trip;
    struct line *d_x;
    unsigned *d_lost, lost;
    size_t at = 0;

    CUDA_CHECK(cudaMalloc((void **)&d_x, lines * sizeof *d_x));
    CUDA_CHECK(cudaMalloc((void **)&d_trip, sizeof *d_trip));
    CUDA_CHECK(cudaMalloc((void **)&d_lost, sizeof *d_lost));
    CUDA_CHECK(cudaMemset(d_lost, 0, sizeof *d_lost));
    link_lines<<<1056, 256>>>(lines, d_x);
    for (int t = 0; t < trips; t++) {
        /* make one trip */
        touch_lines<<<1056, 256>>>(lines, d_x, d_lost);
        chase_lines<<<1, 1>>>(warm, hops, d_x + at, d_trip);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(
            cudaMemcpy(&trip, d_trip, sizeof trip, cudaMemcpyDeviceToHost));
        for (int h = 0; h < warm + hops; h++)
            at = line_after(at, lines);
        CHECK(trip.end == d_x + at, "lost in %zu lines", lines);
        cycles[t] = (double)trip.cycles / hops;
        ns[t] = (double)trip.ns / hops;
    }
    CUDA_CHECK(cudaMemcpy(&lost, d_lost, sizeof lost, cudaMemcpyDeviceToHost));
    CHECK(lost == 0, "%u lines lead nowhere", lost);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_trip));
    CUDA_CHECK(cudaFree(d_lost));
    return {stats_of(cycles, trips), stats_of(ns, trips)};
}

/* send a chase through shared memory */
static inline double chase_in_shared(int hops)
{
    struct trip trip, *d_trip;
    size_t at = 0;

    CUDA_CHECK(cudaMalloc((void **)&d_trip, sizeof *d_trip));
    CUDA_CHECK(cudaMemset(d_trip, 0, sizeof *d_trip));
    chase_shared<<<1, 1>>>(hops, d_trip);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&trip, d_trip, sizeof trip, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_trip));
    for (int h = 0; h < hops; h++)
        at = line_after(at, SHARED_LINES);
    CHECK((size_t)trip.ns == at * sizeof(unsigned), "ends at %lld", trip.ns);
    return (double)trip.cycles / hops;
}

/* time loads that wait and loads that do not */
enum { LOADS = 8, APART = 1024, FAR = (2 * LOADS + 1) * APART };
enum { ONE, ISSUED, TOGETHER, CHAINED, STORED, TIMES };

__global__ void time_loads(const volatile int *x, volatile int *out,
                           long long *spent)
{
    long long t[6];
    int v[LOADS], at = 0, sum = 0;
    out[3] = x[FAR + 64]; /* finds the page */
    t[0] = clock64();
    out[0] = x[FAR]; /* the store needs the value: it waits */
    t[1] = clock64();
    for (int k = 0; k < LOADS; k++)
        v[k] = x[k * APART + 64];
    t[2] = clock64();
    for (int k = 0; k < LOADS; k++)
        sum += v[k];
    out[1] = sum;
    t[3] = clock64();
    for (int k = 0; k < LOADS; k++)
        at = x[at + (k ? APART : APART + 128)];
    out[2] = at;
    t[4] = clock64();
    for (int k = 0; k < LOADS; k++)
        out[k * APART + 64] = k;
    t[5] = clock64();
    for (int k = 0; k < TIMES; k++)
        spent[k] = t[k + 1] - t[k];
    spent[TOGETHER] += spent[ISSUED];
}

/* run the loads */
enum { LOAD_ROUNDS = 31 };

/* Cycles of each of the TIMES kinds, over `rounds` rounds. */
static inline void run_loads(int rounds, struct stats *spent)
{
    enum { N = (2 * LOADS + 2) * APART };
    size_t flush = 1 + 3 * (size_t)bench_attribute(cudaDevAttrL2CacheSize);
    int *h = (int *)check_alloc(N, sizeof *h), *d_x, *d_out;
    double cycles[TIMES][LOAD_ROUNDS];
    long long *d_spent, now[TIMES];
    char *d_flush;

    CUDA_CHECK(cudaMalloc((void **)&d_x, N * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_out, N * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_spent, TIMES * sizeof *d_spent));
    CUDA_CHECK(cudaMalloc((void **)&d_flush, flush));
    for (int round = 0; round < rounds; round++) {
        /* clear the caches and time the loads */
        for (int i = 0; i < N; i++)
            h[i] = i;
        CUDA_CHECK(cudaMemcpy(d_x, h, N * sizeof *h, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemset(d_out, 0xff, N * sizeof *h));
        CUDA_CHECK(cudaMemset(d_flush, round, flush));
        time_loads<<<1, 1>>>(d_x, d_out, d_spent);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(
            cudaMemcpy(now, d_spent, sizeof now, cudaMemcpyDeviceToHost));
        for (int k = 0; k < TIMES; k++)
            cycles[k][round] = (double)now[k];
    }
    /* check what was loaded and stored */
    CUDA_CHECK(cudaMemcpy(h, d_out, N * sizeof *h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == FAR && h[3] == FAR + 64, "one load brought %d", h[0]);
    CHECK(h[1] == LOADS * (LOADS - 1) / 2 * APART + LOADS * 64,
          "eight loads brought %d", h[1]);
    CHECK(h[2] == LOADS * APART + 128, "the chain ends at %d", h[2]);
    for (int k = 0; k < LOADS; k++)
        CHECK(h[k * APART + 64] == k, "store %d is lost", k);
    for (int k = 0; k < TIMES; k++)
        spent[k] = stats_of(cycles[k], rounds);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_spent));
    CUDA_CHECK(cudaFree(d_flush));
    free(h);
}

/* read with a stride */
/* y[i] = x[i * stride + shift], i < n; four elements a thread. */
__global__ void read_strided(int n, int stride, int shift, const float *x,
                             float *y)
{
    int step = blockDim.x, i = blockIdx.x * step * 4 + threadIdx.x;
    float v[4];

#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < n)
            v[k] = x[(size_t)(i + k * step) * stride + shift];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < n)
            y[i + k * step] = v[k];
}

/* read here and there */
__global__ void read_scattered(int n, size_t places, const float *x, float *y)
{
    int step = blockDim.x, i = blockIdx.x * step * 4 + threadIdx.x;
    float v[4];

#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < n)
            v[k] = x[16 * line_after(i + k * step, places)];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < n)
            y[i + k * step] = v[k];
}

/* add up the parts of a vector */
enum { BANK_BYTES = 32 * 1024 };

static __device__ inline float part_sum(float v)
{
    return v;
}
static __device__ inline float part_sum(float2 v)
{
    return v.x + v.y;
}
static __device__ inline float part_sum(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

/* read shared memory with a stride */
template <class V>
__global__ void read_banks(int stride, int turns, const V *x, float *sums,
                           long long *spent)
{
    enum { N = BANK_BYTES / sizeof(V) };
    __shared__ V s[N];
    int at = my_lane() * stride;
    float sum = 0;
    long long start;

    for (int i = threadIdx.x; i < N; i += blockDim.x)
        s[i] = x[i];
    __syncthreads();
    start = clock64();
#pragma unroll 4
    for (int t = 0; t < turns; t++)
        sum += part_sum(s[(at + t) & (N - 1)]);
    __syncthreads();
    if (threadIdx.x == 0)
        *spent = clock64() - start;
    sums[threadIdx.x] = sum;
}

/* run a bank test and check it */
/* Cycles that a request of a warp takes, with `warps` warps at it. */
template <class V>
static inline double run_banks(int stride, int warps, int turns, uint64_t seed)
{
    enum { PARTS = sizeof(V) / 4, N = BANK_BYTES / sizeof(V) };
    int n = warps * WARP;
    float *d_x = small_floats(N * PARTS, seed), *d_sums;
    float *h = (float *)check_alloc((size_t)n, sizeof *h);
    long long *d_spent, spent;

    CUDA_CHECK(cudaMalloc((void **)&d_sums, n * sizeof *d_sums));
    CUDA_CHECK(cudaMalloc((void **)&d_spent, sizeof *d_spent));
    CUDA_CHECK(cudaMemset(d_sums, 0xff, n * sizeof *d_sums));
    read_banks<V><<<1, n>>>(stride, turns, (const V *)d_x, d_sums, d_spent);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d_sums, n * sizeof *h, cudaMemcpyDeviceToHost));
    CUDA_CHECK(
        cudaMemcpy(&spent, d_spent, sizeof spent, cudaMemcpyDeviceToHost));
    /* check the sums of the lanes */
    for (int i = 0; i < n; i++) {
        float want = 0;

        for (int t = 0; t < turns; t++)
            for (int c = 0; c < PARTS; c++)
                want += small_at(
                    seed, (uint64_t)((i % WARP * stride + t) % N * PARTS + c));
        CHECK(h[i] == want, "%d bytes, stride %d: thread %d has %g, not %g",
              4 * PARTS, stride, i, h[i], want);
    }
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_sums));
    CUDA_CHECK(cudaFree(d_spent));
    free(h);
    return (double)spent / warps / turns;
}

/* count digits by an index */
/* counts[d * threads + i] = how many of the 8 * words digits of thread i
   are d; its words are x[i], x[i + threads], ... */
__global__ void count_by_index(int words, const unsigned *x, int *counts)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bins[16] = {0};

    for (int w = 0; w < words; w++) {
        unsigned word = x[(size_t)w * threads + i];

        for (int k = 0; k < 8; k++, word >>= 4)
            bins[word & 15]++;
    }
    for (int d = 0; d < 16; d++)
        counts[(size_t)d * threads + i] = bins[d];
}

/* count digits by asking */
__global__ void count_by_asking(int words, const unsigned *x, int *counts)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bins[16] = {0};

    for (int w = 0; w < words; w++) {
        unsigned word = x[(size_t)w * threads + i];

        for (int k = 0; k < 8; k++, word >>= 4)
#pragma unroll
            for (unsigned d = 0; d < 16; d++)
                bins[d] += (word & 15) == d;
    }
#pragma unroll
    for (int d = 0; d < 16; d++)
        counts[(size_t)d * threads + i] = bins[d];
}

/* describe words to count digits in */
struct digits {
    int blocks, words, alike; /* blocks of 256 threads, words of each thread */
    uint64_t seed;
    unsigned *x;
    int *counts;
};

__global__ void fill_words(size_t n, size_t apart, unsigned *x, uint64_t seed)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (size_t)gridDim.x * blockDim.x)
        x[i] = (unsigned)(rng_at(seed, i / apart) >> 32);
}

/* To be freed: x and counts. */
static inline struct digits digits_new(int blocks, int words, int alike,
                                       uint64_t seed)
{
    struct digits d = {blocks, words, alike, seed, NULL, NULL};
    size_t threads = (size_t)blocks * 256, n = threads * words;

    CUDA_CHECK(cudaMalloc((void **)&d.x, n * sizeof *d.x));
    CUDA_CHECK(cudaMalloc((void **)&d.counts, 16 * threads * sizeof(int)));
    fill_words<<<1056, 256>>>(n, alike ? threads : 1, d.x, seed);
    CUDA_LAUNCH_CHECK();
    return d;
}

/* count the digits and check them */
static inline void run_digits(void *work, int asking, int)
{
    const struct digits *d = (const struct digits *)work;
    auto kernel = asking ? count_by_asking : count_by_index;

    kernel<<<d->blocks, 256>>>(d->words, d->x, d->counts);
    CUDA_LAUNCH_CHECK();
}

static inline void check_digits(struct digits *d, int asking)
{
    size_t threads = (size_t)d->blocks * 256, bytes = 16 * threads * 4;
    int *h = (int *)check_alloc(16 * threads, sizeof *h);

    CUDA_CHECK(cudaMemset(d->counts, 0xff, bytes));
    run_digits(d, asking, 0);
    CUDA_CHECK(cudaMemcpy(h, d->counts, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < threads * d->words; i++) {
        size_t from = d->alike ? i / threads : i;
        unsigned word = (unsigned)(rng_at(d->seed, from) >> 32);

        for (int k = 0; k < 8; k++) /* count down to zero */
            h[(word >> 4 * k & 15) * threads + i % threads]--;
    }
    for (size_t i = 0; i < 16 * threads; i++)
        CHECK(h[i] == 0, "digit %zu of thread %zu is off by %d", i / threads,
              i % threads, h[i]);
    free(h);
}

/* keep many sums alive */
/* y[i] = the sum of 64 numbers that are taken through v -> v / 2 + 1 until they
   arrive at 2, exactly: some 60 turns. */
__global__ void keep_many(int turns, float half, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[64], sum = 0;

#pragma unroll
    for (int k = 0; k < 64; k++)
        v[k] = (float)(i % 7 + k);
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 64; k++)
            v[k] = fmaf(v[k], half, 1);
#pragma unroll
    for (int k = 0; k < 64; k++)
        sum += v[k];
    y[i] = sum;
}

/* look up in a table */
enum { ENTRIES = 1024 };
__constant__ float constant_table[ENTRIES];

/* y[i] = the sum of `turns` entries, the first at spread * (i % 32). */
__global__ void look_up_constant(int spread, int turns, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = spread * (i % 32);
    float sum = 0;

    for (int t = 0; t < turns; t++)
        sum += constant_table[(at + t) % ENTRIES];
    y[i] = sum;
}

__global__ void look_up_global(int spread, int turns,
                               const float *__restrict__ table, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = spread * (i % 32);
    float sum = 0;

    for (int t = 0; t < turns; t++)
        sum += __ldg(&table[(at + t) % ENTRIES]);
    y[i] = sum;
}

/* set up the tables */
struct tables {
    int blocks, turns, constant, spread;
    uint64_t seed;
    float *d_table, *d_y;
};

static inline struct tables tables_new(int blocks, int turns, uint64_t seed)
{
    struct tables t = {blocks, turns, 0, 0, seed, small_floats(ENTRIES, seed),
                       NULL};
    float h[ENTRIES];

    for (int i = 0; i < ENTRIES; i++)
        h[i] = small_at(seed, (uint64_t)i);
    CUDA_CHECK(cudaMemcpyToSymbol(constant_table, h, sizeof h));
    CUDA_CHECK(cudaMalloc((void **)&t.d_y, blocks * 256 * sizeof(float)));
    return t;
}

static inline void tables_free(struct tables *t)
{
    CUDA_CHECK(cudaFree(t->d_table));
    CUDA_CHECK(cudaFree(t->d_y));
}

/* look up */
static inline void look_up(void *work, int, int)
{
    struct tables *t = (struct tables *)work;

    if (t->constant)
        look_up_constant<<<t->blocks, 256>>>(t->spread, t->turns, t->d_y);
    else
        look_up_global<<<t->blocks, 256>>>(t->spread, t->turns, t->d_table,
                                           t->d_y);
    CUDA_LAUNCH_CHECK();
}

/* check a look-up */
static inline void check_look_up(struct tables *t)
{
    size_t n = (size_t)t->blocks * 256;
    float *h = (float *)check_alloc(n, sizeof *h), want[32] = {0};

    for (int lane = 0; lane < 32; lane++)
        for (int k = 0; k < t->turns; k++)
            want[lane] +=
                small_at(t->seed, (uint64_t)((t->spread * lane + k) % ENTRIES));
    CUDA_CHECK(cudaMemset(t->d_y, 0xff, n * sizeof *h));
    look_up(t, 0, 0);
    CUDA_CHECK(cudaMemcpy(h, t->d_y, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(h[i] == want[i % 32], "thread %zu looked up %g, not %g", i, h[i],
              want[i % 32]);
    free(h);
}
#endif
