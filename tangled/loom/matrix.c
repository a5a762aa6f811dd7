/* matrix.c: what a warp does with small matrices. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "loom/matrix.h"
#include "loom/warp.h"

/* read small numbers */
void loom_together(struct loom_meeting *call, const char *file, int line)
{
    loom_meet(LOOM_TOGETHER, ~0u, (uint64_t)(uintptr_t)call, 0, file, line);
}

unsigned loom_tf32(float x)
{
    unsigned u;

    memcpy(&u, &x, 4);
    if ((u & 0x7f800000) != 0x7f800000)
        u += 0x1000; /* half of the last bit: ties away from zero */
    return u & 0xffffe000;
}

/* A float with so many bits of exponent and fraction. Only e5m2 has infinities;
   in e4m3 all ones are the one that is no number. */
static double small_float(unsigned bits, int exponent, int fraction)
{
    int e = (int)(bits >> fraction & ((1u << exponent) - 1));
    int f = (int)(bits & ((1u << fraction) - 1));
    int bias = (1 << (exponent - 1)) - 1, top = (1 << exponent) - 1;
    double v = e ? ldexp((1 << fraction) + f, e - bias - fraction)
                 : ldexp(f, 1 - bias - fraction);

    if (exponent == 4 && e == top && f == 7)
        v = NAN;
    if (exponent != 4 && e == top)
        v = f ? NAN : INFINITY;
    return bits >> (exponent + fraction) & 1 ? -v : v;
}

/* read an element */
double loom_small(int element, unsigned bits)
{
    switch (element) {
    case LOOM_F16:
        return small_float(bits & 0xffff, 5, 10);
    case LOOM_E4M3:
        return small_float(bits & 0xff, 4, 3);
    case LOOM_E5M2:
        return small_float(bits & 0xff, 5, 2);
    case LOOM_S8:
        return (signed char)(bits & 0xff);
    case LOOM_U8:
        return bits & 0xff;
    case LOOM_S4:
        return (int)((bits & 15) ^ 8) - 8;
    default:
        return bits & 15;
    }
}

/* write small numbers */
unsigned loom_narrow(int element, double x, int finite)
{
    int exponent = element == LOOM_BF16 ? 8 : element == LOOM_E4M3 ? 4 : 5;
    int fraction = element == LOOM_BF16   ? 7
                   : element == LOOM_F16  ? 10
                   : element == LOOM_E4M3 ? 3
                                          : 2;
    int bias = (1 << (exponent - 1)) - 1, e = 1 - bias;
    unsigned top = ((1u << exponent) - 1) << fraction, bits, limit = top - 1;
    unsigned sign = signbit(x) ? 1u << (exponent + fraction) : 0;

    if (element == LOOM_E4M3)
        limit = top + 6; /* it has no infinity */
    if (isnan(x))
        return fraction > 3 ? 0x7fff : 0x7f;
    if (isinf(x))
        return sign | (finite ? limit : element == LOOM_E4M3 ? 0x7f : top);
    if (x != 0 && ilogb(x) > e)
        e = ilogb(x);
    if (e > bias + 1)
        bits = limit + 1;
    else
        bits = (unsigned)((e + bias - 1) << fraction) +
               (unsigned)fabs(nearbyint(ldexp(x, fraction - e)));
    return sign | (finite && bits > limit ? limit : bits);
}

/* multiply matrices */
struct mma {
    struct loom_meeting call;
    struct loom_shape shape;
    void *d;
    const void *a, *b, *c;
};

static int bits_of(int element)
{
    return element == LOOM_TF32                       ? 32
           : element <= LOOM_BF16                     ? 16
           : element == LOOM_S4 || element == LOOM_U4 ? 4
                                                      : 8;
}

/* A row of A or a column of B of k elements: a register of a lane has neighbors
   along K, the next lane those that follow, and a second register (of A behind
   that of row + 8) the second half. */
static void gather(double *to, int step, struct loom_meeting **lane, int first,
                   int is_b, int high)
{
    const struct loom_shape *s = &((struct mma *)lane[0])->shape;
    int element = is_b ? s->b : s->a, bits = bits_of(element);

    for (int half = 0; half * 128 < s->k * bits; half++)
        for (int t = 0; t < 4; t++) {
            const struct mma *m = (const struct mma *)lane[first * 4 + t];
            const unsigned *r = is_b ? m->b : m->a;
            unsigned word = r[is_b || s->m == 8 ? half : 2 * half + high];

            if (element == LOOM_BF16) { /* both at once */
                to[0] = loom_element(LOOM_BF16, word);
                to[step] = loom_element(LOOM_BF16, word >> 16);
                to += 2 * step;
                continue;
            }
            for (int i = 0; i < 32; i += bits, to += step)
                *to = loom_element(element, word >> i);
        }
}

/* add up a product */
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

void loom_add_products(double *sum, const double *x, const double *y, int n)
{
    const two *row = (const two *)y;
    two *to = (two *)sum, a = to[0], b = to[1], c = to[2], d = to[3];

    for (int k = 0; k < n; k++, row += 4) {
        a += x[k] * row[0];
        b += x[k] * row[1];
        c += x[k] * row[2];
        d += x[k] * row[3];
    }
    to[0] = a, to[1] = b, to[2] = c, to[3] = d;
}

