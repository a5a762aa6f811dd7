/* reference.c: the layers of a network, forward and backward, in plain C. */
#include "layers/reference.h"

#include <math.h>
#include <string.h>

#include "matmul/reference.h"
#include "tour/check.h"

/* compute the layers */
void linear_forward(int batch, int in, int out, const real *x, const real *w,
                    const real *bias, real *y)
{
    for (size_t i = 0; i < (size_t)batch; i++)
        for (int j = 0; j < out; j++)
            y[i * (size_t)out + (size_t)j] = bias[j];
    matmul_reference('N', 'T', batch, out, in, 1, x, in, w, in, 1, y, out);
}
void linear_backward(int batch, int in, int out, const real *x, const real *w,
                     const real *dy, real *dx, real *dw, real *dbias)
{
    if (dx)
        matmul_reference('N', 'N', batch, in, out, 1, dy, out, w, in, 0, dx,
                         in);
    matmul_reference('T', 'N', out, in, batch, 1, dy, out, x, in, 0, dw, in);
    for (int j = 0; j < out; j++) {
        double sum = 0;

        for (size_t i = 0; i < (size_t)batch; i++)
            sum += dy[i * (size_t)out + (size_t)j];
        dbias[j] = (real)sum;
    }
}
void relu_forward(size_t n, const real *x, real *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] <= 0 ? 0 : x[i];
}

void relu_backward(size_t n, const real *y, const real *dy, real *dx)
{
    for (size_t i = 0; i < n; i++)
        dx[i] = y[i] <= 0 ? 0 : dy[i];
}
void sgd_step(size_t n, real rate, const real *dw, real *w)
{
    for (size_t i = 0; i < n; i++)
        w[i] -= rate * dw[i];
}
/* The first number of plane k of image i. */
static size_t plane(int i, int c, int k, int hw)
{
    return ((size_t)i * (size_t)c + (size_t)k) * (size_t)hw;
}

void batchnorm_moments(int n, int c, int hw, const real *x, real *mean,
                       real *var)
{
    double count = (double)n * hw;

    CHECK(c == 0 || count > 0, "the mean of %d planes of %d numbers", n, hw);
    for (int k = 0; k < c; k++) {
        double sum = 0, square = 0;

        for (int i = 0; i < n; i++)
            for (int p = 0; p < hw; p++)
                sum += x[plane(i, c, k, hw) + (size_t)p];
        for (int i = 0; i < n; i++)
            for (int p = 0; p < hw; p++) {
                double d = x[plane(i, c, k, hw) + (size_t)p] - sum / count;

                square += d * d;
            }
        mean[k] = (real)(sum / count);
        var[k] = (real)(square / count);
    }
}
void batchnorm_apply(int n, int c, int hw, real eps, const real *x,
                     const real *mean, const real *var, const real *scale,
                     const real *shift, real *y)
{
    for (int k = 0; k < c; k++) {
        real factor = (real)(scale[k] / sqrt(var[k] + eps));

        for (int i = 0; i < n; i++)
            for (int p = 0; p < hw; p++) {
                size_t at = plane(i, c, k, hw) + (size_t)p;

                y[at] = (x[at] - mean[k]) * factor + shift[k];
            }
    }
}
/* The sums of dy and of dy times the normalized x, over channel k. */
static void batchnorm_sums(int n, int c, int hw, int k, double mean,
                           double rstd, const real *x, const real *dy,
                           double sum[2])
{
    sum[0] = sum[1] = 0;
    for (int i = 0; i < n; i++)
        for (int p = 0; p < hw; p++) {
            size_t at = plane(i, c, k, hw) + (size_t)p;

            sum[0] += dy[at];
            sum[1] += dy[at] * ((x[at] - mean) * rstd);
        }
}
void batchnorm_backward(int n, int c, int hw, real eps, const real *x,
                        const real *mean, const real *var, const real *scale,
                        const real *dy, real *dx, real *dscale, real *dshift)
{
    double count = (double)n * hw;

    for (int k = 0; k < c; k++) {
        double rstd = 1 / sqrt((double)var[k] + eps), sum[2];

        batchnorm_sums(n, c, hw, k, mean[k], rstd, x, dy, sum);
        dshift[k] = (real)sum[0];
        dscale[k] = (real)sum[1];
        for (int i = 0; i < n; i++)
            for (int p = 0; p < hw; p++) {
                size_t at = plane(i, c, k, hw) + (size_t)p;
                double norm = (x[at] - mean[k]) * rstd;

                dx[at] = (real)(scale[k] * rstd *
                                (dy[at] - (sum[0] + norm * sum[1]) / count));
            }
    }
}
/* The largest of 2 x 2 at `at`, rows w apart, and its place in *best. */
static real largest(const real *at, size_t w, unsigned char *best)
{
    real most = at[0];

    *best = 0;
    for (unsigned char k = 1; k < 4; k++) {
        real v = at[k / 2 * w + k % 2];

        if (v > most || v != v) {
            most = v;
            *best = k;
        }
    }
    return most;
}

