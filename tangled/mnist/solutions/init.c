/* init: the first losses from two bounds of the initial weights. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mnist/cpu.h"
#include "mnist/synth.h"
#include "tour/check.h"

enum { BATCH = 32, STEPS = 12 };

/* The largest loss of the first steps; weights (not vectors) times `factor`. */
static double largest(const struct model *m, const struct digits *d,
                      float factor)
{
    struct cpu *c = cpu_open(m, BATCH, 2);
    float *w = (float *)check_alloc(m->total, sizeof *w);
    float *x = (float *)check_alloc(BATCH * MODEL_PIXELS, sizeof *x);
    int label[BATCH];
    double most = 0;

    model_init(m, w, 1);
    /* scale the weights and take the first steps */
    for (int t = 0; t < MODEL_LEARNED; t++)
        for (size_t i = 0; m->tensor[t].rank > 1 && i < m->tensor[t].count; i++)
            w[m->tensor[t].at + i] *= factor;
    cpu_set(c, w);
    for (int s = 0; s < STEPS; s++) {
        digits_batch(d, NULL, s * BATCH, BATCH, x, label);
        cpu_forward(c, BATCH, x, 1);
        most = fmax(most, cpu_loss(c, label));
        cpu_backward(c);
        cpu_update(c, 0.05f);
    }
    cpu_close(c);
    free(w);
    free(x);
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
