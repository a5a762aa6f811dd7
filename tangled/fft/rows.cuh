/* rows.cuh: transforms that one block holds in its registers. */
#ifndef FFT_ROWS_CUH
#define FFT_ROWS_CUH

#include "fft/butterfly.cuh"
#include "kernels/launch.h"
#include "loom/ptx.h"

/* describe a launch */
/* Where the numbers of a row lie: number i of row b of group g is at
   g * group + b * row + i * step. Rows are side by side: `across`. */
struct fft_side {
    size_t group, row, step;
    int across;
};

enum { FFT_RADICES = 12 };

/* One level of a mixed length: transforms of ns points become ns * radix. */
struct mixed_at {
    int radix, ns, m;     /* m = n / radix butterflies of a row */
    int gap_in, gap_out;  /* places left empty behind ns, ns * radix numbers */
    unsigned by_m, by_ns; /* for quotient() */
};

struct mixed_shape {
    int count, pitch, share; /* levels; of a row, in numbers; its threads */
    struct mixed_at level[FFT_RADICES];
};

/* The tables of one transform in a cluster. */
struct fft_halves_tables {
    const float2 *columns, *rows; /* of the passes */
    const float2 *first, *by;     /* of the turn */
};

/* What a kernel of this chapter is told. */
struct fft_job {
    const float2 *in;
    float2 *out;
    struct fft_side from, to;
    int rows, group_rows;     /* in all, and in a group */
    int swap_in, swap_out;    /* exchange the parts: the inverse */
    float scale;              /* of what is written */
    const float2 *turns;      /* the table of a length's passes */
    const float2 *first, *by; /* between the two halves of a long transform */
    int take, skip, keep;     /* a filter reads take, writes skip to keep */
    const float2 *before, *spectrum, *after;
    struct fft_side of;                   /* where the spectrum of a row lies */
    struct fft_halves_tables there, back; /* of a cluster */
    int n, count;                         /* of a row; of two halves */
    struct mixed_shape mixed;             /* of a mixed length */
    unsigned by_take;                     /* mixed: take rows in a block */
    float2 *ring;                         /* a relay's, of so many slots */
    unsigned *done;                       /* counters of it; last: tickets */
    int slots, lag;
};

/* fix a length */
/* A length N = R x ... of Q rows to a block, each thread with E numbers. */
template <int Q_, int E_, int... R>
struct fft_length {
    static constexpr int Q = Q_, E = E_, N = (R * ...), T = N / E;
    static constexpr int THREADS = Q * T, APART = 0;
    static constexpr int LANES = 0, HOP = T, LAST = E;
    static constexpr int PITCH = N + N / 16 + (Q < 16 ? 16 / Q : 1);
    static constexpr int HELD = E > 16 ? 512 : 1024; /* threads on an SM */
    static constexpr int LEAST = THREADS > HELD ? 1 : HELD / THREADS;
    static constexpr int SHARED = Q * PITCH * (int)sizeof(float2);
    static_assert((N & (N - 1)) == 0, "a power of two, for spread()");
};

/* Index i of a row in shared memory: one place in 17 is left empty. Where a
   and b have no bits in common, spread(a + b) = spread(a) + spread(b). */
static __device__ constexpr int spread(int i)
{
    return i + i / 16;
}

/* spread where groups of lanes read */
/* Groups of 8 lanes will read 256 numbers apart. */
template <class L, int NS>
static __device__ constexpr int spread(int i)
{
    return spread(i) + (L::LANES == 4 && NS == 16 ? i / 256 * 8 : 0);
}

/* find a thread's row */
struct fft_place {
    int row, j; /* in the block; which numbers of it */
};

template <class L>
static __device__ inline struct fft_place place(int across)
{
    int t = threadIdx.x;

    if (across)
        return {t % L::Q, t / L::Q};
    if (L::APART) /* of 32 rows by 8 threads, a warp has each eighth */
        return {t / 8 % 4 * 8 + t / 32, t % 8};
    return {t / L::T, t % L::T};
}

/* Where number 0 of a row is. */
static __device__ inline size_t start(const struct fft_side &s, int group_rows,
                                      int row)
{
    int group = group_rows == 1 ? row : row / group_rows;

    return group * s.group + (row - group * group_rows) * s.row;
}

/* turn by twiddle factors */
/* x[q] *= w^q, and all by `first` if FIRST; w^1, 2, 3, 4, 8, 12, ... are pitch
   apart in the table. */
