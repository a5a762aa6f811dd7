/* mirror.h: the fast step in double, with every number that it keeps in bf16
   rounded to bf16, too. C++17; for tests: slow. */
#ifndef RACE_MIRROR_H
#define RACE_MIRROR_H

#include <math.h>
#include <string.h>
#include <vector>

#include "mnist/step.h"

/* round to the nearest bf16 */
/* round to the nearest bf16, ties to even */
static inline double half_of(double x)
{
    float v = (float)x;
    uint32_t b;

    memcpy(&b, &v, 4);
    b = (b + 0x7fff + (b >> 16 & 1)) & 0xffff0000u;
    memcpy(&v, &b, 4);
    return v;
}

typedef std::vector<double> doubles;

/* hold the mirror */
struct mirror {
    struct model m;
    doubles w, g, moments; /* of m: all, the learned ones, the measured ones */
    double loss;
};

struct mirror_norm {
    double mean, r, a, shift;
};

/* a and shift from moments; scale: the block's scale, behind them its bias. */
static inline struct mirror_norm mirror_norm_of(double mean, double var,
                                                const double *scale, int k,
                                                int channels)
{
    double r = 1 / sqrt(var + 1e-5);

    return {mean, r, scale[k] * r, scale[channels + k] - mean * scale[k] * r};
}

/* pool in the mirror */
/* y[cells][out] and the winners of z[pixels][out]; side: of z, a picture. */
static inline void mirror_pool(int n, int side, int out, const doubles &z,
                               const mirror_norm *f, doubles *y,
                               std::vector<int> *who)
{
    int half = side / 2;

    y->assign((size_t)n * half * half * out, 0);
    who->assign(y->size(), -1);
    for (size_t e = 0; e < y->size(); e++) {
        int c = (int)(e % out), cell = (int)(e / out);
        int i = cell / (half * half), h = cell / half % half, v = cell % half;
        double best = 0;

        for (int j = 0; j < 4; j++) {
            int p = (i * side + 2 * h + j / 2) * side + 2 * v + j % 2;
            double b = f[c].a * z[(size_t)p * out + c] + f[c].shift;

            if (b > best) {
                best = b;
                (*who)[e] = p;
            }
        }
        (*y)[e] = half_of(best);
    }
}

