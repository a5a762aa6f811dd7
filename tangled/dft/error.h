/* error.h: the error of a transform in float, by the way to its roots. C11 and
   C++17. */
#ifndef DFT_ERROR_H
#define DFT_ERROR_H

#include "dft/trial.h"

enum roots { BY_TABLE, BY_ANGLE, BY_TURNING, BY_GOERTZEL, ROOTS };

static const char *const roots_names[] = {"table", "angle", "turning",
                                          "goertzel"};

/* round a root once */
static inline void rounded_root(int64_t num, int64_t den, float w[2])
{
    struct cplx r = dft_root(num, den);

    w[0] = (float)r.re;
    w[1] = (float)r.im;
}

/* find a root in float, in three ways */
static void take_root(enum roots how, int n, int64_t j, int64_t k, float w[2])
{
    const float turn = 6.28318531f;
    float angle, step[2], re = w[0];

    if (how == BY_TABLE) { /* reduce the index, then round once */
        rounded_root(-j * k, n, w);
    } else if (how == BY_ANGLE) { /* an angle that grows with j */
        angle = -turn * (float)j * (float)k / (float)n;
        w[0] = cosf(angle);
        w[1] = sinf(angle);
    } else if (j == 0) { /* BY_TURNING: the root before, times w^k */
        w[0] = 1;
        w[1] = 0;
    } else {
        rounded_root(-k, n, step);
        w[0] = re * step[0] - w[1] * step[1];
        w[1] = re * step[1] + w[1] * step[0];
    }
}

/* transform in float */
static inline struct cplx float_bin(enum roots how, int n, int64_t k,
                                    const float *x)
{
    float w[2], re = 0, im = 0;
    struct cplx bin;

    for (int64_t j = 0; j < n; j++) {
        take_root(how, n, j, k, w);
        re += x[j] * w[0];
        im += x[j] * w[1];
    }
    bin.re = re;
    bin.im = im;
    return bin;
}

/* transform by Goertzel in float */
static inline struct cplx goertzel_bin(int n, int64_t k, const float *x)
{
    float z[2], s = 0, before = 0;
    struct cplx bin;

    rounded_root(k, n, z);
    for (int j = 0; j < n; j++) {
        float next = x[j] + 2 * z[0] * s - before;

        before = s;
        s = next;
    }
    bin.re = z[0] * s - before;
    bin.im = z[1] * s;
    return bin;
}

/* measure the error of all bins */
/* Writes the relative error of each way to get the roots, and the bound of
   those by table, for n random real samples. *edge is the share of Goertzel's
   squared error that is in the bins within n / 16 of 0, n / 2 and n. */
static inline void errors(int n, uint64_t seed, double error[ROOTS],
                          double *bound, double *edge)
{
    int half = n > 1 ? n / 2 : 1;
    float *x = (float *)check_alloc((size_t)n, sizeof *x);
    struct cplx *exact = cplx_alloc((size_t)n), *X = cplx_alloc((size_t)n);
    double all = 0;

    rng_fill_float(x, (size_t)n, seed);
    for (int j = 0; j < n; j++)
        exact[j].re = x[j] = 2 * x[j] - 1;
    dft(n, -1, exact, X);
    *bound = *edge = 0;
    for (int how = 0; how < ROOTS; how++)
        error[how] = 0;
    for (int k = 0; k < n; k++) {
        struct cplx size = dft_sizes(n, k, exact), got;
        double off;

        for (int how = 0; how < ROOTS; how++) {
            got = how == BY_GOERTZEL ? goertzel_bin(n, k, x)
                                     : float_bin((enum roots)how, n, k, x);
            off = pow(got.re - X[k].re, 2) + pow(got.im - X[k].im, 2);
            error[how] += off;
            if (how == BY_GOERTZEL && (k + n / 16) % half <= n / 8)
                *edge += off;
        }
        *bound += pow(dft_bound(n, size.re), 2) + pow(dft_bound(n, size.im), 2);
        all += X[k].re * X[k].re + X[k].im * X[k].im;
    }
    *edge /= error[BY_GOERTZEL] > 0 ? error[BY_GOERTZEL] : 1;
    for (int how = 0; how < ROOTS; how++)
        error[how] = sqrt(error[how] / all);
    *bound = sqrt(*bound / all);
    free(x), free(exact), free(X);
}

#endif
