/* convolve: what goes wrong when a convolution is computed by transforms, and
   how it is right. */
#include <stdio.h>
#include <string.h>

#include "fft/fft.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* convolve by transforms */
/* y[0..length) := the circular convolution of x[0..n) and w[0..taps), both
   filled up with zeros, in `length` points; not divided by that. */
static void multiply_spectra(int length, int n, const double *x, int taps,
                             const double *w, struct cplx *Y)
{
    struct cplx *a = fft_room(length), *A = fft_room(length);
    struct cplx *b = fft_room(length), *B = fft_room(length);

    for (int i = 0; i < n; i++)
        a[i].re = x[i];
    for (int j = 0; j < taps; j++)
        b[j].re = w[j];
    fft_any(length, -1, a, A);
    fft_any(length, -1, b, B);
    for (int k = 0; k < length; k++)
        Y[k] = cplx_mul(A[k], B[k]);
    free(a), free(A), free(b), free(B);
}

static void convolve(int length, int n, const double *x, int taps,
                     const double *w, double scale, double *y)
{
    struct cplx *Y = fft_room(length), *z = fft_room(length);

    multiply_spectra(length, n, x, taps, w, Y);
    fft_any(length, 1, Y, z);
    for (int i = 0; i < length; i++)
        y[i] = scale * z[i].re;
    free(Y), free(z);
}

/* go back from half the bins */
/* As convolve, but back from the bins that a transform of real numbers keeps,
   to `back` points, as a library does. */
static void convolve_real(int length, int back, int n, const double *x,
                          int taps, const double *w, double *y)
{
    struct cplx *Y = fft_room(length), *H = fft_room(back);
    struct cplx *z = fft_room(back);

    multiply_spectra(length, n, x, taps, w, Y);
    for (int k = 0; k <= back / 2; k++) {
        H[k] = Y[k];
        H[(back - k) % back].re = Y[k].re;
        H[(back - k) % back].im = k > 0 ? -Y[k].im : 0;
    }
    fft_any(back, 1, H, z);
    for (int i = 0; i < back; i++)
        y[i] = z[i].re / back;
    free(Y), free(H), free(z);
}

/* convolve by the definition */
/* y[i] = the sum over j of w[j] x[i - j]: n + taps - 1 numbers. */
static void convolve_direct(int n, const double *x, int taps, const double *w,
                            double *y)
{
    for (int i = 0; i < n + taps - 1; i++)
        y[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < taps; j++)
            y[i + j] += w[j] * x[i];
}

/* y[i] = the sum over j of w[j] x[i + j]: n - taps + 1 numbers. */
static void correlate_direct(int n, const double *x, int taps, const double *w,
                             double *y)
{
    for (int i = 0; i + taps <= n; i++) {
        y[i] = 0;
        for (int j = 0; j < taps; j++)
            y[i] += w[j] * x[i + j];
    }
}

/* show a way */
static int show(const char *what, int n, const double *got, const double *want)
{
    int wrong = 0;

    printf("%s:", what);
    for (int i = 0; i < n; i++) {
        wrong += fabs(got[i] - want[i]) > 1e-9 * (1 + fabs(want[i]));
        printf(" %g", round(got[i] * 1e6) / 1e6 + 0);
    }
    printf("\n");
    return wrong;
}

static void show_way(const char *way)
{
    static const double x[] = {1, 2, 3, 4, 5}, w[] = {1, 10, 100};
    static const double turned[] = {100, 10, 1};
    double want[7], y[7] = {0};
    int wrong, first = 0, count = 7;

    convolve_direct(5, x, 3, w, want);
    if (!strcmp(way, "wrap")) {
        convolve(5, 5, x, 3, w, 1 / 5.0, y);
        count = 5;
    } else if (!strcmp(way, "scale")) {
        convolve(7, 5, x, 3, w, 1, y);
    } else if (!strcmp(way, "odd")) {
        convolve_real(7, 6, 5, x, 3, w, y);
    } else if (!strcmp(way, "flip") || !strcmp(way, "turned")) {
        correlate_direct(5, x, 3, w, want);
        convolve(7, 5, x, 3, *way == 'f' ? w : turned, 1 / 7.0, y);
        first = 2;
        count = 3;
    } else if (!strcmp(way, "right")) {
        convolve(7, 5, x, 3, w, 1 / 7.0, y);
    } else {
        args_refuse("convolve",
                    "there is no way '%s'; there are wrap, scale, "
                    "odd, flip, turned and right",
                    way);
    }
    show("want", count, want, want);
    wrong = show("got ", count, y + first, want);
    printf("%d of %d numbers are wrong\n", wrong, count);
}

/* try random convolutions */
static void try_random(int n, int taps, uint64_t seed)
{
    double x[200], w[200], turned[200], y[400], want[400];
    int all = n + taps - 1;

    for (int i = 0; i < n; i++)
        x[i] = rng_float(&seed);
    for (int j = 0; j < taps; j++)
        w[j] = turned[taps - 1 - j] = rng_float(&seed);
    convolve_direct(n, x, taps, w, want);
    convolve(all, n, x, taps, w, 1.0 / all, y);
    for (int i = 0; i < all; i++)
        CHECK_NEAR(y[i], want[i], 1e-12 * all, "some roundings of a double");
    convolve_real(all, all, n, x, taps, w, y);
    for (int i = 0; i < all; i++)
        CHECK_NEAR(y[i], want[i], 1e-12 * all, "some roundings of a double");
    correlate_direct(n, x, taps, w, want);
    convolve(all, n, x, taps, turned, 1.0 / all, y);
    for (int i = 0; i + taps <= n; i++)
        CHECK_NEAR(y[i + taps - 1], want[i], 1e-12 * all,
                   "some roundings of a double");
    /* where nothing wraps, n points are enough */
    convolve(n, n, x, taps < n ? taps : n, turned, 1.0 / n, y);
    for (int i = 0; i + taps <= n; i++)
        CHECK_NEAR(y[i + taps - 1], want[i], 1e-12 * all,
                   "some roundings of a double");
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--way", "right"), ARG_FLAG("--random")};
    uint64_t seed = args_parse(argc, argv, "convolution by transforms", args,
                               ARG_COUNT(args));

    if (args[1].value == 0) {
        show_way(args[0].text);
        return 0;
    }
    for (int i = 0; i < 200; i++)
        try_random(1 + i % 97, 1 + i % 13, seed + i);
    printf("ok: 200 convolutions and correlations\n");
    return 0;
}
