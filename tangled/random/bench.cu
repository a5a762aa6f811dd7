/* bench: numbers in a second, beside cuRAND and beside a plain fill. */
#include <curand.h>
#include <curand_kernel.h>

#include "kernels/launch.h"
#include "measure/bench.h"
#include "random/init.h"
#include "tour/args.h"
#include "tour/rng.h"

/* fill with blocks of four */
/* Numbers 4 i ... 4 i + 3 of stream 0 by thread i: words or normals. */
template <bool NORMAL>
__global__ void fill(uint64_t seed, size_t blocks, uint4 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    struct philox b;

    if (i >= blocks)
        return;
    b = philox_at(seed, 0, i);
    for (int k = 0; NORMAL && k < 4; k += 2) {
        struct draw_pair p = draw_normals(b.w[k], b.w[k + 1]);

        b.w[k] = __float_as_uint(p.x);
        b.w[k + 1] = __float_as_uint(p.y);
    }
    out[i] = make_uint4(b.w[0], b.w[1], b.w[2], b.w[3]);
}

/* fill in other ways */
__global__ void fill_device(uint64_t seed, size_t blocks, uint4 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;

    if (i >= blocks)
        return;
    curand_init(seed, 0, 4 * i, &state);
    out[i] = curand4(&state);
}

__global__ void fill_constant(size_t blocks, uint4 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < blocks)
        out[i] = make_uint4(1, 2, 3, 4);
}

/* fill with the keys of all rounds */
struct round_keys {
    uint32_t k[10][2];
};

static struct round_keys keys_of(uint64_t seed)
{
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    struct round_keys keys;

    for (uint32_t r = 0; r < 10; r++) {
        keys.k[r][0] = k0 + r * 0x9e3779b9u;
        keys.k[r][1] = k1 + r * 0xbb67ae85u;
    }
    return keys;
}

/* draw with ready keys */
static __device__ struct philox draw_keyed(const struct round_keys *keys,
                                           uint64_t i)
{
    struct philox b = {{(uint32_t)i, (uint32_t)(i >> 32), 0, 0}};

#pragma unroll
    for (int r = 0; r < 10; r++)
        b = philox_round(b, keys->k[r][0], keys->k[r][1]);
    return b;
}

/* fill with ready keys */
__global__ void fill_keyed(struct round_keys keys, size_t blocks, uint4 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    struct philox b = draw_keyed(&keys, i);

    if (i < blocks)
        out[i] = make_uint4(b.w[0], b.w[1], b.w[2], b.w[3]);
}

/* draw and do not write */
enum { FOLDED = 64 };

template <bool KEYED>
__global__ void fold(struct round_keys keys, uint64_t seed, size_t threads,
                     uint32_t *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t sum = 0;

    if (i >= threads)
        return;
    for (uint64_t k = 0; k < FOLDED; k++) {
        struct philox b = KEYED ? draw_keyed(&keys, k * threads + i)
                                : philox_at(seed, 0, k * threads + i);

        sum ^= b.w[0] ^ b.w[1] ^ b.w[2] ^ b.w[3];
    }
    out[i] = sum;
}

/* run and check a case */
enum {
    PLAIN,
    WORDS,
    KEYED,
    NORMALS,
    DEVICE,
    CURAND,
    FOLD,
    FOLD_KEYED,
    CURAND_NORMALS,
    XORWOW,
    CASES
};
static const char *const case_name[] = {
    "plain",  "words", "keyed",      "normals",        "device",
    "curand", "fold",  "fold_keyed", "curand_normals", "xorwow"};

struct work {
    int what;
    size_t n;
    uint64_t seed;
    uint32_t *out;
    curandGenerator_t philox, xorwow;
};
#ifdef __LOOM__
static const int cases_here = CURAND_NORMALS;
static const curandRngType_t other = CURAND_RNG_PSEUDO_PHILOX4_32_10;
#else
static const int cases_here = CASES;
static const curandRngType_t other = CURAND_RNG_PSEUDO_XORWOW;
#endif

