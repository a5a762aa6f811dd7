/* scan.cuh: running sums of an array, in one pass. */
#ifndef REDUCE_SCAN_CUH
#define REDUCE_SCAN_CUH

#include "kernels/launch.h"
#include "reduce/block.cuh"
#include "reduce/bound.h"
#include "sync/order.cuh"

/* hold the items of a thread */
enum { SCAN_ITEMS = 32 }; /* floats of a thread */

/* Rows of packs of V: item [k][v] of lane l is element (32 k + l) V + v of the
   warp's part of the tile. */
template <int V>
struct items {
    float v[SCAN_ITEMS / V][V];
};

/* Where this thread's first pack lies in a tile that begins at `first`. */
template <int V>
static __device__ inline size_t my_place(size_t first)
{
    return first + (size_t)my_warp() * WARP * SCAN_ITEMS + my_lane() * V;
}

/* choose the shape of a scan */
enum { SCAN_THREADS = 512, SCAN_SLOTS = 3 };

/* The threads of a block, at most `threads`, for n floats on 132 SMs or so. */
static unsigned scan_threads(size_t n, unsigned threads)
{
    while (threads > 128 && ceil_div(n, threads * SCAN_ITEMS) < 128)
        threads /= 2;
    return threads;
}

/* load and store a pack */
template <int V>
static __device__ inline void load_pack(const float *x, float *pack)
{
    if (V == 4) {
        float4 q = __ldcs((const float4 *)x);

        pack[0] = q.x;
        pack[1 % V] = q.y; /* % V: the other width is compiled, too */
        pack[2 % V] = q.z;
        pack[3 % V] = q.w;
    } else {
        pack[0] = __ldcs(x);
    }
}

template <int V>
static __device__ inline void store_pack(float *y, const float *p)
{
    if (V == 4)
        __stcs((float4 *)y, make_float4(p[0], p[1 % V], p[2 % V], p[3 % V]));
    else
        __stcs(y, p[0]);
}

/* load and store a tile */
/* Loads this thread's items of the tile at `first`; zeros from n on. */
template <int V>
static __device__ inline void tile_load(size_t n, const float *x, size_t first,
                                        struct items<V> *a)
{
    size_t at = my_place<V>(first);

    if (first + (size_t)blockDim.x * SCAN_ITEMS <= n) {
#pragma unroll
        for (int k = 0; k < SCAN_ITEMS / V; k++)
            load_pack<V>(&x[at + k * WARP * V], a->v[k]);
    } else {
#pragma unroll
        for (int k = 0; k < SCAN_ITEMS / V; k++)
#pragma unroll
            for (int v = 0; v < V; v++) {
                size_t i = at + k * WARP * V + v;

                a->v[k][v] = i < n ? x[i] : 0;
            }
    }
}
/* Stores this thread's items of the tile at `first`, none from n on. */
template <int V>
static __device__ inline void tile_store(size_t n, float *y, size_t first,
                                         const struct items<V> *a)
{
    size_t at = my_place<V>(first);

    if (first + (size_t)blockDim.x * SCAN_ITEMS <= n) {
#pragma unroll
        for (int k = 0; k < SCAN_ITEMS / V; k++)
            store_pack<V>(&y[at + k * WARP * V], a->v[k]);
    } else {
#pragma unroll
        for (int k = 0; k < SCAN_ITEMS / V; k++)
#pragma unroll
            for (int v = 0; v < V; v++)
                if (at + k * WARP * V + v < n)
                    y[at + k * WARP * V + v] = a->v[k][v];
    }
}

/* scan the rows of a warp */
/* before[k] = the sum of the warp's items before pack k of this lane; returns
   the sum of all the warp's items, in every lane. */
template <int V>
static __device__ inline float warp_rows(const struct items<V> *a,
                                         float *before)
{
    float row[SCAN_ITEMS / V], sum = 0;

#pragma unroll
    for (int k = 0; k < SCAN_ITEMS / V; k++) {
        row[k] = a->v[k][0];
#pragma unroll
        for (int v = 1; v < V; v++)
            row[k] += a->v[k][v];
        row[k] = warp_scan(row[k]);
    }
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS / V; k++) {
        float left = __shfl_up_sync(WARP_ALL, row[k], 1);

        before[k] = my_lane() ? sum + left : sum;
        sum += warp_broadcast(row[k], WARP - 1);
    }
    return sum;
}

/* scan a tile */
/* The same for the block: before[k] counts all warps. Returns the sum of the
   tile, in every thread. A barrier must stand between two calls. */
