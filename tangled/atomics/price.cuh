/* price.cuh: what atomics cost in global and in shared memory. */
#ifndef ATOMICS_PRICE_CUH
#define ATOMICS_PRICE_CUH

#include "atomics/device.h"
#include "sync/order.cuh"
#include "tour/rng.h"

/* choose an address */
enum where { ROW, RANDOM };

/* The address, below 2^bits, of the k-th addition of thread t. */
template <int WHERE>
static __device__ inline unsigned address(unsigned bits, unsigned t, unsigned k,
                                          unsigned *state)
{
    if (WHERE == ROW)
        return (t + 32 * k) & ((1u << bits) - 1);
    *state = *state * 1664525u + 1013904223u;
    return (unsigned)((uint64_t)*state << bits >> 32);
}

/* add in one of four ways */
enum how { RED, ATOM, RED_FLOAT, SWAP };

/* Adds 1 to *p; returns something that depends on what was there. */
template <int HOW>
static __device__ inline unsigned add_one(unsigned *p)
{
    unsigned old, seen;

    switch (HOW) {
    case RED:
        atomicAdd(p, 1u);
        return 0;
    case ATOM:
        return atomicAdd(p, 1u);
    case RED_FLOAT:
        atomicAdd((float *)p, 1.0f);
        return 0;
    default:
        old = load_relaxed(p);
        do {
            seen = old;
            old = atomicCAS(p, seen, seen + 1);
        } while (old != seen);
        return old;
    }
}

/* add at the addresses of a pattern */
/* Thread t adds `each` times at the addresses of the pattern. */
template <int HOW, int WHERE>
__global__ void contend(unsigned bits, unsigned each, unsigned *p)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, all = 0;
    unsigned state = (unsigned)rng_mix(t);

    for (unsigned k = 0; k < each; k++)
        all |= add_one<HOW>(&p[address<WHERE>(bits, t, k, &state)]);
    if (all == 0xffffffffu)
        p[0] = all;
}

/* name the contenders */
typedef void contender(unsigned bits, unsigned each, unsigned *p);

static contender *const contenders[] = {
    contend<RED, ROW>,     contend<RED, RANDOM>,    contend<ATOM, ROW>,
    contend<ATOM, RANDOM>, contend<RED_FLOAT, ROW>, contend<RED_FLOAT, RANDOM>,
    contend<SWAP, ROW>,    contend<SWAP, RANDOM>};

static const char *const contender_names[] = {
    "red_row",   "red_random",   "atom_row", "atom_random",
    "float_row", "float_random", "swap_row", "swap_random"};

enum { CONTENDERS = sizeof contenders / sizeof *contenders };

/* read a counter */
static inline unsigned counted(unsigned word, int is_float)
{
    float f;

    memcpy(&f, &word, sizeof f);
    return is_float ? (unsigned)f : word;
}

/* spread the lanes over the banks */
enum pattern { OWN_BANK, ONE_WORD, BYTES, ONE_BANK, PATTERNS };

static const char *const pattern_names[] = {"own_bank", "one_word", "bytes",
                                            "one_bank"};

/* A word below 4096 for the k-th atomic of thread t: a random one in the lane's
   own bank; the same for all; a random one of 256; a lane's own of bank 0. */
static unsigned word_of(enum pattern pattern, unsigned t, unsigned k)
{
    unsigned r = (unsigned)(rng_at(t, k) >> 56), lane = t % 32;

    return pattern == OWN_BANK   ? 32 * (r / 2) + lane
           : pattern == ONE_WORD ? 0
           : pattern == BYTES    ? r
                                 : 32 * (4 * lane + r % 4);
}

/* do one atomic in shared memory */
enum shared_op { ADD_1, ADD_V, ADD_SWAP, ADD_FLOAT, ADD_64 };
enum { SHARED_OPS = ADD_64 + 1 };

static const char *const shared_op_names[] = {
    "shared_add_1", "shared_add_v", "shared_swap", "shared_float", "shared_64"};
/* Adds v, which is 1, to word `at` of the table. */
template <int OP>
static __device__ inline unsigned shared_add(unsigned *table, unsigned at,
                                             unsigned v)
{
    unsigned *p = &table[2 * at];

    switch (OP) {
    case ADD_1:
        atomicAdd(&table[at], 1u);
        return 0;
    case ADD_V:
        atomicAdd(&table[at], v);
        return 0;
    case ADD_SWAP: /* one try, not a loop */
        return atomicCAS(&table[at], 0xffffffffu, v);
    case ADD_FLOAT:
        atomicAdd((float *)&table[at], 1.0f);
        return 0;
    default:
        atomicAdd((unsigned long long *)p, (unsigned long long)v);
        return 0;
    }
}

/* time atomics in shared memory */
enum { WORDS = 4096, AT_ONCE = 8 };

/* One block; out[0]: cycles of all; behind it the table, 2 WORDS. */
template <int OP>
__global__ void time_shared(const unsigned *word, unsigned v, int turns,
                            unsigned *out)
{
    __shared__ unsigned table[2 * WORDS];
    unsigned at[AT_ONCE], all = 0;
    long long begin;

    for (int i = threadIdx.x; i < 2 * WORDS; i += blockDim.x)
        table[i] = 0;
    for (int k = 0; k < AT_ONCE; k++)
        at[k] = word[AT_ONCE * threadIdx.x + k];
    __syncthreads();
    begin = clock64();
    for (int turn = 0; turn < turns; turn++)
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            all |= shared_add<OP>(table, at[k], v);
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = (unsigned)(clock64() - begin);
    for (int i = threadIdx.x; i < 2 * WORDS; i += blockDim.x)
        out[1 + i] = all == 0xffffffffu ? 0 : table[i];
}

/* run the timing */
typedef void shared_kernel(const unsigned *word, unsigned v, int turns,
                           unsigned *out);

static shared_kernel *const shared_kernels[SHARED_OPS] = {
    time_shared<ADD_1>, time_shared<ADD_V>, time_shared<ADD_SWAP>,
    time_shared<ADD_FLOAT>, time_shared<ADD_64>};

/* SM cycles of one warp's atomic; checks that every addition has arrived. */
static double shared_cycles(enum shared_op op, enum pattern pattern, int turns)
{
    enum { THREADS = 1024, N = THREADS * AT_ONCE };
    static unsigned h[N + 2 * WORDS + 1];
    unsigned *d, sum = 0;

    for (unsigned i = 0; i < N; i++)
        h[i] = word_of(pattern, i / AT_ONCE, i % AT_ONCE);
    d = (unsigned *)to_device(h, sizeof h);
    for (int warm = 0; warm < 2; warm++)
        shared_kernels[op]<<<1, THREADS>>>(d, 1, turns, d + N);
    to_host(h, d, sizeof h);
    CUDA_CHECK(cudaFree(d));
    for (int i = N + 1; i <= N + 2 * WORDS; i++)
        sum += counted(h[i], op == ADD_FLOAT);
    CHECK(op == ADD_SWAP || sum == (unsigned)turns * N, "%s: %u additions",
          shared_op_names[op], sum);
    return h[N] / (turns * (N / 32.0));
}

#endif
