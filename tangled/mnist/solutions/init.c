/* init: the first losses from two bounds of the initial weights. */
#include <math.h>
#include <stdio.h>

#include "mnist/step.h"
#include "mnist/synth.h"
#include "tour/check.h"

enum { BATCH = 32, STEPS = 12 };

/* The largest loss of the first steps; weights (not vectors) times `factor`. */
static double largest(const struct model *m, const struct digits *d,
                      float factor)
{
    struct net *c = net_open(m, BATCH, 2);
    double most = 0;

    model_init(m, c->w, 1);
    for (int t = 0; t < LEARNED; t++)
        for (size_t i = 0; m->tensor[t].rank > 1 && i < m->tensor[t].count; i++)
            c->w[m->tensor[t].at + i] *= factor;
    for (int s = 0; s < STEPS; s++)
        most = fmax(most, net_step(c, d, NULL, s * BATCH, BATCH, 0.05f));
    net_close(c);
    return most;
}
int main(void)
{
    struct model m = model_make(8);
    struct digits d;
    double small, large;

    synth_digits(BATCH * STEPS, 1, 0, &d);
    small = largest(&m, &d, 1);
    large = largest(&m, &d, sqrtf(6));
    CHECK(small < 3, "the loss rises to %g", small);
    CHECK(large > small + 1, "%g after %g", large, small);
    printf("the loss rises to %.1f, and to %.1f\n", small, large);
    digits_free(&d);
    return 0;
}
