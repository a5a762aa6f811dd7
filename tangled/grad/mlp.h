/* mlp.h: two moons, and a multilayer perceptron: where its parameters are,
   and by matrix products its loss and gradient. C11 and C++17. */
#ifndef GRAD_MLP_H
#define GRAD_MLP_H

#include "matmul/reference_d.h"
#include "random/init.h"
#include "tour/check.h"
#include "tour/rng.h"

/* make two moons */
struct moons { /* n points (x[2 i], x[2 i + 1]), of class t[i]: 1 or -1 */
    int n;
    double *x, *t;
};

/* The classes in turn, on half circles of radius 1, each point moved by up to
   `noise` to either side and up or down. moons_free() them. */
static inline struct moons moons_make(int n, double noise, uint64_t seed)
{
    struct moons m = {n, (double *)check_alloc(2 * (size_t)n, sizeof(double)),
                      (double *)check_alloc((size_t)n, sizeof(double))};

    for (int i = 0; i < n; i++) {
        double angle = 3.14159265358979 * rng_float(&seed);
        int upper = i % 2 == 0;

        m.t[i] = upper ? 1 : -1;
        m.x[2 * i] = (upper ? cos(angle) : 1 - cos(angle)) - 0.5;
        m.x[2 * i + 1] = (upper ? sin(angle) : 0.5 - sin(angle)) - 0.25;
        for (int k = 0; k < 2; k++)
            m.x[2 * i + k] += noise * (2.0 * rng_float(&seed) - 1);
    }
    return m;
}

static inline void moons_free(struct moons *m)
{
    free(m->x);
    free(m->t);
}

/* find the parameters of a layer */
enum { MLP_LAYERS = 8 };

/* describe a network */
/* Layer l has size[l] inputs and size[l + 1] outputs; all but the last are
   rectified. Parameters: for each layer in turn the weights,
   [outputs][inputs], and the biases, [outputs]. */
struct mlp {
    int layers; /* 1 to MLP_LAYERS */
    int size[MLP_LAYERS + 1];
};

/* Where layer l's weights begin, and its biases; how many there are in all. */
static inline size_t mlp_weights(const struct mlp *s, int l)
{
    size_t n = 0;

    for (int k = 0; k < l; k++)
        n += (size_t)(s->size[k] + 1) * s->size[k + 1];
    return n;
}

static inline size_t mlp_biases(const struct mlp *s, int l)
{
    return mlp_weights(s, l) + (size_t)s->size[l] * s->size[l + 1];
}

static inline size_t mlp_count(const struct mlp *s)
{
    return mlp_weights(s, s->layers);
}

/* draw the first weights */
static inline void mlp_init(const struct mlp *s, double *p, uint64_t seed)
{
    for (int l = 0; l < s->layers; l++) {
        size_t bias = mlp_biases(s, l), first = mlp_weights(s, l);
        float bound = init_kaiming_bound(s->size[l]);

        for (size_t i = first; i < bias; i++)
            p[i] = init_uniform_at(seed, (uint64_t)l, i - first, bound);
        for (int j = 0; j < s->size[l + 1]; j++)
            p[bias + (size_t)j] = 0;
    }
}

/* keep what a pass needs */

/* keep what the way back needs */
struct mlp_pass { /* over n inputs at once */
    int n;
    double *a[MLP_LAYERS + 1];  /* n x size[l]: what goes into layer l */
    double *da[MLP_LAYERS + 1]; /* the loss's gradient with respect to it */
    double operations; /* done so far in matrix products: 2 for a term */
};

/* Copies x[n][size[0]]. mlp_pass_free() it. */
static inline struct mlp_pass mlp_pass_make(const struct mlp *s, int n,
                                            const double *x)
{
    struct mlp_pass w = {n, {NULL}, {NULL}, 0};

    for (int l = 0; l <= s->layers; l++) {
        size_t count = (size_t)n * s->size[l];

        w.a[l] = (double *)check_alloc(count, sizeof(double));
        w.da[l] = (double *)check_alloc(count, sizeof(double));
    }
    memcpy(w.a[0], x, (size_t)n * s->size[0] * sizeof(double));
    return w;
}

