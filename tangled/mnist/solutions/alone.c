/* alone: what a picture's neighbors in the batch do to its outputs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mnist/step.h"
#include "mnist/synth.h"
#include "tour/check.h"

/* The largest distance of an output of picture 0 from `before`, with n - 1
   others from number `from` on; the outputs replace `before`. */
static double apart(struct net *c, const struct digits *d, int n, int from,
                    int training, float *before)
{
    int order[8] = {0};
    double most = 0;

    for (int i = 1; i < n; i++)
        order[i] = from + i;
    net_load(c, d, order, 0, n);
    net_forward(c, training);
    for (int k = 0; k < DIGIT_KINDS; k++)
        most = fmax(most, fabs(c->o[k] - before[k]));
    memcpy(before, c->o, DIGIT_KINDS * sizeof *before);
    return most;
}
int main(void)
{
    struct model m = model_make(4);
    struct net *c = net_open(&m, 8, 1);
    float o[DIGIT_KINDS] = {0};
    double alone, others;
    struct digits d;

    synth_digits(32, 1, 1, &d);
    model_init(&m, c->w, 1);
    for (int training = 0; training < 2; training++) {
        apart(c, &d, 1, 0, training, o);
        alone = apart(c, &d, 8, 0, training, o);
        others = apart(c, &d, 8, 16, training, o);
        printf("%s: %.2g and %.2g apart\n",
               training ? "training" : "evaluation", alone, others);
        CHECK(training ? alone > 1e-3 && others > 1e-3
                       : alone == 0 && others == 0,
              "alone and in two companies");
    }
    net_close(c);
    digits_free(&d);
    return 0;
}