template <int R, bool FIRST>
static __device__ inline void turn(float2 *x, const float2 *w, int pitch,
                                   float2 first)
{
    float2 low[4], high[R / 4 + 1];

    low[0] = first;
#pragma unroll
    for (int q = 1; q < 4 && q < R; q++)
        low[q] = FIRST ? mul(w[(q - 1) * pitch], first) : w[(q - 1) * pitch];
#pragma unroll
    for (int q = 1; 4 * q < R; q++)
        high[q] = w[(q + 2) * pitch];
#pragma unroll
    for (int q = FIRST ? 0 : 1; q < R; q++)
        if (q < 4)
            x[q] = mul(x[q], low[q]);
        else if (q % 4 == 0 && !FIRST)
            x[q] = mul(x[q], high[q / 4]);
        else
            x[q] = mul(x[q], mul(high[q / 4], low[q % 4]));
}

/* How many powers turn() wants of a radix. */
static __host__ __device__ constexpr int turn_powers(int radix)
{
    return radix < 4 ? radix - 1 : 3 + (radix - 1) / 4;
}

/* exchange numbers through shared memory */
template <class L, int NS, int R>
static __device__ inline void exchange(float2 *v, float2 *shared,
                                       struct fft_place &p,
                                       const struct fft_place &next)
{
    constexpr int E = L::E, T = L::T;

#pragma unroll
    for (int u = 0; u < E / R; u++) {
        int k = p.j + u * T, at = (k - k % NS) * R + k % NS;
        float2 *to = shared + p.row * L::PITCH + spread<L, NS>(at);

#pragma unroll
        for (int q = 0; q < R; q++)
            to[spread<L, NS>(q * NS)] = v[u + q * (E / R)];
    }
    __syncthreads();
    p = next;
    const float2 *from = shared + p.row * L::PITCH + spread<L, NS>(p.j);
#pragma unroll
    for (int i = 0; i < E; i++)
        v[i] = from[spread<L, NS>(i * T)];
}

/* exchange numbers between lanes */
/* Which numbers thread t has in the pass before: t's lanes are in LANES groups,
   and group g has part g of the row. */
template <class L>
static __device__ inline struct fft_place place_lanes(void)
{
    constexpr int RUN = 32 / L::LANES;
    int t = threadIdx.x, lane = t % 32;

    return {0, lane / RUN * L::HOP + t / 32 * RUN + lane % RUN};
}

/* Each group of lanes keeps one share of its numbers and gives the others away;
   v[u + r LAST] is number u of the share, from group r. */
template <class L, int NS>
static __device__ inline void exchange_lanes(float2 *v, struct fft_place &p)
{
    constexpr int SHARE = L::LAST;
    int group = threadIdx.x % 32 / (32 / L::LANES);

    static_assert(NS == L::HOP && L::LANES * NS == L::T, "parts of E NS");
#pragma unroll
    for (int bit = 1; bit < L::LANES; bit *= 2)
#pragma unroll
        for (int i = 0; i < L::E; i++)
            if (!(i / SHARE & bit)) {
                float2 &low = v[i], &high = v[i + bit * SHARE];
                int upper = group & bit, lanes = 32 / L::LANES * bit;
                float2 give = upper ? low : high;

                give.x = __shfl_xor_sync(~0u, give.x, lanes);
                give.y = __shfl_xor_sync(~0u, give.y, lanes);
                low = upper ? give : low;
                high = upper ? high : give;
            }
    p.j = p.j % NS + group * SHARE * NS;
}

/* make a pass */
/* One pass after those that have made transforms of NS points; then the rest.
   v[i] is number j + i T of the row at p, before and after. */
template <class L, int NS, int R, int... REST, class Free>
static __device__ inline void
passes(float2 *v, float2 *shared, struct fft_place &p,
       const struct fft_place &next, const float2 *turns, Free free)
{
    constexpr int E = L::E, T = sizeof...(REST) ? L::T : L::HOP;

    if constexpr (L::LANES > 0 && sizeof...(REST) == 1)
        free();

/* transform the numbers of a thread */
#pragma unroll
    for (int u = 0; u < E / R; u++) {
        float2 x[R];

#pragma unroll
        for (int q = 0; q < R; q++)
            x[q] = v[u + q * (E / R)];
        if (NS > 1)
            turn<R, false>(x, turns + (p.j + u * T) % NS, NS, {1, 0});
        butterfly<R>(x);
#pragma unroll
        for (int q = 0; q < R; q++)
            v[u + q * (E / R)] = x[q];
    }
    if constexpr (L::LANES > 0 && sizeof...(REST) == 1) {
        exchange_lanes<L, NS>(v, p);
        passes<L, NS * R, REST...>(v, shared, p, next,
                                   turns + turn_powers(R) * NS, free);
    } else if constexpr (sizeof...(REST) > 0) {
        if (NS > 1)
            __syncthreads();
        struct fft_place taken = next;

        if constexpr (L::LANES > 0 && sizeof...(REST) == 2)
            taken = place_lanes<L>();
        exchange<L, NS, R>(v, shared, p, taken);
        passes<L, NS * R, REST...>(v, shared, p, next,
                                   NS > 1 ? turns + turn_powers(R) * NS : turns,
                                   free);
    }
}

