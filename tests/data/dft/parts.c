/* parts.c: chapter 17's transforms in float, and how their errors are added up, beside sums
   in long double; the sound of a key beside its formula. Prints what is wrong. */
#include "dft/error.h"
#include "dft/key.h"

#include <stdio.h>

static int bad;

static void near(const char *what, int n, int k, double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol) && bad++ < 20)
        printf("%s %d, %d: %.17g, not %.17g\n", what, n, k, got, want);
}

/* One bin of n numbers, and by each of the ways. */
static void bin(int n, int k, const float *x)
{
    long double turn = 6.283185307179586476925286766559L / n, re = 0, im = 0;
    struct cplx got;

    for (int j = 0; j < n; j++) {
        long double at = turn * (long double)((int64_t)j * k % n);
        float w[2];

        take_root(BY_TABLE, n, j, k, w);
        near("root", n, j * k, w[0], (float)cosl(at), 6.1e-8);
        near("root i", n, j * k, w[1], (float)-sinl(at), 6.1e-8);
        re += x[j] * cosl(at);
        im -= x[j] * sinl(at);
    }
    for (int how = 0; how < ROOTS; how++) {
        double tol = how == BY_TABLE ? 4e-7 * n : 2e-7 * n * n + 1e-6;

        got = how == BY_GOERTZEL ? goertzel_bin(n, k, x) : float_bin((enum roots)how, n, k, x);
        near(roots_names[how], n, k, got.re, (double)re, tol);
        near(roots_names[how], n, k, got.im, (double)im, tol);
    }
}

/* Roots by angle and by turning are as wrong as their arithmetic: the angle in float, the
   root before times that of k. */
static void ways(int n, int k)
{
    float turned[2] = {1, 0}, step[2], w[2];

    take_root(BY_TABLE, n, 1, k, step);
    for (int j = 0; j < n; j++) {
        float angle = -6.28318531f * (float)j * (float)k / (float)n, re = turned[0];

        take_root(BY_ANGLE, n, j, k, w);
        near("angle", n, j, w[0], cos(angle), 6.1e-8);
        near("angle i", n, j, w[1], sin(angle), 6.1e-8);
        w[0] = turned[0], w[1] = turned[1];
        take_root(BY_TURNING, n, j, k, w);
        if (j > 0) {
            turned[0] = re * step[0] - turned[1] * step[1];
            turned[1] = re * step[1] + turned[1] * step[0];
        }
        near("turning", n, j, w[0], turned[0], 1.2e-7);
        near("turning i", n, j, w[1], turned[1], 1.2e-7);
        turned[0] = w[0], turned[1] = w[1];
    }
}

/* The errors of n bins once more, by the bin. */
static void added(int n, uint64_t seed)
{
    float *x = (float *)check_alloc((size_t)n, sizeof *x);
    struct cplx *exact = cplx_alloc((size_t)n), *X = cplx_alloc((size_t)n);
    double error[ROOTS + 1], sum[ROOTS] = {0}, bound = 0, edge = 0, all = 0, says[2];
    uint64_t state = seed;

    for (int j = 0; j < n; j++)
        exact[j].re = x[j] = 2 * rng_float(&state) - 1;
    dft(n, -1, exact, X);
    for (int k = 0; k < n; k++) {
        struct cplx size = dft_sizes(n, k, exact);
        int far = k % (n / 2), off = far < n / 2 - far ? far : n / 2 - far;

        bin(n, k, x);
        for (int how = 0; how < ROOTS; how++) {
            struct cplx got = how == BY_GOERTZEL ? goertzel_bin(n, k, x)
                                                 : float_bin((enum roots)how, n, k, x);
            double e = (got.re - X[k].re) * (got.re - X[k].re) +
                       (got.im - X[k].im) * (got.im - X[k].im);

            sum[how] += e;
            if (how == BY_GOERTZEL && 16 * off <= n)
                edge += e;
        }
        bound += pow(dft_bound(n, size.re), 2) + pow(dft_bound(n, size.im), 2);
        all += X[k].re * X[k].re + X[k].im * X[k].im;
    }
    error[ROOTS] = 7;
    errors(n, seed, error, &says[0], &says[1]);
    for (int how = 0; how < ROOTS; how++)
        near("errors", n, how, error[how], sqrt(sum[how] / all), 1e-6 * error[how]);
    near("errors", n, ROOTS, error[ROOTS], 7, 0);
    near("bound", n, 0, says[0], sqrt(bound / all), 1e-9 * says[0]);
    near("edge", n, 0, says[1], sum[BY_GOERTZEL] > 0 ? edge / sum[BY_GOERTZEL] : 0, 1e-9);
    free(x), free(exact), free(X);
}

static void keys(void)
{
    static const int row[] = {697, 770, 852, 941}, col[] = {1209, 1336, 1477, 1633};
    double *x = (double *)check_alloc(KEY_SAMPLES, sizeof *x), error[ROOTS], bound, edge;

    near("key_heard", 0, 0, key_heard(x), 0, 0);
    for (int key = 0; key < 16; key++) {
        uint64_t seed = 5, state = 5;
        double late = rng_float(&state), later = rng_float(&state);

        key_sound(key, 0.25, &seed, x);
        for (int j = 0; j < 205; j++)
            near("key_sound", key, j, x[j],
                 cos(6.283185307179586 * (row[key / 4] * j / 8000. + late)) +
                     cos(6.283185307179586 * (col[key % 4] * j / 8000. + later)) +
                     0.25 * (2 * rng_float(&state) - 1),
                 1e-9);
        near("key_heard", 0, key, key_heard(x), key, 0);
        near("seed", 0, key, seed == state, 1, 0);
    }
    near("samples", 0, 0, KEY_SAMPLES, 205, 0);
    free(x);
    errors(1, 3, error, &bound, &edge); /* of one number, which has no error */
    for (int how = 0; how < ROOTS; how++)
        near("one", 1, how, error[how], 0, 0);
    near("one", 1, ROOTS, edge, 0, 0);
}

int main(void)
{
    static const int n[] = {2, 4, 16, 32, 48, 64, 128};

    for (int i = 0; i < 7; i++)
        added(n[i], 11 + i);
    for (int k = 0; k < 17; k++) {
        float x[17];
        uint64_t state = 3;

        for (int j = 0; j < 17; j++)
            x[j] = 2 * rng_float(&state) - 1;
        bin(17, k, x);
        ways(1021, 61 * k);
    }
    keys();
    printf("%d wrong\n", bad);
    return bad > 0;
}
