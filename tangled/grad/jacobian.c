/* jacobian: the Jacobian of a rectified layer, by columns and by rows. */
#include <stdio.h>

#include "grad/tape.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* put a layer on a tape */
/* y = max(W x + b, 0): x are the first n nodes, y[i] is a node; w gets W. */
static void put_layer(struct tape *t, int m, int n, uint64_t seed, double *w,
                      int *y)
{
    for (int j = 0; j < n; j++)
        tape_leaf(t, rng_small(&seed));
    for (int i = 0; i < m; i++) {
        int sum = tape_leaf(t, rng_small(&seed) + 0.5); /* never 0 */

        for (int j = 0; j < n; j++) {
            w[i * n + j] = rng_small(&seed);
            sum = tape_add(t, sum, tape_mul(t, tape_leaf(t, w[i * n + j]), j));
        }
        y[i] = tape_relu(t, sum);
    }
}

/* build a Jacobian by columns and by rows */
/* The outputs y[0..m) of a layer of a tape whose leaves 0..n) are the inputs. */
static void by_columns(const struct tape *t, int m, int n, const int *y,
                       double *jacobian)
{
    double *rate = check_alloc((size_t)t->count, sizeof *rate);

    for (int j = 0; j < n; j++) {
        tape_forward(t, j, rate);
        for (int i = 0; i < m; i++)
            jacobian[i * n + j] = rate[y[i]];
    }
    free(rate);
}

static void by_rows(struct tape *t, int m, int n, const int *y,
                    double *jacobian)
{
    for (int i = 0; i < m; i++) {
        tape_zero_grad(t);
        tape_backward(t, y[i]);
        for (int j = 0; j < n; j++)
            jacobian[i * n + j] = t->node[j].grad;
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("m", 4, 1, 100), ARG_SIZE("n", 3, 1, 100)};
    uint64_t seed = args_parse(argc, argv, "a Jacobian", args, ARG_COUNT(args));
    int m = (int)args[0].value, n = (int)args[1].value, y[100];
    double w[10000], jacobian[10000], other[10000];
    struct tape t = {NULL, 0, 0};

    put_layer(&t, m, n, seed, w, y);
    by_columns(&t, m, n, y, jacobian);
    /* compare the Jacobians and print a small one */
    by_rows(&t, m, n, y, other);
    for (int i = 0; i < m * n; i++) {
        double formula = t.node[y[i / n]].value > 0 ? w[i] : 0;

        CHECK(jacobian[i] == other[i] && jacobian[i] == formula,
              "entry %d: %g by columns, %g by rows, %g by the formula", i,
              jacobian[i], other[i], formula);
        if (m * n <= 12)
            printf("%5g%s", jacobian[i], i % n == n - 1 ? "\n" : "");
    }
    printf("ok: %d x %d by columns, by rows and by the formula\n", m, n);
    tape_free(&t);
    return 0;
}
