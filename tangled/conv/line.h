/* line.h: convolution in one dimension. C11 and C++17. */
#ifndef CONV_LINE_H
#define CONV_LINE_H

/* slide a filter along a line */
/* y[o] = the sum over j < taps of w[j] x[o + j - left], for o < count, or with
   the filter read backwards; x has n elements and is 0 outside. */
static inline void line_slide(int n, const double *x, int taps, const double *w,
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
static inline int line_size(int n, int taps, enum line_mode mode)
{
    return mode == LINE_FULL    ? n + taps - 1
           : mode == LINE_VALID ? n - taps + 1
                                : n;
}

/* Zeros in front of x for a filter that is not flipped. With an even number of
   taps, same has one zero more behind than in front. */
static inline int line_left(int taps, enum line_mode mode)
{
    return mode == LINE_FULL    ? taps - 1
           : mode == LINE_VALID ? 0
                                : (taps - 1) / 2;
}

/* convolve on a line */
static inline void line_correlate(int n, const double *x, int taps,
                                  const double *w, enum line_mode mode,
                                  double *y)
{
    line_slide(n, x, taps, w, 0, line_left(taps, mode),
               line_size(n, taps, mode), y);
}

static inline void line_convolve(int n, const double *x, int taps,
                                 const double *w, enum line_mode mode,
                                 double *y)
{
    int left = mode == LINE_SAME ? taps / 2 : line_left(taps, mode);

    line_slide(n, x, taps, w, 1, left, line_size(n, taps, mode), y);
}

#endif