template <int V>
static __device__ inline float tile_scan(const struct items<V> *a,
                                         float *before)
{
    __shared__ float part[WARP];
    int warps = blockDim.x / WARP;
    float sum = warp_rows<V>(a, before), left;

    if (my_lane() == 0)
        part[my_warp()] = sum;
    __syncthreads();
    sum = warp_scan(my_lane() < warps ? part[my_lane()] : 0);
    left = warp_broadcast(sum, (my_warp() + WARP - 1) % WARP);
    if (my_warp() > 0)
#pragma unroll
        for (int k = 0; k < SCAN_ITEMS / V; k++)
            before[k] += left;
    return warp_broadcast(sum, WARP - 1);
}

/* finish a tile */
/* Replaces the items by their running sums; `prefix` comes before the tile. */
template <int V>
static __device__ inline void tile_finish(struct items<V> *a,
                                          const float *before, float prefix,
                                          int exclusive)
{
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS / V; k++) {
        float sum = prefix + before[k];

#pragma unroll
        for (int v = 0; v < V; v++) {
            float next = sum + a->v[k][v];

            a->v[k][v] = exclusive ? sum : next;
            sum = next;
        }
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
    unsigned base;   /* the largest tag that was used */
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
template <int V>
__global__ void __launch_bounds__(SCAN_THREADS, V == 4 ? 2 : 1)
    scan_look_back(size_t n, int exclusive, const float *x, float *y,
                   struct scan_board *board, scan_word *words)
{
    __shared__ unsigned ticket, base;
    __shared__ float told;
    struct items<V> a;
    float before[SCAN_ITEMS / V], total;
    size_t first;

    if (threadIdx.x == 0) {
        ticket = atomicAdd(&board->ticket, 1);
        base = load_relaxed(&board->base);
    }
    __syncthreads();
    first = (size_t)ticket * blockDim.x * SCAN_ITEMS;
    tile_load<V>(n, x, first, &a);
    total = tile_scan<V>(&a, before);
    if (my_warp() == 0) {
        /* publish, look back, publish again */
        float prefix;

        if (my_lane() == 0 && ticket > 0)
            word_store(&words[ticket], word_make(base + WORD_TOTAL, total));
        prefix = look_back(ticket, base, words);
        if (my_lane() == 0) {
            word_store(&words[ticket], word_make(base + WORD_PREFIX, prefix + total));
            told = prefix;
            if (ticket == gridDim.x - 1) {
                store_relaxed(&board->base, base + 2);
                store_relaxed(&board->ticket, 0);
            }
        }
    }
    __syncthreads();
    tile_finish<V>(&a, before, told, exclusive);
    tile_store<V>(n, y, first, &a);
}

/* copy ahead */
/* Starts a copy of V floats (1 or 4) from global to shared memory. */
template <int V>
static __device__ inline void copy_ahead(float *to, const float *from)
{
#if defined(__SIMT__) || __CUDA_ARCH__ < 800
    for (int v = 0; v < V; v++)
        to[v] = from[v];
#else
    unsigned at = (unsigned)__cvta_generic_to_shared(to);

    if (V == 4)
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
/* Starts to copy this thread's packs of tile `first` to a slot of shared
   memory, zeros from n on; the group is ended even if nothing is left. */
template <int V>
static __device__ inline void tile_fetch(size_t n, const float *x, size_t first,
                                         float *slot)
{
    size_t to = my_place<V>(0), at = first + to;

    if (first + (size_t)blockDim.x * SCAN_ITEMS <= n) {
#pragma unroll
        for (int k = 0; k < SCAN_ITEMS / V; k++)
            copy_ahead<V>(&slot[to + k * WARP * V], &x[at + k * WARP * V]);
    } else if (first < n) {
        for (int i = 0; i < SCAN_ITEMS; i++) {
            size_t k = i / V * WARP * V + i % V;

            slot[to + k] = at + k < n ? x[at + k] : 0;
        }
    }
    copy_mark();
}
/* This thread's items out of a slot. */
template <int V>
static __device__ inline void slot_load(const float *slot, struct items<V> *a)
{
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS / V; k++) {
        const float *p = &slot[my_place<V>(0) + k * WARP * V];

        if (V == 4)
            *(float4 *)a->v[k] = *(const float4 *)p;
        else
            a->v[k][0] = *p;
    }
}

template <int V>
static __device__ inline float slot_sum(const float *slot)
{
    struct items<V> a;
    float sum[SCAN_ITEMS / V];

    slot_load<V>(slot, &a);
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS / V; k++) {
        sum[k] = a.v[k][0];
#pragma unroll
        for (int v = 1; v < V; v++)
            sum[k] += a.v[k][v];
    }
#pragma unroll
    for (int k = 1; k < SCAN_ITEMS / V; k++)
        sum[0] += sum[k];
    return sum[0];
}

