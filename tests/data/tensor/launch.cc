/* launch.cc: which kernel chapter 15 launches for a product, in how many blocks and with
   which boxes, and what the first block of the copying kernel copies, without a device.
   parts.h is made of its headers by tests/tensor.t, which turns k<<<g, b>>>(x) into
   launched(g, b), k(x); a kernel here says its name and what it is told. */
#include "kernels/sizes.h"
#include "matmul/args.h"
#include "tour/check.h"
#include "tour/rng.h"

#include <algorithm>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define __LOOM__
#define __device__
#define __global__
#define __shared__
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
using std::min;
typedef unsigned short bf16;
static const dim3 blockDim(1, 1, 1);
static dim3 threadIdx(0, 0, 0), blockIdx(0, 0, 0), gridDim(1, 1, 1);
alignas(1024) char stage[2 * 128 * 128 + 8];

static void launched(dim3 grid, dim3 block, size_t bytes = 0, int = 0)
{
    printf("%u of %u, %zu bytes", grid.x, block.x, bytes);
}
template <class K> static int cudaFuncSetAttribute(K, int, int bytes)
{
    printf("room for %d; ", bytes);
    return 0;
}
template <class K, class G> static int cudaLaunchKernelEx(cudaLaunchConfig_t *how, K kernel, const G &g)
{
    launched(how->gridDim, how->blockDim, how->dynamicSmemBytes);
    for (unsigned i = 0; i < how->numAttrs; i++)
        if (how->attrs[i].id == cudaLaunchAttributeClusterDimension)
            printf(", by %u", how->attrs[i].val.clusterDim.x);
        else
            printf(", early %d", how->attrs[i].val.programmaticStreamSerializationAllowed);
    kernel(g);
    return 0;
}

/* the PTX that is asked for */
struct CUtensorMap {
    char name;
};
enum { CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_SWIZZLE_128B };
enum { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE };
static char next_map;
static int ptx_tensor_map(CUtensorMap *map, int, int, void *x, const uint64_t *size,
                          const uint64_t *stride, const unsigned *box, int, int)
{
    map->name = next_map++;
    printf("%c %d x %d, %d apart, by %u x %u; ", map->name, (int)size[1], (int)size[0],
           (int)*stride, box[1], box[0]);
    return box[0] > 256 || box[1] > 256; /* the driver takes none that is larger */
}
template <int N> static void ptx_tensor_load(char *to, const CUtensorMap *map, const int *at, uint64_t *)
{
    printf("%c from %d, %d to %d; ", map->name, at[0], at[1], (int)(to - stage));
}
template <int N>
static void ptx_tensor_load_all(char *to, const CUtensorMap *map, const int *at, uint64_t *bar, unsigned all)
{
    printf("for %u: ", all);
    ptx_tensor_load<N>(to, map, at, bar);
}
static void ptx_mbarrier_init(uint64_t *, int) {}
static void ptx_fence_mbarrier_init(void) {}
static void ptx_mbarrier_expect(uint64_t *, int bytes)
{
    printf("\n    %d bytes: ", bytes);
}
static void ptx_mbarrier_wait(uint64_t *, int phase)
{
    printf("phase %d; ", phase);
}
static void ptx_mbarrier_arrive(uint64_t *) {}
static void ptx_mbarrier_arrive_at_relaxed(uint64_t *, int) {}
static uint64_t ptx_matrix(const char *at, int along, int across, int)
{
    printf("by %d, %d; ", along, across);
    return (uint64_t)(at - stage);
}
static void ptx_wgmma_fence(void) {}
static void ptx_wgmma_commit(void) {}
template <int N> static void ptx_wgmma_wait(void) {}
template <int N> static void ptx_hold(float *) {}
template <int N, int TA, int TB> static void ptx_wgmma(float *, uint64_t a, uint64_t b, int add)
{
    printf("%d%c%d ", (int)a, add ? '+' : '=', (int)b);
}
static void __syncthreads(void) {}
static void __syncwarp(void) {}
static int registers[2];
template <int N> static void ptx_fewer_registers(void)
{
    registers[0] = N;
}
template <int N> static void ptx_more_registers(void)
{
    registers[1] = N;
}
static bf16 __float2bfloat16(float x)
{
    return (bf16)(int)floorf(8 * x);
}
struct product16;
static void put_pair(const product16 &, int, int, float, float) {}

/* the cache, and room that a test gives */
static int in_cache;
static int bench_sets(size_t)
{
    return in_cache;
}
template <class T> static int cudaMalloc(T **p, size_t bytes)
{
    printf("room for %zu bytes; ", bytes);
    return !(*p = (T *)malloc(bytes)); /* the sanitizer sees its end */
}

