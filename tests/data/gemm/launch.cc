/* launch.cc: which plans chapter 14 makes, how long it thinks that they take, and what it
   launches for them, without a device. parts.h is made of its headers by tests/gemm.t, which
   turns k<<<g, b>>>(x) into launched(g, b), k(x); a kernel here says its name and what it is
   told. */
#include "kernels/sizes.h"
#include "matmul/args.h"
#include "tour/check.h"

#include <initializer_list>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define __device__
#define __host__
#define __global__
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __shared__ static

static dim3 blockIdx, threadIdx, grid_of, block_of;
static int computes; /* what add_parts is told, or else it is said */
static void __syncthreads(void) {}
static int min(int a, int b)
{
    return a < b ? a : b;
}

static void launched(dim3 grid, dim3 block, size_t bytes = 0, int = 0)
{
    grid_of = grid, block_of = block;
    if (!computes)
        printf(" %u x %u of %u x %u, %zu bytes:", grid.x, grid.y, block.x, block.y, bytes);
}
template <class K> static int cudaFuncSetAttribute(K, int, int bytes)
{
    printf(" room for %d;", bytes);
    return 0;
}

/* a card */
static struct cudaDeviceProp {
    char name[40];
    int multiProcessorCount;
    size_t sharedMemPerBlockOptin;
} card = {"NVIDIA H200", 132, 232448};
static int major = 9;
enum { cudaDevAttrComputeCapabilityMajor };
static int cudaGetDevice(int *device)
{
    return *device = 0;
}
static int cudaGetDeviceProperties(cudaDeviceProp *p, int)
{
    *p = card;
    return 0;
}
static int cudaDeviceGetAttribute(int *value, int, int)
{
    *value = major;
    return 0;
}
static int cudaMalloc(void **p, size_t bytes)
{
    printf("room for %zu sums\n", bytes / sizeof(float));
    *p = (void *)4096;
    return 0;
}
static int cudaFree(void *)
{
    return 0;
}
template <class T> static int cudaMalloc(T **p, size_t bytes)
{
    return cudaMalloc((void **)p, bytes);
}

struct CUtensorMap {
    int rows, cols, wide;
};
enum { CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_SWIZZLE_NONE };
enum { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE };
static int ptx_tensor_map(CUtensorMap *map, int, int, void *, const uint64_t *size,
                          const uint64_t *stride, const unsigned *box, int, int)
{
    *map = {(int)size[1], (int)size[0], (int)box[0]};
    printf(" %d x %d, %d apart, by %u x %u;", map->rows, map->cols, (int)*stride, box[1], box[0]);
    return 0;
}
static int registers[2];
template <int N> static void ptx_fewer_registers(void)
{
    registers[0] = N;
}
template <int N> static void ptx_more_registers(void)
{
    registers[1] = N;
}

/* the kernels */
struct few;
struct gemm;
struct product;
struct adding;
static void add_parts(adding);
static void multiply_dots(product);
template <int K, int V> static void multiply_short(product, int);
template <int S, int V> static void multiply_across(few);
template <int S, int V> static void multiply_along(few);
template <class T, int A, int B> static void multiply_tiles(gemm);
template <class T, int A, int B> static void multiply_bulk(gemm, CUtensorMap, CUtensorMap);
static void matmul_tiled(char ta, char tb, int m, int n, int k, float alpha, const float *, int lda,
                         const float *, int ldb, float beta, float *, int ldc, cudaStream_t)
{
    printf(" tiled %c%c %d x %d x %d, %g, %d, %d, %g, %d", ta, tb, m, n, k, alpha, lda, ldb, beta,
           ldc);
}

/* what the ladder's first rungs are given, and how often each number of it is */
struct float4 { float x, y, z, w; };
static void put_product(product, int, int, float);
static float element(const float *, steps, int, int, int, int);

#include "parts.h"

static int fetched[2][64][64];
static void put_product(product, int, int, float) {}
static float element(const float *x, steps, int rows, int cols, int i, int j)
{
    if (i < rows && j < cols && ++fetched[!x][i][j] > 1) {
        printf("an element of %c, %d %d, is fetched twice\n", x ? 'A' : 'B', i, j);
        exit(1); /* perhaps for ever */
    }
    return 0;
}

