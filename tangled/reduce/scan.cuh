/* scan.cuh: running sums of an array, in one pass. */
#ifndef REDUCE_SCAN_CUH
#define REDUCE_SCAN_CUH

#include "kernels/launch.h"
#include "reduce/bound.h"
#include "simt/warp.cuh"
#include "sync/order.cuh"

/* hold the items of a thread */
enum { SCAN_THREADS = 512, SCAN_ROWS = 8, SCAN_ITEMS = 4 * SCAN_ROWS };

/* Row k, lane l: the elements (32 k + l) 4 to (32 k + l) 4 + 3 of the warp's
   part of the tile. */
struct items {
    float4 row[SCAN_ROWS];
};

enum { ROW = 4 * WARP }; /* elements of a row */

/* Where this thread's first pack lies in a tile; row k's lies k * ROW on. */
static __device__ inline int my_place(void)
{
    return my_warp() * WARP * SCAN_ITEMS + my_lane() * 4;
}
/* Item i of a thread lies so far behind its first. */
static __device__ inline int item(int i)
{
    return i / 4 * ROW + i % 4;
}

/* say what is to be scanned */
struct scan_job {
    const float *x; /* both begin `skip` elements before the arrays */
    float *y;       /* a multiple of 128 */
    size_t n;       /* elements, with those that are skipped */
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
    return first >= s->skip && first + (size_t)blockDim.x * SCAN_ITEMS <= s->n;
}

/* copy ahead */
/* Starts a copy of N floats, 1 or 4, from global to shared memory. */
template <int N>
static __device__ inline void copy_ahead(float *to, const float *from)
{
#if defined(__SIMT__) || __CUDA_ARCH__ < 800
    for (int v = 0; v < N; v++)
        to[v] = from[v];
#else
    unsigned at = (unsigned)__cvta_generic_to_shared(to);

    if (N == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                     :
                     : "r"(at), "l"(from)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                     :
                     : "r"(at), "l"(from)
                     : "memory");
#endif
}
/* Ends a group of this thread's copies. */
static __device__ inline void copy_mark(void)
{
#if !defined(__SIMT__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

/* Waits until all of this thread's groups but the last N have arrived. */
template <int N>
static __device__ inline void copy_wait(void)
{
#if !defined(__SIMT__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
#endif
}

/* fetch a tile */
/* Starts to copy this thread's packs of the tile at `first` to a slot; zeros
   where there is nothing. One group, even if the tile lies behind the end. */
static __device__ inline void tile_fetch(const struct scan_job *s, size_t first,
                                         float *slot)
{
    const float *from = s->x + first + my_place();
    float *to = slot + my_place();

    if (is_whole(s, first) && s->wide) {
#pragma unroll
        for (int k = 0; k < SCAN_ROWS; k++)
            copy_ahead<4>(to + k * ROW, from + k * ROW);
    } else if (is_whole(s, first)) {
        for (int i = 0; i < SCAN_ITEMS; i++)
            copy_ahead<1>(to + item(i), from + item(i));
    } else if (first < s->n) {
        for (int i = 0; i < SCAN_ITEMS; i++)
            to[item(i)] =
                is_mine(s, first + my_place() + item(i)) ? from[item(i)] : 0;
    }
    copy_mark();
}

/* take the items out of a slot */
static __device__ inline struct items slot_load(const float *slot)
{
    struct items a;

#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++)
        a.row[k] = *(const float4 *)&slot[my_place() + k * ROW];
    return a;
}

static __device__ inline float pack_sum(float4 p)
{
    return (p.x + p.y) + (p.z + p.w);
}

/* add up the parts of a tile */
/* part[w] = the sum of warp w's part of the tile in the slot. */
static __device__ inline void leave_part(const float *slot, float *part)
{
    struct items a = slot_load(slot);
    float sum = 0;

#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++)
        sum += pack_sum(a.row[k]);
    sum = warp_sum(sum);
    __syncwarp(); /* all lanes have read what stood here */
    if (my_lane() == 0)
        part[my_warp()] = sum;
}

/* part[w] becomes the sum of the parts before w; returns the sum of all. For
   one whole warp. */
static __device__ inline float scan_parts(float *part)
{
    int warps = blockDim.x / WARP;
    float sum = warp_scan(my_lane() < warps ? part[my_lane()] : 0);
    float left = __shfl_up_sync(WARP_ALL, sum, 1);

    if (my_lane() < warps)
        part[my_lane()] = my_lane() > 0 ? left : 0;
    return warp_broadcast(sum, WARP - 1);
}

/* scan a warp's part */
/* The running sums of a pack; *sum comes before it, and then after it. */
template <int EXCLUSIVE>
static __device__ inline float4 pack_scan(float4 p, float *sum)
{
    float a = *sum, b = a + p.x, c = b + p.y, d = c + p.z, e = d + p.w;

    *sum = e;
    return EXCLUSIVE ? make_float4(a, b, c, d) : make_float4(b, c, d, e);
}

/* Replaces the items by their running sums; `sum` comes before the warp. */
template <int EXCLUSIVE>
static __device__ inline void scan_rows(struct items *a, float sum)
{
    float row[SCAN_ROWS];

#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++)
        row[k] = warp_scan(pack_sum(a->row[k]));
#pragma unroll
    for (int k = 0; k < SCAN_ROWS; k++) {
        float left = __shfl_up_sync(WARP_ALL, row[k], 1);
        float before = my_lane() ? sum + left : sum;

        a->row[k] = pack_scan<EXCLUSIVE>(a->row[k], &before);
        sum += warp_broadcast(row[k], WARP - 1);
    }
}

/* store a tile */
static __device__ inline void tile_store(const struct scan_job *s, size_t first,
                                         const struct items *a)
{
    float *to = s->y + first + my_place();

    if (is_whole(s, first)) {
#pragma unroll
        for (int k = 0; k < SCAN_ROWS; k++)
            __stcs((float4 *)(to + k * ROW), a->row[k]);
    } else {
#pragma unroll
        for (int k = 0; k < SCAN_ROWS; k++) {
            const float v[4] = {a->row[k].x, a->row[k].y, a->row[k].z,
                                a->row[k].w};

            for (int i = 0; i < 4; i++)
                if (is_mine(s, first + my_place() + k * ROW + i))
                    to[k * ROW + i] = v[i];
        }
    }
}

/* find a slot */
enum { SCAN_SLOTS = 3 };

static __device__ inline float *slot_of(unsigned k)
{
    extern __shared__ float4 slots[];

    return (float *)slots + k * blockDim.x * SCAN_ITEMS;
}

/* scan in one pass, in two ways */

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
static __device__ inline scan_word word_load(scan_word *p)
{
#ifdef __SIMT__
    return atomicAdd(p, 0ull);
#else
    scan_word w;

    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(w) : "l"(p) : "memory");
    return w;
#endif
}

