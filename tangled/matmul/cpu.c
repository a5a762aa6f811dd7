/* cpu: the CPU's products against whole numbers. */
#include <stdio.h>

#include "matmul/loops.h"
#include "matmul/reference.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* fill a matrix with whole numbers */
struct whole {
    int rows, cols, ld;
    float *x;
};

/* rows x cols as stored, with gaps of NaN between rows. */
static struct whole whole_make(int rows, int cols, uint64_t *seed)
{
    int ld = cols + (int)rng_below(seed, 4);
    struct whole m = {rows, cols, ld, NULL};

    m.x = (float *)check_alloc((size_t)rows * ld, sizeof *m.x);
    poison(m.x, (size_t)rows * ld * sizeof *m.x);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m.x[(size_t)i * ld + j] = rng_small(seed);
    return m;
}

static int element(char t, const struct whole *m, int i, int j)
{
    return (int)m->x[t == 'N' ? (size_t)i * m->ld + j : (size_t)j * m->ld + i];
}

/* compare with whole numbers */
static void compare_whole(char ta, char tb, int k, int alpha, int beta,
                          const struct whole *a, const struct whole *b,
                          const struct whole *old, const float *got)
{
    for (int i = 0; i < old->rows; i++)
        for (int j = 0; j < old->ld; j++) {
            float value = got[(size_t)i * old->ld + j];
            int sum = 0;

            CHECK(j < old->cols || isnan(value), "row %d: wrote into the gap",
                  i);
            if (j >= old->cols)
                continue;
            for (int p = 0; p < k; p++)
                sum += element(ta, a, i, p) * element(tb, b, p, j);
            sum = alpha * sum + (beta ? beta * element('N', old, i, j) : 0);
            CHECK(value == (float)sum, "element (%d, %d) is %g, not %d", i, j,
                  value, sum);
        }
}

/* draw a product and compute it both ways */
static void try_both(int m, int n, int k, uint64_t *seed)
{
    char ta = "NT"[rng_below(seed, 2)], tb = "NT"[rng_below(seed, 2)];
    int alpha = (int)rng_below(seed, 4) - 1, beta = (int)rng_below(seed, 3);
    struct whole a = whole_make(ta == 'N' ? m : k, ta == 'N' ? k : m, seed);
    struct whole b = whole_make(tb == 'N' ? k : n, tb == 'N' ? n : k, seed);
    struct whole c = whole_make(m, n, seed);
    size_t bytes = (size_t)m * c.ld * sizeof *c.x;
    float *got = (float *)check_alloc(bytes, 1);
    void (*multiply)(char ta, char tb, int m, int n, int k, float alpha,
                     const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc);

    for (int blocked = 0; blocked < 2; blocked++) {
        memcpy(got, c.x, bytes);
        for (int i = 0; i < m && beta == 0; i++)
            poison(&got[(size_t)i * c.ld], n * sizeof *got);
        multiply = blocked ? matmul_blocked : matmul_reference;
        multiply(ta, tb, m, n, k, (float)alpha, a.x, a.ld, b.x, b.ld,
                 (float)beta, got, c.ld);
        compare_whole(ta, tb, k, alpha, beta, &a, &b, &c, got);
    }
    free(a.x);
    free(b.x);
    free(c.x);
    free(got);
}

/* compare the loops */
static void try_loops(int n, uint64_t *seed)
{
    static void (*const orders[])(int n, const float *a, const float *b,
                                  float *c) = {loops_ijk, loops_ikj, loops_jki};
    float a[400], b[400], got[400], want[400];

    rng_fill_small(a, 400, rng_u64(seed));
    rng_fill_small(b, 400, rng_u64(seed));
    matmul_reference('N', 'N', n, n, n, 1, a, n, b, n, 0, want, n);
    for (int o = 0; o < 3; o++) {
        memset(got, 0, sizeof got);
        orders[o](n, a, b, got);
        CHECK_ARRAY(got, want, (size_t)n * n);
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("tries", 300, 1, 1000000)};
    uint64_t seed =
        args_parse(argc, argv, "products on the CPU", args, ARG_COUNT(args));
    int tries = (int)args[0].value;

    for (int t = 0; t < tries; t++)
        try_both((int)rng_below(&seed, 70), (int)rng_below(&seed, 70),
                 (int)rng_below(&seed, 70), &seed);
    try_both(70, 150, 260, &seed);
    for (int n = 0; n < 20; n++)
        try_loops(n, &seed);
    printf("ok: %d products by definition and in blocks\n", tries + 1);
    return 0;
}