/* start with the first pass */
template <class L, class Free, int Q, int E, int... R>
static __device__ inline void transform_as(fft_length<Q, E, R...>, float2 *v,
                                           float2 *shared, struct fft_place &p,
                                           const struct fft_place &next,
                                           const float2 *turns, Free free)
{
    passes<L, 1, R...>(v, shared, p, next, turns, free);
}

struct fft_nothing {
    __device__ void operator()(void) const
    {
    }
};

/* free: called once shared memory has been read for the last time by this
   thread, where the last radix is in lanes. */
template <class L, class Free = fft_nothing>
static __device__ inline void
transform(L length, float2 *v, float2 *shared, struct fft_place &p,
          const struct fft_place &next, const float2 *turns, Free free = {})
{
    transform_as<L, Free>(length, v, shared, p, next, turns, free);
}

/* tune a length */
template <class L, int LEAST_, int PITCH_ = L::PITCH>
struct fft_tuned : L {
    static constexpr int LEAST = LEAST_, PITCH = PITCH_;
    static constexpr int SHARED = L::Q * PITCH * (int)sizeof(float2);
};

/* The last radix is LANES_, whose partners are in a warp. */
template <class L, int LANES_>
struct fft_lanes : L {
    static constexpr int LANES = LANES_, HOP = L::T / LANES;
    static constexpr int LAST = L::E / LANES, PITCH = L::PITCH + L::N / 32;
    static constexpr int SHARED = PITCH * (int)sizeof(float2);
    static_assert(L::Q == 1 && L::E == 16, "a row to a block, by 16");
};

/* Rows of a warp are 8 apart. */
template <class L>
struct fft_apart : L {
    static constexpr int APART = 1;
    static_assert(L::T == 8 && L::Q == 32, "32 rows, 8 threads for each");
};

/* Where v[i] is at home after the passes: p.j and so many numbers on. */
template <class L>
static __device__ constexpr int home(int i)
{
    return i % L::LAST * L::HOP + i / L::LAST * (L::N / L::E * L::LAST);
}

/* swap the parts */
template <int E>
static __device__ inline void swap_parts(float2 *v, int yes)
{
    if (yes)
#pragma unroll
        for (int i = 0; i < E; i++)
            v[i] = make_float2(v[i].y, v[i].x);
}

/* split and join the bins of real numbers */
/* Bins k and N - k of a transform of N pairs of real numbers become the bins
   of the 2 N numbers; w = e^(-2 pi i k / 2N). */
static __device__ inline void split_real(float2 z, float2 mirror, float2 w,
                                         float2 *low, float2 *high)
{
    float2 even = {(z.x + mirror.x) / 2, (z.y - mirror.y) / 2};
    float2 odd = {(z.y + mirror.y) / 2, (mirror.x - z.x) / 2};

    odd = mul(odd, w);
    *low = add(even, odd);
    *high = make_float2(even.x - odd.x, odd.y - even.y);
}

/* Twice bin k of the pairs, from bins k and N - k of the 2 N real numbers. */
static __device__ inline float2 join_real(float2 low, float2 high, float2 w)
{
    float2 even = {low.x + high.x, low.y - high.y};
    float2 odd = {low.x - high.x, low.y + high.y};

    odd = mul(odd, make_float2(w.x, -w.y));
    return make_float2(even.x - odd.y, even.y + odd.x);
}

/* read and write a row */
/* v := the numbers of row b that this thread has; zeros behind the last row. */
template <class L>
static __device__ inline void load_row(float2 *v, const struct fft_job &s,
                                       int b, int j)
{
    const float2 *in = s.in + start(s.from, s.group_rows, b) + j * s.from.step;
    bool here = L::Q == 1 || b < s.rows;

    if (s.from.step == 1) {
#pragma unroll
        for (int i = 0; i < L::E; i++)
            v[i] = here ? in[i * L::T] : float2{0, 0};
    } else {
#pragma unroll
        for (int i = 0; i < L::E; i++)
            v[i] = here ? in[i * (L::T * s.from.step)] : float2{0, 0};
    }
    swap_parts<L::E>(v, s.swap_in);
}