void maxpool_forward(int planes, int h, int w, const real *x, real *y,
                     unsigned char *which)
{
    size_t wide = (size_t)w;

    for (size_t p = 0; p < (size_t)planes; p++, x += (size_t)h * wide)
        for (size_t i = 0; i < (size_t)(h / 2); i++)
            for (size_t j = 0; j < wide / 2; j++)
                *y++ = largest(x + 2 * i * wide + 2 * j, wide, which++);
}
void maxpool_backward(int planes, int h, int w, const real *dy,
                      const unsigned char *which, real *dx)
{
    size_t plane = (size_t)h * (size_t)w, wide = (size_t)w;

    memset(dx, 0, (size_t)planes * plane * sizeof *dx);
    for (size_t p = 0; p < (size_t)planes; p++, dx += plane)
        for (size_t i = 0; i < (size_t)(h / 2); i++)
            for (size_t j = 0; j < wide / 2; j++, dy++, which++)
                dx[(2 * i + *which / 2) * wide + 2 * j + *which % 2] = *dy;
}
void log_softmax_forward(int rows, int cols, const real *x, real *y)
{
    for (int r = 0; r < rows; r++, x += cols, y += cols) {
        double most = -INFINITY, sum = 0, log_sum;

        for (int j = 0; j < cols; j++)
            most = x[j] > most || x[j] != x[j] ? x[j] : most;
        for (int j = 0; j < cols; j++)
            sum += exp(x[j] - most);
        log_sum = log(sum);
        for (int j = 0; j < cols; j++)
            y[j] = (real)(x[j] - most - log_sum);
    }
}

void log_softmax_backward(int rows, int cols, const real *y, const real *dy,
                          real *dx)
{
    for (int r = 0; r < rows; r++, y += cols, dy += cols, dx += cols) {
        double sum = 0;

        for (int j = 0; j < cols; j++)
            sum += dy[j];
        for (int j = 0; j < cols; j++)
            dx[j] = (real)(dy[j] - exp(y[j]) * sum);
    }
}

/* check the labels */
static void check_labels(int batch, int classes, const int *label)
{
    for (int i = 0; i < batch; i++)
        CHECK(label[i] >= 0 && label[i] < classes,
              "label %d is %d; the classes are 0 to %d", i, label[i],
              classes - 1);
}

double xent_forward(int batch, int classes, const real *x, const int *label,
                    real *logp)
{
    double sum = 0;

    CHECK(batch >= 1, "the mean loss of %d samples", batch);
    check_labels(batch, classes, label);
    log_softmax_forward(batch, classes, x, logp);
    for (size_t i = 0; i < (size_t)batch; i++)
        sum -= logp[i * (size_t)classes + (size_t)label[i]];
    return sum / batch;
}

void xent_backward(int batch, int classes, const real *logp, const int *label,
                   real *dx)
{
    check_labels(batch, classes, label);
    for (int i = 0; i < batch; i++)
        for (int j = 0; j < classes; j++, logp++, dx++)
            *dx = (real)((exp(*logp) - (j == label[i])) / batch);
}