/* wmma, which has all 32 lanes' part of a matrix, but no numbers */
namespace nvcuda { namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
enum { mem_row_major };
template <class, int M, int N, int K, class, class = void> struct fragment {};
template <class F> static void fill_fragment(F &, float) {}
template <class A, class B, class C> static void mma_sync(C &, A, B, C) {}
/* What it wants: a matrix at 32 bytes, in lines of 16 each. */
template <class T> static void matrix_at(T *p, unsigned line)
{
    if ((uintptr_t)p % 32 || line * sizeof *p % 16)
        printf("a matrix at %d of 32 bytes, in lines of %zu\n", (int)((uintptr_t)p % 32), line * sizeof *p);
    for (unsigned e = 0; e < 256; e++)
        (void)*(volatile T *)&p[e / 16 * line + e % 16];
}
template <class F, class T> static void load_matrix_sync(F &, const T *p, unsigned line)
{
    matrix_at(p, line);
}
template <class F, class T> static void store_matrix_sync(T *p, F, unsigned line, int)
{
    matrix_at(p, line);
}
}}

/* the kernels */
static void said(const char *name, const product16 &g);
static void multiply_plain16(product16);
static void multiply_wmma(product16);
enum { MMA_TILE = 128, MMA_STAGES = 3, MMA_STAGE = 32768, MMA_THREADS = 256 };
template <int TA, int TB, int WHOLE> static void multiply_fragments(product16);
struct tiled16;
template <class T, int TA, int TB> static void multiply_warpgroups(tiled16);

#include "parts.h"

static void said(const char *name, const product16 &g)
{
    printf("; %s %d x %d x %d, %d x %d tiles in strips of %d, %g, %g%s%s%s; turn %d; %d %d, %d %d",
           name, g.m, g.n, g.k, g.down, g.across, g.strip, g.alpha, g.beta,
           g.pairs ? ", pairs" : "", g.by_threads ? ", by threads" : "", g.ahead ? ", ahead" : "",
           g.turn, (int)g.sa.row, (int)g.sa.col, (int)g.sb.row, (int)g.sb.col);
}
static void multiply_plain16(product16 g)
{
    said("plain", g);
}
static void multiply_wmma(product16 g)
{
    said("wmma", g);
}
template <int TA, int TB, int WHOLE> static void multiply_fragments(product16 g)
{
    printf("; %d%d%d", TA, TB, WHOLE);
    said("fragments", g);
}
template <class T, int TA, int TB> static void multiply_warpgroups(tiled16 g)
{
    printf("; %d x %d of %d, %d%d%s", T::M, T::N, T::CONSUMERS, TA, TB, g.boxed ? ", boxed" : "");
    said("groups", g);
}

/* what the copying warps of `blocks` clusters, of which `first` is one, ask for */
template <class T> static void brings(const char *name, int first, int blocks, int rank, int turn)
{
    tiled16 g = {};
    char *ring = stage;
    uint64_t full[T::STAGES], empty[T::STAGES];
    int part = T::SPLIT > 1 ? rank : 0, steps = 3, tiles = 6, slot = 0, lap = 0;
    int from = steps * part / T::SPLIT, to = steps * (part + 1) / T::SPLIT;
    int2 at = tile_place(first, 2, 3, 2);
    const int TA = 0, TB = 1;

    printf("%s brings, turn %d:", name, turn);
    g.k = 64 * steps - 1, g.down = 2, g.across = 3, g.strip = 2, g.turn = turn;
    g.a_map.name = 'A', g.b_map.name = 'B', gridDim.x = blocks * T::GROUP;
    rank = T::CLUSTER > 1 ? rank : 0;
#include "bring.h"
    printf("\n");
}

/* What fill16 fills with: whole numbers, of which -1 and 1 are an eighth each, or reals
   from -1 to 1. Its bf16 are eighths here. */
static void fills(int small)
{
    static bf16 x[4000];
    int count[17] = {};

    fill16(4000, x, 5, small);
    for (int i = 0; i < 4000; i++)
        count[(short)x[i] + 8]++;
    for (int i = -8; i <= 8; i++) {
        int want = small ? (i == 0 ? 3000 : i % 8 ? 0 : 500) : i < 8 ? 250 : 0;

        if (abs(count[i + 8] - want) > want / 5)
            printf("%d of 4000 numbers are %d eighths, not %d\n", count[i + 8], i, want);
    }
}

/* What its warpgroups are given must be all that a block has at first: as many registers
   for each thread, of the 65536, as can be given out by eights. */
template <class T> static void shares(const char *name)
{
    int groups = 1 + T::CONSUMERS, each = 65536 / 128 / groups / 8 * 8;

    registers[0] = registers[1] = 0;
    T::few_registers();
    T::many_registers();
    if (registers[0] % 8 || registers[1] % 8 || registers[0] < (registers[1] ? 24 : 0) ||
        registers[1] > 256 ||
        (registers[1] || (T::BLOCKS == 1 && T::CONSUMERS > 1)) &&
            registers[0] + T::CONSUMERS * registers[1] != groups * each)
        printf("%s: %d and %d times %d registers, of %d times %d\n", name, registers[0],
               T::CONSUMERS, registers[1], groups, each);
}

/* What is chosen by is the tile that is launched. */
template <class T> static void listed(int tile, const char *name)
{
    if (bgemm_tiles[tile].m != T::M || bgemm_tiles[tile].n != T::N || bgemm_tiles[tile].cluster != T::CLUSTER)
        printf("%s is listed as %d x %d by %d\n", name, bgemm_tiles[tile].m, bgemm_tiles[tile].n,
               bgemm_tiles[tile].cluster);
}