template <class L>
static __device__ inline void store_row(float2 *v, const struct fft_job &s,
                                        int b, int j)
{
    float2 *out = s.out + start(s.to, s.group_rows, b) + j * s.to.step;

    swap_parts<L::E>(v, s.swap_out);
    if (L::Q > 1 && b >= s.rows)
        return;
#pragma unroll
    for (int i = 0; i < L::E; i++)
        v[i] = make_float2(s.scale * v[i].x, s.scale * v[i].y);
    if (s.to.step == 1) {
#pragma unroll
        for (int i = 0; i < L::E; i++)
            out[home<L>(i)] = v[i];
    } else {
#pragma unroll
        for (int i = 0; i < L::E; i++)
            out[home<L>(i) * s.to.step] = v[i];
    }
}

/* transform rows */
template <class L>
__global__ void __launch_bounds__(L::THREADS, L::LEAST)
    fft_rows(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];
    struct fft_place p = place<L>(s.from.across), next = place<L>(s.to.across);
    float2 v[L::E];

    load_row<L>(v, s, blockIdx.x * L::Q + p.row, p.j);
    transform(L(), v, shared, p, next, s.turns);
    int b = blockIdx.x * L::Q + p.row;
    /* turn between the halves */
    if (s.first && b < s.rows) {
        int column = b % s.group_rows;

        turn<L::E, true>(v, s.by + column, s.group_rows,
                         s.first[p.j * s.group_rows + column]);
    }
    store_row<L>(v, s, b, p.j);
}

/* write a bin and its mirror image */
/* Number N - k of a row, of which z has numbers 0 and N / 2 to N - 1. */
template <class L>
static __device__ inline float2 mirror(const float2 *z, int k)
{
    return z[spread((L::N - k) % L::N)];
}

/* low is number k of the row in z. */
template <class L>
static __device__ inline void write_real(const struct fft_job &s, float2 *out,
                                         int k, float2 low, const float2 *z)
{
    float2 high = mirror<L>(z, k);

    split_real(low, high, s.before[k], &low, &high);
    out[k * s.to.step] = make_float2(s.scale * low.x, s.scale * low.y);
    out[(L::N - k) * s.to.step] =
        make_float2(s.scale * high.x, s.scale * high.y);
}

/* transform real rows */
/* Rows of 2 N real numbers, seen as N complex ones, become N + 1 bins; before
   has e^(-2 pi i k / 2N), k <= N / 2. */
template <class L>
__global__ void __launch_bounds__(L::THREADS, L::LEAST)
    fft_rows_real(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];
    struct fft_place p = place<L>(0);
    int b = blockIdx.x * L::Q + p.row;
    float2 v[L::E], *z = shared + p.row * L::PITCH;
    float2 *out = s.out + start(s.to, s.group_rows, b);

    load_row<L>(v, s, b, p.j);
    transform(L(), v, shared, p, p, s.turns);
    __syncthreads();
    z[spread(p.j)] = v[0];
#pragma unroll
    for (int i = L::E / 2; i < L::E; i++)
        z[spread(p.j) + spread(i * L::T)] = v[i];
    __syncthreads();
    if (b >= s.rows)
        return;
#pragma unroll
    for (int i = 0; i < L::E / 2; i++)
        write_real<L>(s, out, p.j + i * L::T, v[i], z);
    if (p.j == 0)
        write_real<L>(s, out, L::N / 2, v[L::E / 2], z);
}

