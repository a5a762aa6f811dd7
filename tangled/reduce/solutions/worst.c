/* worst: eight numbers whose tree loses three times u. */
#include <stdio.h>

#include "reduce/bound.h"
#include "tour/args.h"
#include "tour/check.h"

int main(int argc, char **argv)
{
    const float u = BOUND_FLOAT;
    float x[8] = {1, u, u / 2, u / 2, u / 4, u / 4, u / 4, u / 4}, sum;
    double exact = 0, bound;

    args_parse(argc, argv, "a tree at its bound", NULL, 0);
    for (int i = 0; i < 8; i++)
        exact += x[i];
    sum = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
    bound = bound_sum(8, 3, u, exact);
    CHECK(exact - sum <= bound, "lost %g, bound %g", exact - sum, bound);
    CHECK(exact - sum > 0.99 * bound, "lost only %g of %g", exact - sum, bound);
    printf("ok: the sum is %g, and %.3f of the bound is lost\n", sum,
           (exact - sum) / bound);
    return 0;
}
