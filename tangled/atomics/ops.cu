/* ops: every atomic operation, by many threads on one location. */
#include <stdio.h>

#include "atomics/device.h"
#include "tour/args.h"
#include "tour/rng.h"

/* update one location with every operation */

/* name the operations */
enum op { ADD, SUB, EXCH, MIN, MAX, AND, OR, XOR, OPS };

/* Thread i does operation `op` on *p with v[i], and keeps what was there. */
template <class T>
__global__ void update(enum op op, int n, const T *v, T *p, T *was)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        was[i] = op == ADD    ? atomicAdd(p, v[i])
                 : op == SUB  ? atomicAdd(p, (T)(0u - v[i]))
                 : op == EXCH ? atomicExch(p, v[i])
                 : op == MIN  ? atomicMin(p, v[i])
                 : op == MAX  ? atomicMax(p, v[i])
                 : op == AND  ? atomicAnd(p, v[i])
                 : op == OR   ? atomicOr(p, v[i])
                              : atomicXor(p, v[i]);
}

/* check that the updates form a chain */

/* compute the value after an update */
/* One value after an update with v. */
template <class T>
static T after(enum op op, T old, T v)
{
    return op == ADD    ? (T)(old + (v + 0u))
           : op == SUB  ? (T)(old - (v + 0u))
           : op == EXCH ? v
           : op == MIN  ? (v < old ? v : old)
           : op == MAX  ? (v > old ? v : old)
           : op == AND  ? (T)(old & v)
           : op == OR   ? (T)(old | v)
                        : (T)(old ^ v);
}

template <class T>
static int by_value(const void *a, const void *b)
{
    T x = *(const T *)a, y = *(const T *)b;

    return (x > y) - (x < y);
}

/* was[0..n): what each update found; begin and end: the location's value. */
template <class T>
static void check_chain(enum op op, int n, const T *v, const T *was, T begin,
                        T end)
{
    T *before = (T *)check_alloc(2 * (size_t)n + 2, sizeof *before);
    T *behind = before + n + 1;

    for (int i = 0; i < n; i++) {
        before[i] = was[i];
        behind[i] = after(op, was[i], v[i]);
    }
    before[n] = end;
    behind[n] = begin;
    qsort(before, (size_t)n + 1, sizeof *before, by_value<T>);
    qsort(behind, (size_t)n + 1, sizeof *behind, by_value<T>);
    for (int i = 0; i <= n; i++)
        CHECK(before[i] == behind[i], "operation %d: not a chain at %d", op, i);
    free(before);
}

/* try all operations on one type */
template <class T>
static void try_type(int n, uint64_t seed)
{
    T *h = (T *)check_alloc(2 * (size_t)n + 2, sizeof *h), *was = h + n + 1;

    for (int op = 0; op < OPS; op++) {
        T begin, *d;

        for (int i = 0; i <= 2 * n; i++)
            h[i] = (T)rng_at(seed, (uint64_t)i);
        begin = h[n];
        d = (T *)to_device(h, (2 * (size_t)n + 1) * sizeof *d);
        if (n > 0)
            update<T><<<blocks_for((size_t)n, 64), 64>>>((enum op)op, n, d,
                                                         d + n, d + n + 1);
        to_host(h, d, (2 * (size_t)n + 1) * sizeof *d);
        check_chain((enum op)op, n, h, was, begin, h[n]);
        CUDA_CHECK(cudaFree(d));
    }
    free(h);
}

/* go round a ring and elect one */
/* p[0] goes forwards, p[1] backwards, p[2] is 0 and becomes a winner's i + 1;
   p[3] counts the winners. */
__global__ void ring(int n, unsigned limit, unsigned *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    atomicInc(&p[0], limit);
    atomicDec(&p[1], limit);
    if (atomicCAS(&p[2], 0u, (unsigned)i + 1) == 0)
        atomicAdd(&p[3], 1u);
}

static void try_ring(int n, unsigned limit)
{
    unsigned h[4] = {0, limit, 0, 0}, forwards = (unsigned)n % (limit + 1);
    unsigned *d = (unsigned *)to_device(h, sizeof h);

    ring<<<blocks_for((size_t)n, 64), 64>>>(n, limit, d);
    to_host(h, d, sizeof h);
    CHECK(h[0] == forwards, "Inc: %u, not %u", h[0], forwards);
    CHECK(h[1] == limit - forwards, "Dec: %u, not %u", h[1], limit - forwards);
    CHECK(h[2] >= 1 && h[2] <= (unsigned)n, "CAS: nobody is %u", h[2]);
    CHECK(h[3] == 1, "CAS: %u winners", h[3]);
    CUDA_CHECK(cudaFree(d));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 20)};
    uint64_t seed =
        args_parse(argc, argv, "every atomic operation", args, ARG_COUNT(args));
    int n = (int)args[0].value;

    try_type<int>(n, seed);
    try_type<unsigned>(n, seed);
    try_type<unsigned long long>(n, seed);
    for (unsigned limit = 0; n > 0 && limit < 70; limit += 23)
        try_ring(n, limit);
    printf("ok: %d threads, 11 operations, in some order each\n", n);
    return 0;
}
