/* scan.cuh: running sums of an array, in one pass. */
#ifndef REDUCE_SCAN_CUH
#define REDUCE_SCAN_CUH

#include "kernels/launch.h"
#include "memory/async.cuh"
#include "reduce/bound.h"
#include "simt/warp.cuh"
#include "sync/fits.cuh"

/* hold the items of a thread */
enum { SCAN_THREADS = 448, SCAN_ROWS = 8, SCAN_ITEMS = 4 * SCAN_ROWS };
enum { ROW = 4 * WARP }; /* elements of a row */

/* Row k, lane l: the elements (32 k + l) 4 to (32 k + l) 4 + 3 of the warp's
   part of the tile. */
struct items {
    float4 row[SCAN_ROWS];
};

/* Where this thread's first pack lies in a tile; row k's lies k * ROW on. */
static __device__ inline int my_place(void)
{
    return my_warp() * WARP * SCAN_ITEMS + my_lane() * 4;
}

/* say what is to be scanned */
struct scan_job {
    const float *x; /* both begin `skip` elements before the arrays */
    float *y;       /* a multiple of 128 */
    size_t n, tile; /* elements, with those that are skipped; of a tile */
    unsigned skip;
    int wide; /* is x a multiple of 16, too? */
};

static __device__ inline int is_mine(const struct scan_job *s, size_t i)
{
    return i >= s->skip && i < s->n;
}

/* Does all of the tile that begins at `first` belong to the array? */
static __device__ inline int is_whole(const struct scan_job *s, size_t first)
{
    return first >= s->skip && first + s->tile <= s->n;
}

/* load a tile */
static __device__ inline float item_load(const struct scan_job *s, size_t i)
{
    return is_mine(s, i) ? s->x[i] : 0;
}

static __device__ inline struct items tile_load(const struct scan_job *s,
                                                size_t first)
{
    size_t at = first + my_place();
    struct items a;

    if (is_whole(s, first) && s->wide) {
#pragma unroll
        for (int k = 0; k < SCAN_ROWS; k++)
            a.row[k] = __ldcs((const float4 *)&s->x[at + k * ROW]);
    } else {
#pragma unroll
        for (int k = 0; k < SCAN_ROWS; k++, at += ROW)
            a.row[k] = make_float4(item_load(s, at), item_load(s, at + 1),
                                   item_load(s, at + 2), item_load(s, at + 3));
    }
    return a;
}

/* store a tile */
static __device__ inline void item_store(const struct scan_job *s, size_t i,
                                         float v)
{
    if (is_mine(s, i))
        s->y[i] = v;
}

static __device__ inline void tile_store(const struct scan_job *s, size_t first,
                                         const struct items *a)
{
    size_t at = first + my_place();

    if (is_whole(s, first)) {
#pragma unroll
        for (int k = 0; k < SCAN_ROWS; k++)
            __stcs((float4 *)&s->y[at + k * ROW], a->row[k]);
    } else {
#pragma unroll
        for (int k = 0; k < SCAN_ROWS; k++, at += ROW) {
            item_store(s, at, a->row[k].x);
            item_store(s, at + 1, a->row[k].y);
            item_store(s, at + 2, a->row[k].z);
            item_store(s, at + 3, a->row[k].w);
        }
    }
}

/* add up the parts of a tile */

/* add up a pack */
static __device__ inline float pack_sum(float4 p)
{
    return (p.x + p.y) + (p.z + p.w);
}

/* part[w] = the sum of the items of warp w. */
static __device__ inline void leave_part(const struct items *a, float *part)
{
    float sum = 0;

#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++)
        sum += pack_sum(a->row[k]);
    sum = warp_sum(sum);
    if (my_lane() == 0)
        part[my_warp()] = sum;
}

/* part[w] becomes the sum of the parts before w; returns the sum of all. For
   one whole warp. */
static __device__ inline float scan_parts(int warps, float *part)
{
    float sum = warp_scan(my_lane() < warps ? part[my_lane()] : 0);
    float left = __shfl_up_sync(WARP_ALL, sum, 1);

    if (my_lane() < warps)
        part[my_lane()] = my_lane() > 0 ? left : 0;
    return warp_broadcast(sum, WARP - 1);
}

