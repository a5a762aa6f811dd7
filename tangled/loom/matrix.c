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

double loom_element(int element, unsigned bits)
{
    float f;

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
    case LOOM_BF16:
        bits <<= 16;
        break;
    default:
        bits &= 0xffffe000; /* tf32: the hardware looks at no more */
    }
    memcpy(&f, &bits, 4);
    return f;
}

/* multiply matrices */
struct mma {
    struct loom_meeting call;
    int element;
    void *d;
    const void *a, *b, *c;
};

/* A row of A or a column of B of n registers, of which lane t + 4 k holds... each
   register of a lane has `per` neighbors along K. */
static void gather(double *k, struct loom_meeting **lane, int first, int is_b,
                   int high, int element)
{
    int per = element == LOOM_TF32 ? 1 : element <= LOOM_BF16 ? 2 : 4;

    for (int half = 0; half < 2; half++)
        for (int t = 0; t < 4; t++) {
            const struct mma *m = (const struct mma *)lane[first * 4 + t];
            const unsigned *r = is_b ? m->b : m->a;
            unsigned word = is_b ? r[half] : r[2 * half + high];

            for (int i = 0; i < per; i++)
                *k++ = loom_element(element, word >> (i * (32 / per)));
        }
}

static void multiply(struct loom_meeting **lane)
{
    int element = ((struct mma *)lane[0])->element;
    int n = element == LOOM_TF32 ? 8 : element <= LOOM_BF16 ? 16 : 32;
    double a[16][32], b[8][32];

    for (int i = 0; i < 16; i++)
        gather(a[i], lane, i % 8, 0, i / 8, element);
    for (int j = 0; j < 8; j++)
        gather(b[j], lane, j, 1, 0, element);
    for (int l = 0; l < 32; l++) {
        struct mma *m = (struct mma *)lane[l];

        for (int r = 0; r < 4; r++) {
            const double *x = a[l / 4 + r / 2 * 8], *y = b[l % 4 * 2 + r % 2];
            double sum = element >= LOOM_S8 ? ((const int *)m->c)[r]
                                            : ((const float *)m->c)[r];

            for (int k = 0; k < n; k++)
                sum += x[k] * y[k];
            if (element >= LOOM_S8)
                ((int *)m->d)[r] = (int)(unsigned)(long long)sum;
            else
                ((float *)m->d)[r] = (float)sum;
        }
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
    struct mma m = {{element == LOOM_F64 ? multiply_doubles : multiply},
                    element,
                    d,
                    a,
                    b,
                    c};
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

/* Where lane l's part of matrix m lies: byte `k` of it. */
static unsigned char *place(struct loom_meeting **lane, int m, int l, int k)
{
    int line = l / 4, column = l % 4 * 2 + k / 2;
    int r = ((struct rows *)lane[0])->trans ? column : line;
    int c = ((struct rows *)lane[0])->trans ? line : column;

    return ((struct rows *)lane[m * 8 + r])->row + c * 2 + k % 2;
}

static void load_rows(struct loom_meeting **lane)
{
    for (int l = 0; l < 32; l++) {
        struct rows *own = (struct rows *)lane[l];

        for (int m = 0; m < own->n; m++)
            for (int k = 0; k < 4; k++)
                ((unsigned char *)&own->d[m])[k] = *place(lane, m, l, k);
    }
}

static void store_rows(struct loom_meeting **lane)
{
    for (int l = 0; l < 32; l++) {
        struct rows *own = (struct rows *)lane[l];

        for (int m = 0; m < own->n; m++)
            for (int k = 0; k < 4; k++)
                *place(lane, m, l, k) = ((unsigned char *)&own->d[m])[k];
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