static int at(const void *p)
{
    return (int)(intptr_t)p;
}
/* Its threads one after another, twice: first for what they share, of which the second time
   all is there. */
static void add_parts(adding g)
{
    if (computes) {
        for (blockIdx.y = 0; blockIdx.y < grid_of.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < grid_of.x; blockIdx.x++)
                for (int turn = 0; turn < 2; turn++) {
                    static float c[10000];

                    if (turn == 0)
                        memcpy(c, g.c, sizeof c);
                    else
                        memcpy(g.c, c, sizeof c);
                    for (threadIdx.y = 0; threadIdx.y < block_of.y; threadIdx.y++)
                        for (threadIdx.x = 0; threadIdx.x < block_of.x; threadIdx.x++)
                            add_parts_by(g);
                }
        return;
    }
    printf(" add %d parts of %d x %d in tiles of %d x %d, %d x %d from %d, %g, %g, from %d to %d by "
           "%d, %d;",
           g.parts, g.m, g.n, g.tall, g.wide, g.down, g.across, g.first, g.alpha, g.beta,
           at(g.sums), at(g.c), (int)g.sc.row, (int)g.sc.col);
}
static void said(const char *name, int a, int b, const product &s)
{
    printf(" %s<%d, %d> %d x %d x %d, %d across, %g, %g, %d %d %d, %d %d, %d %d, %d;", name, a, b,
           s.m, s.n, s.k, s.across, s.alpha, s.beta, at(s.a), at(s.b), at(s.c), (int)s.sa.row,
           (int)s.sa.col, (int)s.sb.row, (int)s.sb.col, (int)s.ldc);
}
static void multiply_dots(product s)
{
    said("dots", 0, 0, s);
}
template <int K, int V> static void multiply_short(product s, int rows)
{
    said("short", K, V, s);
    printf(" %d rows", rows);
}
static void said(const char *name, int a, int b, const few &s)
{
    printf(" %s<%d, %d> %d x %d x %d, %d parts of %d, %g, %g, %d %d %d %d, %d %d, %d %d, %d %d;",
           name, a, b, s.few, s.many, s.k, s.parts, s.each, s.alpha, s.beta, at(s.x), at(s.y),
           at(s.c), at(s.sums), (int)s.sx.row, (int)s.sx.col, (int)s.sy.row, (int)s.sy.col,
           (int)s.sc.row, (int)s.sc.col);
}
template <int S, int V> static void multiply_across(few s)
{
    said("across", S, V, s);
}
template <int S, int V> static void multiply_along(few s)
{
    said("along", S, V, s);
}
template <class T, int A, int B> static void multiply_tiles(gemm g)
{
    printf(" tiles<%d, %d, %d, %d, %d, %d, %d, %d, %d, %d%d> %d x %d x %d, %d x %d, %d whole, %d "
           "parts of %d, %g, %g, %d %d %d, %d %d %d;",
           T::M, T::N, T::K, T::TM, T::TN, T::SLICES, T::STAGES, T::BLOCKS, T::WAYS, A, B, g.m,
           g.n, g.k, g.down, g.across, g.whole, g.parts, g.each, g.alpha, g.beta, at(g.a), at(g.b),
           at(g.c), (int)g.lda, (int)g.ldb, (int)g.ldc);
}
template <class T, int A, int B> static void multiply_bulk(gemm g, CUtensorMap, CUtensorMap)
{
    printf(" bulk:");
    multiply_tiles<T, A, B>(g);
}

/* Are all numbers of A and B fetched by the threads of a block, and each once? */
template <class K> static void fetches(const char *name, K kernel, unsigned threads)
{
    product s = {50, 60, 13, 1};
    int missing = 0;

    memset(fetched, 0, sizeof fetched);
    s.a = (float *)8192;
    blockIdx = 0;
    for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++)
        kernel(s);
    for (int p = 0; p < 13; p++) {
        for (int i = 0; i < 50; i++)
            missing += !fetched[0][i][p];
        for (int j = 0; j < 60; j++)
            missing += !fetched[1][p][j];
    }
    printf("%s fetches all but %d\n", name, missing);
}

