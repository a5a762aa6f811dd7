/* mixed.cuh: transforms of any length whose prime factors are at most 31. */
#ifndef FFT_MIXED_CUH
#define FFT_MIXED_CUH

#include "fft/rows.cuh"

/* describe the levels of a mixed length */
enum { MIXED_MOST = 8192, MIXED_HELD = 16, MIXED_USUAL = 13 };

/* Butterflies of a radix that a thread has at once. */
static __host__ __device__ constexpr int mixed_held(int radix)
{
    return radix > MIXED_HELD ? 1 : MIXED_HELD / radix;
}

static __host__ __device__ constexpr int mixed_gap(int ns, int radix)
{
    if (ns == 1)
        return radix % 4 == 0;
    return ns * radix < 32 ? 0 : (ns - ns * radix) & 15;
}

/* 2^32 / b, rounded up, for quotient(); 0 for b = 1. */
static __host__ __device__ constexpr unsigned mixed_inverse(int b)
{
    return b > 1 ? (unsigned)(((1ull << 32) + b - 1) / b) : 0;
}

/* What the kernel has to know of a length with these radices. */
static __host__ __device__ constexpr struct mixed_shape
mixed_shape_of(int n, int count, const int *radix)
{
    struct mixed_shape s = {};

    s.count = count;
    s.pitch = n;
    for (int at = 0, ns = 1, gap = 0; at < count; at++) {
        int r = radix[at], m = n / r, held = mixed_held(r);
        int next = at + 1 < count ? mixed_gap(ns, r) : 0;

        s.level[at] = {
            r, ns, m, gap, next, mixed_inverse(m), mixed_inverse(ns)};
        ns *= r;
        gap = next;
        if (s.pitch < n + n / ns * gap)
            s.pitch = n + n / ns * gap;
        if (s.share < (m + held - 1) / held)
            s.share = (m + held - 1) / held;
    }
    return s;
}

/* divide by a product */
/* a / b for a, b < 2^16, from mixed_inverse(b). */
static __device__ inline int quotient(int a, unsigned inverse)
{
    return inverse ? (int)__umulhi((unsigned)a, inverse) : a;
}

/* read and write what a butterfly takes */
/* x[i] := number j + i m of row g. */
template <int R>
static __device__ inline void mixed_read(float2 *x, const struct fft_job &s,
                                         int g, int j, int m)
{
    const float2 *in = s.in + start(s.from, s.group_rows, g) + j * s.from.step;

#pragma unroll
    for (int i = 0; i < R; i++)
        x[i] = in[i * (m * s.from.step)];
    swap_parts<R>(x, s.swap_in);
}

/* The same for the bins; columns of a long transform are turned. */
template <int R>
static __device__ inline void mixed_write(float2 *x, const struct fft_job &s,
                                          int g, int j, int m)
{
    float2 *out = s.out + start(s.to, s.group_rows, g) + j * s.to.step;
    int column = s.first ? g % s.group_rows : 0;

#pragma unroll
    for (int i = 0; i < R; i++)
        if (s.first)
            x[i] = mul(x[i], s.first[(size_t)(j + i * m) * column]);
    swap_parts<R>(x, s.swap_out);
#pragma unroll
    for (int i = 0; i < R; i++)
        out[i * (m * s.to.step)] =
            make_float2(s.scale * x[i].x, s.scale * x[i].y);
}

/* take numbers from shared memory and turn them */
/* x := the R numbers of a row from j on, for butterfly k of transform a. */
template <int R>
static __device__ inline void mixed_take(float2 *x, const float2 *turns,
                                         const struct mixed_at &l,
                                         const float2 *row, int j, int a, int k)
{
    const float2 *from = row + j + a * l.gap_in;
    const float2 *w = turns + l.ns - 1 + k;
    int apart = l.m + quotient(l.m, l.by_ns) * l.gap_in;

#pragma unroll
    for (int i = 0; i < R; i++)
        x[i] = from[i * apart];
#pragma unroll
    for (int i = 1; i < R; i++)
        x[i] = mul(x[i], w[(i - 1) * l.ns]);
}

