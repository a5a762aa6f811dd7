/* alone: what a picture's neighbours in the batch do to its outputs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mnist/cpu.h"
#include "mnist/synth.h"
#include "tour/check.h"

/* Outputs of picture 0 with n - 1 others from number `from` on. */
static void outputs(struct cpu *c, const struct digits *d, int n, int from,
                    int training, float *out)
{
    float x[8 * MODEL_PIXELS], all[8 * MODEL_DIGITS];
    int order[8] = {0}, label[8];

    for (int i = 1; i < n; i++)
        order[i] = from + i;
    digits_batch(d, order, 0, n, x, label);
    cpu_forward(c, n, x, training);
    cpu_logits(c, all);
    memcpy(out, all, MODEL_DIGITS * sizeof *out);
}
static double apart(const float *a, const float *b)
{
    double most = 0;

    for (int k = 0; k < MODEL_DIGITS; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

/* compare the three companies */
int main(void)
{
    struct model m = model_make(4);
    struct cpu *c = cpu_open(&m, 8, 1);
    float *w = (float *)check_alloc(m.total, sizeof *w), out[3][MODEL_DIGITS];
    double alone, others;
    struct digits d;

    synth_digits(32, 1, 1, &d);
    model_init(&m, w, 1);
    cpu_set(c, w);
    for (int training = 0; training < 2; training++) {
        outputs(c, &d, 1, 0, training, out[0]);
        outputs(c, &d, 8, 0, training, out[1]);
        outputs(c, &d, 8, 16, training, out[2]);
        alone = apart(out[0], out[1]);
        others = apart(out[1], out[2]);
        printf("%s: %.2g and %.2g apart\n",
               training ? "training" : "evaluation", alone, others);
        CHECK(training ? alone > 1e-3 && others > 1e-3
                       : alone == 0 && others == 0,
              "alone and in two companies");
    }
    cpu_close(c);
    digits_free(&d);
    free(w);
    return 0;
}
