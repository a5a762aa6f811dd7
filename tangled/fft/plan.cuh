/* plan.cuh: plans for Fourier transforms of any length, in one dimension or
   two, complex or real, in batches, with strides. */
#ifndef FFT_PLAN_CUH
#define FFT_PLAN_CUH

#include <limits.h>

#include "dft/dft.h"
#include "fft/ahead.cuh"
#include "fft/each.cuh"
#include "fft/fft.h"
#include "fft/inplace.cuh"
#include "fft/long.cuh"
#include "fft/mixed.cuh"
#include "fft/relay.cuh"

enum { FFT_MOST = 1 << 24, FFT_STEPS = 12, FFT_TABLES = 40, FFT_WORK = 3 };

/* describe a kernel of a fixed length */
typedef void fft_kernel_function(const struct fft_job);

struct fft_kernel {
    int n, q, e, threads, shared, across, count, radix[FFT_RADICES];
    fft_kernel_function *rows, *real, *to_real, *filter;
    int alone; /* for rows one behind the other, and no part of longer ones */
    int stay;  /* blocks that stay on an SM; 0: as many as there is work */
};

/* What the table says of the length L; radices from its base. */
template <class L, int Q, int E, int... R>
static struct fft_kernel fft_length_of(fft_length<Q, E, R...>, int across,
                                       fft_kernel_function *rows)
{
    struct fft_kernel k = {
        L::N, Q, E, L::THREADS, L::SHARED, across, sizeof...(R), {R...}};

    k.rows = rows;
    return k;
}

/* Only its numbers, for kernels that are made of two. */
template <class L>
static struct fft_kernel for_half(void)
{
    return fft_length_of<L>(L(), 1, NULL);
}

/* make entries of kernels */
/* Rows. */
template <class L>
static struct fft_kernel for_rows(void)
{
    struct fft_kernel k = fft_length_of<L>(L(), 0, fft_rows<L>);

    k.filter = fft_rows_filter<L>;
    return k;
}

template <class L>
static struct fft_kernel for_columns(void)
{
    struct fft_kernel k = for_rows<L>();

    k.across = 1;
    return k;
}

/* Real rows. */
template <class L>
static struct fft_kernel for_real(void)
{
    struct fft_kernel k = fft_length_of<L>(L(), 0, NULL);

    if constexpr (L::Q % 2 == 0)
        k.real = fft_rows_real_whole<L>;
    else
        k.real = fft_rows_real<L>;
    k.to_real = fft_rows_to_real<L>;
    return k;
}

/* Exchanged where they lie. */
template <int LEAST, int A, int B, int C>
static struct fft_kernel for_in_place(void)
{
    typedef fft_length<1, A, A, B, C> L;
    struct fft_kernel k =
        fft_length_of<L>(L(), 0, fft_rows_in_place<LEAST, A, B, C>);

    k.alone = 1;
    k.shared = L::N * (int)sizeof(float2);
    return k;
}

/* With the next row fetched ahead, by blocks that stay. */
template <class L, int HEAD>
static struct fft_kernel for_ahead(void)
{
    struct fft_kernel k = fft_length_of<L>(L(), 0, fft_rows_ahead<L, HEAD>);

    k.alone = 1;
    k.shared = (k.shared + 15) / 16 * 16 + HEAD * (int)sizeof(float2);
    k.stay = L::LEAST;
    return k;
}

/* list the kernels */

/* name lengths of rows */
/* A row of 64 or 128 numbers has 8 threads: two rows for half a warp, which
   should be half of the banks apart. */
typedef fft_tuned<fft_length<64, 8, 8, 8>, 2, 64 + 4> fft_64_rows;
typedef fft_tuned<fft_length<32, 16, 16, 8>, 4, 128 + 8> fft_128_rows;
typedef fft_length<4, 8, 8, 8, 8> fft_512_rows;
typedef fft_length<1, 16, 16, 16, 16, 2> fft_8192;
typedef fft_lanes<fft_length<1, 16, 16, 16, 16, 4>, 4> fft_16384_lanes;

static const struct fft_kernel fft_kernels[] = {
    for_rows<fft_64_rows>(),
    for_rows<fft_128_rows>(),
    for_rows<fft_512_rows>(),
    for_in_place<2, 32, 16, 16>(),
    for_ahead<fft_16384_lanes, 8192>(),
#ifndef FFT_FEW /* which is compiled more quickly, for trials */
    for_rows<fft_length<16, 16, 16, 16>>(),
    for_rows<fft_length<4, 16, 16, 16, 4>>(),
    for_rows<fft_length<2, 16, 16, 16, 8>>(),
    for_rows<fft_length<1, 16, 16, 16, 16>>(),
    for_columns<fft_length<16, 16, 16, 16, 2>>(),
    for_columns<fft_length<8, 32, 32, 32>>(),
    for_columns<fft_length<4, 16, 16, 16, 8>>(),
    for_columns<fft_length<4, 16, 16, 16, 16>>(),
    for_columns<fft_8192>(),
#endif
};

/* For real rows of twice the length. Where a row has 8 threads, rows of a warp
   are 8 apart, so that two of them are half of the banks apart without gaps. */
static const struct fft_kernel fft_reals[] = {
    for_real<fft_apart<fft_tuned<fft_length<32, 8, 8, 8>, 6, 69>>>(),
    for_real<fft_tuned<fft_512_rows, 6>>(),
#if !defined FFT_FEW && !defined FFT_COMPLEX
    for_real<fft_apart<fft_tuned<fft_128_rows, 4, 137>>>(),
    for_real<fft_length<16, 16, 16, 16>>(),
    for_real<fft_length<4, 16, 16, 16, 4>>(),
    for_real<fft_length<2, 16, 16, 16, 8>>(),
    for_real<fft_length<1, 16, 16, 16, 16>>(),
    for_real<fft_8192>(),
#endif
};