/* Registers are given out by eights, as many as a block has at first. */
template <class T> static void shares(void)
{
    int all = T::SHARE * T::ALL;

    T::few_registers();
    T::many_registers();
    all -= registers[0] * BRINGERS + registers[1] * T::THREADS;
    if (registers[0] % 8 || registers[1] % 8 || registers[0] < 24 || registers[1] > 256 || all < 0 ||
        all >= 8 * T::THREADS)
        printf("%d x %d: %d registers and %d\n", T::M, T::N, registers[0], registers[1]);
}
#define SHARES(...) shares<bulk<__VA_ARGS__>>();

/* Are the sums of so many parts what they should be, in tiles from `first` on? */
static void sums_of(int parts, int tall, int wide, int m, int n, int first, float beta)
{
    static float sums[60000], c[10000];
    int down = (m + tall - 1) / tall, across = (n + wide - 1) / wide, tiles = down * across - first;
    adding g = {m, n, tall, wide, down, across, first, parts, 2, beta, sums, c, {100, 1}};
    int wrong = 0;

    for (int i = 0; i < parts * tall * wide * tiles; i++)
        sums[i] = (float)(i * 7 % 11 + i % 5);
    for (int i = 0; i < 10000; i++)
        c[i] = (float)(i % 13);
    computes = 1;
    launch_add(&g, tiles, 0);
    computes = 0;
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < 100; j++) {
            float want = (float)((i * 100 + j) % 13);

            for (int t = 0; t < tiles; t++) {
                int2 at = find_tile(first + t, down, across);
                int e = (i - at.x * tall) * wide + j - at.y * wide;
                float sum = 0;

                if (i >= m || j >= n || i / tall != at.x || j / wide != at.y)
                    continue;
                for (int z = 0; z < parts; z++)
                    sum += sums[(t * parts + z) * tall * wide + e];
                want = 2 * sum + (beta == 0 ? 0 : beta * want);
            }
            wrong += c[i * 100 + j] != want;
        }
    printf("%d parts of %d x %d in tiles of %d x %d: %d wrong\n", parts, m, n, tall, wide, wrong);
}

static struct sgemm h;

/* By a plan, or by the best one. */
static void run(const plan *p, const char *t, int m, int n, int k, int gap)
{
    char ta = t[0], tb = t[1];
    int lda = (ta == 'N' ? k : m) + gap, ldb = (tb == 'N' ? n : k) + gap;
    const float *a = (float *)8192, *b = (float *)16384;

    printf("%s %d %d %d, %d:", t, m, n, k, gap);
    if (p)
        sgemm_by(&h, *p, ta, tb, m, n, k, 2, a, lda, b, ldb, 3, (float *)32768, n + gap, 0);
    else
        sgemm(&h, ta, tb, m, n, k, 2, a, lda, b, ldb, 3, (float *)32768, n + gap, 0);
    printf("\n");
}

static void plans_of(int m, int n, int k)
{
    printf("%d %d %d", m, n, k);
    for (const char *t : {"NN", "TT"}) {
        plan p = sgemm_plan(&h, m, n, k, t[0], t[1], t[0] == 'N' ? k : m, t[1] == 'N' ? n : k);

        printf("; %s %d, %d whole, %d parts, %.1f", t, p.kernel, p.whole, p.parts, p.cycles);
    }
    printf("\n");
}

