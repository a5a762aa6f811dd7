/* quality: six tests of ten generators. */
#include <stdio.h>

#include "random/draw.h"
#include "random/pvalue.h"
#include "tour/args.h"
#include "tour/rng.h"

/* list the generators */
static uint64_t state; /* is the seed when i is 0 */
static int rounds;     /* of Philox */

static uint32_t philox_rounds(uint64_t seed, uint64_t i)
{
    struct philox c = {{(uint32_t)i, (uint32_t)(i >> 32), 0, 0}};
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);

    for (int r = 0; r < rounds; r++) {
        c = philox_round(c, k0, k1);
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c.w[0];
}

/* step the generators with a state */
static uint32_t lcg(uint64_t seed, uint64_t i)
{
    (void)seed, (void)i;
    return (uint32_t)(state = (uint32_t)(1664525 * state + 1013904223));
}
static uint32_t randu(uint64_t seed, uint64_t i)
{
    state = i ? 65539 * state % 2147483648u : (2 * seed + 1) % 2147483648u;
    return (uint32_t)(state << 1);
}
static uint32_t xorshift(uint64_t seed, uint64_t i)
{
    uint32_t x = (uint32_t)(i ? state : seed + 1);

    x ^= x << 13;
    x ^= x >> 17;
    return (uint32_t)(state = x ^ x << 5);
}
static uint32_t splitmix(uint64_t seed, uint64_t i)
{
    return (uint32_t)(rng_at(seed, i) >> 32);
}
static uint32_t threads(uint64_t seed, uint64_t i)
{
    state = seed + i + 1;
    return xorshift(state - 1, 0);
}
static uint32_t golden(uint64_t seed, uint64_t i)
{
    return (uint32_t)(seed + i) * 0x9e3779b9u;
}

/* name the generators */
static const struct generator {
    const char *name;
    uint32_t (*word)(uint64_t seed, uint64_t i);
    int rounds; /* of Philox */
    int good;   /* should pass all tests */
} generators[] = {
    {"philox", philox_rounds, 10, 1},
    {"philox, 7", philox_rounds, 7, 1},
    {"philox, 3", philox_rounds, 3, 0},
    {"philox, 2", philox_rounds, 2, 0},
    {"splitmix64", splitmix, 0, 1},
    {"xorshift", xorshift, 0, 1},
    {"xorshift, threads", threads, 0, 0},
    {"lcg", lcg, 0, 0},
    {"randu", randu, 0, 0},
    {"golden", golden, 0, 0},
};

/* count words by some of their bits */
static double cells(const uint32_t *w, int n, int words, int bits, int shift)
{
    int size = 1 << words * bits;
    double *count = (double *)check_alloc((size_t)size, sizeof *count), p;

    for (int i = 0; i + words <= n; i += words) {
        uint32_t cell = 0;

        for (int k = 0; k < words; k++)
            cell = cell << bits | (w[i + k] >> shift & ((1u << bits) - 1));
        count[cell]++;
    }
    p = pvalue_even(count, size, n / words);
    free(count);
    return p;
}

/* count runs */
static double runs(const uint32_t *w, int n)
{
    double count[6] = {0}, want[6], total = 0, share = 1;

    for (int i = 0, length = 1; i + 1 < n; i++) {
        if (w[i + 1] > w[i]) {
            length++;
            continue;
        }
        count[length < 6 ? length - 1 : 5]++;
        total++;
        length = 1;
        i++; /* skip the word that ended the run */
    }
    for (int r = 1; r <= 6; r++) { /* share = 1 / r! */
        share /= r;
        want[r - 1] = total * (r < 6 ? share - share / (r + 1) : share);
    }
    return pvalue_counts(count, want, 6);
}

/* correlate neighbors */
static double serial(const uint32_t *w, int n)
{
    double sum = 0;

    for (int i = 0; i + 1 < n; i++)
        sum += (draw_float(w[i]) - 0.5) * (draw_float(w[i + 1]) - 0.5);
    return erfc(sum / sqrt((n - 1) / 144.0) / sqrt(2)) / 2;
}

/* judge a generator */
enum { TESTS = 6 };

static void judge(const struct generator *g, int n, uint64_t seed, uint32_t *w,
                  double *p)
{
    state = seed;
    rounds = g->rounds;
    for (int i = 0; i < n; i++)
        w[i] = g->word(seed, (uint64_t)i);
    p[0] = cells(w, n, 1, 8, 24);
    p[1] = cells(w, n, 1, 8, 0);
    p[2] = cells(w, n, 2, 4, 28);
    p[3] = cells(w, n, 3, 4, 28);
    p[4] = runs(w, n);
    p[5] = serial(w, n);
}

/* judge all generators */
static void all_generators(int n, uint64_t seed)
{
    uint32_t *w = (uint32_t *)check_alloc((size_t)n, sizeof *w);

    printf("%-18s %8s %8s %8s %8s %8s %8s\n", "p-values", "high", "low",
           "pairs", "triples", "runs", "serial");
    for (int g = 0; g < (int)ARG_COUNT(generators); g++) {
        double p[TESTS];
        int good = 1;

        judge(&generators[g], n, seed, w, p);
        printf("%-18s", generators[g].name);
        for (int t = 0; t < TESTS; t++) {
            int bad = p[t] < 1e-6 || p[t] > 1 - 1e-6;

            if (bad)
                printf(" %8s", p[t] < 0.5 ? "0 !" : "1 !");
            else
                printf(" %8.3f", p[t]);
            good &= !bad;
        }
        puts(good ? "" : "  fails");
        CHECK(good == generators[g].good, "%s: that was not expected",
              generators[g].name);
    }
    free(w);
}

/* test many seeds */
/* The p-values of many seeds, each test's in ten cells. */
static void many_seeds(int n, int seeds, uint64_t seed)
{
    uint32_t *w = (uint32_t *)check_alloc((size_t)n, sizeof *w);
    double count[TESTS][10] = {{0}};

    for (int s = 0; s < seeds; s++) {
        double p[TESTS];

        judge(&generators[0], n, seed + (uint64_t)s, w, p);
        for (int t = 0; t < TESTS; t++)
            count[t][p[t] < 1 ? (int)(10 * p[t]) : 9]++;
    }
    printf("p-values of %d p-values:", seeds);
    for (int t = 0; t < TESTS; t++) {
        double p = pvalue_even(count[t], 10, seeds);

        printf(" %.3f", p);
        CHECK(p > 1e-6 && p < 1 - 1e-6, "test %d: p-values are uneven", t);
    }
    puts("");
    free(w);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("words", 1 << 20, 1 << 16, 1 << 28),
                         ARG_NUMBER("--seeds", 0, 0, 100000)};
    uint64_t seed = args_parse(argc, argv, "six tests of generators", args,
                               ARG_COUNT(args));

    if (args[1].value > 0)
        many_seeds((int)args[0].value, (int)args[1].value, seed);
    else
        all_generators((int)args[0].value, seed);
    return 0;
}
