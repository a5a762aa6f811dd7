/* check_shuffle: permutations, and all of them as often as any other. */
#include <stdio.h>
#include <string.h>

#include "random/pvalue.h"
#include "random/shuffle.h"
#include "tour/args.h"

/* check that a shuffle is a permutation */
static void check_permutation(int n, uint64_t seed)
{
    int *order = (int *)check_alloc((size_t)n, sizeof *order);
    char *seen = (char *)check_alloc((size_t)n, 1);

    shuffle_order(n, seed, (uint64_t)n, order);
    for (int i = 0; i < n; i++) {
        CHECK(order[i] >= 0 && order[i] < n && !seen[order[i]],
              "n = %d: %d goes to %d, which is outside or taken", n, i,
              order[i]);
        CHECK(order[i] ==
                  (int)shuffle_at((uint32_t)i, (uint32_t)n, seed, (uint64_t)n),
              "n = %d: %d goes elsewhere by itself", n, i);
        seen[order[i]] = 1;
    }
    free(order);
    free(seen);
}

/* number a permutation */
static int number_of(const int *order, int n)
{
    int number = 0;

    for (int i = 0; i < n; i++) {
        int smaller = 0;

        for (int j = i + 1; j < n; j++)
            smaller += order[j] < order[i];
        number = number * (n - i) + smaller;
    }
    return number;
}

/* count all orders of a few */
static void count_orders(int n, int shuffles, uint64_t seed)
{
    double count[720] = {0}, p;
    int order[6], orders = 1;

    for (int i = 2; i <= n; i++)
        orders *= i;
    for (int s = 0; s < shuffles; s++) {
        shuffle_order(n, seed, (uint64_t)s, order);
        count[number_of(order, n)]++;
    }
    p = pvalue_even(count, orders, shuffles);
    printf("all %d orders of %d: p = %.3f\n", orders, n, p);
    CHECK(p > 1e-6 && p < 1 - 1e-6, "orders of %d are uneven: p = %g", n, p);
}

/* follow all orders of four */
static void follow_four(void)
{
    uint64_t count[24] = {0}, next[24], cases = 1;
    int order[24][4];

    for (int code = 0; code < 256; code++) {
        int o[4] = {code >> 6, code >> 4 & 3, code >> 2 & 3, code & 3};

        if ((1 << o[0] | 1 << o[1] | 1 << o[2] | 1 << o[3]) == 15)
            memcpy(order[number_of(o, 4)], o, sizeof o);
    }
    count[0] = 1; /* nothing has moved */
    for (int k = 1; k <= SHUFFLE_ROUNDS; k++) {
        double most = 0;

        memset(next, 0, sizeof next);
        for (int i = 0; i < 24 * 4; i++) { /* an order and two coins */
            int to[4];

            for (int j = 0; j < 4; j++) {
                int l = order[i / 4][j] / 2, r = order[i / 4][j] % 2;

                to[j] = 2 * r + (l ^ (i >> r & 1));
            }
            next[number_of(to, 4)] += count[i / 4];
        }
        memcpy(count, next, sizeof count);
        cases *= 4;
        for (int i = 0; i < 24; i++)
            most = fmax(most, fabs(24 * (double)count[i] / (double)cases - 1));
        if (k == 4 || k == SHUFFLE_ROUNDS)
            printf("four, after %d rounds: off by 1/%g\n", k, 1 / most);
        CHECK(k % 2 || most == ldexp(1, 2 - k), "%d rounds: %g", k, most);
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 129, 1, 1 << 24)};
    uint64_t seed =
        args_parse(argc, argv, "random permutations", args, ARG_COUNT(args));

    for (int n = 0; n <= args[0].value; n = n < 200 ? n + 1 : 2 * n)
        check_permutation(n, seed);
    for (int n = 2; n <= 6; n++)
        count_orders(n, 30000, seed);
    follow_four();
    return 0;
}