enum { FFT_KERNELS = sizeof fft_kernels / sizeof *fft_kernels };

/* list the constant lengths */
struct fft_constant_kernel {
    int n, q, threads, shared, count, radix[FFT_RADICES];
    fft_kernel_function *run;
};

template <int Q, int LEAST, int... R>
static struct fft_constant_kernel for_constant(void)
{
    typedef fft_constant<Q, LEAST, R...> L;

    return {L::N,
            Q,
            L::THREADS,
            L::SHARED,
            sizeof...(R),
            {R...},
            fft_rows_constant<Q, LEAST, R...>};
}

static const struct fft_constant_kernel fft_constants[] = {
    for_constant<3, 4, 10, 10, 10>(),
    for_constant<1, 3, 5, 7, 12, 12>(),
};

/* list the clusters */
struct fft_cluster_kernel {
    int blocks;
    struct fft_kernel a, b; /* columns of a.n, rows of b.n */
    fft_kernel_function *run, *filter;
};

template <class LA, class LB, int C>
static struct fft_cluster_kernel for_cluster(void)
{
    return {C, for_half<LA>(), for_half<LB>(), fft_cluster<LA, LB, C>,
            fft_cluster_filter<LA, LB, C>};
}

/* name lengths of clusters */
typedef fft_length<32, 16, 16, 8> fft_128;
typedef fft_length<16, 16, 16, 16> fft_256;
typedef fft_length<32, 16, 16, 16> fft_256_wide;
typedef fft_length<16, 16, 16, 16, 2> fft_512;

static const struct fft_cluster_kernel fft_clusters[] = {
    for_cluster<fft_128, fft_128, 4>(),
#ifndef FFT_FEW
    for_cluster<fft_256, fft_128, 8>(),
    for_cluster<fft_256, fft_256, 16>(),
    for_cluster<fft_512, fft_256_wide, 16>(),
#endif
};

enum { FFT_CLUSTERS = sizeof fft_clusters / sizeof *fft_clusters };

/* list the relays */
struct fft_relay_kernel {
    struct fft_kernel a, b; /* columns of a.n, rows of b.n */
    int blocks_on_sm, stay; /* stay: for many tickets */
    fft_kernel_function *run;
};

template <class LA, class LB, int STAY = 0>
static struct fft_relay_kernel for_relay(void)
{
    return {for_half<LA>(), for_half<LB>(), LA::LEAST, STAY,
            fft_relay<LA, LB, STAY>};
}

typedef fft_length<8, 16, 16, 16, 4> fft_1024;

static const struct fft_relay_kernel fft_relays[] = {
    for_relay<fft_128, fft_128, 1>(),
#ifndef FFT_FEW
    for_relay<fft_256, fft_128>(),      for_relay<fft_256, fft_256, 1>(),
    for_relay<fft_512, fft_256_wide>(), for_relay<fft_512, fft_512>(),
    for_relay<fft_1024, fft_512>(),
#endif
};

/* describe a plan */
enum fft_kind { FFT_C2C, FFT_R2C, FFT_C2R };
enum { FFT_FORWARD = -1, FFT_INVERSE = 1 };
enum fft_buffer { FFT_IN, FFT_OUT, FFT_WORK_0 }; /* and further ones */
/* How a long transform is made: as the planner likes, or as is said. */
enum fft_way { FFT_BEST, FFT_FOUR_STEPS, FFT_RELAY, FFT_CLUSTER, FFT_WAYS };

/* One launch. */
struct fft_step {
    fft_kernel_function *run;
    struct fft_job job;
    size_t blocks;
    int threads, shared, cluster;
    int from, to, ring; /* an fft_buffer */
    size_t reset;       /* bytes of job.done, zeros before each launch */
};

struct fft_plan {
    int n, height; /* of one transform; height 1: one dimension */
    enum fft_kind kind;
    int batch, in_place;
    float scale; /* of what is written; 1 unless the caller sets it */
    size_t in_bytes, out_bytes;
    int steps, tables, clusters, room, sms; /* room: of a block, in bytes */
    int way, lag;                           /* as wished */
    struct fft_step step[FFT_STEPS];
    void *table[FFT_TABLES];
    size_t work_count[FFT_WORK], table_bytes;
    float2 *work[FFT_WORK];
};

/* make tables */
static inline const float2 *fft_upload(struct fft_plan *p, size_t count,
                                       const struct cplx *x)
{
    float2 *h = (float2 *)check_alloc(count, sizeof *h), *d;

    CHECK(p->tables < FFT_TABLES, "fft: a plan of more than %d tables",
          FFT_TABLES);
    for (size_t i = 0; i < count; i++)
        h[i] = {(float)x[i].re, (float)x[i].im};
    CUDA_CHECK(cudaMalloc((void **)&d, (count + 1) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, count * sizeof *h, cudaMemcpyHostToDevice));
    p->table[p->tables++] = d;
    p->table_bytes += count * sizeof *d;
    free(h);
    return d;
}

/* The table e^(-2 pi i m j / n) for each m of powers[0..rows), each j < cols. */
static inline const float2 *fft_table(struct fft_plan *p, int rows,
                                      const int *powers, int cols, int64_t n)
{
    struct cplx *w = fft_room((size_t)rows * cols);
    const float2 *d;

    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            w[i * cols + j] = dft_root(-powers[i] * j % n, n);
    d = fft_upload(p, (size_t)rows * cols, w);
    free(w);
    return d;
}

enum { FFT_POWERS = 10 };

static const int fft_powers[FFT_POWERS] = {1, 2, 3, 4, 8, 12, 16, 20, 24, 28};

