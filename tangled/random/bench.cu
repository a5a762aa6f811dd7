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
enum { PLAIN, WORDS, KEYED, NORMALS, DEVICE, FOLD, FOLD_KEYED, CURAND };
enum { CURAND_NORMALS = CURAND + 1, XORWOW };

static struct {
    size_t n;
    uint64_t seed;
    uint32_t *out;
    curandGenerator_t philox, xorwow;
} w;
#ifdef __LOOM__ /* has one; the other is never run */
static const curandRngType_t other = CURAND_RNG_PSEUDO_PHILOX4_32_10;
#else
static const curandRngType_t other = CURAND_RNG_PSEUDO_XORWOW;
#endif

static void run_kernel(void *, int how, int set)
{
    uint32_t *out = w.out + w.n * (size_t)set;
    size_t blocks = w.n / 4;
    unsigned grid = (unsigned)blocks_for(blocks, 256);
    uint4 *to = (uint4 *)out;

    if (how == PLAIN)
        fill_constant<<<grid, 256>>>(blocks, to);
    else if (how == WORDS)
        fill<false><<<grid, 256>>>(w.seed, blocks, to);
    else if (how == NORMALS)
        fill<true><<<grid, 256>>>(w.seed, blocks, to);
    else if (how == DEVICE)
        fill_device<<<grid, 256>>>(w.seed, blocks, to);
    else if (how == KEYED)
        fill_keyed<<<grid, 256>>>(keys_of(w.seed), blocks, to);
    else if (how == FOLD)
        fold<false><<<grid, 256>>>(keys_of(w.seed), w.seed, blocks, out);
    else
        fold<true><<<grid, 256>>>(keys_of(w.seed), w.seed, blocks, out);
    CUDA_LAUNCH_CHECK();
}

static void run_curand(void *, int how, int set)
{
    uint32_t *out = w.out + w.n * (size_t)set;
    curandStatus_t s = CURAND_STATUS_SUCCESS;

    if (how == CURAND)
        s = curandGenerate(w.philox, out, w.n);
#ifndef __LOOM__
    else if (how == CURAND_NORMALS)
        s = curandGenerateNormal(w.philox, (float *)out, w.n, 0, 1);
    else
        s = curandGenerate(w.xorwow, out, w.n);
#endif
    CHECK(s == CURAND_STATUS_SUCCESS, "cuRAND: error %d", s);
}
static uint32_t expected(int how, size_t i)
{
    uint32_t word = philox_word(w.seed, 0, i);
    float x = init_normal_at(w.seed, 0, i, 1);

    if (how == PLAIN)
        return (uint32_t)(i % 4 + 1);
    if (how == CURAND)
        word = philox_curand(w.seed, i);
    if (how == NORMALS)
        memcpy(&word, &x, sizeof word);
    for (uint64_t k = 0; (how == FOLD || how == FOLD_KEYED) && k < 4 * FOLDED;
         k++)
        word = (k ? word : 0) ^
               philox_word(w.seed, 0, (k / 4 * (w.n / 4) + i) * 4 + k % 4);
    return word;
}

static void check_case(const struct bench_case *c)
{
    size_t n = c->how == FOLD || c->how == FOLD_KEYED ? w.n / 4 : w.n;
    uint32_t *h = (uint32_t *)check_alloc(n, sizeof *h);

    CHECK(!curandSetPseudoRandomGeneratorSeed(w.philox, w.seed) &&
              !curandSetGeneratorOffset(w.philox, 0),
          "cuRAND does not begin at word 0");
    CUDA_CHECK(cudaMemset(w.out, 0xff, n * sizeof *h));
    c->launch(NULL, c->how, 0);
    CUDA_CHECK(cudaMemcpy(h, w.out, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t k = 0; k < 5000 && c->how <= CURAND; k++) {
        size_t i = k < n ? k : rng_at(w.seed, k) % n;

        CHECK(h[i] == expected(c->how, i), "%s: number %zu is %08x, not %08x",
              c->variant, i, h[i], expected(c->how, i));
    }
    free(h);
}

/* measure all cases */
static const struct bench_case fills[] = {
    {"plain", run_kernel, PLAIN},
    {"words", run_kernel, WORDS},
    {"keyed", run_kernel, KEYED},
    {"normals", run_kernel, NORMALS},
    {"device", run_kernel, DEVICE},
    {"fold", run_kernel, FOLD},
    {"fold_keyed", run_kernel, FOLD_KEYED},
    {"curand", run_curand, CURAND, NULL, 0, 0, 0, 0, 1},
#ifndef __LOOM__
    {"curand_normals", run_curand, CURAND_NORMALS, NULL, 0, 0, 0, 0, 1},
    {"xorwow", run_curand, XORWOW, NULL, 0, 0, 0, 0, 1},
#endif
};

static void bench_fill(size_t n, uint64_t seed)
{
    struct bench b = {NULL, (long long)n, 4.0 * n, 0};
    const struct bench_case *c;

    b.sets = bench_sets(4 * n);
    b.check = check_case;
    b.peer[0] = {"plain", "of_plain"};
    w.n = n;
    w.seed = seed;
    CUDA_CHECK(cudaMalloc((void **)&w.out, (size_t)b.sets * 4 * n));
    c = bench_run(fills, (int)ARG_COUNT(fills), &b);
    for (size_t k = 0; k < ARG_COUNT(fills); k++)
        bench_row(c[k].variant, (long long)n, "rate",
                  (c[k].how == FOLD || c[k].how == FOLD_KEYED ? FOLDED : 1) *
                      (double)n / bench_us(&c[k]) / 1e3,
                  "G/s");
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
    int most = (int)args[0].value, version;

    bench_begin("random");
    CHECK(!curandGetVersion(&version) &&
              !curandCreateGenerator(&w.philox,
                                     CURAND_RNG_PSEUDO_PHILOX4_32_10) &&
              !curandCreateGenerator(&w.xorwow, other) &&
              !curandSetStream(w.philox, cudaStreamPerThread) &&
              !curandSetStream(w.xorwow, cudaStreamPerThread),
          "cuRAND does not start");
    bench_library("cuRAND", version / 1000 * 10000 + version % 1000);
    for (int e = most < 20 ? most : 20; e <= most; e += 4)
        bench_fill((size_t)1 << e, seed);
    CHECK(!curandDestroyGenerator(w.philox) &&
              !curandDestroyGenerator(w.xorwow),
          "cuRAND does not end");
    bench_offsets();
    bench_differ(1 << 20, seed);
    return 0;
}
