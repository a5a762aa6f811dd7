/* check_gradcheck: the check for gradients, checked; then networks. */
#include <stdio.h>

#include "grad/gradcheck.h"
#include "grad/mlp.h"
#include "tour/args.h"

/* check the check with a known gradient */
static double known(void *work)
{
    const double *x = (const double *)work;

    return sin(x[0]) * x[1] + exp(x[0] * x[2]);
}

static void check_known(void)
{
    double x[] = {0.5, -1.25, 3}, e = exp(0.5 * 3);
    double g[] = {cos(0.5) * -1.25 + 3 * e, sin(0.5), 0.5 * e};
    struct gradcheck r = gradcheck(known, x, x, 3, g);

    GRADCHECK("known", r, 1e-9);
    CHECK(x[0] == 0.5 && x[1] == -1.25 && x[2] == 3, "x was changed");
    g[1] += 1e-4;
    r = gradcheck(known, x, x, 3, g);
    CHECK(r.error > 1e-6 && r.worst == 1, "a wrong entry is not found");
    CHECK(r.analytic == g[1] && fabs(r.numeric - sin(0.5)) < 1e-9,
          "the worst entry is %g, numeric %g", r.analytic, r.numeric);
    g[2] = NAN;
    r = gradcheck(known, x, x, 3, g);
    CHECK(!(r.error <= 1e300) && r.worst == 2, "a NaN passes");
}

/* check each tensor of a network */
static struct gradcheck check_network(const struct mlp *s, double h,
                                      uint64_t seed)
{
    struct moons m = moons_make(11, 0.25, seed);
    struct mlp_pass w = mlp_pass_make(s, m.n, m.x);
    size_t n = mlp_count(s);
    double *p = (double *)check_alloc(2 * n, sizeof *p), *g = p + n;
    struct mlp_problem all = {s, p, m.t, &w};
    struct gradcheck r, worst = {0, 0, 0, 0, 0, 0, 0, 0};

    mlp_init(s, p, seed);
    for (size_t i = 0; i < n; i++)
        p[i] += init_uniform_at(seed, 99, i, 0.1f);
    mlp_loss_of(&all);
    mlp_gradient(s, p, &w, m.t, g);
    /* check weights and biases apart */
    for (int k = 0; k < 2 * s->layers; k++) {
        size_t at = (k % 2 ? mlp_biases : mlp_weights)(s, k / 2);
        size_t end = k % 2 ? mlp_weights(s, k / 2 + 1) : mlp_biases(s, k / 2);

        r = gradcheck_some(mlp_loss_of, &all, p + at, end - at, g + at, h, 0,
                           0);
        if (!(r.error <= worst.error || isnan(worst.error)))
            worst = r; /* also a NaN */
    }
    mlp_pass_free(&w);
    moons_free(&m);
    free(p);
    return worst;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("points", 300, 1, 1000000)};
    uint64_t seed = args_parse(argc, argv, "check the check", args, 1);
    struct mlp s = {3, {2, 16, 16, 1}};
    int kinks = 0;
    double most = 0;

    check_known();
    /* check networks at many points */
    for (uint64_t k = 0; k < (uint64_t)args[0].value; k++) {
        struct gradcheck r = check_network(&s, GRADCHECK_STEP, seed + k);

        if (r.error > 1e-6 && r.bend > 1e-4) {
            kinks++;
            r = check_network(&s, GRADCHECK_STEP / 128, seed + k);
        }
        GRADCHECK("network", r, 1e-6);
        most = fmax(most, r.error);
    }
    printf("ok: %d points, off by %.0e at most; a kink at %d of them\n",
           (int)args[0].value, most, kinks);
    return 0;
}