/* What the passes of a length want, behind each other; *count: how many. */
static inline struct cplx *fft_turns(const struct fft_kernel *k, int *count)
{
    struct cplx *w = fft_room((size_t)k->n * FFT_POWERS);
    int at = 0, ns = k->radix[0];

    for (int pass = 1; pass < k->count; pass++) {
        int r = k->radix[pass];

        for (int m = 0; m < turn_powers(r); m++)
            for (int64_t a = 0; a < ns; a++)
                w[at++] = dft_root(-fft_powers[m] * a, (int64_t)ns * r);
        ns *= r;
    }
    *count = at;
    return w;
}

/* add a step */
/* A launch of so many threads' worth of rows; the caller fills in the rest. */
static inline struct fft_step *fft_add(struct fft_plan *p,
                                       fft_kernel_function *run, size_t blocks,
                                       int threads, int shared, int from,
                                       int to)
{
    struct fft_step *s = &p->step[p->steps++];

    CHECK(p->steps <= FFT_STEPS, "fft: a plan of more than %d steps",
          FFT_STEPS);
    CHECK(blocks <= INT_MAX, "fft: %zu blocks are too many", blocks);
    memset(s, 0, sizeof *s);
    s->run = run;
    s->job.scale = 1;
    s->blocks = blocks;
    s->threads = threads;
    s->shared = shared;
    s->cluster = 1;
    s->from = from;
    s->to = to;
    if (shared > 48 << 10)
        CUDA_CHECK(cudaFuncSetAttribute(
            (const void *)run, cudaFuncAttributeMaxDynamicSharedMemorySize,
            shared));
    return s;
}

/* Rows to be transformed, and where they lie. */
struct fft_rows_at {
    int n, rows, group_rows, from, to;
    struct fft_side in, out;
};

static inline void fft_place_rows(struct fft_step *s,
                                  const struct fft_rows_at *r)
{
    s->job.n = r->n;
    s->job.rows = r->rows;
    s->job.group_rows = r->group_rows;
    s->job.from = r->in;
    s->job.to = r->out;
}

/* The work array number `which` has to have so many numbers. */
static inline int fft_work(struct fft_plan *p, int which, size_t count)
{
    CHECK(which < FFT_WORK, "fft: a plan of more than %d work arrays",
          FFT_WORK);
    if (p->work_count[which] < count)
        p->work_count[which] = count;
    return FFT_WORK_0 + which;
}

/* choose radices */
/* Writes the radices of n; returns how many, or 0 if n has a prime factor above
   31. */
static inline int fft_radices(int n, int *radix)
{
    static const int known[] = {31, 29, 23, 19, 17, 13, 11, 10,
                                9,  8,  7,  5,  4,  3,  2};
    int count = 0, odd = 0;

    for (int i = 0; i < (int)(sizeof known / sizeof *known); i++)
        while (n % known[i] == 0 && count < FFT_RADICES) {
            radix[count++] = known[i];
            n /= known[i];
        }
    if (n == 1 && count == 0)
        radix[count++] = 1;
    while (odd < count && radix[odd] % 2 == 0)
        odd++;
    if (n == 1 && odd > 0 && odd < count) {
        int first = radix[0];

        radix[0] = radix[odd];
        radix[odd] = first;
    }
    return n == 1 ? count : 0;
}

/* The kernel for n numbers that fits in a block of this GPU, or NULL. */
static inline const struct fft_kernel *fft_find(const struct fft_plan *p, int n,
                                                int across)
{
    const struct fft_kernel *any = NULL;

    for (int i = 0; i < FFT_KERNELS; i++) {
        const struct fft_kernel *k = &fft_kernels[i];

        if (k->n != n || k->shared > p->room || (k->alone && across))
            continue;
        if (k->across == across)
            return k;
        if (!any)
            any = k;
    }
    return any;
}

/* The same for real rows of 2 n numbers. */
static inline const struct fft_kernel *fft_find_real(const struct fft_plan *p,
                                                     int n)
{
    int count = sizeof fft_reals / sizeof *fft_reals;

    for (int i = 0; i < count; i++)
        if (fft_reals[i].n == n && fft_reals[i].shared <= p->room)
            return &fft_reals[i];
    return NULL;
}

/* share out a mixed length */
struct fft_mixed_way {
    struct mixed_shape shape;
    int q, threads, shared, wide;
};

/* The kernel that has n for a constant, or NULL. */
static inline const struct fft_constant_kernel *
fft_find_constant(const struct fft_plan *p, int n)
{
    int count = sizeof fft_constants / sizeof *fft_constants;

    for (int i = 0; i < count; i++)
        if (fft_constants[i].n == n && fft_constants[i].shared <= p->room)
            return &fft_constants[i];
    return NULL;
}

/* The kernel for all lengths; NULL: it was left out. */
static inline fft_kernel_function *fft_mixed_kernel(int wide)
{
#ifdef FFT_UNMIXED
    return (void)wide, nullptr;
#else
    return wide ? fft_mixed<1> : fft_mixed<0>;
#endif
}

/* Returns 0 if no block of this GPU can do it. */
static inline int fft_mixed_find(const struct fft_plan *p, int n, int across,
                                 struct fft_mixed_way *w)
{
    int radix[FFT_RADICES], count = n <= MIXED_MOST ? fft_radices(n, radix) : 0;
    int row;

    if (count == 0 || (!fft_mixed_kernel(0) && !fft_find_constant(p, n)))
        return 0;
    memset(w, 0, sizeof *w);
    w->shape = mixed_shape_of(n, count, radix);
    for (int i = 0; i < count; i++)
        w->wide |= radix[i] > MIXED_USUAL;
    row = w->shape.pitch * (int)sizeof(float2);
    w->q = w->shape.share < 256 ? 256 / w->shape.share : 1;
    if (across && w->q < 16 && 16 * w->shape.share <= mixed_threads(w->wide) &&
        16 * row <= p->room)
        w->q = 16;
    w->threads = (w->q * w->shape.share + 31) / 32 * 32;
    w->shared = count > 1 ? w->q * row : 0;
    return w->threads <= mixed_threads(w->wide) && w->shared <= p->room;
}