/* transform real rows into an image */
/* As fft_rows_real, Q even. */
template <class L>
__global__ void __launch_bounds__(L::THREADS, L::LEAST)
    fft_rows_real_whole(const __grid_constant__ struct fft_job s)
{
    constexpr int BINS = L::N + 1;
    extern __shared__ __align__(16) float2 shared[];
    struct fft_place p = place<L>(0);
    int b = blockIdx.x * L::Q + p.row, rows = s.rows - blockIdx.x * L::Q;
    float2 v[L::E], *z = shared + p.row * L::PITCH, middle, same;

    static_assert(L::Q % 2 == 0, "multiples of 16 bytes");
    load_row<L>(v, s, b, p.j);
    transform(L(), v, shared, p, p, s.turns);
    __syncthreads();
    z[spread(p.j)] = v[0];
#pragma unroll
    for (int i = L::E / 2; i < L::E; i++)
        z[spread(p.j) + spread(i * L::T)] = v[i];
    __syncthreads();
    split_real(v[L::E / 2], v[L::E / 2], s.before[L::N / 2], &middle, &same);
#pragma unroll
    for (int i = 0; i < L::E / 2; i++) {
        int k = p.j + i * L::T;

        split_real(v[i], mirror<L>(z, k), s.before[k], &v[i], &v[i + L::E / 2]);
    }
    __syncthreads();
    float2 *low = shared + p.row * BINS + p.j;
    float2 *high = shared + p.row * BINS + L::N - p.j;

/* write bins side by side */
#pragma unroll
    for (int i = 0; i < L::E / 2; i++) {
        float2 y = v[i + L::E / 2];

        low[i * L::T] = make_float2(s.scale * v[i].x, s.scale * v[i].y);
        high[-i * L::T] = make_float2(s.scale * y.x, s.scale * y.y);
    }
    if (p.j == 0)
        low[L::N / 2] = make_float2(s.scale * middle.x, s.scale * middle.y);
    /* send the bins of a block */
    float2 *out = s.out + start(s.to, s.group_rows, blockIdx.x * L::Q);

    rows = rows < L::Q ? rows : L::Q;
    if (s.to.step == 1 && s.to.group == BINS && s.group_rows == 1 &&
        rows % 2 == 0 && (size_t)s.out % 16 == 0) {
        ptx_fence_async();
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx_bulk_store(out, shared, rows * BINS * sizeof(float2));
            ptx_bulk_commit();
            ptx_bulk_wait_read<0>();
        }
        return;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < rows * BINS; i += L::THREADS)
        s.out[start(s.to, s.group_rows, blockIdx.x * L::Q + i / BINS) +
              i % BINS * s.to.step] = shared[i];
}

/* transform back to real rows */
/* The way back, unscaled: N + 1 bins become 2 N real numbers. */
template <class L>
__global__ void __launch_bounds__(L::THREADS, L::LEAST)
    fft_rows_to_real(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];
    struct fft_place p = place<L>(0);
    int b = blockIdx.x * L::Q + p.row;
    const float2 *in = s.in + start(s.from, s.group_rows, b);
    float2 v[L::E];

#pragma unroll
    for (int i = 0; i < L::E; i++) {
        int k = p.j + i * L::T;

        v[i] = {0, 0};
        if (b < s.rows)
            v[i] = join_real(in[k * s.from.step], in[(L::N - k) * s.from.step],
                             s.before[k]);
    }
    swap_parts<L::E>(v, 1);
    transform(L(), v, shared, p, p, s.turns);
    store_row<L>(v, s, b, p.j);
}

/* filter rows */
/* Convolves each row with a filter whose transform is `spectrum`: reads `take`
   numbers, behind them zeros, times `before`; writes numbers skip to keep,
   times `after`. */
template <class L>
__global__ void __launch_bounds__(L::THREADS, (L::LEAST + 1) / 2)
    fft_rows_filter(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];
    struct fft_place p = place<L>(s.from.across), next = place<L>(s.to.across);
    int b = blockIdx.x * L::Q + p.row;
    const float2 *in = s.in + start(s.from, s.group_rows, b);
    float2 v[L::E];

/* read a row to be filtered */
#pragma unroll
    for (int i = 0; i < L::E; i++) {
        int k = p.j + i * L::T, here = k < s.take && b < s.rows;

        v[i] = here ? in[k * s.from.step] : float2{0, 0};
        swap_parts<1>(&v[i], s.swap_in);
        if (here && s.before)
            v[i] = mul(v[i], s.before[k]);
    }
    transform(L(), v, shared, p, next, s.turns);
    b = blockIdx.x * L::Q + p.row;
    const float2 *spectrum = s.spectrum + start(s.of, s.group_rows, b);

#pragma unroll
    for (int i = 0; i < L::E; i++)
        v[i] = b < s.rows ? mul(v[i], spectrum[(p.j + i * L::T) * s.of.step])
                          : float2{0, 0};
    /* transform back what was multiplied */
    swap_parts<L::E>(v, 1);
    __syncthreads();
    transform(L(), v, shared, p, next, s.turns);
    swap_parts<L::E>(v, 1);
    float2 *out = s.out + start(s.to, s.group_rows, b);

/* write a filtered row */
#pragma unroll
    for (int i = 0; i < L::E; i++) {
        int k = p.j + i * L::T;

        if (s.after && k < s.keep)
            v[i] = mul(v[i], s.after[k]);
        swap_parts<1>(&v[i], s.swap_out);
        if (b < s.rows && k >= s.skip && k < s.keep)
            out[(k - s.skip) * s.to.step] =
                make_float2(s.scale * v[i].x, s.scale * v[i].y);
    }
}

#endif