/* scan a warp's part */
/* warp_scan of each of SCAN_ROWS values, all of them step by step. */
static __device__ inline void warp_scans(float *row)
{
    float below[SCAN_ROWS];

#pragma unroll
    for (int far = 1; far < WARP; far *= 2) {
#pragma unroll
        for (int k = 0; k < SCAN_ROWS; k++)
            below[k] = __shfl_up_sync(WARP_ALL, row[k], far);
#pragma unroll
        for (int k = 0; k < SCAN_ROWS; k++)
            if (my_lane() >= far)
                row[k] += below[k];
    }
    __syncwarp(); /* no use of a row before all are scanned */
}
/* The running sums of a pack; *sum comes before it, and then after it. */
template <int EXCLUSIVE>
static __device__ inline float4 pack_scan(float4 p, float sum)
{
    float a = sum + p.x, b = a + p.y, c = b + p.z, d = c + p.w;

    return EXCLUSIVE ? make_float4(sum, a, b, c) : make_float4(a, b, c, d);
}

/* Replaces the items by their running sums; `sum` comes before the warp. */
template <int EXCLUSIVE>
static __device__ inline void scan_rows(struct items *a, float sum)
{
    float row[SCAN_ROWS];

#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++)
        row[k] = pack_sum(a->row[k]);
    warp_scans(row);
#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++) {
        float left = __shfl_up_sync(WARP_ALL, row[k], 1);

        a->row[k] =
            pack_scan<EXCLUSIVE>(a->row[k], my_lane() ? sum + left : sum);
        sum += warp_broadcast(row[k], WARP - 1);
    }
}

/* publish a word */
typedef unsigned long long scan_word; /* a tag, and the bits of a float */

static __device__ inline scan_word word_make(unsigned tag, float value)
{
    return (scan_word)tag << 32 | __float_as_uint(value);
}

static __device__ inline unsigned word_tag(scan_word w)
{
    return (unsigned)(w >> 32);
}

static __device__ inline float word_value(scan_word w)
{
    return __uint_as_float((unsigned)w);
}

/* load and store a word */
static __device__ inline scan_word word_load(scan_word *p)
{
#ifdef __LOOM__
    return atomicAdd(p, 0ull);
#else
    scan_word w;

    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(w) : "l"(p) : "memory");
    return w;
#endif
}

static __device__ inline void word_store(scan_word *p, scan_word w)
{
#ifdef __LOOM__
    atomicExch(p, w);
#else
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" : : "l"(p), "l"(w) : "memory");
#endif
}

/* lay out the board */
enum { SCAN_RING = 8, SCAN_BLOCKS = 160, SCAN_LOOKS = SCAN_BLOCKS / WARP };

/* What the blocks of a scan tell each other; all zero at first, then kept. */
struct scan_board {
    unsigned base;   /* the largest tag used; wraps after 2^32 tiles */
    unsigned ticket; /* tiles that were taken; 0 between scans */
    scan_word words[SCAN_RING][SCAN_BLOCKS];
};

/* look back */
enum { WORD_TOTAL = 1, WORD_PREFIX = 2 }; /* tags, counted from base */

/* The sum of all tiles before `tile`. Called by one whole warp. */
static __device__ inline float look_back(unsigned tile, unsigned base,
                                         scan_word *words)
{
    long long at = (long long)tile - 1 - my_lane();
    float prefix = 0;

    for (;; at -= WARP) {
        scan_word w = word_make(base + WORD_PREFIX, 0);
        unsigned full;
        int nearest;

        if (at >= 0)
            do
                w = word_load(&words[at]);
            while (word_tag(w) - base - WORD_TOTAL > 1);
        full = __ballot_sync(WARP_ALL, word_tag(w) == base + WORD_PREFIX);
        nearest = full ? __ffs((int)full) - 1 : WARP;
        prefix += warp_sum(my_lane() <= nearest ? word_value(w) : 0);
        if (full)
            return prefix;
    }
}