/* make a level of a mixed length */
/* Level l of q rows that lie `pitch` apart in shared memory. */
template <int R>
static __device__ __forceinline__ void
mixed_level(const struct fft_job &s, const struct mixed_at &l, int q,
            unsigned by_q, int pitch, bool first, bool last, float2 *shared)
{
    constexpr int U = mixed_held(R);
    int across = first ? s.from.across : last ? s.to.across : 0, to[U];
    float2 x[U][R];

#pragma unroll
    for (int u = 0; u < U; u++) {
        int t = threadIdx.x + u * blockDim.x, high, row, j, g, a, k;

        high = quotient(t, across ? by_q : l.by_m);
        row = across ? t - high * q : high;
        j = across ? high : t - high * l.m;
        g = blockIdx.x * q + row;
        a = quotient(j, l.by_ns);
        k = j - a * l.ns;
        to[u] = row * pitch + a * (l.ns * R + l.gap_out) + k;
        if (t >= q * l.m || g >= s.rows) {
            to[u] = -1;

/* let old numbers go */
#pragma unroll
            for (int i = 0; i < R; i++)
                x[u][i] = {0, 0};
            continue;
        }
        if (first)
            mixed_read<R>(x[u], s, g, j, l.m);
        else
            mixed_take<R>(x[u], s.turns, l, shared + row * pitch, j, a, k);
        butterfly<R>(x[u]);
        if (last)
            mixed_write<R>(x[u], s, g, j, l.m);
    }
    if (last)
        return;
    if (!first)
        __syncthreads();
#pragma unroll
    for (int u = 0; u < U; u++)
#pragma unroll
        for (int i = 0; i < R; i++)
            if (to[u] >= 0)
                shared[to[u] + i * l.ns] = x[u][i];
    __syncthreads();
}

/* transform rows of a mixed length */
/* The most threads of a block. */
static __host__ __device__ constexpr int mixed_threads(int wide)
{
    return wide ? 512 : 1024;
}

template <int WIDE>
__global__ void __launch_bounds__(mixed_threads(WIDE), 1)
    fft_mixed(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];

    for (int at = 0; at < s.mixed.count; at++) {
        const struct mixed_at l = s.mixed.level[at];
        bool first = at == 0, last = at == s.mixed.count - 1;

#define LEVEL(R)                                                            \
    case R:                                                                 \
        mixed_level<R>(s, l, s.take, s.by_take, s.mixed.pitch, first, last, \
                       shared);                                             \
        break
        switch (l.radix) {
            LEVEL(1);
            LEVEL(2);
            LEVEL(3);
            LEVEL(4);
            LEVEL(5);
            LEVEL(7);
            LEVEL(8);
            LEVEL(9);
            LEVEL(10);
            LEVEL(11);
            LEVEL(13);
        default:
            if constexpr (WIDE)
                switch (l.radix) {
                    LEVEL(17);
                    LEVEL(19);
                    LEVEL(23);
                    LEVEL(29);
                    LEVEL(31);
                }
        }
#undef LEVEL
    }
}

/* transform rows of a length that is a constant */
/* Rows of N = R x ... numbers, Q of them to a block; LEAST blocks to an SM. */
template <int Q_, int LEAST_, int... R>
struct fft_constant {
    static constexpr int Q = Q_, LEAST = LEAST_, N = (R * ...);
    static __host__ __device__ constexpr struct mixed_shape shape(void)
    {
        constexpr int radix[] = {R...};

        return mixed_shape_of(N, sizeof...(R), radix);
    }
    static constexpr int PITCH = shape().pitch;
    static constexpr int THREADS = (Q * shape().share + 31) / 32 * 32;
    static constexpr int SHARED = Q * PITCH * (int)sizeof(float2);
};

template <class L, int AT, int R, int... REST>
static __device__ inline void constant_levels(const struct fft_job &s,
                                              float2 *shared)
{
    constexpr struct mixed_at l = L::shape().level[AT];

    mixed_level<R>(s, l, L::Q, mixed_inverse(L::Q), L::PITCH, AT == 0,
                   sizeof...(REST) == 0, shared);
    if constexpr (sizeof...(REST) > 0)
        constant_levels<L, AT + 1, REST...>(s, shared);
}

template <int Q, int LEAST, int... R>
__global__ void __launch_bounds__(fft_constant<Q, LEAST, R...>::THREADS, LEAST)
    fft_rows_constant(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];

    constant_levels<fft_constant<Q, LEAST, R...>, 0, R...>(s, shared);
}

#endif
