/* curand.c: the calls of curand.h. */
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
    if (type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
        return CURAND_STATUS_TYPE_ERROR;
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
struct draws {
    struct curandGenerator_st g;
    void *out;
    size_t n;
    int floats;
};

static void work(void *args)
{
    const struct draws *d = (const struct draws *)args;

    loom_open();
    for (size_t i = 0; i < d->n; i++) {
        uint64_t at = d->g.at + i;
        uint32_t word =
            loom_philox(d->g.seed, at / 4 % 65536, at >> 18).w[at % 4];

        if (d->floats)
            ((float *)d->out)[i] = loom_uniform(word);
        else
            ((unsigned *)d->out)[i] = word;
    }
    if (d->g.on_device)
        loom_written(d->out, d->n * 4);
    loom_done();
}

/* put the draws into the stream */
static curandStatus_t submit(curandGenerator_t g, void *out, size_t n,
                             int floats)
{
    struct draws d = {.out = out, .n = n, .floats = floats};
    int wrong;

    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    d.g = *g;
    loom_open();
    wrong =
        n && loom_blamed("curandGenerate", "result", out, n * 4, g->on_device);
    loom_done();
    if (wrong || loom_enqueue(g->stream, work, &d, sizeof d) != cudaSuccess)
        return CURAND_STATUS_LAUNCH_FAILURE;
    if (!g->on_device)
        loom_finish(g->stream);
    g->at += n;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n)
{
    return submit(g, out, n, 0);
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n)
{
    return submit(g, out, n, 1);
}