/* scan by looking back */
template <int EXCLUSIVE>
__global__ void __launch_bounds__(1024)
    scan_back(struct scan_job s, struct scan_board *board, scan_word *words)
{
    __shared__ unsigned ticket, base;
    __shared__ float part[WARP], told;
    struct items a;

    if (threadIdx.x == 0) {
        ticket = atomicAdd(&board->ticket, 1);
        base = load_relaxed(&board->base);
    }
    __syncthreads();
    a = tile_load(&s, ticket * s.tile);
    leave_part(&a, part);
    __syncthreads();
    if (my_warp() == 0) {
        /* publish, look back, publish again */
        float total = scan_parts(blockDim.x / WARP, part), prefix;

        if (my_lane() == 0 && ticket > 0)
            word_store(&words[ticket], word_make(base + WORD_TOTAL, total));
        prefix = look_back(ticket, base, words);
        if (my_lane() == 0) {
            word_store(&words[ticket],
                       word_make(base + WORD_PREFIX, prefix + total));
            told = prefix;
            if (ticket == gridDim.x - 1) {
                store_relaxed(&board->base, base + 2);
                store_relaxed(&board->ticket, 0);
            }
        }
    }
    __syncthreads();
    scan_rows<EXCLUSIVE>(&a, told + part[my_warp()]);
    tile_store(&s, ticket * s.tile, &a);
}

/* fetch a tile */
/* Starts to copy this thread's packs of the tile at `first` to a slot, zeros
   where there is nothing. One group. */
static __device__ inline void tile_fetch(const struct scan_job *s, size_t first,
                                         float *slot)
{
    size_t at = first + my_place();

    if (is_whole(s, first) && s->wide) {
#pragma unroll
        for (int k = 0; k < SCAN_ROWS; k++)
            async_copy<16>(slot + my_place() + k * ROW, &s->x[at + k * ROW], 1);
    } else if (first < s->n) {
        for (int i = 0; i < SCAN_ITEMS; i++) {
            int place = i / 4 * ROW + i % 4;

            async_copy<4>(slot + my_place() + place, &s->x[at + place],
                          is_mine(s, at + place));
        }
    }
    async_commit();
}

/* take the items out of a slot */
enum { SCAN_SLOTS = 4 };

static __device__ inline float *slot_of(unsigned k, size_t tile)
{
    extern __shared__ __align__(128) float4 slots[]; /* a line */

    return (float *)slots + k % SCAN_SLOTS * tile;
}

static __device__ inline struct items slot_load(const float *slot)
{
    struct items a;

#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++)
        a.row[k] = *(const float4 *)&slot[my_place() + k * ROW];
    return a;
}

/* talk to the other blocks */
/* Makes prefixes of the parts, publishes their sum and returns it. */
static __device__ inline float publish(unsigned round, int warps, float *part,
                                       struct scan_board *board)
{
    float sum = scan_parts(warps, part);

    if (my_lane() == 0)
        word_store(&board->words[round % SCAN_RING][blockIdx.x],
                   word_make(round, sum));
    return sum;
}

static __device__ inline scan_word ask(unsigned b, unsigned round, int was_one,
                                       struct scan_board *board)
{
    unsigned tag = round - (b > blockIdx.x);
    int needed = b < blockIdx.x || (was_one && b > blockIdx.x);

    if (!needed || b >= gridDim.x)
        return word_make(tag, 0);
    return word_load(&board->words[tag % SCAN_RING][b]);
}
static __device__ inline void ask_others(unsigned round, int was_one,
                                         struct scan_board *board, scan_word *w)
{
#pragma unroll
    for (int k = 0; k < SCAN_LOOKS; k++)
        w[k] = ask(k * WARP + my_lane(), round, was_one, board);
}

/* The sum of the totals since my last tile: of blocks behind me in the last
   round (if there was one), of blocks before me in this. One whole warp. */
