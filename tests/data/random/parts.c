/* parts.c: chapter 12's p-values beside closed forms, the sides of its squares, its shuffles
   and its drawn numbers: a seed gives the same for ever. */
#include <stdio.h>
#include <string.h>

#include "random/draw.h"
#include "random/init.h"
#include "random/pvalue.h"
#include "random/shuffle.h"
#include "tour/rng.h"

/* A kernel of the benchmark, one thread after the other; tests/random.t takes it from there. */
#define __global__ static
typedef struct { unsigned x, y, z, w; } uint4;
#define make_uint4(...) (uint4){__VA_ARGS__}
static struct { unsigned x; } threadIdx, blockIdx, blockDim, gridDim;
#include "parts.h"

/* The blocks of four words that a grid has filled with another number of them. */
static int filled(unsigned grid, unsigned block, size_t blocks)
{
    uint4 out[32] = {{0}};
    int n = 0;

    gridDim.x = grid, blockDim.x = block;
    for (blockIdx.x = 0; blockIdx.x < grid; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < block; threadIdx.x++)
            fill_constant(blocks, out);
    for (int i = 0; i < 32; i++)
        n += out[i].x == 1 && out[i].y == 2 && out[i].z == 3 && out[i].w == 4 ? 1 : out[i].x ? 100 : 0;
    return n;
}

static int bad;

static void near(double got, double want, double a, double x)
{
    if (!(fabs(got - want) <= 1e-12 * want + 1e-300) && bad++ < 9)
        printf("Q(%g, %g) is %.17g, not %.17g\n", a, x, got, want);
}

/* Every drawn number to its last bit, of words that are spread and of those at an edge. */
static uint64_t told;

static void tell(float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof bits);
    told = rng_mix(told + bits);
}

static void drawn(void)
{
    static uint32_t word[100000];
    const char *names[] = {"float", "curand", "signed", "log", "circle", "normals", "below"};

    for (uint32_t i = 0; i < 100000; i++)
        word[i] = i < 256 ? (i % 8 << 29) + i / 8 - 16 : i < 512 ? 1u << i % 32 : (uint32_t)rng_at(3, i);
    for (int how = 0; how < 7; how++) {
        told = 0;
        for (int i = 0; i < 100000; i++) {
            struct draw_pair p = how == 4   ? draw_circle(word[i])
                                 : how == 5 ? draw_normals(word[i], word[99999 - i])
                                            : (struct draw_pair){0, 0};

            tell(how == 0   ? draw_float(word[i])
                 : how == 1 ? draw_curand(word[i])
                 : how == 2 ? draw_signed(word[i])
                 : how == 3 ? draw_log((float)(word[i] | 1) / 4294967296.f)
                            : p.x);
            tell(how == 6 ? (float)(draw_below(7, how, i, 1 + word[i] / 2) >> 8) : p.y);
        }
        printf("%s %016llx; ", names[how], (unsigned long long)told);
    }
    printf("\n");
}

int main(void)
{
    static const double x[] = {1e-9, 0.01, 0.4, 0.5, 0.999, 1.4, 1.5, 1.51, 2, 2.99, 3, 3.01, 5, 7, 20, 60, 300};
    static const uint32_t n[] = {0, 1, 2, 4, 5, 16, 17, 36, 37, 1000, 60000, 1u << 30, (1u << 30) + 1,
                                 1u << 31, UINT32_MAX};
    static const double count[] = {3, 0, 5, 4}, want[] = {3, 1, 4, 4};
    static int order[1001];

    for (int i = 0; i < 17; i++) {
        double v = x[i], sum = 1, term = 1;

        near(pvalue_gamma(0.5, v), erfc(sqrt(v)), 0.5, v);
        near(pvalue_gamma(1.5, v), erfc(sqrt(v)) + 2 * sqrt(v / 3.14159265358979323846) * exp(-v), 1.5, v);
        near(pvalue_gamma(1, v), exp(-v), 1, v);
        near(pvalue_gamma(2, v), (1 + v) * exp(-v), 2, v);
        for (int k = 1; k < 50; k++)
            sum += term *= v / k;
        near(pvalue_gamma(50, v), sum * exp(-v), 50, v);
    }
    near(pvalue_gamma(3, 0), 1, 3, 0);
    near(pvalue_gamma(3, -1), 1, 3, -1);
    near(pvalue_counts(count, want, 4), erfc(sqrt(0.625)) + 2 * sqrt(0.625 / 3.14159265358979323846) * exp(-0.625), 0, 4);
    near(pvalue_counts(count, want, 3), exp(-0.625), 0, 3);
    near(pvalue_counts(count, want, 2), erfc(sqrt(0.5)), 0, 2);
    near(pvalue_counts(count, want, 1), 0.5, 0, 1);
    near(pvalue_even(count, 3, 8), pvalue_gamma(1, (1 + 64 + 49) / 9. / (8 / 3.) / 2), 0, 3);
    printf("%d p-values are wrong\n", bad);
    for (int i = 0; i < 15; i++)
        printf("%u ", shuffle_side(n[i]));
    printf("\n");
    for (int k = 0; k < 6; k++) {
        static const int size[] = {1, 2, 10, 17, 100, 1000};
        uint64_t sum = 0;
        int differ = 0;

        order[size[k]] = -5;
        shuffle_order(size[k], 7 + k, 3 * k, order);
        for (int i = 0; i < size[k]; i++) {
            sum = rng_mix(sum + order[i]);
            differ += order[i] != (int)shuffle_at(i, size[k], 7 + k, 3 * k);
        }
        printf("%d: %016llx, %d differ, %d; ", size[k], (unsigned long long)sum, differ, order[size[k]]);
    }
    printf("\n");
    for (int fan = 1; fan < 2000; fan = 3 * fan + 1)
        printf("%.7g ", init_kaiming_bound(fan));
    printf("\n");
    drawn();
    for (unsigned grid = 1; grid < 6; grid++)
        printf("%d %d; ", filled(grid, 6, 32), filled(grid, 4, 9));
    printf("blocks are filled\n");
    return 0;
}