static void measured_of(int n, int sets)
{
    in_cache = sets;
    measured_open(n);
    printf("; %d sets of %d, %zu numbers each\n", measured.sets, n, measured.each);
    free(measured.x);
}

/* All threads of multiply_wmma, one after another. */
static void wmma_of(int m, int n, int k)
{
    bf16 *a = (bf16 *)malloc(2 * m * k), *b = (bf16 *)malloc(2 * k * n);
    product16 g = product16_of('N', 'N', m, n, k, 1, a, k, b, n, 0, b, n);

    g.down = (m + 63) / 64, g.across = (n + 63) / 64;
    for (blockIdx.x = 0; (int)blockIdx.x < g.down * g.across; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < 128; threadIdx.x++)
            wmma_by(g);
    threadIdx.x = blockIdx.x = 0;
    free(a), free(b);
}

template <class F> static void each_layout(const char *name, F by, int m, int n, int k, int layouts)
{
    for (int i = 0; i < layouts; i++) {
        char ta = "NNTT"[i], tb = "NTNT"[i];
        int lda = ((ta == 'N' ? k : m) + 7) / 8 * 8, ldb = ((tb == 'N' ? n : k) + 7) / 8 * 8;

        next_map = 'A';
        printf("%s %c%c %d %d %d: ", name, ta, tb, m, n, k);
        REFUSED(by(ta, tb, m, n, k, 2, (bf16 *)4096, lda, (bf16 *)8192, ldb, 3, (bf16 *)12288,
                   (n + 7) / 8 * 8, 0));
        printf("\n");
    }
}

static void by_odd(RUNG_TAKES)
{
    bgemm(&ladder.h, ta, tb, m, n, k, alpha, a, lda + 1, b, ldb, beta, c + 1, ldc, stream);
    bgemm(&ladder.h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c + 1, ldc + 1, stream);
}

int main(void)
{
    fills(0);
    fills(1);
    ladder.h = {4, 9, 1, 0};
    shares<tile_large>("large");
    shares<tile_medium>("medium");
    shares<tile_small>("small");
    shares<tile_least>("least");
    shares<tile_flat>("flat");
    shares<tile_side>("side");
    shares<tile_parts>("parts");
    shares<tile_two>("two");
    shares<group_tile<192, 128, 3, 4, 1>>("three");
    listed<tile_large>(0, "large");
    listed<tile_medium>(1, "medium");
    listed<tile_small>(2, "small");
    listed<tile_least>(3, "least");
    for (int sets : {2, 255, 256, 257})
        measured_of(sets == 2 ? 17 : 3, sets);
    wmma_of(65, 130, 33);
    for (int k : {1, 64, 65, 129})
        each_layout("copies", by_copies, 130, 120, k, 2);
    for (int k : {1, 63, 64, 65, 128, 129}) {
        each_layout("parts", by_tile<tile_parts>, 130, 120, k, 1);
        each_layout("parts of groups", by_groups<tile_parts, 1, 2>, 130, 120, k, 2);
        each_layout("quarters", by_groups<group_tile<64, 128, 1, 4, 1, 4>, 0, 1>, 130, 120, 2 * k, 1);
    }
    for (int turn : {0, 4})
        brings<tile_small>("small", 1, 2, 0, turn);
    brings<tile_parts>("a part", 1, 6, 1, 0);
    brings<tile_side>("side", 1, 4, 1, 0);
    each_layout("small", by_tile<tile_small>, 130, 121, 1, 4);
    each_layout("side", by_tile<tile_side>, 300, 300, 70, 4);
    each_layout("cluster", by_tile<group_tile<128, 256, 2, 4, 2>>, 300, 300, 70, 4);
    each_layout("cluster", by_tile<group_tile<128, 128, 2, 4, 2>>, 300, 300, 70, 4);
    each_layout("candidate", by_candidate<tile_flat, 3, 1>, 300, 304, 70, 1);
    each_layout("two", by_tile<tile_two>, 1000, 300, 70, 1);
    each_layout("nothing to add", by_tile<tile_large>, 5, 3, 0, 1);
    for (int form = 0; form < 3; form++) {
        ladder.h.form = form;
        for (int n : {1, 64, 65, 129, 257, 4096})
            if (!form || n == 65)
                each_layout("bgemm", by_bgemm, n, 2 * n, n, form ? 2 : 4);
    }
    each_layout("bgemm", by_bgemm, 4096, 8200, 100, 1);
    each_layout("wmma", by_wmma, 65, 130, 8, 1);
    each_layout("fragments", by_fragments, 129, 300, 8, 4);
    each_layout("rows that begin anywhere", by_odd, 129, 300, 7, 1);
    ladder.h.has_wgmma = 0;
    each_layout("bgemm, no wgmma", by_bgemm, 129, 300, 8, 4);
    ladder.h.major = 7;
    each_layout("bgemm, old", by_bgemm, 129, 300, 8, 1);
    return 0;
}