static __device__ inline void word_store(scan_word *p, scan_word w)
{
#ifdef __SIMT__
    atomicExch(p, w);
#else
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" : : "l"(p), "l"(w) : "memory");
#endif
}

/* lay out the board */
enum { SCAN_RING = 8, SCAN_BLOCKS = 160, SCAN_LOOKS = SCAN_BLOCKS / WARP };

/* What the blocks of a scan tell each other; all zero at first, then kept. */
struct scan_board {
    unsigned base;   /* the largest tag used; wraps after 2^32 rounds */
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
__global__ void __launch_bounds__(SCAN_THREADS, 2)
    scan_back(struct scan_job s, struct scan_board *board, scan_word *words)
{
    __shared__ unsigned ticket, base;
    __shared__ float part[WARP], told;
    struct items a;
    size_t first;

    if (threadIdx.x == 0) {
        ticket = atomicAdd(&board->ticket, 1);
        base = load_relaxed(&board->base);
    }
    __syncthreads();
    first = (size_t)ticket * blockDim.x * SCAN_ITEMS;
    tile_fetch(&s, first, slot_of(0));
    copy_wait<0>();
    leave_part(slot_of(0), part);
    __syncthreads();
    if (my_warp() == 0) {
        /* publish, look back, publish again */
        float total = scan_parts(part), prefix;

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
    a = slot_load(slot_of(0));
    scan_rows<EXCLUSIVE>(&a, told + part[my_warp()]);
    tile_store(&s, first, &a);
}

/* talk to the other blocks */
/* Makes prefixes of the parts, publishes their sum and returns it. */
static __device__ inline float publish(unsigned round, float *part,
                                       struct scan_board *board)
{
    float sum = scan_parts(part);

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
__global__ void __launch_bounds__(SCAN_THREADS)
    scan_rounds(struct scan_job s, struct scan_board *board)
{
    __shared__ float part[2][WARP], told;
    size_t tile = (size_t)blockDim.x * SCAN_ITEMS, step = gridDim.x * tile;
    size_t first = blockIdx.x * tile; /* of the tile to be fetched */
    float total, next = 0, sum = 0;   /* sum: up to my last tile's end */
    float *now = slot_of(0), *soon = slot_of(1), *later = slot_of(2);
    unsigned mine = (unsigned)((s.n - first + step - 1) / step), base;

    tile_fetch(&s, first, now);
    tile_fetch(&s, first + step, soon);
    first += 2 * step;
    base = load_relaxed(&board->base);
    /* add up the first tile and publish */
    copy_wait<1>();
    leave_part(now, part[0]);
    __syncthreads();
    if (my_warp() == 0)
        next = publish(base + 1, part[0], board);
    for (unsigned j = 0; j < mine; j++, first += step) {
        /* do one round */
        scan_word w[SCAN_LOOKS];

        tile_fetch(&s, first, later);
        if (my_warp() == 0)
            ask_others(base + j + 1, j > 0, board, w);
        copy_wait<1>();
        if (j + 1 < mine)
            leave_part(soon, part[(j + 1) % 2]);
        __syncthreads();
        if (my_warp() == 0) {
            /* publish the next total and hear the others */
            float before;

            total = next;
            if (j + 1 < mine)
                next = publish(base + j + 2, part[(j + 1) % 2], board);
            before = sum + hear_others(base + j + 1, j > 0, board, w);
            sum = before + total;
            if (my_lane() == 0)
                told = before;
        }
        __syncthreads();
        {
            struct items a = slot_load(now);

            scan_rows<EXCLUSIVE>(&a, told + part[j % 2][my_warp()]);
            tile_store(&s, first - 2 * step, &a);
        }
        /* pass the slots on */
        {
            float *free_slot = now;

            now = soon;
            soon = later;
            later = free_slot;
        }
    }
    if (threadIdx.x == 0 && blockIdx.x * tile + (mine - 1) * step + tile >= s.n)
        store_relaxed(&board->base, base + mine); /* the last tile was mine */
}

/* make room for a scan */
/* What a scan of at most `most` floats needs; one at a time may use it. */
struct scan_space {
    size_t most;
    struct scan_board *board;
    scan_word *words; /* one for each tile of a warp's size */
    unsigned threads; /* of a block: SCAN_THREADS, or what fits on an SM */
    unsigned fit;     /* blocks of scan_rounds that fit on the card */
};

static size_t slot_bytes(unsigned threads)
{
    return (size_t)threads * SCAN_ITEMS * sizeof(float);
}

template <int EXCLUSIVE>
static void allow_slots(unsigned threads)
{
    CUDA_CHECK(cudaFuncSetAttribute(scan_rounds<EXCLUSIVE>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)(SCAN_SLOTS * slot_bytes(threads))));
    CUDA_CHECK(cudaFuncSetAttribute(scan_back<EXCLUSIVE>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)slot_bytes(threads)));
}
static int device_number(enum cudaDeviceAttr which)
{
    int device, value = 0;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}
static struct scan_space scan_space_make(size_t most)
{
    size_t tiles = ceil_div(most + 31, WARP * SCAN_ITEMS) + 1;
    struct scan_space s = {most, NULL, NULL, SCAN_THREADS, 0};
    int shared = device_number(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    int sms = device_number(cudaDevAttrMultiProcessorCount), each = 0;

    while (SCAN_SLOTS * slot_bytes(s.threads) + 1024 > (size_t)shared)
        s.threads /= 2;
    allow_slots<0>(s.threads);
    allow_slots<1>(s.threads);
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &each, scan_rounds<0>, (int)s.threads,
        SCAN_SLOTS * slot_bytes(s.threads)));
    CHECK(each >= 1, "not one block of the scan fits on an SM");
    s.fit = (unsigned)(each * sms);
    if (s.fit > SCAN_BLOCKS)
        s.fit = SCAN_BLOCKS;
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
    unsigned tiles = (unsigned)ceil_div(job.n, threads * SCAN_ITEMS);
    unsigned blocks = tiles < most ? tiles : most;
    void *args[] = {&job, &s->board};

