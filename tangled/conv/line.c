/* line: the three modes of convolution on a line, by hand and checked. */
#include <stdio.h>

#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* slide a filter along a line */
/* y[o] = the sum over j < taps of w[j] x[o + j - left], for o < count, or with
   the filter read backwards; x has n elements and is 0 outside. */
static void line_slide(int n, const double *x, int taps, const double *w,
                       int backwards, int left, int count, double *y)
{
    for (int o = 0; o < count; o++) {
        y[o] = 0;
        for (int j = 0; j < taps; j++)
            if (o + j - left >= 0 && o + j - left < n)
                y[o] += w[backwards ? taps - 1 - j : j] * x[o + j - left];
    }
}

/* name the three modes */
enum line_mode { LINE_FULL, LINE_VALID, LINE_SAME };

/* Elements of the result. valid needs taps <= n. */
static int line_size(int n, int taps, enum line_mode mode)
{
    return mode == LINE_FULL    ? n + taps - 1
           : mode == LINE_VALID ? n - taps + 1
                                : n;
}

/* Zeros in front of x for a filter that is not flipped. With an even number of
   taps, same has one zero more behind than in front. */
static int line_left(int taps, enum line_mode mode)
{
    return mode == LINE_FULL    ? taps - 1
           : mode == LINE_VALID ? 0
                                : (taps - 1) / 2;
}

/* convolve on a line */
static void line_correlate(int n, const double *x, int taps, const double *w,
                           enum line_mode mode, double *y)
{
    line_slide(n, x, taps, w, 0, line_left(taps, mode),
               line_size(n, taps, mode), y);
}

static void line_convolve(int n, const double *x, int taps, const double *w,
                          enum line_mode mode, double *y)
{
    int left = mode == LINE_SAME ? taps / 2 : line_left(taps, mode);

    line_slide(n, x, taps, w, 1, left, line_size(n, taps, mode), y);
}

/* show the three modes */
static void print(const char *what, int n, const double *y)
{
    printf("%-22s", what);
    for (int i = 0; i < n; i++)
        printf(" %3g", y[i]);
    printf("\n");
}

static void show_modes(void)
{
    const double x[] = {1, 3, 2, 5, 4}, w[] = {1, 2, -1};
    static const char *names[] = {
        "correlation, full:", "correlation, valid:", "correlation, same:",
        "convolution, full:", "convolution, valid:", "convolution, same:"};
    double y[7];

    for (int i = 0; i < 6; i++) {
        enum line_mode mode = (enum line_mode)(i % 3);

        if (i < 3)
            line_correlate(5, x, 3, w, mode, y);
        else
            line_convolve(5, x, 3, w, mode, y);
        print(names[i], line_size(5, 3, mode), y);
    }
}

/* multiply two polynomials */
/* (1 + 2 z + 3 z^2) (4 + 5 z) = 4 + 13 z + 22 z^2 + 15 z^3 */
static void show_product(void)
{
    const double a[] = {1, 2, 3}, b[] = {4, 5}, want[] = {4, 13, 22, 15};
    double y[4];

    line_convolve(3, a, 2, b, LINE_FULL, y);
    print("product:", 4, y);
    for (int i = 0; i < 4; i++)
        CHECK(y[i] == want[i], "coefficient %d is %g, not %g", i, y[i],
              want[i]);
}

/* check the algebra of convolution */
/* x and w change places in a full convolution; the other modes are parts of it;
   a value of the product of two polynomials is the product of their values
   (at 2, from the last coefficient to the first). */
static void check_algebra(int n, int taps, uint64_t *seed)
{
    double x[12], w[9], full[20], other[20], part[20];
    double at_x = 0, at_w = 0, at_full = 0;
    int size = line_size(n, taps, LINE_FULL);

    for (int i = 0; i < n; i++)
        x[i] = rng_small(seed), at_x = 2 * at_x + x[i];
    for (int i = 0; i < taps; i++)
        w[i] = rng_small(seed), at_w = 2 * at_w + w[i];
    line_convolve(n, x, taps, w, LINE_FULL, full);
    line_convolve(taps, w, n, x, LINE_FULL, other);
    for (int i = 0; i < size; i++) {
        CHECK(full[i] == other[i], "x * w and w * x differ at %d", i);
        at_full = 2 * at_full + full[i];
    }
    CHECK(at_full == at_x * at_w, "%g is not %g times %g", at_full, at_x, at_w);
    /* check that valid and same are parts of full */
    line_convolve(n, x, taps, w, LINE_SAME, part);
    for (int i = 0; i < n; i++)
        CHECK(part[i] == full[i + (taps - 1) / 2], "same: %d", i);
    if (taps <= n)
        line_convolve(n, x, taps, w, LINE_VALID, part);
    for (int i = 0; i < line_size(n, taps, LINE_VALID); i++)
        CHECK(part[i] == full[i + taps - 1], "valid: %d", i);
}

int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "convolution on a line", NULL, 0);

    show_modes();
    show_product();
    for (int n = 1; n <= 12; n++)
        for (int taps = 1; taps <= 9; taps++)
            check_algebra(n, taps, &seed);
    printf("ok: 108 pairs of lengths\n");
    return 0;
}