static __device__ inline float
hear_others(unsigned round, int was_one, struct scan_board *board, scan_word *w)
{
    float sum = 0;

#pragma unroll
    for (int k = 0; k < SCAN_LOOKS; k++) {
        unsigned b = k * WARP + my_lane();

        while (word_tag(w[k]) != round - (b > blockIdx.x))
            w[k] = ask(b, round, was_one, board);
        sum += word_value(w[k]);
    }
    return warp_sum(sum);
}

/* scan in rounds */
template <int EXCLUSIVE>
__global__ void __launch_bounds__(SCAN_THREADS + WARP)
    scan_rounds(struct scan_job s, struct scan_board *board)
{
    __shared__ float part[SCAN_SLOTS][WARP], told[2];
    size_t step = gridDim.x * s.tile, first = blockIdx.x * s.tile;
    unsigned mine = (unsigned)((s.n - first + step - 1) / step);
    unsigned base = load_relaxed(&board->base);
    int warps = blockDim.x / WARP - 1; /* that work; the last one talks */
    float sum = 0, total = 0; /* up to the last tile heard; of the published */

    if (my_warp() < warps)
        tile_fetch(&s, first, slot_of(0, s.tile));
    for (unsigned r = 0; r < mine + 3; r++) {
        if (my_warp() < warps) {
            /* scan tile r - 3 and add up tile r */
            float *slot = slot_of(r + 1, s.tile);
            struct items a;

            if (r > 2) {
                float before = told[(r + 1) % 2] + part[(r + 1) % 4][my_warp()];

                a = slot_load(slot);
                scan_rows<EXCLUSIVE>(&a, before);
            }
            tile_fetch(&s, first + (r + 1) * step, slot);
            if (r > 2)
                tile_store(&s, first + (r - 3) * step, &a);
            async_wait<1>();
            if (r < mine) {
                a = slot_load(slot_of(r, s.tile));
                leave_part(&a, part[r % 4]);
            }
        } else {
            /* publish tile r - 1 and hear of tile r - 2 */
            scan_word w[SCAN_LOOKS];
            int hears = r > 1 && r < mine + 2;
            float before, last = total; /* tile r - 2's */

            if (hears)
                ask_others(base + r - 1, r > 2, board, w);
            if (r > 0 && r <= mine)
                total = publish(base + r, warps, part[(r + 3) % 4], board);
            if (hears) {
                before = sum + hear_others(base + r - 1, r > 2, board, w);
                sum = before + last;
                if (my_lane() == 0)
                    told[r % 2] = before;
            }
        }
        __syncthreads();
    }
    if (threadIdx.x == 0 && first + (mine - 1) * step + s.tile >= s.n)
        store_relaxed(&board->base, base + mine); /* the last tile was mine */
}

/* make room for a scan */
/* What a scan of at most `most` floats needs; one at a time may use it. */
struct scan_space {
    size_t most;
    struct scan_board *board;
    scan_word *words; /* one for each tile of a warp's size */
    unsigned threads; /* SCAN_THREADS, or what fits on an SM */
    unsigned fit;     /* blocks of scan_rounds that fit on the card */
};

static size_t slot_bytes(unsigned threads)
{
    return (size_t)threads * SCAN_ITEMS * sizeof(float);
}

static int device_number(enum cudaDeviceAttr which)
{
    int device, value = 0;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}
/* Gives scan_rounds leave for its slots and lowers s->fit to what fits. */
template <int EXCLUSIVE>
static void fit_rounds(struct scan_space *s)
{
    size_t bytes = SCAN_SLOTS * slot_bytes(s->threads);

    CUDA_CHECK(cudaFuncSetAttribute(scan_rounds<EXCLUSIVE>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)bytes));
    s->fit = blocks_that_fit((const void *)scan_rounds<EXCLUSIVE>,
                             (int)s->threads + WARP, bytes, s->fit);
}
static struct scan_space scan_space_make(size_t most)
{
    size_t tiles = ceil_div(most + 31, WARP * SCAN_ITEMS) + 1;
    struct scan_space s = {most, NULL, NULL, SCAN_THREADS, SCAN_BLOCKS};
    int room = device_number(cudaDevAttrMaxSharedMemoryPerBlockOptin);