static inline void mlp_pass_free(struct mlp_pass *w)
{
    for (int l = 0; l <= MLP_LAYERS; l++) {
        free(w->a[l]);
        free(w->da[l]);
    }
}

/* multiply matrices and count */
/* C = op(A) op(B), m x n, sums of k terms; A and B stored in rows of lda and
   ldb numbers, C without gaps. */
static inline void product(struct mlp_pass *w, char ta, char tb, int m, int n,
                           int k, const double *a, int lda, const double *b,
                           int ldb, double *c)
{
    matmul_reference(ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n);
    w->operations += 2.0 * m * n * k;
}

/* go forward through one layer */
static inline void layer_forward(const struct mlp *s, int l, const double *p,
                                 struct mlp_pass *w)
{
    int in = s->size[l], out = s->size[l + 1];
    const double *bias = p + mlp_biases(s, l);
    double *y = w->a[l + 1];

    product(w, 'N', 'T', w->n, out, in, w->a[l], in, p + mlp_weights(s, l), in,
            y);
    for (int i = 0; i < w->n; i++)
        for (int j = 0; j < out; j++) {
            double z = y[i * out + j] + bias[j];

            y[i * out + j] = l + 1 < s->layers && z < 0 ? 0 : z;
        }
}

/* go back through one layer */
static inline void layer_backward(const struct mlp *s, int l, const double *p,
                                  struct mlp_pass *w, double *g)
{
    int in = s->size[l], out = s->size[l + 1];
    double *dz = w->da[l + 1], *dw = g + mlp_weights(s, l);
    double *db = g + mlp_biases(s, l);

    for (int i = 0; i < w->n * out; i++)
        if (l + 1 < s->layers && !(w->a[l + 1][i] > 0))
            dz[i] = 0;
    for (int j = 0; j < out; j++) {
        db[j] = 0;
        for (int i = 0; i < w->n; i++)
            db[j] += dz[i * out + j];
    }
    product(w, 'T', 'N', out, in, w->n, dz, out, w->a[l], in, dw);
    if (l > 0)
        product(w, 'N', 'N', w->n, in, out, dz, out, p + mlp_weights(s, l), in,
                w->da[l]);
}

/* go forward through all layers */

/* find the loss */
/* The mean of (y - t[i])^2 over the inputs that the pass was made for. */
static inline double mlp_loss(const struct mlp *s, const double *p,
                              struct mlp_pass *w, const double *t)
{
    double loss = 0;

    CHECK(s->size[s->layers] == 1, "%d outputs", s->size[s->layers]);
    for (int l = 0; l < s->layers; l++)
        layer_forward(s, l, p, w);
    for (int i = 0; i < w->n; i++) {
        double off = w->a[s->layers][i] - t[i];

        loss += off * off / w->n;
    }
    return loss;
}

struct mlp_problem {
    const struct mlp *s;
    const double *p, *t;
    struct mlp_pass *w;
};

static inline double mlp_loss_of(void *problem)
{
    const struct mlp_problem *l = (const struct mlp_problem *)problem;

    return mlp_loss(l->s, l->p, l->w, l->t);
}

/* go back through all layers */
/* After mlp_loss() with the same p and t: the gradient, g like p. */
static inline void mlp_gradient(const struct mlp *s, const double *p,
                                struct mlp_pass *w, const double *t, double *g)
{
    for (int i = 0; i < w->n; i++)
        w->da[s->layers][i] = 2 * (w->a[s->layers][i] - t[i]) / w->n;
    for (int l = s->layers - 1; l >= 0; l--)
        layer_backward(s, l, p, w, g);
}

#endif
