/* hessian: products with the Hessian from two gradients. */
#include "grad/mlp.h"

/* multiply by the Hessian */
/* hv = H v at p for the mean squared error on m; v has about the size of p. */
static void hessian_product(const struct mlp *s, const struct moons *m,
                            const double *p, const double *v, double *hv)
{
    struct mlp_pass w = mlp_pass_make(s, m->n, m->x);
    size_t n = mlp_count(s);
    double *moved = (double *)check_alloc(2 * n, sizeof *moved);
    double *g = moved + n, h = 0x1p-20;

    for (int side = 1; side >= -1; side -= 2) {
        for (size_t i = 0; i < n; i++)
            moved[i] = p[i] + side * h * v[i];
        mlp_loss(s, moved, &w, m->t);
        mlp_gradient(s, moved, &w, m->t, g);
        for (size_t i = 0; i < n; i++)
            hv[i] = (side > 0 ? 0 : hv[i]) + side * g[i] / (2 * h);
    }
    mlp_pass_free(&w);
    free(moved);
}

int main(void)
{
    struct mlp line = {1, {2, 1}};
    struct moons m = moons_make(20, 0.25, 1);
    double p[3] = {0.5, -1, 0.25}, v[3] = {1, 0.5, -2}, hv[3];

    hessian_product(&line, &m, p, v, hv);
    for (int i = 0; i < m.n; i++) {
        double z[3] = {m.x[2 * i], m.x[2 * i + 1], 1};

        for (int j = 0; j < 3; j++)
            hv[j] -= 2.0 / m.n * z[j] * (z[0] * v[0] + z[1] * v[1] + v[2]);
    }
    for (int j = 0; j < 3; j++)
        CHECK_NEAR(hv[j], 0, 1e-8, "roundings of numbers below 9 over 2^-19");
    moons_free(&m);
    return 0;
}