    if (how == SCAN_BACK)
        scan_back<EXCLUSIVE>
            <<<tiles, threads, slot_bytes(threads)>>>(job, s->board, s->words);
    else
        CUDA_CHECK(cudaLaunchCooperativeKernel(
            (const void *)scan_rounds<EXCLUSIVE>, blocks, threads, args,
            SCAN_SLOTS * slot_bytes(threads), 0));
    CUDA_LAUNCH_CHECK();
}

/* scan an array */
/* Queues y = the scan of x[0..n), on the device; y may be x. n <= s->most.
   threads and blocks: the shape, 0 for the usual one; threads is a multiple of
   32. With SCAN_ROUNDS the bits are the same each time. */
static void scan_run(enum scan_how how, size_t n, int exclusive, const float *x,
                     float *y, struct scan_space *s, unsigned threads,
                     unsigned blocks)
{
    unsigned skip = (unsigned)((uintptr_t)y % 128 / sizeof *y);
    int wide = (uintptr_t)x % 16 == (uintptr_t)y % 16;
    struct scan_job job = {x - skip, y - skip, n + skip, skip, wide};

    CHECK(n <= s->most, "%zu floats; there is room for %zu", n, s->most);
    /* settle how and in which shape */
    CHECK(threads % WARP == 0 && threads <= s->threads,
          "%u threads: give a multiple of 32 up to %u", threads, s->threads);
    if (how == SCAN_ANY)
        how = n < 1 << 22 ? SCAN_BACK : SCAN_ROUNDS;
    if (threads == 0)
        for (threads = s->threads;
             threads > 128 && ceil_div(n, threads * SCAN_ITEMS) < 128;)
            threads /= 2;
    if (blocks == 0 || blocks > s->fit)
        blocks = s->fit;
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
