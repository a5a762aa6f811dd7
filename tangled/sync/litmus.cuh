/* litmus.cuh: four litmus tests of the memory model, with four fences. */
#ifndef SYNC_LITMUS_CUH
#define SYNC_LITMUS_CUH

#include "kernels/launch.h"
#include "sync/order.cuh"

/* write the litmus tests down */
enum litmus { MESSAGE, STORES, LOADS, COHERENCE, TESTS };
enum access { NOTHING, STORE_X, STORE_Y, LOAD_X, LOAD_Y };

struct litmus_test {
    unsigned char step[2][2]; /* of thread A, then of thread B */
    int weak[2][2];           /* what each step returned; stores return 0 */
};

static const struct litmus_test litmus_tests[TESTS] = {
    {{{STORE_X, STORE_Y}, {LOAD_Y, LOAD_X}}, {{0, 0}, {1, 0}}},
    {{{STORE_X, LOAD_Y}, {STORE_Y, LOAD_X}}, {{0, 0}, {0, 0}}},
    {{{LOAD_X, STORE_Y}, {LOAD_Y, STORE_X}}, {{1, 0}, {1, 0}}},
    {{{STORE_X, NOTHING}, {LOAD_X, LOAD_X}}, {{0, 0}, {1, 0}}},
};

static const char *const litmus_names[TESTS] = {"message", "stores", "loads",
                                                "coherence"};
static const char *const fence_names[FENCES] = {"none", "cta", "gpu", "sc"};

/* say what the model allows */
/* 1 where the memory model of PTX allows the weak outcome. */
static const int litmus_allowed[TESTS][FENCES] = {
    {1, 1, 0, 0}, /* message: release, acquire, and a scope that holds both */
    {1, 1, 1, 0}, /* stores: only fences that stand in one common order */
    {1, 1, 0, 0}, /* loads */
    {0, 0, 0, 0}, /* coherence: relaxed accesses to one location */
};

/* make one access */
static __device__ inline unsigned litmus_step(int what, unsigned *x,
                                              unsigned *y)
{
    if (what == LOAD_X || what == LOAD_Y)
        return load_relaxed(what == LOAD_X ? x : y);
    if (what != NOTHING)
        store_relaxed(what == STORE_X ? x : y, 1);
    return 0;
}

/* wait a little for the other block */
static __device__ inline void wait_a_little(unsigned *met)
{
    if (threadIdx.x == 0) {
        atomicAdd(met, 1);
        for (int tries = 0; tries < 2000; tries++)
            if (load_relaxed(met) >= 2)
                break;
    }
    __syncthreads();
}

/* play the games of a litmus test */
/* Blocks in pairs; x and y hold `games` words each, all 0, games is a power of
   two; out[2 * game + role] gets 2 bits of results. */
__global__ void litmus_games(struct litmus_test test, enum fence f,
                             unsigned games, unsigned *x, unsigned *y,
                             unsigned *met, unsigned char *out)
{
    unsigned pair = blockIdx.x / 2, role = blockIdx.x % 2;
    unsigned t = role ? blockDim.x - 1 - threadIdx.x : threadIdx.x;
    unsigned step = gridDim.x / 2 * blockDim.x;

    wait_a_little(&met[pair]);
    for (unsigned g = pair * blockDim.x + t; g < games; g += step) {
        unsigned *at_x = &x[(g * 37u) & (games - 1)];
        unsigned *at_y = &y[(g * 101u + 7u) & (games - 1)];
        unsigned first = litmus_step(test.step[role][0], at_x, at_y);
        unsigned second;

        fence(f);
        second = litmus_step(test.step[role][1], at_x, at_y);
        out[2 * g + role] = (unsigned char)(2 * first + second);
    }
}

/* say how many games are in a launch */
#ifdef __LOOM__
enum { LITMUS_THREADS = 128, LITMUS_EACH = 2 };
#else
enum { LITMUS_THREADS = 512, LITMUS_EACH = 16 }; /* games for each thread */
#endif

/* count the weak outcomes */
/* Plays `rounds` launches of `pairs` pairs of blocks; returns how many games
   had the weak outcome. pairs is a power of two. */
static long litmus_weak(enum litmus which, enum fence f, unsigned pairs,
                        int rounds)
{
    const struct litmus_test *t = &litmus_tests[which];
    unsigned games = pairs * LITMUS_THREADS * LITMUS_EACH, *d;
    unsigned *board = (unsigned *)check_alloc(2 * games, sizeof *board);
    unsigned char *h = (unsigned char *)check_alloc(games, 2), *d_out;
    int a = 2 * t->weak[0][0] + t->weak[0][1];
    int b = 2 * t->weak[1][0] + t->weak[1][1];
    size_t bytes = (2 * (size_t)games + pairs) * sizeof *d;
    long weak = 0;

    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_out, 2 * (size_t)games));
    for (int round = 0; round < rounds; round++) {
        /* play one round and count */
        CUDA_CHECK(cudaMemset(d, 0, bytes));
        litmus_games<<<2 * pairs, LITMUS_THREADS>>>(*t, f, games, d, d + games,
                                                    d + 2 * games, d_out);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(
            cudaMemcpy(h, d_out, 2 * (size_t)games, cudaMemcpyDeviceToHost));
        for (unsigned g = 0; g < games; g++)
            weak += h[2 * g] == a && h[2 * g + 1] == b;
        /* check that every store has arrived */
        CUDA_CHECK(cudaMemcpy(board, d, 2 * (size_t)games * sizeof *d,
                              cudaMemcpyDeviceToHost));
        for (unsigned i = 0; i < games; i++)
            CHECK(board[i] == 1 && board[games + i] == (which != COHERENCE),
                  "%s: word %u of x is %u, of y %u", litmus_names[which], i,
                  board[i], board[games + i]);
    }
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(d_out));
    free(board);
    free(h);
    return weak;
}

#endif