/* Can one block do it without a detour? */
static inline int fft_in_a_block(const struct fft_plan *p, int n, int across)
{
    struct fft_mixed_way w;

    return fft_find(p, n, across) || fft_mixed_find(p, n, 0, &w);
}

/* add mixed rows */
/* Row i - 1 of a level's part: the powers i of its ns roots. */
static inline const float2 *fft_mixed_turns(struct fft_plan *p, int n,
                                            const struct mixed_shape *s)
{
    struct cplx *w = fft_room(n);
    const float2 *d;
    int count = 0;

    for (int at = 0; at < s->count; at++) {
        int r = s->level[at].radix, ns = s->level[at].ns;

        for (int64_t i = 1; i < r; i++)
            for (int k = 0; k < ns; k++)
                w[count++] = dft_root(-i * k, (int64_t)ns * r);
    }
    d = fft_upload(p, count, w);
    free(w);
    return d;
}

static inline struct fft_step *fft_add_mixed(struct fft_plan *p,
                                             const struct fft_rows_at *r)
{
    const struct fft_constant_kernel *k = fft_find_constant(p, r->n);
    struct fft_mixed_way w;
    struct fft_step *s;

    CHECK(fft_mixed_find(p, r->n, r->in.across || r->out.across, &w),
          "fft: no block takes %d points", r->n);
    if (k) {
        w.shape = mixed_shape_of(r->n, k->count, k->radix);
        s = fft_add(p, k->run, ceil_div((size_t)r->rows, k->q), k->threads,
                    k->shared, r->from, r->to);
    } else {
        s = fft_add(p, fft_mixed_kernel(w.wide), ceil_div((size_t)r->rows, w.q),
                    w.threads, w.shared, r->from, r->to);
    }
    s->job.mixed = w.shape;
    s->job.take = w.q;
    s->job.by_take = mixed_inverse(w.q);
    s->job.turns = fft_mixed_turns(p, r->n, &w.shape);
    return s;
}

/* add rows that a block can do */
/* column_of: 0, or the length of the long transform of which these rows are
   the columns. */
static inline void fft_add_block(struct fft_plan *p,
                                 const struct fft_rows_at *r, int column_of)
{
    const struct fft_kernel *k =
        fft_find(p, r->n, r->in.across || r->out.across);
    int count, one = 1;
    struct fft_step *s;

    if (k) {
        struct cplx *w = fft_turns(k, &count);
        size_t blocks = ceil_div((size_t)r->rows, k->q);
        int t = k->n / k->e;

        if (k->stay && blocks > (size_t)k->stay * p->sms)
            blocks = (size_t)k->stay * p->sms;
        s = fft_add(p, k->rows, blocks, k->threads, k->shared, r->from, r->to);
        s->job.turns = fft_upload(p, count, w);
        free(w);
        if (column_of) {
            int powers[FFT_POWERS], *j = (int *)check_alloc(t, sizeof *j);

            for (int m = 0; m < FFT_POWERS; m++)
                powers[m] = fft_powers[m] * t;
            for (int m = 0; m < t; m++)
                j[m] = m;
            s->job.by = fft_table(p, turn_powers(k->e), powers, r->group_rows,
                                  column_of);
            s->job.first = fft_table(p, t, j, r->group_rows, column_of);
            free(j);
        }
    } else {
        s = fft_add_mixed(p, r);
        if (column_of)
            s->job.first = fft_table(p, 1, &one, column_of, column_of);
    }
    fft_place_rows(s, r);
}

/* add rows by Bluestein */
/* before[k] = e^(-pi i k^2 / n); spectrum: of its conjugate around 0, in m. */
static inline void fft_chirp(struct fft_plan *p, int n, int m,
                             const float2 **before, const float2 **spectrum)
{
    struct cplx *c = fft_room(m), *x = fft_room(m), *y = fft_room(m);

    for (int64_t k = 0; k < n; k++) {
        c[k] = dft_root(-(k * k % (2 * n)), 2 * (int64_t)n);
        x[k].re = c[k].re / m;
        x[k].im = -c[k].im / m;
        if (k > 0)
            x[m - k] = x[k];
    }
    fft_any(m, -1, x, y);
    *before = fft_upload(p, n, c);
    *spectrum = fft_upload(p, m, y);
    free(c), free(x), free(y);
}

static inline int fft_power_above(int n)
{
    int m = 64;

    while (m < n)
        m *= 2;
    return m;
}

static inline void fft_add_filter(struct fft_plan *p,
                                  const struct fft_rows_at *r,
                                  const struct fft_kernel *k)
{
    struct fft_step *s;
    struct cplx *w;
    int count;

    s = fft_add(p, k->filter, ceil_div((size_t)r->rows, k->q), k->threads,
                k->shared, r->from, r->to);
    w = fft_turns(k, &count);
    s->job.turns = fft_upload(p, count, w);
    free(w);
    fft_place_rows(s, r);
    s->job.take = s->job.keep = r->n;
    s->job.of.step = 1;
    fft_chirp(p, r->n, k->n, &s->job.before, &s->job.spectrum);
    s->job.after = s->job.before;
}

/* add rows of a power of two by a cluster */
static inline const struct fft_cluster_kernel *
fft_find_cluster(const struct fft_plan *p, int n)
{
    for (int i = 0; p->clusters && i < FFT_CLUSTERS; i++)
        if (fft_clusters[i].a.n * fft_clusters[i].b.n == n)
            return &fft_clusters[i];
    return NULL;
}

