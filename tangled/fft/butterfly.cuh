/* butterfly.cuh: transforms of 1 to 16 points in a thread's registers. */
#ifndef FFT_BUTTERFLY_CUH
#define FFT_BUTTERFLY_CUH

#include <cuda_runtime.h>

/* let the compiler compute roots */
/* The roots e^(-2 pi i r / R), computed by the compiler. */
template <int R>
struct unit_roots {
    float re[R], im[R];
};

/* x - x^3/3! + ... (odd = 1) or 1 - x^2/2! + ... (odd = 0), |x| < 1. */
__host__ __device__ constexpr double taylor(double x, int odd)
{
    double term = odd ? x : 1, sum = term;

    for (int k = odd ? 2 : 1; k < 30; k += 2) {
        term *= -x * x / (k * (k + 1));
        sum += term;
    }
    return sum;
}

template <int R>
__host__ __device__ constexpr struct unit_roots<R> make_unit_roots() {
    struct unit_roots<R> w = {
    };

    for (int r = 0; r < R; r++) { /* measured from the nearest quarter turn */
        int quarter = (8 * r + R) / (2 * R);
        double angle = 6.283185307179586 * (4 * r - quarter * R) / (4.0 * R);
        double c = taylor(angle, 0), s = taylor(angle, 1);
        const double turned[] = {c, s, -c, -s};

        w.re[r] = (float)turned[(4 - quarter) % 4];
        w.im[r] = -(float)turned[(5 - quarter) % 4];
    }
    return w;
}

/* calculate with complex floats */
static __device__ inline float2
add(float2 a, float2 b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}

static __device__ inline float2 sub(float2 a, float2 b)
{
    return make_float2(a.x - b.x, a.y - b.y);
}

static __device__ inline float2 mul(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* turn by a constant */
/* x e^(-2 pi i r / R); r is known when this is compiled. */
template <int R>
static __device__ inline float2 turn_by(float2 x, int r)
{
    constexpr struct unit_roots<R> w = make_unit_roots<R>();
    const float half = 0.70710678f;

    r %= R;
    if (r == 0)
        return x;
    if (4 * r == R)
        return make_float2(x.y, -x.x);
    if (2 * r == R)
        return make_float2(-x.x, -x.y);
    if (8 * r == R)
        return make_float2(half * (x.x + x.y), half * (x.y - x.x));
    if (8 * r == 3 * R)
        return make_float2(half * (x.y - x.x), -half * (x.x + x.y));
    return mul(x, make_float2(w.re[r], w.im[r]));
}

/* transform an odd prime of points */
/* P an odd prime: x[j] and x[P - j] meet roots that are mirror images. */
template <int P>
static __device__ inline void butterfly_prime(float2 *x)
{
    constexpr struct unit_roots<P> w = make_unit_roots<P>();
    float2 sum[P / 2 + 1], difference[P / 2 + 1], first = x[0];

#pragma unroll
    for (int j = 1; j <= P / 2; j++) {
        sum[j] = add(x[j], x[P - j]);
        difference[j] = sub(x[j], x[P - j]);
        x[0] = add(x[0], sum[j]);
    }
#pragma unroll
    for (int k = 1; k <= P / 2; k++) {
        float2 c = first, s = {0, 0};

#pragma unroll
        for (int j = 1; j <= P / 2; j++) {
            c.x += w.re[j * k % P] * sum[j].x;
            c.y += w.re[j * k % P] * sum[j].y;
            s.x += w.im[j * k % P] * difference[j].x;
            s.y += w.im[j * k % P] * difference[j].y;
        }
        x[k] = make_float2(c.x - s.y, c.y + s.x);
        x[P - k] = make_float2(c.x + s.y, c.y - s.x);
    }
}

/* transform a few points in registers */
/* x[0..R) := its transform, in order. R: 1 to 16 and no prime above 13. */
template <int R>
static __device__ inline void butterfly(float2 *x)
{
    constexpr int A = R % 4 == 0 ? 4 : R % 2 == 0 ? 2 : R % 3 == 0 ? 3 : R;
    constexpr int B = R / A;

    if constexpr (R == 2) {
        float2 a = x[0];

        x[0] = add(a, x[1]);
        x[1] = sub(a, x[1]);
    } else if constexpr (R == 4) {
        /* transform four points */
        float2 a = add(x[0], x[2]), b = add(x[1], x[3]);
        float2 c = sub(x[0], x[2]), d = turn_by<4>(sub(x[1], x[3]), 1);

        x[0] = add(a, b);
        x[1] = add(c, d);
        x[2] = sub(a, b);
        x[3] = sub(c, d);
    } else if constexpr (B > 1) {
        float2 row[B], col[B][A];

/* transform rows and columns of points */
#pragma unroll
        for (int b = 0; b < B; b++) {
#pragma unroll
            for (int a = 0; a < A; a++)
                col[b][a] = x[a * B + b];
            butterfly<A>(col[b]);
        }
#pragma unroll
        for (int k = 0; k < A; k++) {
#pragma unroll
            for (int b = 0; b < B; b++)
                row[b] = turn_by<R>(col[b][k], b * k);
            butterfly<B>(row);
#pragma unroll
            for (int b = 0; b < B; b++)
                x[k + A * b] = row[b];
        }
    } else if constexpr (R > 1) {
        butterfly_prime<R>(x);
    }
}

#endif