/* take a step in the mirror */
/* One step on n pictures [n][784] with their labels. */
static inline void mirror_step(struct mirror *s, const unsigned char *images,
                               const unsigned char *labels, int n, double rate)
{
    const struct tensor *T = s->m.tensor;
    int a = s->m.c1, b = s->m.c2, hid = s->m.hidden;
    size_t p1n = (size_t)n * 784, p2n = (size_t)n * 196, cells = (size_t)n * 49;
    double *w = s->w.data(), *g = s->g.data();
    doubles w1(T[CONV1_W].count), w2(T[CONV2_W].count), wf(T[FC1_W].count);
    doubles z1(p1n * a), p1, z2(p2n * b), p2, h((size_t)n * hid), dh(h.size());
    doubles dp2(cells * b), dz2(p2n * b), dp1(p2n * a), dw(9 * (size_t)a);
    std::vector<int> who1, who2;
    std::vector<mirror_norm> f1(a), f2(b);
    const double *fc2 = w + T[FC2_W].at;
    auto x = [&](int i, int y, int v) {
        return y < 0 || y > 27 || v < 0 || v > 27
                   ? 0.0
                   : images[(size_t)i * 784 + y * 28 + v] / 255.0;
    };

    std::fill(s->g.begin(), s->g.end(), 0);
    for (size_t e = 0; e < w1.size(); e++)
        w1[e] = half_of(w[T[CONV1_W].at + e]);
    for (size_t e = 0; e < w2.size(); e++)
        w2[e] = half_of(w[T[CONV2_W].at + e]);
    for (size_t e = 0; e < wf.size(); e++)
        wf[e] = half_of(w[T[FC1_W].at + e]);
    /* mirror block 1 */
    /* block 1 */
    for (size_t p = 0; p < p1n; p++)
        for (int t = 0; t < 9; t++) {
            double v = x((int)(p / 784), (int)(p / 28 % 28) + t / 3 - 1,
                         (int)(p % 28) + t % 3 - 1);

            for (int c = 0; v != 0 && c < a; c++)
                z1[p * a + c] += w1[c * 9 + t] * v;
        }
    for (int c = 0; c < a; c++) {
        double mean = 0, var = 0;

        for (size_t p = 0; p < p1n; p++)
            mean += z1[p * a + c] / p1n;
        for (size_t p = 0; p < p1n; p++)
            var += (z1[p * a + c] - mean) * (z1[p * a + c] - mean) / p1n;
        s->moments[c] = mean;
        s->moments[a + c] = var;
        f1[c] = mirror_norm_of(mean, var, w + T[BN1_W].at, c, a);
    }
    mirror_pool(n, 28, a, z1, f1.data(), &p1, &who1);
    /* mirror block 2 */
    /* block 2: tap t of pixel p is pixel q, unless it is outside */
    auto each_tap = [&](auto what) {
        for (int p = 0; p < n * 196; p++)
            for (int t = 0; t < 9; t++) {
                int y = p / 14 % 14 + t / 3 - 1, v = p % 14 + t % 3 - 1;

                if (y >= 0 && y < 14 && v >= 0 && v < 14)
                    what((size_t)p, t, (size_t)(p / 196 * 196 + y * 14 + v));
            }
    };
    each_tap([&](size_t p, int t, size_t q) {
        for (int c = 0; c < b; c++) {
            double sum = 0;

            for (int k = 0; k < a; k++)
                sum += w2[(c * a + k) * 9 + t] * p1[q * a + k];
            z2[p * b + c] += sum;
        }
    });
    for (double &v : z2)
        v = half_of(v);
    for (int c = 0; c < b; c++) {
        double mean = 0, var = 0;

        for (size_t p = 0; p < p2n; p++)
            mean += z2[p * b + c] / p2n;
        for (size_t p = 0; p < p2n; p++)
            var += (z2[p * b + c] - mean) * (z2[p * b + c] - mean) / p2n;
        s->moments[2 * a + c] = mean;
        s->moments[2 * a + b + c] = var;
        f2[c] = mirror_norm_of(mean, var, w + T[BN2_W].at, c, b);
    }
    mirror_pool(n, 14, b, z2, f2.data(), &p2, &who2);
    /* mirror the head */
    /* the head, there and back */
    s->loss = 0;
    for (int i = 0; i < n; i++) {
        double o[10], d[10], most = -1e300, sum = 0;

        for (int k = 0; k < hid; k++) {
            double v = w[T[FC1_B].at + k];

            for (int e = 0; e < 49 * b; e++)
                v += wf[(size_t)k * 49 * b + e % b * 49 + e / b] *
                     p2[(size_t)i * 49 * b + e];
            h[(size_t)i * hid + k] = v > 0 ? v : 0;
        }
        for (int k = 0; k < 10; k++) {
            o[k] = w[T[FC2_B].at + k];
            for (int e = 0; e < hid; e++)
                o[k] += fc2[k * hid + e] * h[(size_t)i * hid + e];
            most = fmax(most, o[k]);
        }
        for (int k = 0; k < 10; k++)
            sum += exp(o[k] - most);
        s->loss += (log(sum) - (o[labels[i]] - most)) / n;
        for (int k = 0; k < 10; k++) {
            d[k] = (exp(o[k] - most) / sum - (k == labels[i])) / n;
            g[T[FC2_B].at + k] += d[k];
            for (int e = 0; e < hid; e++) {
                g[T[FC2_W].at + k * hid + e] += d[k] * h[(size_t)i * hid + e];
                if (h[(size_t)i * hid + e] > 0)
                    dh[(size_t)i * hid + e] += d[k] * fc2[k * hid + e];
            }
        }
        for (int e = 0; e < hid; e++) {
            g[T[FC1_B].at + e] += dh[(size_t)i * hid + e];
            dh[(size_t)i * hid + e] = half_of(dh[(size_t)i * hid + e]);
        }
        for (int k = 0; k < hid; k++)
            for (int e = 0; e < 49 * b; e++) {
                size_t at = (size_t)k * 49 * b + e % b * 49 + e / b;
                double v = dh[(size_t)i * hid + k];

                g[T[FC1_W].at + at] += v * p2[(size_t)i * 49 * b + e];
                dp2[(size_t)i * 49 * b + e] += v * wf[at];
            }
    }
    /* mirror the way back through block 2 */
    /* back through block 2 */
    doubles s1(b, 0), s2(b, 0);
    for (size_t e = 0; e < dp2.size(); e++) {
        int c = (int)(e % b);

        dp2[e] = who2[e] < 0 ? 0 : half_of(dp2[e]);
        if (who2[e] >= 0) {
            s1[c] += dp2[e];
            s2[c] +=
                dp2[e] * (z2[(size_t)who2[e] * b + c] - f2[c].mean) * f2[c].r;
        }
    }
    for (int c = 0; c < b; c++) {
        g[T[BN2_W].at + c] = s2[c];
        g[T[BN2_B].at + c] = s1[c];
    }
    for (size_t e = 0; e < dz2.size(); e++) {
        int c = (int)(e % b);

        dz2[e] =
            -f2[c].a * (s1[c] + (z2[e] - f2[c].mean) * f2[c].r * s2[c]) / p2n;
    }
    for (size_t e = 0; e < dp2.size(); e++)
        if (who2[e] >= 0)
            dz2[(size_t)who2[e] * b + e % b] += f2[e % b].a * dp2[e];
    for (double &v : dz2)
        v = half_of(v);
    each_tap([&](size_t p, int t, size_t q) {
        for (int c = 0; c < b; c++) {
            double d = dz2[p * b + c];

            for (int k = 0; k < a; k++) {
                g[T[CONV2_W].at + (c * a + k) * 9 + t] += d * p1[q * a + k];
                dp1[q * a + k] += d * w2[(c * a + k) * 9 + t];
            }
        }
    });
    /* mirror the way back through block 1 */
    /* back through block 1 */
    for (int c = 0; c < a; c++) {
        double dy = 0, dyz = 0;

        for (size_t e = c; e < dp1.size(); e += a)
            if (who1[e] >= 0) {
                dp1[e] = half_of(dp1[e]);
                dy += dp1[e];
                dyz += dp1[e] * (z1[(size_t)who1[e] * a + c] - f1[c].mean) *
                       f1[c].r;
            }
        g[T[BN1_W].at + c] = dyz;
        g[T[BN1_B].at + c] = dy;
        for (size_t p = 0; p < p1n; p++)
            z1[p * a + c] =
                -f1[c].a * (dy + (z1[p * a + c] - f1[c].mean) * f1[c].r * dyz) /
                p1n;
        for (size_t e = c; e < dp1.size(); e += a)
            if (who1[e] >= 0)
                z1[(size_t)who1[e] * a + c] += f1[c].a * dp1[e];
    }
    for (size_t p = 0; p < p1n; p++)
        for (int t = 0; t < 9; t++) {
            double v = x((int)(p / 784), (int)(p / 28 % 28) + t / 3 - 1,
                         (int)(p % 28) + t % 3 - 1);

            for (int c = 0; v != 0 && c < a; c++)
                g[T[CONV1_W].at + c * 9 + t] += z1[p * a + c] * v;
        }
    for (size_t e = 0; e < s->m.count; e++)
        w[e] -= rate * g[e];
}

#endif