/* talk to the other blocks */
/* The slot of tile k, counted from the block's first. */
static __device__ inline float *slot_of(unsigned k)
{
    extern __shared__ float4 ring[]; /* SCAN_SLOTS tiles */

    return (float *)ring + k % SCAN_SLOTS * blockDim.x * SCAN_ITEMS;
}

static __device__ inline void leave_part(float sum, float *part)
{
    sum = warp_sum(sum);
    __syncwarp(); /* all lanes have read what stood here */
    if (my_lane() == 0)
        part[my_warp()] = sum;
}

/* part[w] becomes the sum of the warps before w; publishes and returns the sum
   of all. One whole warp. */
static __device__ inline float publish(unsigned round, float *part,
                                       struct scan_board *board)
{
    int warps = blockDim.x / WARP;
    float sum = warp_scan(my_lane() < warps ? part[my_lane()] : 0);
    float left = __shfl_up_sync(WARP_ALL, sum, 1);

    sum = warp_broadcast(sum, WARP - 1);
    if (my_lane() == 0)
        word_store(&board->words[round % SCAN_RING][blockIdx.x],
                   word_make(round, sum));
    if (my_lane() < warps)
        part[my_lane()] = my_lane() > 0 ? left : 0;
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
static __device__ inline float hear_others(unsigned round, int was_one,
                                           struct scan_board *board,
                                           scan_word *w)
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
template <int V>
__global__ void __launch_bounds__(SCAN_THREADS)
    scan_rounds(size_t n, int exclusive, const float *x, float *y,
                struct scan_board *board)
{
    __shared__ float part[2][WARP], told;
    size_t tile = (size_t)blockDim.x * SCAN_ITEMS, step = gridDim.x * tile;
    size_t first = blockIdx.x * tile; /* of the tile to be fetched */
    float total = 0, next = 0, sum = 0; /* sum: up to my last tile's end */
    unsigned mine = (unsigned)((n - first + step - 1) / step), base;

    for (int k = 0; k < SCAN_SLOTS - 1; k++, first += step)
        tile_fetch<V>(n, x, first, slot_of(k));
    base = load_relaxed(&board->base);
    /* add up the first tile and publish */
    copy_wait<SCAN_SLOTS - 2>();
    leave_part(slot_sum<V>(slot_of(0)), part[0]);
    __syncthreads();
    if (my_warp() == 0)
        next = publish(base + 1, part[0], board);
    for (unsigned j = 0; j < mine; j++, first += step) {
        /* do one round */
        scan_word w[SCAN_LOOKS];

        tile_fetch<V>(n, x, first, slot_of(j + SCAN_SLOTS - 1));
        if (my_warp() == 0)
            ask_others(base + j + 1, j > 0, board, w);
        copy_wait<SCAN_SLOTS - 2>();
        if (j + 1 < mine)
            leave_part(slot_sum<V>(slot_of(j + 1)), part[(j + 1) % 2]);
        __syncthreads();
        if (my_warp() == 0) {
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
        /* scan the tile of this round */
        {
            struct items<V> a;
            float before[SCAN_ITEMS / V];

            slot_load<V>(slot_of(j), &a);
            warp_rows<V>(&a, before);
            tile_finish<V>(&a, before, told + part[j % 2][my_warp()], exclusive);
            tile_store<V>(n, y, first - (SCAN_SLOTS - 1) * step, &a);
        }
    }
    if (threadIdx.x == 0 && blockIdx.x * tile + (mine - 1) * step + tile >= n)
        store_relaxed(&board->base, base + mine); /* the last tile was mine */
}

/* make room for a scan */
/* What a scan of at most `most` floats needs; one at a time may use it. */
struct scan_space {
    size_t most;
    struct scan_board *board;
    scan_word *words; /* one for each tile of a warp's size */
    unsigned threads; /* of a block: SCAN_THREADS, or what fits on an SM */
    unsigned fit;     /* blocks that fit on the card together */
};

static size_t ring_bytes(unsigned threads)
{
    return (size_t)SCAN_SLOTS * threads * SCAN_ITEMS * sizeof(float);
}
/* How many blocks of scan_rounds can be on the card together; from now on it
   may have the shared memory that it needs. */
template <int V>
static unsigned rounds_fit(unsigned threads)
{
    int sms = 0, each = 0, device;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaFuncSetAttribute(scan_rounds<V>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)ring_bytes(threads)));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &each, scan_rounds<V>, (int)threads, ring_bytes(threads)));
    CHECK(each >= 1, "not one block of the scan fits on an SM");
    each *= sms;
    return (unsigned)(each < SCAN_BLOCKS ? each : SCAN_BLOCKS);
}

