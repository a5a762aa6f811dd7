/* trial.cuh: the arrays of one trial of a kernel. */
#ifndef LAYERS_TRIAL_CUH
#define LAYERS_TRIAL_CUH

#include "reduce/bound.h"
#include "stack/cuda_check.h"
#include "tour/check.h"
#include "tour/rng.h"

enum { TRIAL_ARRAYS = 16, TRIAL_MARGIN = 64 };

/* n items of `bytes` in all, on the host and on the device. */
struct array {
    size_t n, bytes;
    int input;
    float *h, *d;
    double *wide, *size;
};

struct trial {
    uint64_t seed;
    int count;
    struct array all[TRIAL_ARRAYS];
};

/* make an array */
static struct array *trial_out(struct trial *t, size_t n, size_t item)
{
    struct array *a = &t->all[t->count++];

    CHECK(t->count <= TRIAL_ARRAYS, "a trial of more than %d arrays",
          TRIAL_ARRAYS);
    a->n = n;
    a->bytes = n * item;
    a->input = 0;
    a->h = (float *)check_alloc(a->bytes, 1);
    a->wide = (double *)check_alloc(n, sizeof *a->wide);
    a->size = (double *)check_alloc(n, sizeof *a->size);
    poison(a->h, a->bytes);
    CUDA_CHECK(cudaMalloc((void **)&a->d, a->bytes + TRIAL_MARGIN));
    CUDA_CHECK(cudaMemset(a->d, 0xff, a->bytes + TRIAL_MARGIN));
    return a;
}

/* a->h has been filled: it is an input. */
static void trial_put(struct array *a)
{
    a->input = 1;
    CUDA_CHECK(cudaMemcpy(a->d, a->h, a->bytes, cudaMemcpyHostToDevice));
    for (size_t i = 0; i < a->n && a->bytes == a->n * sizeof *a->h; i++) {
        a->wide[i] = a->h[i];
        a->size[i] = fabs(a->wide[i]);
    }
}

/* An input of n floats from middle - 1 to middle + 1. */
static struct array *trial_in(struct trial *t, size_t n, float middle)
{
    struct array *a = trial_out(t, n, sizeof *a->h);

    for (size_t i = 0; i < n; i++)
        a->h[i] = 2 * rng_float(&t->seed) - 1 + middle;
    trial_put(a);
    return a;
}

/* fetch the results */
/* again: the outputs must be what they were; inputs always. */
static void trial_fetch(struct trial *t, int again)
{
    for (int k = 0; k < t->count; k++) {
        struct array *a = &t->all[k];
        unsigned char *now =
            (unsigned char *)check_alloc(a->bytes + TRIAL_MARGIN, 1);

        CUDA_CHECK(cudaMemcpy(now, a->d, a->bytes + TRIAL_MARGIN,
                              cudaMemcpyDeviceToHost));
        if (!again && !a->input)
            memcpy(a->h, now, a->bytes);
        CHECK(memcmp(a->h, now, a->bytes) == 0, "array %d: %s", k,
              a->input ? "an input was changed"
                       : "a second run gives other bits");
        for (int i = 0; i < TRIAL_MARGIN; i++)
            CHECK(now[a->bytes + i] == 0xff, "array %d: written behind", k);
        free(now);
    }
}

static void trial_free(struct trial *t)
{
    for (int k = 0; k < t->count; k++) {
        CUDA_CHECK(cudaFree(t->all[k].d));
        free(t->all[k].h);
        free(t->all[k].wide);
        free(t->all[k].size);
    }
}

/* compare the results */
/* Each result is a sum of `terms` products in a tree of `height`, and a->size
   the sum of their absolute values. */
static inline void trial_near(const struct array *a, const char *name,
                              double terms, double height)
{
    for (size_t i = 0; i < a->n; i++)
        CHECK_NEAR(a->h[i], a->wide[i],
                   bound_dot(terms, height, BOUND_FLOAT, a->size[i]), name);
}

static inline void trial_equal(const struct array *a, const char *name)
{
    for (size_t i = 0; i < a->n; i++)
        CHECK(a->h[i] == a->wide[i], "%s[%zu] is %.9g, not %.9g", name, i,
              a->h[i], a->wide[i]);
}

#endif
