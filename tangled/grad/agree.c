/* agree: the gradient by neurons on a tape and the one by matrices. */
#include <stdio.h>

#include "grad/neurons.h"
#include "reduce/bound.h"
#include "tour/args.h"

/* bound the rounding of a gradient */
/* bound[i]: how far two gradients of s over n points may differ by rounding. */
static void gradient_bound(const struct mlp *s, const double *p,
                           const struct moons *m, double *bound)
{
    size_t count = mlp_count(s), on_path = (size_t)m->n + 8;
    struct mlp_pass w = mlp_pass_make(s, m->n, m->x);
    double *most = check_alloc(count, sizeof *most);
    double *t = check_alloc((size_t)m->n, sizeof *t);

    for (int l = 0; l < s->layers; l++)
        on_path += 2 * ((size_t)s->size[l] + s->size[l + 1] + 4);
    /* run the network on absolute values */
    for (size_t i = 0; i < count; i++)
        most[i] = fabs(p[i]);
    for (int i = 0; i < m->n * s->size[0]; i++)
        w.a[0][i] = fabs(w.a[0][i]);
    for (int i = 0; i < m->n; i++)
        t[i] = -1;
    mlp_loss(s, most, &w, t);
    mlp_gradient(s, most, &w, t, bound);
    for (size_t i = 0; i < count; i++)
        bound[i] *= 2 * bound_gamma((double)on_path, BOUND_DOUBLE);
    mlp_pass_free(&w);
    free(most);
    free(t);
}

/* compare the two gradients */
static void compare(const struct mlp *s, const struct moons *m, uint64_t seed)
{
    size_t count = mlp_count(s);
    double *p = check_alloc(3 * count, sizeof *p), *g = p + count;
    double *bound = g + count, most = 0, run;
    struct mlp_pass w = mlp_pass_make(s, m->n, m->x);
    struct tape t = {NULL, 0, 0};

    mlp_init(s, p, seed);
    for (size_t i = 0; i < count; i++)
        p[i] += init_uniform_at(seed, 99, i, 0.25f);
    for (size_t i = 0; i < count; i++)
        tape_leaf(&t, p[i]);
    neurons_gradient(&t, s, m->n, NULL, m);
    mlp_loss(s, p, &w, m->t);
    run = w.operations;
    mlp_gradient(s, p, &w, m->t, g);
    gradient_bound(s, p, m, bound);
    for (size_t i = 0; i < count; i++) {
        double off = fabs(t.node[i].grad - g[i]);

        CHECK(off <= bound[i], "parameter %zu is off by %g", i, off);
        most = bound[i] > 0 && off / bound[i] > most ? off / bound[i] : most;
    }
    printf("ok: %3zu derivatives, off by %.1g of the bound; %.2f runs\n", count,
           most, w.operations / run);
    mlp_pass_free(&w);
    tape_free(&t);
    free(p);
}

int main(int argc, char **argv)
{
    static const struct mlp shapes[] = {{1, {2, 1}},
                                        {2, {2, 7, 1}},
                                        {3, {2, 16, 16, 1}},
                                        {5, {2, 5, 33, 1, 8, 1}}};
    struct arg args[] = {ARG_SIZE("points", 37, 1, 10000)};
    uint64_t seed = args_parse(argc, argv, "two ways to one gradient", args,
                               ARG_COUNT(args));
    struct moons m = moons_make((int)args[0].value, 0.25, seed);

    for (int k = 0; k < (int)(sizeof shapes / sizeof *shapes); k++)
        compare(&shapes[k], &m, seed);
    moons_free(&m);
    return 0;
}
