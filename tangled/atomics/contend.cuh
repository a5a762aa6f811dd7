/* contend.cuh: many threads add to few addresses, in several ways. */
#ifndef ATOMICS_CONTEND_CUH
#define ATOMICS_CONTEND_CUH

#include "atomics/device.h"
#include "sync/order.cuh"
#include "tour/rng.h"

/* choose an address */
enum where { ROW, RANDOM };

/* The address, below 2^bits, of the k-th addition of thread t. */
static __host__ __device__ inline unsigned
address(enum where where, unsigned bits, unsigned t, unsigned k)
{
    uint64_t mixed = rng_mix(((uint64_t)k << 32) + t);

    if (where == ROW)
        return (t + 32 * k) & ((1u << bits) - 1);
    return (unsigned)(mixed >> 32) & ((1u << bits) - 1);
}

/* add in one of four ways */
enum how { RED, ATOM, RED_FLOAT, SWAP, HOWS };

/* Adds 1 to *p; returns something that depends on what was there. */
static __device__ inline unsigned add_one(enum how how, unsigned *p)
{
    unsigned old, seen;

    switch (how) {
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
/* Thread t adds `each` times at the addresses of the pattern. */
__global__ void contend(enum how how, enum where where, unsigned bits,
                        unsigned each, unsigned *p)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, all = 0;

    for (unsigned k = 0; k < each; k++)
        all |= add_one(how, &p[address(where, bits, t, k)]);
    if (all == 0xffffffffu)
        p[0] = all;
}

/* read a counter */
static inline unsigned counted(unsigned word, int is_float)
{
    float f;

    memcpy(&f, &word, sizeof f);
    return is_float ? (unsigned)f : word;
}

#endif
