/* separable: a column and a row instead of their product. */
#include <stdio.h>

#include "conv/reference_d.h"
#include "tour/rng.h"

int main(void)
{
    struct conv whole = {1, 1, 11, 13, 1, 5, 3, 1, 0, 1};
    struct conv down = {1, 1, 11, 13, 1, 5, 1, 1, 0, 1};
    struct conv along = {1, 1, 7, 13, 1, 1, 3, 1, 0, 1};
    double x[11 * 13], u[5], v[3], w[15], y[7 * 11], half[7 * 13], two[7 * 11];
    uint64_t seed = 1;

    for (int i = 0; i < 11 * 13; i++)
        x[i] = rng_small(&seed);
    for (int i = 0; i < 15; i++)
        *(i < 5 ? &u[i] : &v[i % 3]) = rng_small(&seed);
    for (int i = 0; i < 15; i++)
        w[i] = u[i / 3] * v[i % 3];
    conv_forward(&whole, x, w, y);
    conv_forward(&down, x, u, half);
    conv_forward(&along, half, v, two);
    for (int i = 0; i < 7 * 11; i++)
        CHECK(two[i] == y[i], "element %d is %g, not %g", i, two[i], y[i]);
    printf("ok: 15 products or 8, the same sums\n");
    return 0;
}
