/* laws: inverse, Parseval, shift, real input and aliasing, at many lengths. */
#include <stdio.h>
#include <stdlib.h>

#include "dft/trial.h"
#include "tour/args.h"

/* check the inverse */
static void check_inverse(int n, const struct cplx *x, const struct cplx *X,
                          double near)
{
    struct cplx *y = cplx_alloc(n);

    dft(n, 1, X, y);
    for (int j = 0; j < n; j++) {
        y[j].re /= n;
        y[j].im /= n;
        check_cplx("inverse", n, j, y[j], x[j], 4 * near);
    }
    free(y);
}

/* check Parseval */
static void check_parseval(int n, const struct cplx *x, const struct cplx *X,
                           double near)
{
    double before = 0, after = 0;

    for (int j = 0; j < n; j++) {
        before += x[j].re * x[j].re + x[j].im * x[j].im;
        after += X[j].re * X[j].re + X[j].im * X[j].im;
    }
    CHECK_NEAR(after, n * before, 6 * n * dft_total(n, x) * near,
               "Parseval: n bins, each off by near");
}

/* check the shift */
/* Delayed by m, every bin is turned by w^(mk): two transforms, each off by
   near, and a product. */
static void check_shift(int n, int m, const struct cplx *x,
                        const struct cplx *X, double near)
{
    struct cplx *late = cplx_alloc(n), *y = cplx_alloc(n);

    for (int j = 0; j < n; j++)
        late[(j + m) % n] = x[j];
    dft(n, -1, late, y);
    for (int k = 0; k < n; k++)
        check_cplx("shift", n, k, y[k],
                   cplx_mul(X[k], dft_root(-(int64_t)m * k, n)), 3 * near);
    free(late);
    free(y);
}

/* check real input */
static void check_real(int n, const struct cplx *x, double near)
{
    struct cplx *real = cplx_alloc(n), *y = cplx_alloc(n);

    for (int j = 0; j < n; j++)
        real[j].re = x[j].re;
    dft(n, -1, real, y);
    for (int k = 0; k < n; k++) {
        struct cplx mirror = {y[(n - k) % n].re, -y[(n - k) % n].im};

        check_cplx("real input", n, k, y[k], mirror, 2 * near);
    }
    free(real);
    free(y);
}

/* check aliasing */
/* k, n - k and n + k periods in n samples are the same samples. */
static void check_aliasing(int n)
{
    const double turn = 6.283185307179586;
    double near = 2 * turn * n * 4 * BOUND_DOUBLE * 2;

    for (int k = 0; k < n; k += 1 + n / 8)
        for (int j = 0; j < n; j++) {
            double slow = cos(turn * j * k / n);

            CHECK_NEAR(cos(turn * j * (n - k) / n), slow, near,
                       "the roundings of an angle of up to 2 n turns");
            CHECK_NEAR(cos(turn * j * (n + k) / n), slow, near,
                       "the roundings of an angle of up to 2 n turns");
        }
}

/* check quarters */
static void check_quarters(void)
{
    static const struct cplx quarters[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

    for (int n = 4; n <= 64; n += 4)
        for (int i = -8; i <= 8; i++) {
            struct cplx w = dft_root((int64_t)i * n / 4, n);

            check_cplx("quarter turn", 4, i, w, quarters[(i + 8) % 4], 0);
        }
    for (int i = 0; i < 1000; i++) {
        struct cplx w = dft_root(i, 1000);

        CHECK_NEAR(w.re * w.re + w.im * w.im, 1, 8 * BOUND_DOUBLE,
                   "two parts, each off by six roundings at most");
        CHECK_NEAR(w.re, cos(6.283185307179586 * i / 1000), 16 * BOUND_DOUBLE,
                   "an angle of one turn, three roundings");
        CHECK_NEAR(w.im, sin(6.283185307179586 * i / 1000), 16 * BOUND_DOUBLE,
                   "an angle of one turn, three roundings");
    }
}

/* check a length */
static void check_length(int n, uint64_t seed)
{
    struct cplx *x = cplx_random(n, seed), *X = cplx_alloc(n), sum = {0, 0};
    double near = dft_near(n, x), angle = 6.283185307179586 / n;
    int k = (int)rng_below(&seed, n);

    dft(n, -1, x, X);
    for (int j = 0; j < n; j++) {
        double c = cos(angle * (j * k % n)), s = sin(angle * (j * k % n));

        sum.re += x[j].re * c + x[j].im * s;
        sum.im += x[j].im * c - x[j].re * s;
    }
    check_cplx("the definition", n, k, X[k], sum, 20 * near);
    check_inverse(n, x, X, near);
    check_parseval(n, x, X, near);
    check_shift(n, (int)rng_below(&seed, n), x, X, near);
    check_real(n, x, near);
    check_aliasing(n);
    free(x);
    free(X);
}

int main(int argc, char **argv)
{
    static const int primes[] = {257, 509, 1021};
    uint64_t seed = args_parse(argc, argv, "five laws", NULL, 0);

    check_quarters();
    for (int n = 1; n <= 129; n++)
        check_length(n, seed + n);
    for (int i = 0; i < 3; i++)
        check_length(primes[i], seed + primes[i]);
    printf("ok: five laws at 132 lengths\n");
    return 0;
}