/* make the tables of two halves */
/* The tables of a transform with columns like a and rows like b. */
static inline struct fft_halves_tables fft_tables_of(struct fft_plan *p,
                                                     const struct fft_kernel *a,
                                                     const struct fft_kernel *b)
{
    int powers[FFT_POWERS], j[64], t = a->n / a->e, count;
    struct fft_halves_tables made;
    struct cplx *w = fft_turns(a, &count);

    made.columns = fft_upload(p, count, w);
    free(w);
    w = fft_turns(b, &count);
    made.rows = fft_upload(p, count, w);
    free(w);
    for (int m = 0; m < t; m++)
        j[m] = m;
    for (int m = 0; m < FFT_POWERS; m++)
        powers[m] = fft_powers[m] * t;
    made.by =
        fft_table(p, turn_powers(a->e), powers, b->n, (int64_t)a->n * b->n);
    made.first = fft_table(p, t, j, b->n, (int64_t)a->n * b->n);
    return made;
}

/* add rows by clusters */
/* Rows by clusters: of c's length, or by Bluestein if it is larger. */
static inline void fft_add_cluster(struct fft_plan *p,
                                   const struct fft_rows_at *r,
                                   const struct fft_cluster_kernel *c)
{
    int m = c->a.n * c->b.n, filter = m != r->n;
    fft_kernel_function *run = filter ? c->filter : c->run;
    struct fft_step *s = fft_add(
        p, run, (size_t)r->rows * c->blocks, c->a.threads,
        c->a.shared > c->b.shared ? c->a.shared : c->b.shared, r->from, r->to);

    fft_place_rows(s, r);
    s->cluster = c->blocks;
    if (c->blocks > 8)
        CUDA_CHECK(cudaFuncSetAttribute(
            (const void *)run, cudaFuncAttributeNonPortableClusterSizeAllowed,
            1));
    s->job.there = fft_tables_of(p, &c->a, &c->b);
    if (filter) {
        s->job.back = fft_tables_of(p, &c->b, &c->a);
        s->job.take = s->job.keep = r->n;
        fft_chirp(p, r->n, m, &s->job.before, &s->job.spectrum);
        s->job.after = s->job.before;
    }
}

/* add rows by a relay */
static inline const struct fft_relay_kernel *
fft_find_relay(const struct fft_plan *p, int n)
{
    int count = sizeof fft_relays / sizeof *fft_relays;

    for (int i = 0; i < count; i++) {
        const struct fft_relay_kernel *k = &fft_relays[i];

        if ((p->way == FFT_BEST || p->way == FFT_RELAY) &&
            k->a.n * k->b.n == n && k->a.shared <= p->room &&
            k->b.shared <= p->room)
            return k;
    }
    return NULL;
}

static inline void fft_add_relay(struct fft_plan *p,
                                 const struct fft_rows_at *r,
                                 const struct fft_relay_kernel *k, int work)
{
    int items = k->b.n / k->a.q + k->a.n / k->b.q;
    int held = k->blocks_on_sm * p->sms; /* blocks on the GPU */
    int ahead = k->stay ? 3 * held / 2 : held;
    int lag = p->lag ? p->lag : ahead / items + 1;
    int slots = 2 * lag < r->rows ? 2 * lag : r->rows;
    int shared = k->a.shared > k->b.shared ? k->a.shared : k->b.shared;
    size_t blocks = ((size_t)r->rows + lag) * items;
    struct fft_step *s;

    if (k->stay && blocks > (size_t)held)
        blocks = held;
    s = fft_add(p, k->run, blocks, k->a.threads, shared, r->from, r->to);
    fft_place_rows(s, r);
    s->job.there = fft_tables_of(p, &k->a, &k->b);
    s->job.lag = lag;
    s->job.slots = slots;
    s->ring = fft_work(p, work, (size_t)slots * r->n);
    s->reset = (2 * (size_t)r->rows + 1) * sizeof(unsigned);
    CHECK(p->tables < FFT_TABLES, "fft: a plan of more than %d tables",
          FFT_TABLES);
    CUDA_CHECK(cudaMalloc((void **)&s->job.done, s->reset));
    p->table[p->tables++] = s->job.done;
    p->table_bytes += s->reset;
}

/* add rows in four steps */
/* The divisor of n that is nearest below its root such that both fit in a
   block; 0: there is none. */
static inline int fft_divisor(const struct fft_plan *p, int n)
{
    for (int a = (int)sqrt((double)n); a > 1; a--)
        if (n % a == 0 && fft_in_a_block(p, a, 1) &&
            fft_in_a_block(p, n / a, 1))
            return a;
    return 0;
}

static inline void fft_add_long(struct fft_plan *p, const struct fft_rows_at *r,
                                int b, int work)
{
    int a = r->n / b;
    size_t n = r->n;
    struct fft_rows_at half = *r;

    half.n = a; /* columns of a numbers, b of them side by side */
    half.group_rows = b;
    half.rows = (int)(r->rows * (size_t)b);
    half.in = {r->in.group, r->in.step, r->in.step * b, 1};
    half.out = {n, 1, (size_t)b, 1};
    half.to = fft_work(p, work, r->rows * n);
    fft_add_block(p, &half, r->n);
    half.n = b; /* rows of b numbers, written as columns */
    half.group_rows = a;
    half.rows = (int)(r->rows * (size_t)a);
    half.in = {n, (size_t)b, 1, 0};
    half.out = {r->out.group, r->out.step, r->out.step * a, 1};
    half.from = half.to;
    half.to = r->to;
    fft_add_block(p, &half, 0);
}

/* add rows of any length, said in advance */
static inline void fft_add_rows(struct fft_plan *p, const struct fft_rows_at *r,
                                int work);

