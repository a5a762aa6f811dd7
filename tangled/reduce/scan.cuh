/* scan.cuh: running sums of an array, in one pass. */
#ifndef REDUCE_SCAN_CUH
#define REDUCE_SCAN_CUH

#include "kernels/launch.h"
#include "memory/async.cuh"
#include "reduce/bound.h"
#include "simt/warp.cuh"
#include "sync/fits.cuh"

/* hold the items of a thread */
enum { BACK_ROWS = 8, ROUND_ROWS = 4, SCAN_THREADS = 448 };
enum { ROW = 4 * WARP }; /* elements of a row */

/* Row k, lane l: the elements (32 k + l) 4 to (32 k + l) 4 + 3 of the warp's
   part of the tile. */
template <int ROWS>
struct items {
    float4 row[ROWS];
};

/* Where this thread's first pack lies in a tile; row k's lies k * ROW on. */
template <int ROWS>
static __device__ inline int my_place(void)
{
    return my_warp() * ROWS * ROW + my_lane() * 4;
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

static __device__ inline items<BACK_ROWS> tile_load(const struct scan_job *s,
                                                    size_t first)
{
    size_t at = first + my_place<BACK_ROWS>();
    struct items<BACK_ROWS> a;

    if (is_whole(s, first) && s->wide) {
#pragma unroll
        for (int k = 0; k < BACK_ROWS; k++)
            a.row[k] = __ldcs((const float4 *)&s->x[at + k * ROW]);
    } else {
#pragma unroll
        for (int k = 0; k < BACK_ROWS; k++, at += ROW)
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

template <int ROWS>
static __device__ inline void tile_store(const struct scan_job *s, size_t first,
                                         const struct items<ROWS> *a)
{
    size_t at = first + my_place<ROWS>();

    if (is_whole(s, first)) {
#pragma unroll
        for (int k = 0; k < ROWS; k++)
            __stcs((float4 *)&s->y[at + k * ROW], a->row[k]);
    } else {
#pragma unroll
        for (int k = 0; k < ROWS; k++, at += ROW) {
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

/* The sum of the items of a warp, in each of its lanes. */
template <int ROWS>
static __device__ inline float items_sum(const struct items<ROWS> *a)
{
    float sum = 0;

#pragma unroll
    for (int k = 0; k < ROWS; k++)
        sum += pack_sum(a->row[k]);
    return warp_sum(sum);
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
/* warp_scan of each of ROWS values, all of them step by step. */
template <int ROWS>
static __device__ inline void warp_scans(float *row)
{
    float below[ROWS];

#pragma unroll
    for (int far = 1; far < WARP; far *= 2) {
#pragma unroll
        for (int k = 0; k < ROWS; k++)
            below[k] = __shfl_up_sync(WARP_ALL, row[k], far);
#pragma unroll
        for (int k = 0; k < ROWS; k++)
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
template <int EXCLUSIVE, int ROWS>
static __device__ inline void scan_rows(struct items<ROWS> *a, float sum)
{
    float row[ROWS];

#pragma unroll
    for (int k = 0; k < ROWS; k++)
        row[k] = pack_sum(a->row[k]);
    warp_scans<ROWS>(row);
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
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
    struct items<BACK_ROWS> a;

    if (threadIdx.x == 0) {
        ticket = atomicAdd(&board->ticket, 1);
        base = load_relaxed(&board->base);
    }
    __syncthreads();
    a = tile_load(&s, ticket * s.tile);
    part[my_warp()] = items_sum(&a);
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
    int to = my_place<ROUND_ROWS>();
    size_t at = first + to;

    if (is_whole(s, first) && s->wide) {
#pragma unroll
        for (int k = 0; k < ROUND_ROWS; k++)
            async_copy<16>(slot + to + k * ROW, &s->x[at + k * ROW], 1);
    } else if (first < s->n) {
        for (int i = 0; i < 4 * ROUND_ROWS; i++) {
            int place = i / 4 * ROW + i % 4;

            async_copy<4>(slot + to + place, &s->x[at + place],
                          is_mine(s, at + place));
        }
    }
    async_commit();
}

/* take the items out of a slot */
enum { SCAN_SLOTS = 8 };

static __device__ inline float *slot_of(unsigned k, size_t tile)
{
    extern __shared__ __align__(128) float4 slots[]; /* a line */

    return (float *)slots + k % SCAN_SLOTS * tile;
}

static __device__ inline items<ROUND_ROWS> slot_load(const float *slot)
{
    struct items<ROUND_ROWS> a;

#pragma unroll
    for (int k = 0; k < ROUND_ROWS; k++)
        a.row[k] = *(const float4 *)&slot[my_place<ROUND_ROWS>() + k * ROW];
    return a;
}

/* talk inside a block */
/* What the warps of a block tell each other: the sum of a warp's part of a
   tile, and what comes before that part. All zero at first. */
struct scan_talk {
    scan_word part[SCAN_RING][SCAN_THREADS / WARP];
    scan_word told[SCAN_RING][SCAN_THREADS / WARP];
};

static __device__ inline float word_wait(scan_word *p, unsigned tag)
{
    scan_word w;

    do
        w = word_load(p);
    while (word_tag(w) != tag);
    return word_value(w);
}

/* talk to the other blocks */
/* Publishes the sum of tile r and returns it; *left: what comes before the
   lane's part, in the tile. */
static __device__ inline float publish(unsigned base, unsigned r, int warps,
                                       float *left, struct scan_board *board,
                                       struct scan_talk *talk)
{
    scan_word *part = &talk->part[r % SCAN_RING][my_lane() % warps];
    float mine = my_lane() < warps ? word_wait(part, r + 1) : 0;
    float all = warp_scan(mine), sum = warp_broadcast(all, WARP - 1);

    *left = __shfl_up_sync(WARP_ALL, all, 1);
    if (my_lane() == 0) {
        *left = 0;
        word_store(&board->words[(base + r + 1) % SCAN_RING][blockIdx.x],
                   word_make(base + r + 1, sum));
    }
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

/* work on the tiles of a block */
enum { SCAN_LAG = 5, SCAN_AHEAD = SCAN_SLOTS - SCAN_LAG };

/* A worker's way through the tiles of its block. */
template <int EXCLUSIVE>
static __device__ inline void scan_work(const struct scan_job *s, size_t first,
                                        size_t step, unsigned mine,
                                        struct scan_talk *talk)
{
    for (unsigned r = 0; r < SCAN_AHEAD; r++)
        tile_fetch(s, first + r * step, slot_of(r, s->tile));
    for (unsigned r = 0; r < mine + SCAN_LAG; r++) {
        float *slot = slot_of(r + SCAN_AHEAD, s->tile);
        unsigned t = r - SCAN_LAG; /* the tile to be scanned, if any */
        struct items<ROUND_ROWS> a;

        if (r >= SCAN_LAG) {
            scan_word *told = &talk->told[t % SCAN_RING][my_warp()];
            float before = word_wait(told, t + 1);

            a = slot_load(slot);
            scan_rows<EXCLUSIVE>(&a, before);
        }
        tile_fetch(s, first + (r + SCAN_AHEAD) * step, slot);
        if (r >= SCAN_LAG)
            tile_store(s, first + t * step, &a);
        async_wait<SCAN_AHEAD>();
        /* add up tile r */
        if (r < mine) {
            float sum;

            a = slot_load(slot_of(r, s->tile));
            sum = items_sum(&a);
            if (my_lane() == 0)
                word_store(&talk->part[r % SCAN_RING][my_warp()],
                           word_make(r + 1, sum));
        }
    }
}

/* talk for a block */
enum { SCAN_HEAR = 2 };

static __device__ inline void scan_talks(unsigned base, unsigned mine,
                                         int warps, struct scan_board *board,
                                         struct scan_talk *talk)
{
    float left[SCAN_HEAR + 1] = {0}, total[SCAN_HEAR + 1] = {0}, sum = 0;

    for (unsigned r = 0; r < mine + SCAN_HEAR; r++) {
        unsigned t = r - SCAN_HEAR; /* the tile to hear of, if any */
        scan_word w[SCAN_LOOKS];

        if (r >= SCAN_HEAR)
            ask_others(base + t + 1, t > 0, board, w);
#pragma unroll
        for (int k = SCAN_HEAR; k > 0; k--) {
            left[k] = left[k - 1];
            total[k] = total[k - 1];
        }
        if (r < mine)
            total[0] = publish(base, r, warps, &left[0], board, talk);
        if (r >= SCAN_HEAR) {
            sum += hear_others(base + t + 1, t > 0, board, w);
            if (my_lane() < warps)
                word_store(&talk->told[t % SCAN_RING][my_lane()],
                           word_make(t + 1, sum + left[SCAN_HEAR]));
            sum += total[SCAN_HEAR];
        }
    }
}

template <int EXCLUSIVE>
__global__ void __launch_bounds__(SCAN_THREADS + WARP)
    scan_rounds(struct scan_job s, struct scan_board *board)
{
    __shared__ struct scan_talk talk;
    size_t step = gridDim.x * s.tile, first = blockIdx.x * s.tile;
    unsigned mine = (unsigned)((s.n - first + step - 1) / step);
    unsigned base = load_relaxed(&board->base);
    int warps = blockDim.x / WARP - 1; /* that work; the last one talks */

    for (int i = threadIdx.x; i < SCAN_RING * SCAN_THREADS / WARP;
         i += blockDim.x)
        talk.part[i % SCAN_RING][i / SCAN_RING] =
            talk.told[i % SCAN_RING][i / SCAN_RING] = 0;
    __syncthreads();
    if (my_warp() < warps)
        scan_work<EXCLUSIVE>(&s, first, step, mine, &talk);
    else
        scan_talks(base, mine, warps, board, &talk);
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
    return (size_t)threads * 4 * ROUND_ROWS * sizeof(float);
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
    size_t tiles = ceil_div(most + 31, WARP * 4 * BACK_ROWS) + 1;
    struct scan_space s = {most, NULL, NULL, SCAN_THREADS, SCAN_BLOCKS};
    int room = device_number(cudaDevAttrMaxSharedMemoryPerBlockOptin);

    while (SCAN_SLOTS * slot_bytes(s.threads) + sizeof(struct scan_talk) >
           (size_t)room)
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

static unsigned scan_items(enum scan_how how) /* of a thread */
{
    return 4 * (how == SCAN_BACK ? BACK_ROWS : ROUND_ROWS);
}

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
             threads > 128 && ceil_div(n, threads * scan_items(how)) < 100;)
            threads = threads / 2 / WARP * WARP;
    if (blocks == 0 || blocks > s->fit)
        blocks = s->fit;
    job.tile = (size_t)threads * scan_items(how);
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
    double items = scan_items(how);
    double tiles = ceil((n + 31.0) / (threads ? threads : 128) / items);
    double each = 2 * items + 5 + 5 + 5;

    if (how == SCAN_BACK)
        return each + 7 * tiles;
    return each + SCAN_LOOKS + 5 + 2 * ceil(tiles / (blocks ? blocks : 1));
}

#endif
