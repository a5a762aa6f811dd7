/* gallery.h: wrong gradients that still train. C11 and C++17. */
#ifndef GRAD_GALLERY_H
#define GRAD_GALLERY_H

#include "grad/gradcheck.h"
#include "grad/mlp.h"

enum gallery { RIGHT, TRANSPOSED, EXCHANGED, TIMES_32, PARTIAL, GALLERY };

static const char *const gallery_name[GALLERY] = {
    "right", "transposed", "exchanged", "times_32", "partial"};

struct gallery_end {
    double before, loss; /* the loss on the 64 points, before and at the end */
    double right;        /* percentage of 1000 other points at the end */
    double error;        /* what gradcheck said of the gradient at first */
};

/* spoil a gradient as a mistake would */
static inline void spoil(const struct mlp *s, enum gallery kind,
                         const double *right, double *g)
{
    memcpy(g, right, mlp_count(s) * sizeof *g);
    for (int l = 0; l < s->layers; l++) {
        int in = s->size[l], out = s->size[l + 1];
        const double *dw = right + mlp_weights(s, l);
        double *w = g + mlp_weights(s, l), *b = g + mlp_biases(s, l);

        for (int i = 0; i < out * in; i++) {
            int row = i / in, column = i % in;

            if (kind == TRANSPOSED) /* X^T dY, in x out, not dY^T X */
                w[i] = dw[i % out * in + i / out];
            if (kind == EXCHANGED) /* tiles of 4: rows for columns */
                w[i] = row < (in + 3) / 4 * 4 && column < (out + 3) / 4 * 4
                           ? dw[i]
                           : 0;
        }
        for (int j = 0; j < out; j++) {
            if (kind == TIMES_32)
                b[j] *= 32;
            if (kind == PARTIAL) /* only the first one is ever reached */
                b[j] = j == 0 ? 32 * b[j] : 0;
        }
    }
}

/* check a spoiled gradient and train with it */
static inline struct gallery_end
gallery_train(enum gallery kind, int steps, double rate,
              void (*report)(int step, double loss))
{
    struct mlp s = {3, {2, 16, 16, 1}};
    struct moons m = moons_make(64, 0.25, 1);
    struct mlp_pass w = mlp_pass_make(&s, m.n, m.x);
    size_t n = mlp_count(&s);
    double *p = (double *)check_alloc(3 * n, sizeof *p);
    double *g = p + n, *right = g + n;
    struct mlp_problem all = {&s, p, m.t, &w};
    struct gallery_end end = {0, 0, 0, 0};

    mlp_init(&s, p, 1);
    /* train with the spoiled gradient */
    for (int step = 0; step <= steps; step++) {
        end.loss = mlp_loss_of(&all);
        if (report)
            report(step, end.loss);
        mlp_gradient(&s, p, &w, m.t, right);
        spoil(&s, kind, right, g);
        if (step == 0) {
            end.before = end.loss;
            end.error = gradcheck(mlp_loss_of, &all, p, n, g).error;
        }
        for (size_t i = 0; i < n && step < steps; i++)
            p[i] -= rate * g[i];
    }
    /* count what the trained network has right, and free all */
    mlp_pass_free(&w);
    moons_free(&m);
    m = moons_make(1000, 0.25, 2);
    w = mlp_pass_make(&s, m.n, m.x);
    mlp_loss(&s, p, &w, m.t);
    for (int i = 0; i < m.n; i++)
        end.right += w.a[s.layers][i] * m.t[i] > 0 ? 100.0 / m.n : 0;
    mlp_pass_free(&w);
    moons_free(&m);
    free(p);
    return end;
}

#endif