/* Sum number r of a lane, before and after. */
static double sum_of(const struct mma *m, int r)
{
    if (m->shape.narrow)
        return loom_small(LOOM_F16, ((const uint16_t *)m->c)[r]);
    if (m->shape.a >= LOOM_S8)
        return ((const int *)m->c)[r];
    return ((const float *)m->c)[r];
}

static void write_sum(struct mma *m, int r, double sum)
{
    const struct loom_shape *s = &m->shape;
    int whole = s->a >= LOOM_S8, at = 16 * (r % 2);
    unsigned *word = (unsigned *)m->d + r / 2;

    if (s->bounded)
        sum = fmax(-0x1p31, fmin(sum, 0x1p31 - 1));
    if (s->narrow)
        *word = (*word & 0xffffu << (16 - at)) | loom_narrow(LOOM_F16, sum, 0)
                                                     << at;
    else if (whole)
        ((int *)m->d)[r] = (int)(unsigned)(long long)sum;
    else
        ((float *)m->d)[r] = (float)sum;
}

/* multiply row by row */
static void multiply(struct loom_meeting **lane)
{
    const struct loom_shape *s = &((struct mma *)lane[0])->shape;
    double a[16][64], b[64][8], sum[8];

    for (int i = 0; i < s->m; i++)
        gather(a[i], 1, lane, i % 8, 0, i / 8);
    for (int j = 0; j < 8; j++)
        gather(b[0] + j, 8, lane, j, 1, 0);
    for (int i = 0; i < s->m; i++) {
        struct mma **own = (struct mma **)lane + i % 8 * 4;

        for (int j = 0; j < 8; j++)
            sum[j] = sum_of(own[j / 2], i / 8 * 2 + j % 2);
        loom_add_products(sum, a[i], b[0], s->k);
        for (int j = 0; j < 8; j++)
            write_sum(own[j / 2], i / 8 * 2 + j % 2, sum[j]);
    }
}

/* multiply doubles */
static void multiply_doubles(struct loom_meeting **lane)
{
    for (int l = 0; l < 32; l++) {
        struct mma *m = (struct mma *)lane[l];

        for (int j = 0; j < 2; j++) {
            double sum = ((const double *)m->c)[j];

            for (int k = 0; k < 4; k++) {
                const struct mma *x = (struct mma *)lane[l / 4 * 4 + k];
                const struct mma *y =
                    (struct mma *)lane[(l % 4 * 2 + j) * 4 + k];

                sum = fma(*(const double *)x->a, *(const double *)y->b, sum);
            }
            ((double *)m->d)[j] = sum;
        }
    }
}

void loom_mma(int element, void *d, const void *a, const void *b, const void *c,
              const char *file, int line)
{
    struct loom_shape s = {16, 0, element, element, 0, 0};

    if (element != LOOM_F64)
        s.k = 256 / bits_of(element);
    loom_mma_of(s, d, a, b, c, file, line);
}

void loom_mma_of(struct loom_shape shape, void *d, const void *a, const void *b,
                 const void *c, const char *file, int line)
{
    struct mma m = {
        {shape.a == LOOM_F64 ? multiply_doubles : multiply}, shape, d, a, b, c};
    double copy[2];

    memcpy(copy, c, sizeof copy); /* d may be the same */
    m.c = copy;
    loom_together(&m.call, file, line);
}

/* deal out rows */
struct rows {
    struct loom_meeting call;
    unsigned char *row; /* 16 bytes of a lane */
    unsigned *d;
    int n, trans;
};

/* Where lane l's part of matrix m lies: element `k` of it. */
static unsigned char *place(struct loom_meeting **lane, int m, int l, int k)
{
    int line = l / 4, column = l % 4 * 2 + k;
    int r = ((struct rows *)lane[0])->trans ? column : line;
    int c = ((struct rows *)lane[0])->trans ? line : column;

    return ((struct rows *)lane[m * 8 + r])->row + c * 2;
}

static void load_rows(struct loom_meeting **lane)
{
    for (int l = 0; l < 32; l++) {
        struct rows *own = (struct rows *)lane[l];

        for (int m = 0; m < own->n; m++)
            for (int k = 0; k < 2; k++)
                memcpy((uint16_t *)&own->d[m] + k, place(lane, m, l, k), 2);
    }
}

static void store_rows(struct loom_meeting **lane)
{
    for (int l = 0; l < 32; l++) {
        struct rows *own = (struct rows *)lane[l];

        for (int m = 0; m < own->n; m++)
            for (int k = 0; k < 2; k++)
                memcpy(place(lane, m, l, k), (uint16_t *)&own->d[m] + k, 2);
    }
}

void loom_ldmatrix(unsigned *d, int n, int trans, const void *row,
                   const char *file, int line)
{
    struct rows r = {{load_rows}, (unsigned char *)row, d, n, trans};

    loom_together(&r.call, file, line);
}

void loom_stmatrix(void *row, int n, int trans, const unsigned *d,
                   const char *file, int line)
{
    struct rows r = {{store_rows}, row, (unsigned *)d, n, trans};

    loom_together(&r.call, file, line);
}