/* add long rows by Bluestein */
/* A step that multiplies rows of r->n numbers. */
static inline struct fft_step *fft_add_each(struct fft_plan *p,
                                            fft_kernel_function *run,
                                            const struct fft_rows_at *r)
{
    size_t count = (size_t)r->rows * r->n;
    struct fft_step *s = fft_add(p, run, ceil_div(count, EACH_THREADS),
                                 EACH_THREADS, 0, r->from, r->to);

    fft_place_rows(s, r);
    s->job.take = r->n;
    return s;
}

static inline void fft_add_bluestein(struct fft_plan *p,
                                     const struct fft_rows_at *r, int m,
                                     int work)
{
    int w = fft_work(p, work, (size_t)r->rows * m);
    struct fft_rows_at in = *r, mid = *r, out = *r;
    const float2 *before, *spectrum;
    struct fft_step *s;

    CHECK(r->group_rows == 1, "fft: columns of %d points are too long", r->n);
    fft_chirp(p, r->n, m, &before, &spectrum);
    in.n = mid.n = m;
    in.to = mid.from = mid.to = out.from = w;
    in.out = mid.in = mid.out = out.in = {(size_t)m, 0, 1, 0};
    s = fft_add_each(p, fft_each, &in);
    s->job.take = r->n;
    s->job.before = before;
    fft_add_rows(p, &mid, work + 1);
    s = fft_add_each(p, fft_each, &mid);
    s->job.before = spectrum;
    s->job.swap_out = 1;
    fft_add_rows(p, &mid, work + 1);
    s = fft_add_each(p, fft_each, &out);
    s->job.before = before;
    s->job.swap_in = 1;
}

/* add rows of any length */
/* work: the first work array that is free. */
static inline void fft_add_rows(struct fft_plan *p, const struct fft_rows_at *r,
                                int work)
{
    int m = fft_power_above(2 * r->n - 1);
    const struct fft_kernel *filter = fft_find(p, m, r->in.across);
    const struct fft_cluster_kernel *c = fft_find_cluster(p, r->n);
    const struct fft_relay_kernel *relay =
        r->group_rows == 1 ? fft_find_relay(p, r->n) : NULL;

    if (filter && filter->alone) /* it has no filter */
        filter = fft_find(p, m, 1);
    if (fft_in_a_block(p, r->n, r->in.across || r->out.across) &&
        (p->way == FFT_BEST || r->n <= MIXED_MOST)) {
        fft_add_block(p, r, 0);
    } else if (relay) {
        fft_add_relay(p, r, relay, work);
    } else if (c) {
        fft_add_cluster(p, r, c);
    } else if (filter && filter->filter) {
        fft_add_filter(p, r, filter);
    } else {
        int b = r->group_rows == 1 ? fft_divisor(p, r->n) : 0;

        c = fft_find_cluster(p, m);
        if (b)
            fft_add_long(p, r, r->n / b, work);
        else if (c)
            fft_add_cluster(p, r, c);
        else
            fft_add_bluestein(p, r, m, work);
    }
}

/* add real rows */
/* Real rows of r->n numbers to n / 2 + 1 bins: fused, by halves, or widened. */
static inline void fft_add_real(struct fft_plan *p, const struct fft_rows_at *r,
                                int work)
{
    int n = r->n, even = n % 2 == 0 && r->in.step == 1 && r->in.group % 2 == 0;
    const struct fft_kernel *k = even ? fft_find_real(p, n / 2) : NULL;
    struct fft_rows_at a = *r, b = *r;
    struct fft_step *s;
    int one = 1, count;

    if (k) {
        /* add real rows to one kernel */
        struct cplx *w = fft_turns(k, &count);

        s = fft_add(p, k->real, ceil_div((size_t)r->rows, k->q), k->threads,
                    k->shared, r->from, r->to);
        fft_place_rows(s, r);
        s->job.from.group /= 2;
        s->job.turns = fft_upload(p, count, w);
        s->job.before = fft_table(p, 1, &one, n / 4 + 1, n);
        free(w);
        return;
    }
    a.n = even ? n / 2 : n;
    a.to = b.from = fft_work(p, work, (size_t)r->rows * a.n);
    a.out = b.in = {(size_t)a.n, 0, 1, 0};
    b.n = even ? n / 4 + 1 : n / 2 + 1;
    if (even)
        a.in.group /= 2;
    else
        fft_add_each(p, fft_widen, &a);
    if (!even) {
        a.from = a.to;
        a.in = a.out;
    }
    fft_add_rows(p, &a, work + 1);
    s = fft_add_each(p, even ? fft_split : fft_each, &b);
    s->job.count = n / 2;
    s->job.before = even ? fft_table(p, 1, &one, b.n, n) : NULL;
}

/* add rows back to real numbers */
/* And back. */
static inline void fft_add_to_real(struct fft_plan *p,
                                   const struct fft_rows_at *r, int work)
{
    int n = r->n,
        even = n % 2 == 0 && r->out.step == 1 && r->out.group % 2 == 0;
    const struct fft_kernel *k = even ? fft_find_real(p, n / 2) : NULL;
    struct fft_rows_at a = *r, b = *r;
    struct fft_step *s;
    int one = 1, count;

    if (k) {
        /* add rows back to real numbers by one kernel */
        struct cplx *w = fft_turns(k, &count);

        s = fft_add(p, k->to_real, ceil_div((size_t)r->rows, k->q), k->threads,
                    k->shared, r->from, r->to);
        fft_place_rows(s, r);
        s->job.to.group /= 2;
        s->job.turns = fft_upload(p, count, w);
        s->job.before = fft_table(p, 1, &one, n / 2, n);
        s->job.swap_out = 1;
        free(w);
        return;
    }
    a.n = b.n = even ? n / 2 : n;
    a.to = b.from = b.to = fft_work(p, work, (size_t)r->rows * a.n);
    a.out = b.in = b.out = {(size_t)a.n, 0, 1, 0};
    s = fft_add_each(p, even ? fft_join : fft_mirror, &a);
    s->job.before = even ? fft_table(p, 1, &one, a.n, n) : NULL;
    if (even) {
        b.to = r->to;
        b.out = r->out;
        b.out.group /= 2;
        fft_add_rows(p, &b, work + 1);
        p->step[p->steps - 1].job.swap_out = 1;
        return;
    }
    fft_add_rows(p, &b, work + 1);
    b.to = r->to;
    b.out = r->out;
    fft_add_each(p, fft_narrow, &b);
}