static struct scan_space scan_space_make(size_t most)
{
    size_t tiles = ceil_div(most, WARP * SCAN_ITEMS) + 1;
    struct scan_space s = {most, NULL, NULL, SCAN_THREADS, 0};
    int device, shared = 0;
    unsigned fit;

    CUDA_CHECK(cudaMalloc((void **)&s.board, sizeof *s.board));
    CUDA_CHECK(cudaMemset(s.board, 0, sizeof *s.board));
    CUDA_CHECK(cudaMalloc((void **)&s.words, tiles * sizeof *s.words));
    CUDA_CHECK(cudaMemset(s.words, 0, tiles * sizeof *s.words));
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(
        &shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    while (ring_bytes(s.threads) + 1024 > (size_t)shared)
        s.threads /= 2;
    s.fit = rounds_fit<1>(s.threads);
    fit = rounds_fit<4>(s.threads);
    s.fit = s.fit < fit ? s.fit : fit;
    return s;
}
static void scan_space_free(struct scan_space *s)
{
    CUDA_CHECK(cudaFree(s->board));
    CUDA_CHECK(cudaFree(s->words));
}

/* launch a scan */
enum scan_how { SCAN_BACK, SCAN_ROUNDS, SCANS, SCAN_ANY = SCANS };

static const char *const scan_names[] = {"look_back", "rounds"};

template <int V>
static void launch_scan(enum scan_how how, size_t n, int exclusive,
                        const float *x, float *y, struct scan_space *s,
                        unsigned threads, unsigned most)
{
    unsigned tiles = (unsigned)ceil_div(n, threads * SCAN_ITEMS);
    unsigned blocks = tiles < most ? tiles : most;
    void *args[] = {&n, &exclusive, &x, &y, &s->board};

    if (how == SCAN_BACK)
        scan_look_back<V><<<tiles, threads>>>(n, exclusive, x, y, s->board,
                                              s->words);
    else
        CUDA_CHECK(cudaLaunchCooperativeKernel((const void *)scan_rounds<V>,
                                               blocks, threads, args,
                                               ring_bytes(threads), 0));
    CUDA_LAUNCH_CHECK();
}

/* scan an array */
/* Queues y = the scan of x[0..n), on the device; y may be x. n <= s->most.
   threads and blocks: the shape, 0 for the usual one; threads is a multiple of
   32 up to SCAN_THREADS. */
static void scan_run(enum scan_how how, size_t n, int exclusive, const float *x,
                     float *y, struct scan_space *s, unsigned threads,
                     unsigned blocks)
{
    int wide = (uintptr_t)x % 16 == 0 && (uintptr_t)y % 16 == 0;

    CHECK(n <= s->most, "%zu floats; there is room for %zu", n, s->most);
    if (how == SCAN_ANY)
        how = n < 1 << 22 ? SCAN_BACK : SCAN_ROUNDS;
    if (threads == 0)
        threads = scan_threads(n, s->threads);
    CHECK(threads % WARP == 0 && threads <= s->threads,
          "%u threads: give a multiple of 32 up to %u", threads, s->threads);
    if (blocks == 0 || blocks > s->fit)
        blocks = s->fit;
    if (n == 0)
        return;
    if (wide)
        launch_scan<4>(how, n, exclusive, x, y, s, threads, blocks);
    else
        launch_scan<1>(how, n, exclusive, x, y, s, threads, blocks);
}

/* count the height of a scan */
/* The height of the tree of additions behind any element of a scan. */
static inline double scan_height(enum scan_how how, size_t n, unsigned threads,
                                 unsigned blocks)
{
    double tiles, each = 2 * SCAN_ITEMS + 5 + 5 + 5;

    tiles = ceil((double)n / ((threads ? threads : 128) *
                              (double)SCAN_ITEMS));
    if (how == SCAN_BACK)
        return each + 7 * tiles;
    return each + SCAN_LOOKS + 5 + 2 * ceil(tiles / (blocks ? blocks : 1));
}

#endif
