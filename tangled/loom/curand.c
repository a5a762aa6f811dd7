/* curand.c: the calls of curand.h. */
#include <math.h>
#include <stdlib.h>

#include "loom/curand.h"
#include "loom/loom_int.h"
#include "loom/philox.h"

struct curandGenerator_st {
    cudaStream_t stream;
    uint64_t seed, at; /* at: the next word */
    int on_device;
};

/* make generators */
static curandStatus_t make(curandGenerator_t *g, curandRngType_t type,
                           int on_device)
{
    static int said;

    if (type < CURAND_RNG_PSEUDO_DEFAULT ||
        type > CURAND_RNG_PSEUDO_PHILOX4_32_10)
        return CURAND_STATUS_TYPE_ERROR;
    if (type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && !said++)
        loom_say("cuRAND: Loom draws Philox's numbers, whichever generator is"
                 " asked for");
    *g = (curandGenerator_t)calloc(1, sizeof **g);
    if (!*g)
        return CURAND_STATUS_ALLOCATION_FAILED;
    (*g)->on_device = on_device;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t t)
{
    return make(g, t, 1);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g,
                                         curandRngType_t t)
{
    return make(g, t, 0);
}

/* set what a generator remembers */
#define LOOM_SETS(name, T, what)                                          \
    curandStatus_t curand##name(curandGenerator_t g, T value)             \
    {                                                                     \
        if (g) {                                                          \
            what;                                                         \
        }                                                                 \
        return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED; \
    }
LOOM_SETS(SetStream, cudaStream_t, g->stream = value)
LOOM_SETS(SetPseudoRandomGeneratorSeed, unsigned long long,
          (g->seed = value, g->at = 0))
LOOM_SETS(SetGeneratorOffset, unsigned long long, g->at = value)
#undef LOOM_SETS

/* take an order */
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g,
                                          curandOrdering_t order)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    return order == CURAND_ORDERING_PSEUDO_BEST ||
                   order == CURAND_ORDERING_PSEUDO_DEFAULT ||
                   order == CURAND_ORDERING_PSEUDO_LEGACY
               ? CURAND_STATUS_SUCCESS
               : CURAND_STATUS_OUT_OF_RANGE;
}
curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    free(g);
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGetVersion(int *version)
{
    *version = 10400; /* of the calls' form: CUDA 13.0 */
    return CURAND_STATUS_SUCCESS;
}

/* generate words or floats */
enum kind { WORDS, FLOATS, NORMALS, LOGS };

struct draws {
    struct curandGenerator_st g;
    void *out;
    size_t n;
    enum kind kind;
    int size; /* of a number: 4 or 8; it takes one word or two */
    double mean, stddev;
};

static uint32_t word(const struct draws *d, uint64_t i)
{
    uint64_t at = d->g.at + i;

    return loom_philox(d->g.seed, at / 4 % 65536, at >> 18).w[at % 4];
}

static double uniform(const struct draws *d, uint64_t i)
{
    return d->size == 4
               ? loom_uniform(word(d, i))
               : loom_uniform_double(word(d, 2 * i), word(d, 2 * i + 1));
}

/* Box and Muller: two normal numbers of two uniform ones. */
static double normal(const struct draws *d, uint64_t i)
{
    double r = sqrt(-2 * log(uniform(d, i & ~UINT64_C(1))));
    double angle = 6.283185307179586 * uniform(d, i | 1);

    return d->mean + d->stddev * r * (i & 1 ? cos(angle) : sin(angle));
}

static void work(void *args)
{
    const struct draws *d = (const struct draws *)args;

    loom_open();
    for (size_t i = 0; i < d->n; i++) {
        double x = d->kind == FLOATS    ? uniform(d, i)
                   : d->kind >= NORMALS ? normal(d, i)
                                        : 0;

        if (d->kind == LOGS)
            x = exp(x);
        if (d->kind == WORDS)
            ((unsigned *)d->out)[i] = word(d, i);
        else if (d->size == 4)
            ((float *)d->out)[i] = (float)x;
        else
            ((double *)d->out)[i] = x;
    }
    if (d->g.on_device)
        loom_written(d->out, d->n * (size_t)d->size);
    loom_done();
}

/* put the draws into the stream */
static curandStatus_t submit(curandGenerator_t g, void *out, size_t n,
                             enum kind kind, int size, double mean,
                             double stddev)
{
    struct draws d = {.out = out, .n = n, .kind = kind, .size = size};
    int wrong;

    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (kind >= NORMALS && n % 2)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    d.g = *g;
    d.mean = mean;
    d.stddev = stddev;
    loom_open();
    wrong = n && loom_blamed("curandGenerate", "result", out, n * (size_t)size,
                             g->on_device);
    loom_done();
    if (wrong || loom_enqueue(g->stream, work, &d, sizeof d) != cudaSuccess)
        return CURAND_STATUS_LAUNCH_FAILURE;
    if (!g->on_device)
        loom_finish(g->stream);
    g->at += n * (size_t)size / 4;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n)
{
    return submit(g, out, n, WORDS, 4, 0, 0);
}

#define UNIFORM(call, T)                                        \
    curandStatus_t call(curandGenerator_t g, T *out, size_t n)  \
    {                                                           \
        return submit(g, out, n, FLOATS, (int)sizeof(T), 0, 0); \
    }
UNIFORM(curandGenerateUniform, float)
UNIFORM(curandGenerateUniformDouble, double)
#undef UNIFORM

#define NORMAL(call, T, kind)                                          \
    curandStatus_t call(curandGenerator_t g, T *out, size_t n, T mean, \
                        T stddev)                                      \
    {                                                                  \
        return submit(g, out, n, kind, (int)sizeof(T), mean, stddev);  \
    }
NORMAL(curandGenerateNormal, float, NORMALS)
NORMAL(curandGenerateNormalDouble, double, NORMALS)
NORMAL(curandGenerateLogNormal, float, LOGS)
NORMAL(curandGenerateLogNormalDouble, double, LOGS)
#undef NORMAL