/* start a plan */
/* Everything that a plan is asked for. in and out: of number i of row b, b * row
   + i * step, in floats for real numbers; 0: side by side. */
struct fft_wish {
    int n, height; /* height 0: one dimension */
    enum fft_kind kind;
    int batch;
    size_t in_step, in_row, out_step, out_row;
    enum fft_way way; /* of long transforms */
    int lag;          /* of a relay, in transforms; 0: the planner decides */
};

static inline size_t fft_span(int n, int batch, size_t step, size_t row,
                              size_t size)
{
    return batch > 0 ? size * ((n - 1) * step + (batch - 1) * row + 1) : 0;
}

/* refuse what cannot be planned */
static inline void fft_check_wish(const struct fft_wish *w)
{
    CHECK(w->n >= 1 && w->n <= FFT_MOST,
          "fft: a transform has 1 to %d points, not %d", FFT_MOST, w->n);
    CHECK(w->height >= 0 && w->height <= FFT_MOST,
          "fft: an image of %d rows; it has 1 to %d", w->height, FFT_MOST);
    CHECK(w->batch >= 0, "fft: a batch of %d transforms", w->batch);
    CHECK(w->kind == FFT_C2C || w->kind == FFT_R2C || w->kind == FFT_C2R,
          "fft: kind %d is none of FFT_C2C, FFT_R2C, FFT_C2R", (int)w->kind);
    CHECK((double)w->n * (w->height ? w->height : 1) * w->batch < 2e9,
          "fft: %d transforms of %d x %d points are more than 2^31 numbers",
          w->batch, w->height ? w->height : 1, w->n);
}

