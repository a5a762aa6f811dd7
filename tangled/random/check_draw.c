/* check_draw: the ends, the ranges and the normal numbers of draw.h. */
#include <math.h>
#include <stdio.h>

#include "random/init.h"
#include "random/pvalue.h"
#include "tour/args.h"

/* check the ends */
static void check_ends(void)
{
    CHECK(draw_float(0) == 0 && draw_float(~0u) == 1 - 0x1p-24f, "[0, 1)");
    CHECK(draw_signed(0) == -1 + 0x1p-24f, "from above -1");
    CHECK(draw_signed(~0u) == 1 - 0x1p-24f, "to below 1");
    CHECK(draw_signed(0x7fffffff) == -0x1p-24f, "never 0");
    CHECK(draw_curand(0) == 0x1p-33f && draw_curand(~0u) == 1, "(0, 1]");
    CHECK((float)~0u * 0x1p-32f == 1, "all 32 bits reach 1");
    for (uint32_t w = 0; w < 1 << 24; w += 4099)
        CHECK(draw_signed(w << 8) == -draw_signed(~(w << 8)), "symmetry");
}

/* check the ranges */
static void check_range(int draws, uint64_t seed, uint32_t n, uint32_t cells)
{
    double count[2][100] = {{0}}, p[2];

    for (int i = 0; i < draws; i++) {
        uint32_t x = draw_below(seed, 1, (uint32_t)i, n);

        CHECK(x < n, "%u is not below %u", x, n);
        count[0][(uint64_t)x * cells / n]++;
        count[1][x % cells]++;
    }
    for (int k = 0; k < 2; k++) {
        p[k] = pvalue_even(count[k], (int)cells, draws);
        CHECK(p[k] > 1e-6 && p[k] < 1 - 1e-6, "below %u by %s: p = %g", n,
              k ? "remainder" : "size", p[k]);
    }
    printf("below %u: p = %.3f, %.3f\n", n, p[0], p[1]);
}

static void check_ranges(int draws, uint64_t seed)
{
    check_range(draws, seed, 1, 1);
    check_range(draws, seed, 6, 6);
    check_range(draws, seed, 1000, 100);
    check_range(draws, seed, 3u << 30, 3);
}

/* check normals against double */
static void check_normals(int n, uint64_t seed)
{
    double worst = 0;

    for (int i = -2; i < n; i++) {
        uint32_t w0 = i < 0 ? 0u - (uint32_t)(i + 2) : philox_word(seed, 0, i);
        uint32_t w1 = philox_word(seed, 1, (uint64_t)(i + 2));
        struct draw_pair p = draw_normals(w0, w1);
        double u = (double)(float)w0 * 0x1p-32 + 0x1p-33;
        double r = sqrt(-2 * log((float)u)), v = (w1 + 0.5) * 0x1p-31 * M_PI;
        double error = fmax(fabs(p.x - r * cos(v)), fabs(p.y - r * sin(v)));

        worst = fmax(worst, error / fmax(r, 1e-30));
        CHECK(error <= 4e-7 * r,
              "words %08x, %08x: (%.9g, %.9g), not (%.9g, "
              "%.9g)",
              w0, w1, p.x, p.y, r * cos(v), r * sin(v));
    }
    printf("normals: off by at most %.1f units of 2^-24 of their radius\n",
           worst * 0x1p24);
}

/* check the tails */
static void check_tails(int n, uint64_t seed)
{
    double count[50] = {0}, p, beyond = 0, sum = 0, want, deviation;

    for (int i = 0; i < n; i++) {
        float x = init_normal_at(seed, 2, (uint64_t)i, 1);

        count[(int)(25 * erfc(-x / sqrt(2)) * (1 - 1e-12))]++;
        beyond += fabsf(x) > 3;
        sum += x;
    }
    p = pvalue_even(count, 50, n);
    want = n * erfc(3 / sqrt(2));
    deviation = sqrt(want);
    CHECK(p > 1e-6 && p < 1 - 1e-6, "the bell in 50 cells: p = %g", p);
    CHECK(fabs(sum) < 5 * sqrt(n), "the mean is %g", sum / n);
    CHECK(fabs(beyond - want) < 5 * deviation, "%g beyond 3, not %g", beyond,
          want);
    printf("tails: %.0f of %d beyond 3, expected %.0f, give or take %.0f\n",
           beyond, n, want, deviation);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 200000, 1000, 100000000)};
    uint64_t seed =
        args_parse(argc, argv, "numbers from words", args, ARG_COUNT(args));
    int n = (int)args[0].value;

    check_ends();
    check_ranges(n, seed);
    check_normals(n, seed);
    check_tails(n, seed);
    return 0;
}
