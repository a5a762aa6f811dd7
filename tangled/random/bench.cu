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
__global__ void fill_one(uint64_t seed, size_t n, uint32_t *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = philox_word(seed, 0, i);
}

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

/* draw and do not write */
enum { FOLDED = 64 };

__global__ void fold(uint64_t seed, size_t threads, uint32_t *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t sum = 0;

    if (i >= threads)
        return;
    for (uint64_t k = 0; k < FOLDED; k++) {
        struct philox b = philox_at(seed, 0, k * threads + i);

        sum ^= b.w[0] ^ b.w[1] ^ b.w[2] ^ b.w[3];
    }
    out[i] = sum;
}

/* list the cases */
enum what {
    PLAIN,
    WORDS,
    NORMALS,
    ONE,
    DEVICE,
    CURAND,
    FOLD,
    CURAND_NORMALS,
    XORWOW,
    CASES
};
static const char *const case_name[] = {"plain", "words",          "normals",
                                        "one",   "device",         "curand",
                                        "fold",  "curand_normals", "xorwow"};

struct work {
    int what;
    size_t n;
    uint64_t seed;
    uint32_t *out;
    curandGenerator_t philox, xorwow;
};

/* let cuRAND fill */
#ifdef __SIMT__
static const int cases_here = CURAND_NORMALS;
static const curandRngType_t other = CURAND_RNG_PSEUDO_PHILOX4_32_10;
#else
static const int cases_here = CASES;
static const curandRngType_t other = CURAND_RNG_PSEUDO_XORWOW;
#endif

static curandStatus_t run_curand(struct work *w, uint32_t *out)
{
#ifndef __SIMT__
    if (w->what == CURAND_NORMALS)
        return curandGenerateNormal(w->philox, (float *)out, w->n, 0, 1);
#endif
    return curandGenerate(w->what == CURAND ? w->philox : w->xorwow, out, w->n);
}

/* run a case */
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
    else if (w->what == ONE)
        fill_one<<<blocks_for(w->n, 256), 256>>>(w->seed, w->n, out);
    else if (w->what == DEVICE)
        fill_device<<<grid, 256>>>(w->seed, blocks, (uint4 *)out);
    else if (w->what == FOLD)
        fold<<<grid, 256>>>(w->seed, blocks, out);
    else
        CHECK(run_curand(w, out) == CURAND_STATUS_SUCCESS, "cuRAND");
    CUDA_LAUNCH_CHECK();
}

/* say what a case must give */
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
    for (uint64_t k = 0; w->what == FOLD && k < 4 * FOLDED; k++)
        word = (k ? word : 0) ^
               philox_word(w->seed, 0, (k / 4 * (w->n / 4) + i) * 4 + k % 4);
    return word;
}

/* compare a case with the host */
static void check_case(struct work *w)
{
    size_t n = w->what == FOLD ? w->n / 4 : w->n;
    uint32_t *h = (uint32_t *)check_alloc(n, sizeof *h);

    CHECK(curandSetPseudoRandomGeneratorSeed(w->philox, w->seed) ==
              CURAND_STATUS_SUCCESS,
          "the seed");
    CHECK(curandSetGeneratorOffset(w->philox, 0) == CURAND_STATUS_SUCCESS,
          "the offset");
    CUDA_CHECK(cudaMemset(w->out, 0xff, n * sizeof *h));
    run(w, 0);
    CUDA_CHECK(cudaMemcpy(h, w->out, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t k = 0; k < 5000 && w->what <= FOLD; k++) {
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
                  (k == FOLD ? (double)FOLDED : 1) * n / s.median / 1e3, "G/s");
    }
    CHECK(!curandDestroyGenerator(w.philox) &&
              !curandDestroyGenerator(w.xorwow),
          "destroy");
    CUDA_CHECK(cudaFree(w.out));
}

/* name generators and orders */
static const struct {
    const char *name;
    curandRngType_t type;
} offset_generator[] = {
    {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
#ifndef __SIMT__
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
#ifndef __SIMT__
    {"seeded", CURAND_ORDERING_PSEUDO_SEEDED},
    {"dynamic", CURAND_ORDERING_PSEUDO_DYNAMIC},
#endif
};

/* generate with an offset */
/* n words into h. Returns 'o' when the order is refused, 'f' when the offset
   is, 0 when the words are there. */
static char offset_generate(int generator, int order, uint64_t offset,
                            uint32_t *h, int n)
{
    curandGenerator_t g;
    uint32_t *d;
    char refused = 0;

    CUDA_CHECK(cudaMalloc((void **)&d, (size_t)n * sizeof *d));
    CHECK(curandCreateGenerator(&g, offset_generator[generator].type) ==
                  CURAND_STATUS_SUCCESS &&
              curandSetPseudoRandomGeneratorSeed(g, 1234) ==
                  CURAND_STATUS_SUCCESS,
          "no generator %s", offset_generator[generator].name);
    if (curandSetGeneratorOrdering(g, offset_order[order].order))
        refused = 'o';
    else if (offset && curandSetGeneratorOffset(g, offset))
        refused = 'f';
    else
        CHECK(curandGenerate(g, d, (size_t)n) == CURAND_STATUS_SUCCESS,
              "%s does not generate", offset_generator[generator].name);
    CUDA_CHECK(cudaMemcpy(h, d, (size_t)n * sizeof *d, cudaMemcpyDeviceToHost));
    CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS, "destroy");
    CUDA_CHECK(cudaFree(d));
    return refused;
}

/* find one sequence in another */
/* The place in a[0..n) from which on a is b, to its end; -1 if there is none. */
static int offset_find(const uint32_t *a, const uint32_t *b, int n)
{
    for (int at = 0; at + 16 <= n; at++)
        if (memcmp(a + at, b, 16 * sizeof *b) == 0)
            return memcmp(a + at, b, (size_t)(n - at) * sizeof *b) == 0 ? at
                                                                        : -1;
    return -1;
}

/* record what offsets skip */
static void bench_offsets(void)
{
    enum { N = 1 << 20, OFFSET = 100 };
    uint32_t *a = (uint32_t *)check_alloc(N, sizeof *a);
    uint32_t *b = (uint32_t *)check_alloc(N, sizeof *b);
    uint32_t *usual = (uint32_t *)check_alloc(N, sizeof *usual);

    for (int g = 0; g < (int)ARG_COUNT(offset_generator); g++)
        for (int o = 0; o < (int)ARG_COUNT(offset_order); o++) {
            char name[40];
            int taken = !offset_generate(g, o, 0, o ? a : usual, N);

            snprintf(name, sizeof name, "%s_%s", offset_generator[g].name,
                     offset_order[o].name);
            if (o == 0)
                memcpy(a, usual, N * sizeof *a);
            /* record one generator and order */
            bench_row(name, OFFSET, "order", taken, "");
            if (taken)
                bench_row(name, OFFSET, "as_default",
                          !memcmp(a, usual, N * sizeof *a), "");
            if (taken) {
                taken = !offset_generate(g, o, OFFSET, b, N);
                bench_row(name, OFFSET, "offset", taken, "");
            }
            if (taken)
                bench_row(name, OFFSET, "begins", offset_find(a, b, N), "");
        }
    free(a);
    free(b);
    free(usual);
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