int main(void)
{
    static const char *const layouts[] = {"NN", "NT", "TN", "TT"};

    /* what each kernel is thought to take, on a card that is known and on another */
    for (int other = 0; other < 2; other++) {
        h = sgemm_make();
        printf("%s: %d, %d bytes, bulk %d\n", h.rates->gpu ? h.rates->gpu : "another", h.sms,
               h.most, h.bulk);
        for (int i = 0; i < SGEMM_KERNELS; i++) {
            const sgemm_kernel *k = &sgemm_kernels[i];
            plan p = {BY_TILED, 0, 1, 1e300};

            printf("%d x %d x %d, %d in %d bytes, bulk %d:", k->m, k->n, k->k, k->blocks, k->bytes,
                   k->bulk);
            for (int load = 1; load <= 4; load++)
                printf(" %.1f", block_cycles(&h, i, load * h.sms, 10));
            for (int m : {300, 1000, 3000}) {
                p = {BY_TILED, 0, 1, 1e300};
                plan_kernel(&h, &p, i, m, m, 500);
                if (p.kernel != BY_TILED)
                    printf("; %d whole, %d parts, %.1f", p.whole, p.parts, p.cycles);
            }
            printf("\n");
        }
        for (int m : {1, 5, 9, 24, 25, 600, 2000})
            for (int k : {0, 4, 5, 16, 17, 64, 65, 1667, 10000})
                plans_of(m, m == 9 ? 7 : m == 5 ? 30000 : m, k);
        plans_of(8, 12500, 5), plans_of(8, 12501, 5), plans_of(9, 11111, 16);
        plans_of(9, 11112, 16), plans_of(600, 1, 1666), plans_of(9, 8, 4);
        /* a short side */
        for (int few : {1, 4, 8})
            for (int many : {1, 127, 128, 129, 2048, 2049, 5000}) {
                printf("%d of %d:", few, many);
                for (int k : {0, 256, 257, 10000, 100000})
                    printf(" %d", plan_few(&h, few, many, k).parts);
                printf("\n");
            }
        strcpy(card.name, "another");
        card.multiProcessorCount = 40, card.sharedMemPerBlockOptin = 101376, major = 8;
    }
    SGEMM_BULKS(SHARES)
    /* what is launched */
    h.sms = 4;
    for (int i = 0; i < SGEMM_KERNELS; i++)
        for (int gap = 0; gap < 2; gap++)
            for (int parts = 1; parts < 4; parts += 2)
                for (int t = 0; t < 4; t++) {
                    plan p = {i, parts == 3 ? 1 : 0, parts, 0};

                    if (i == 0 || i == SGEMM_KERNELS - 1 || t == i % 4)
                        run(&p, layouts[t], 140, 260, gap ? 30 : 140, gap);
                }
    for (int parts : {1, 2, 5, 40})
        for (int whole : {0, 3, 4}) {
            plan p = {4, whole, parts, 0};

            run(&p, "NN", 100, 120, 300, 0);
        }
    for (int side : {1, 2, 3, 4, 5, 8})
        for (int k : {0, 63, 64, 300}) {
            plan p = {BY_FEW, 0, side == 3 ? 1 : 3, 0};

            run(&p, layouts[side % 4], side, 260, k, k == 300 ? 0 : 4);
            run(&p, layouts[(side + 1) % 4], 260, side, k, side == 5);
        }
    plan sums = {BY_SHORT, 0, 1, 0}, dots = {BY_DOTS, 0, 1, 0}, tiled = {BY_TILED, 0, 1, 0};

    for (int k : {1, 2, 3, 4, 5, 8, 9, 16})
        run(&sums, layouts[k % 4], 128, 128, k, 0);
    for (int m : {10, 128, 255, 256, 1151, 1152, 2047, 2048, 5000})
        run(&sums, "NN", m, 128, 3, 0), run(&sums, "NN", m, 132, 3, 1);
    for (int parts : {1, 2, 15, 16, 17, 33}) {
        sums_of(parts, 1, 67, 1, 67, 0, 3);
        sums_of(parts, 16, 32, 30, 61, 1, 0);
        sums_of(parts, 8, 8, 65, 15, 0, 3);
    }
    run(&dots, "NT", 20, 30, 7, 1);
    run(&tiled, "TN", 20, 30, 7, 1);
    run(NULL, "NN", 100, 100, 100, 0);
    run(NULL, "NN", 100, 0, 100, 0);
    run(NULL, "TN", 1000, 1000, 3, 0);
    fetches("a column", multiply_patches<64, 64, 8, 8, 1>, 512);
    fetches("a square", multiply_patches<128, 128, 8, 8, 8>, 256);
    fetches("vectors", multiply_vectors<128, 128, 8, 0>, 256);
    fetches("vectors ahead", multiply_vectors<128, 128, 8, 1>, 256);
    sgemm_free(&h);
    return h.sums != NULL;
}