    while (SCAN_SLOTS * slot_bytes(s.threads) + 1024 > (size_t)room)
        s.threads -= WARP;
    fit_rounds<0>(&s);
    fit_rounds<1>(&s);
    /* clear the board and the words */
    CUDA_CHECK(cudaMalloc((void **)&s.board, sizeof *s.board));
    CUDA_CHECK(cudaMemset(s.board, 0, sizeof *s.board));
    CUDA_CHECK(cudaMalloc((void **)&s.words, tiles * sizeof *s.words));
    CUDA_CHECK(cudaMemset(s.words, 0, tiles * sizeof *s.words));
    return s;
}
static void scan_space_free(struct scan_space *s)
{
    CUDA_CHECK(cudaFree(s->board));
    CUDA_CHECK(cudaFree(s->words));
}

/* launch a scan */
enum scan_how { SCAN_BACK, SCAN_ROUNDS, SCANS, SCAN_ANY = SCANS };

static const char *const scan_names[] = {"back", "rounds"};

template <int EXCLUSIVE>
static void launch_scan(enum scan_how how, struct scan_job job,
                        struct scan_space *s, unsigned threads, unsigned most)
{
    unsigned tiles = (unsigned)ceil_div(job.n, job.tile);
    unsigned blocks = tiles < most ? tiles : most;
    void *args[] = {&job, &s->board};

    if (how == SCAN_BACK)
        scan_back<EXCLUSIVE><<<tiles, threads>>>(job, s->board, s->words);
    else
        CUDA_CHECK(cudaLaunchCooperativeKernel(
            (const void *)scan_rounds<EXCLUSIVE>, blocks, threads + WARP, args,
            SCAN_SLOTS * slot_bytes(threads), 0));
    CUDA_LAUNCH_CHECK();
}

/* scan an array */
/* Queues y = the scan of x[0..n), on the device; y may be x. n <= s->most.
   threads and blocks: the shape, 0 for the usual one; threads is a multiple of
   32. With SCAN_ROUNDS the bits are the same each time. */
static inline void scan_run(enum scan_how how, size_t n, int exclusive,
                            const float *x, float *y, struct scan_space *s,
                            unsigned threads, unsigned blocks)
{
    unsigned skip = (unsigned)((uintptr_t)y % 128 / sizeof *y);
    int wide = (uintptr_t)x % 16 == (uintptr_t)y % 16;
    struct scan_job job = {x - skip, y - skip, n + skip, 0, skip, wide};

    CHECK(n <= s->most, "%zu floats; there is room for %zu", n, s->most);
    /* settle how and in which shape */
    CHECK(threads % WARP == 0 && threads <= s->threads,
          "%u threads: give a multiple of 32 up to %u", threads, s->threads);
    if (how == SCAN_ANY)
        how = n < 1 << 22 ? SCAN_BACK : SCAN_ROUNDS;
    if (threads == 0)
        for (threads = how == SCAN_BACK ? 1024 : s->threads;
             threads > 128 && ceil_div(n, threads * SCAN_ITEMS) < 100;)
            threads = threads / 2 / WARP * WARP;
    if (blocks == 0 || blocks > s->fit)
        blocks = s->fit;
    job.tile = (size_t)threads * SCAN_ITEMS;
    if (n > 0 && exclusive)
        launch_scan<1>(how, job, s, threads, blocks);
    else if (n > 0)
        launch_scan<0>(how, job, s, threads, blocks);
}

/* count the height of a scan */
/* The height of the tree of additions behind any element of a scan. */
static inline double scan_height(enum scan_how how, size_t n, unsigned threads,
                                 unsigned blocks)
{
    double tiles = ceil((n + 31.0) / (threads ? threads : 128) / SCAN_ITEMS);
    double each = 2 * SCAN_ITEMS + 5 + 5 + 5;

    if (how == SCAN_BACK)
        return each + 7 * tiles;
    return each + SCAN_LOOKS + 5 + 2 * ceil(tiles / (blocks ? blocks : 1));
}

#endif