static inline void fft_start_plan(struct fft_plan *p, const struct fft_wish *w)
{
    int device, h = w->height ? w->height : 1;
    int ins = w->kind == FFT_C2R ? w->n / 2 + 1 : w->n;
    int outs = w->kind == FFT_R2C ? w->n / 2 + 1 : w->n;
    size_t in_step = w->in_step ? w->in_step : 1;
    size_t out_step = w->out_step ? w->out_step : 1;
    size_t in_row = w->in_row ? w->in_row : ins * in_step;
    size_t out_row = w->out_row ? w->out_row : outs * out_step;

    memset(p, 0, sizeof *p);
    p->n = w->n;
    p->height = h;
    p->kind = w->kind;
    p->batch = w->batch;
    p->scale = 1;
    p->in_bytes = fft_span(ins, w->batch * h, in_step, in_row,
                           w->kind == FFT_R2C ? 4 : 8);
    p->out_bytes = fft_span(outs, w->batch * h, out_step, out_row,
                            w->kind == FFT_C2R ? 4 : 8);
    p->in_place =
        w->kind == FFT_C2C && in_step == out_step && in_row == out_row;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(
        &p->room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CUDA_CHECK(
        cudaDeviceGetAttribute(&p->clusters, cudaDevAttrClusterLaunch, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&p->sms, cudaDevAttrMultiProcessorCount,
                                      device));
    p->clusters = p->clusters && w->way != FFT_FOUR_STEPS;
    p->way = w->way;
    p->lag = w->lag;
}

/* make a plan */
/* The columns of the images at `from`, w numbers wide, to `to`. */
static inline void fft_add_columns(struct fft_plan *p, int w, int from, int to)
{
    struct fft_side side = {(size_t)w * p->height, 1, (size_t)w, 1};
    struct fft_rows_at r = {p->height, p->batch * w, w, from, to, side, side};

    fft_add_rows(p, &r, 1);
}

static inline void fft_allocate(struct fft_plan *p)
{
    for (int i = 0; i < FFT_WORK; i++)
        if (p->work_count[i] > 0)
            CUDA_CHECK(cudaMalloc((void **)&p->work[i],
                                  p->work_count[i] * sizeof(float2)));
}

static inline struct fft_plan fft_plan_make(struct fft_wish w)
{
    struct fft_plan p;

    fft_check_wish(&w);
    fft_start_plan(&p, &w);
    /* add the steps of a plan */
    int h = p.height, ins = w.kind == FFT_C2R ? w.n / 2 + 1 : w.n;
    int outs = w.kind == FFT_R2C ? w.n / 2 + 1 : w.n;
    size_t in_step = w.in_step ? w.in_step : 1;
    size_t out_step = w.out_step ? w.out_step : 1;
    struct fft_rows_at r = {
        w.n,
        w.batch * h,
        1,
        FFT_IN,
        FFT_OUT,
        {w.in_row ? w.in_row : ins * in_step, 0, in_step},
        {w.out_row ? w.out_row : outs * out_step, 0, out_step}};

    if (w.batch > 0 && w.kind == FFT_C2C) {
        fft_add_rows(&p, &r, 0);
        if (h > 1)
            fft_add_columns(&p, w.n, FFT_OUT, FFT_OUT);
    } else if (w.batch > 0 && w.kind == FFT_R2C) {
        fft_add_real(&p, &r, 0);
        if (h > 1)
            fft_add_columns(&p, outs, FFT_OUT, FFT_OUT);
    } else if (w.batch > 0) {
        if (h > 1) {
            r.from = fft_work(&p, 0, (size_t)r.rows * ins);
            fft_add_columns(&p, ins, FFT_IN, r.from);
            p.step[0].job.swap_in = 1;
            p.step[p.steps - 1].job.swap_out = 1;
        }
        fft_add_to_real(&p, &r, h > 1);
    }
    fft_allocate(&p);
    return p;
}

/* make the usual plans */
/* Batches of n numbers, one behind the other. */
static inline struct fft_plan fft_plan_1d(int n, enum fft_kind kind, int batch)
{
    struct fft_wish w = {n, 0, kind, batch};

    return fft_plan_make(w);
}

/* Batches of images of h rows of w numbers; for real ones, h rows of w floats
   and h rows of w / 2 + 1 bins. */
static inline struct fft_plan fft_plan_2d(int h, int w, enum fft_kind kind,
                                          int batch)
{
    struct fft_wish wish = {w, h, kind, batch};

    CHECK(h >= 1, "fft: an image of %d rows", h);
    return fft_plan_make(wish);
}

/* Bytes of device memory that a plan holds: tables and work arrays. */
static inline size_t fft_bytes(const struct fft_plan *p)
{
    size_t bytes = p->table_bytes;

    for (int i = 0; i < FFT_WORK; i++)
        bytes += p->work_count[i] * sizeof(float2);
    return bytes;
}

static inline void fft_plan_free(struct fft_plan *p)
{
    for (int i = 0; i < p->tables; i++)
        CUDA_CHECK(cudaFree(p->table[i]));
    for (int i = 0; i < FFT_WORK; i++)
        CUDA_CHECK(cudaFree(p->work[i]));
    memset(p, 0, sizeof *p);
}

/* refuse what does not fit the plan */
static inline void fft_check_run(const struct fft_plan *p, enum fft_kind kind,
                                 int n, const void *in, const void *out)
{
    static const char *const names[] = {"fft_c2c", "fft_r2c", "fft_c2r"};
    const char *a = (const char *)in, *b = (const char *)out;

    CHECK(p->n > 0, "fft: the plan was freed or never made");
    CHECK(p->kind == kind, "fft: this plan is for %s, not for %s",
          names[p->kind], names[kind]);
    CHECK(p->n == n, "fft: this plan is for %d points, not for %d", p->n, n);
    CHECK(p->batch == 0 || (in && out), "fft: an array is NULL");
    CHECK((p->in_place && a == b) || a + p->in_bytes <= b ||
              b + p->out_bytes <= a,
          "fft: input and output overlap; give the output its own %zu bytes",
          p->out_bytes);
}

/* run a plan */
static inline void fft_launch(const struct fft_step *s, struct fft_job job,
                              cudaStream_t stream)
{
    /* launch clusters */
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute size;

    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = s->cluster;
    size.val.clusterDim.y = size.val.clusterDim.z = 1;
    c.gridDim = dim3((unsigned)s->blocks);
    c.blockDim = dim3(s->threads);
    c.dynamicSmemBytes = s->shared;
    c.stream = stream;
    c.attrs = &size;
    c.numAttrs = 1;
    if (s->cluster > 1)
        CUDA_CHECK(cudaLaunchKernelEx(&c, s->run, job));
    else
        s->run<<<(unsigned)s->blocks, s->threads, s->shared, stream>>>(job);
    CUDA_LAUNCH_CHECK();
}

static inline void fft_run(const struct fft_plan *p, const void *in, void *out,
                           int swap, cudaStream_t stream)
{
    float2 *buffer[2 + FFT_WORK] = {(float2 *)in, (float2 *)out};

    for (int i = 0; i < FFT_WORK; i++)
        buffer[FFT_WORK_0 + i] = p->work[i];
    for (int i = 0; i < p->steps; i++) {
        struct fft_job job = p->step[i].job;

        job.in = buffer[p->step[i].from];
        job.out = buffer[p->step[i].to];
        if (p->step[i].reset > 0) {
            job.ring = buffer[p->step[i].ring];
            CUDA_CHECK(cudaMemsetAsync(job.done, 0, p->step[i].reset, stream));
        }
        if (i == 0)
            job.swap_in |= swap;
        if (i == p->steps - 1) {
            job.swap_out |= swap;
            job.scale *= p->scale;
        }
        fft_launch(&p->step[i], job, stream);
    }
}

/* transform by a plan */
/* y = the transforms of x, forward or back (FFT_FORWARD, FFT_INVERSE), times
   the plan's scale; n is the plan's, to be sure. y may be x if the plan's
   layouts are the same. */
static inline void fft_c2c(const struct fft_plan *p, int n, const float2 *x,
                           float2 *y, int direction, cudaStream_t stream)
{
    fft_check_run(p, FFT_C2C, n, x, y);
    CHECK(direction == FFT_FORWARD || direction == FFT_INVERSE,
          "fft: direction %d is neither FFT_FORWARD nor FFT_INVERSE",
          direction);
    fft_run(p, x, y, direction == FFT_INVERSE, stream);
}

/* y = bins 0 to n / 2 of the transforms of the real rows of x. */
static inline void fft_r2c(const struct fft_plan *p, int n, const float *x,
                           float2 *y, cudaStream_t stream)
{
    fft_check_run(p, FFT_R2C, n, x, y);
    fft_run(p, x, y, 0, stream);
}

/* The way back, not scaled: of the bins of x, n times x. */
static inline void fft_c2r(const struct fft_plan *p, int n, const float2 *x,
                           float *y, cudaStream_t stream)
{
    fft_check_run(p, FFT_C2R, n, x, y);
    fft_run(p, x, y, 0, stream);
}

#endif
