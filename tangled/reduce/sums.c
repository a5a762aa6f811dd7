/* sums: the same numbers added up in ten orders, each against its bound. */
#include <stdio.h>

#include "reduce/orders.h"
#include "reduce/reference.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1 << 20, 1, 1 << 28)};
    uint64_t seed =
        args_parse(argc, argv, "sums in ten orders", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *x = (float *)check_alloc(n, sizeof *x), *sorted;
    double exact;

    rng_fill_float(x, n, seed);
    sorted = sorted_copy(n, x);
    exact = sum_exact(n, x);
    printf("%zu floats, exact sum %.9g\n", n, exact);
    for (int k = 0; k < ORDERS; k++) {
        /* show one order */
        double sum = order_sum(k, n, x, sorted), off = fabs(sum - exact);
        double bound = order_bound(k, n, exact);

        printf("%-9s %12.3f, off by %8.2e, bound %8.2e\n", order_names[k], sum,
               off / exact, bound / exact);
        CHECK(off <= bound, "%s is off by %g", order_names[k], off);
    }
    free(x);
    free(sorted);
    return 0;
}