static curandStatus_t run_curand(struct work *w, uint32_t *out)
{
#ifndef __LOOM__
    if (w->what == CURAND_NORMALS)
        return curandGenerateNormal(w->philox, (float *)out, w->n, 0, 1);
#endif
    return curandGenerate(w->what == CURAND ? w->philox : w->xorwow, out, w->n);
}
static void run(void *p, int set)
{
    struct work *w = (struct work *)p;
    uint32_t *out = w->out + w->n * (size_t)set;
    size_t blocks = w->n / 4;
    unsigned grid = (unsigned)blocks_for(blocks, 256);

    if (w->what == PLAIN)
        fill_constant<<<grid, 256>>>(blocks, (uint4 *)out);
    else if (w->what == WORDS)
        fill<false><<<grid, 256>>>(w->seed, blocks, (uint4 *)out);
    else if (w->what == NORMALS)
        fill<true><<<grid, 256>>>(w->seed, blocks, (uint4 *)out);
    else if (w->what == DEVICE)
        fill_device<<<grid, 256>>>(w->seed, blocks, (uint4 *)out);
    else if (w->what == KEYED)
        fill_keyed<<<grid, 256>>>(keys_of(w->seed), blocks, (uint4 *)out);
    else if (w->what == FOLD)
        fold<false><<<grid, 256>>>(keys_of(w->seed), w->seed, blocks, out);
    else if (w->what == FOLD_KEYED)
        fold<true><<<grid, 256>>>(keys_of(w->seed), w->seed, blocks, out);
    else
        CHECK(run_curand(w, out) == CURAND_STATUS_SUCCESS, "cuRAND");
    CUDA_LAUNCH_CHECK();
}
static uint32_t expected(const struct work *w, size_t i)
{
    uint32_t word = philox_word(w->seed, 0, i);
    float x = init_normal_at(w->seed, 0, i, 1);

    if (w->what == PLAIN)
        return (uint32_t)(i % 4 + 1);
    if (w->what == CURAND)
        word = philox_curand(w->seed, i);
    if (w->what == NORMALS)
        memcpy(&word, &x, sizeof word);
    for (uint64_t k = 0;
         (w->what == FOLD || w->what == FOLD_KEYED) && k < 4 * FOLDED; k++)
        word = (k ? word : 0) ^
               philox_word(w->seed, 0, (k / 4 * (w->n / 4) + i) * 4 + k % 4);
    return word;
}
static void check_case(struct work *w)
{
    size_t n = w->what >= FOLD ? w->n / 4 : w->n;
    uint32_t *h = (uint32_t *)check_alloc(n, sizeof *h);

    CHECK(curandSetPseudoRandomGeneratorSeed(w->philox, w->seed) ==
              CURAND_STATUS_SUCCESS,
          "the seed");
    CHECK(curandSetGeneratorOffset(w->philox, 0) == CURAND_STATUS_SUCCESS,
          "the offset");
    CUDA_CHECK(cudaMemset(w->out, 0xff, n * sizeof *h));
    run(w, 0);
    CUDA_CHECK(cudaMemcpy(h, w->out, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t k = 0; k < 5000 && w->what <= FOLD_KEYED; k++) {
        size_t i = k < n ? k : rng_at(w->seed, k) % n;

        CHECK(h[i] == expected(w, i), "%s: number %zu is %08x, not %08x",
              case_name[w->what], i, h[i], expected(w, i));
    }
    free(h);
}

/* measure all cases */
static void bench_fill(size_t n, uint64_t seed)
{
    static struct bench_case cases[CASES];
    struct work work[CASES], w = {0, n, seed, NULL, NULL, NULL};
    int sets = bench_sets(4 * n);

    CUDA_CHECK(cudaMalloc((void **)&w.out, (size_t)sets * n * sizeof *w.out));
    CHECK(!curandCreateGenerator(&w.philox, CURAND_RNG_PSEUDO_PHILOX4_32_10) &&
              !curandCreateGenerator(&w.xorwow, other),
          "no generators");
    for (; w.what < cases_here; w.what++) {
        struct bench_case c = {
            case_name[w.what], run, &work[w.what], 0, 0, 0, {0}};

        cases[w.what] = c;
        work[w.what] = w;
        check_case(&w);
    }
    bench_measure(cases, cases_here, sets);
    bench_report(cases, cases_here, (long long)n, 4.0 * n, &cases[PLAIN],
                 "of_plain");
    /* report the rates */
    for (int k = 0; k < cases_here; k++) {
        struct stats s = stats_of(cases[k].us, cases[k].rounds);

        bench_row(case_name[k], (long long)n, "rate",
                  (k == FOLD || k == FOLD_KEYED ? (double)FOLDED : 1) * n /
                      s.median / 1e3,
                  "G/s");
    }
    CHECK(!curandDestroyGenerator(w.philox) &&
              !curandDestroyGenerator(w.xorwow),
          "destroy");
    CUDA_CHECK(cudaFree(w.out));
}

/* record what offsets skip */
static const struct {
    const char *name;
    curandRngType_t type;
} offset_generator[] = {
    {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
#ifndef __LOOM__
    {"xorwow", CURAND_RNG_PSEUDO_XORWOW},
    {"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
    {"mtgp32", CURAND_RNG_PSEUDO_MTGP32},
    {"mt19937", CURAND_RNG_PSEUDO_MT19937},
#endif
};

static const struct {
    const char *name;
    curandOrdering_t order;
} offset_order[] = {
    {"default", CURAND_ORDERING_PSEUDO_DEFAULT},
    {"best", CURAND_ORDERING_PSEUDO_BEST},
    {"legacy", CURAND_ORDERING_PSEUDO_LEGACY},
#ifndef __LOOM__
    {"seeded", CURAND_ORDERING_PSEUDO_SEEDED},
    {"dynamic", CURAND_ORDERING_PSEUDO_DYNAMIC},
#endif
};
enum { N = 1 << 20, OFFSET = 100 };

/* N words into h: 1, or 0 when the order or the offset is refused. */
static int offset_words(int generator, int order, uint64_t offset, uint32_t *h)
{
    curandGenerator_t g;
    uint32_t *d;
    int taken;

    CUDA_CHECK(cudaMalloc((void **)&d, N * sizeof *d));
    CHECK(!curandCreateGenerator(&g, offset_generator[generator].type) &&
              !curandSetPseudoRandomGeneratorSeed(g, 1234),
          "no generator %s", offset_generator[generator].name);
    taken = !curandSetGeneratorOrdering(g, offset_order[order].order) &&
            (offset == 0 || !curandSetGeneratorOffset(g, offset));
    CHECK(!taken || !curandGenerate(g, d, N), "nothing is generated");
    CUDA_CHECK(cudaMemcpy(h, d, N * sizeof *d, cudaMemcpyDeviceToHost));
    CHECK(!curandDestroyGenerator(g), "destroy");
    CUDA_CHECK(cudaFree(d));
    return taken;
}
static void bench_offsets(void)
{
    uint32_t *a = (uint32_t *)check_alloc(3 * N, sizeof *a);
    uint32_t *b = a + N, *usual = b + N;
    char name[40];

    for (int g = 0; g < (int)ARG_COUNT(offset_generator); g++)
        for (int o = 0; o < (int)ARG_COUNT(offset_order); o++) {
            int order = offset_words(g, o, 0, a), begins = 0;
            int offset = order && offset_words(g, o, OFFSET, b);

            snprintf(name, sizeof name, "%s_%s", offset_generator[g].name,
                     offset_order[o].name);
            if (o == 0)
                memcpy(usual, a, N * sizeof *a);
            /* record one generator and order */
            while (offset && begins < N - 16 && memcmp(a + begins, b, 64))
                begins++;
            bench_row(name, OFFSET, "order", order, "");
            if (order)
                bench_row(name, OFFSET, "as_default", !memcmp(a, usual, 4 * N),
                          "");
            if (order)
                bench_row(name, OFFSET, "offset", offset, "");
            if (offset)
                bench_row(name, OFFSET, "begins", begins, "");
        }
    free(a);
}

/* record how library functions differ */
RANDOM_FN float normal_by_library(uint64_t seed, uint64_t i)
{
    struct philox b = philox_at(seed, 0, i);
    float u = fmaf((float)b.w[0], 0x1p-32f, 0x1p-33f);

    return sqrtf(-2 * logf(u)) * cosf((float)b.w[1] * 1.46291807e-9f);
}

__global__ void by_library(uint64_t seed, int n, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] = normal_by_library(seed, i);
}

static void bench_differ(int n, uint64_t seed)
{
    /* count what differs */
    float *h = (float *)check_alloc((size_t)n, sizeof *h), *d;
    int differ = 0;

    CUDA_CHECK(cudaMalloc((void **)&d, (size_t)n * sizeof *d));
    by_library<<<blocks_for((size_t)n, 256), 256>>>(seed, n, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, (size_t)n * sizeof *h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        differ += h[i] != normal_by_library(seed, (uint64_t)i);
    bench_row("by_library", n, "differ", 100.0 * differ / n, "%");
    CUDA_CHECK(cudaFree(d));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("log2 of numbers", 28, 10, 31)};
    uint64_t seed = args_parse(argc, argv, "random numbers in a second", args,
                               ARG_COUNT(args));

    bench_begin("random");
    bench_fill((size_t)1 << args[0].value, seed);
    bench_offsets();
    bench_differ(1 << 20, seed);
    return 0;
}
