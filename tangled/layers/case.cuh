/* case.cuh: a layer of one size, with all its arrays, to be tried. */
#ifndef LAYERS_CASE_CUH
#define LAYERS_CASE_CUH

#include "reduce/bound.h"
#include "stack/cuda_check.h"
#include "tour/check.h"
#include "tour/rng.h"

/* describe a case */
enum { CASE_ARRAYS = 16, CASE_MARGIN = 64 };

/* describe an array */
struct array {
    char name[16];
    int input, item; /* item: bytes of one, 4 or 1 */
    size_t n;
    float *h, *d;
    double *wide, *size, *tol; /* in double; absolute values; allowed error */
    double *torch, *torch32;   /* what PyTorch gives, if it was recorded */
};

struct layer_case {
    char name[16];
    int size[4], shift, recorded, nudging, count;
    uint64_t seed;
    float middle; /* of the input x */
    struct array all[CASE_ARRAYS];
};

/* make an array */
static struct array *case_array(struct layer_case *c, const char *name,
                                size_t n, int item)
{
    struct array *a = &c->all[c->count++];

    CHECK(c->count <= CASE_ARRAYS, "more than %d arrays", CASE_ARRAYS);
    snprintf(a->name, sizeof a->name, "%s", name);
    a->n = n;
    a->item = item;
    a->h = (float *)check_alloc(n, item);
    a->wide = (double *)check_alloc(n, sizeof *a->wide);
    a->size = (double *)check_alloc(n, sizeof *a->size);
    a->tol = (double *)check_alloc(n, sizeof *a->tol);
    poison(a->h, n * item);
    CUDA_CHECK(cudaMalloc((void **)&a->d, n * item + CASE_MARGIN));
    CUDA_CHECK(cudaMemset(a->d, 0xff, n * item + CASE_MARGIN));
    return a;
}

/* a->h is filled: an input. */
static void case_put(struct array *a)
{
    a->input = 1;
    CUDA_CHECK(cudaMemcpy(a->d, a->h, a->n * a->item, cudaMemcpyHostToDevice));
    for (size_t i = 0; i < a->n; i++) {
        a->wide[i] = a->h[i];
        a->size[i] = fabs(a->wide[i]);
    }
}

/* ask for an array */
static struct array *case_find(struct layer_case *c, const char *name, size_t n)
{
    for (int k = 0; k < c->count; k++)
        if (!strcmp(c->all[k].name, name)) {
            CHECK(c->all[k].n == n, "case %s: %s has %zu numbers, not %zu",
                  c->name, name, c->all[k].n, n);
            return &c->all[k];
        }
    return NULL;
}

static struct array *input(struct layer_case *c, const char *name, size_t n)
{
    struct array *a = case_find(c, name, n);
    float middle = name[0] == 'x' ? c->middle : 0;

    if (a)
        return a;
    CHECK(!c->recorded, "case %s has no %s", c->name, name);
    a = case_array(c, name, n, 4);
    for (size_t i = 0; i < n; i++)
        a->h[i] = 2 * rng_float(&c->seed) - 1 + middle;
    case_put(a);
    return a;
}

static struct array *output(struct layer_case *c, const char *name, size_t n,
                            int item)
{
    struct array *a = case_find(c, name, n);

    return a ? a : case_array(c, name, n, item);
}

/* run a case */
/* Runs the kernels, twice, and fetches the results; inputs and margins must be
   what they were. */
static void case_kernels(struct layer_case *c,
                         void (*kernels)(struct layer_case *))
{
    for (int again = 0; again < 2; again++) {
        kernels(c);
        for (int k = 0; k < c->count; k++) {
            struct array *a = &c->all[k];
            size_t bytes = a->n * a->item;
            unsigned char *now =
                (unsigned char *)check_alloc(bytes + CASE_MARGIN, 1);

            CUDA_CHECK(cudaMemcpy(now, a->d, bytes + CASE_MARGIN,
                                  cudaMemcpyDeviceToHost));
            if (!again && !a->input)
                memcpy(a->h, now, bytes);
            CHECK(memcmp(a->h, now, bytes) == 0, "%s: %s", a->name,
                  a->input ? "an input was changed" : "other bits, again");
            for (int i = 0; i < CASE_MARGIN; i++)
                CHECK(now[bytes + i] == 0xff, "%s: written behind", a->name);
            free(now);
        }
    }
}

/* compare a case */
/* a->tol holds sums of absolute values and becomes bounds. */
static inline void bound_by(struct array *a, double terms, double height)
{
    for (size_t i = 0; i < a->n; i++)
        a->tol[i] = bound_dot(terms, height, BOUND_FLOAT, a->tol[i]);
}

static double case_got(const struct array *a, size_t i)
{
    return a->item == 1 ? ((unsigned char *)a->h)[i] : a->h[i];
}

static void case_free(struct layer_case *c)
{
    for (int k = 0; k < c->count; k++) {
        struct array *a = &c->all[k];

        CUDA_CHECK(cudaFree(a->d));
        free(a->h);
        free(a->wide);
        free(a->size);
        free(a->tol);
    }
}
static inline void trial(const char *name, void (*run)(struct layer_case *),
                         const int size[3], int shift, float middle,
                         uint64_t seed)
{
    struct layer_case c = {
        {0}, {size[0], size[1], size[2], 1}, shift, 0, 0, 0, seed, middle, {}};

    CHECK((double)size[0] * size[1] * size[2] <= 1 << 24,
          "%d x %d x %d is too much to try; at most 2^24 in all", size[0],
          size[1], size[2]);
    snprintf(c.name, sizeof c.name, "%s", name);
    run(&c);
    /* hold every result to its tolerance */
    for (int k = 0; k < c.count; k++)
        for (size_t i = 0; i < c.all[k].n && !c.all[k].input; i++) {
            const struct array *a = &c.all[k];
            double got = case_got(a, i);

            CHECK(fabs(got - a->wide[i]) <= a->tol[i] || got == a->wide[i] ||
                      (isnan(got) && isnan(a->wide[i])),
                  "%s %d x %d x %d: %s[%zu] is %.9g, not %.9g (bound %.3g)",
                  name, size[0], size[1], size[2], a->name, i, got, a->wide[i],
                  a->tol[i]);
        }
    case_free(&c);
}

#endif
