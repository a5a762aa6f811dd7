/* decide: two runs in double from weights that are next to equal. */
#include <math.h>
#include <stdio.h>

#include "mnist/step_d.h"
#include "mnist/synth.h"
#include "random/init.h"
#include "tour/check.h"

enum { BATCH = 64, STEPS = 15 };

/* The maxima and ReLUs of the last batch that differ. */
static int different(const struct net *a, const struct net *b)
{
    int count = 0;

    for (int i = 0; i < 2; i++) {
        const struct block *p = &a->block[i];
        size_t cells = (size_t)a->n * p->out * p->side * p->side / 4;

        for (size_t k = 0; k < cells; k++)
            count += p->winner[k] != b->block[i].winner[k];
    }
    for (int k = 0; k < a->n * a->m.hidden; k++)
        count += (a->h[k] > 0) != (b->h[k] > 0);
    return count;
}
int main(void)
{
    struct model m = model_make(8);
    struct net *net[2];
    struct digits d;
    double loss[2];
    int others;

    synth_digits(BATCH * STEPS, 1, 0, &d);
    for (int i = 0; i < 2; i++) {
        net[i] = net_open(&m, BATCH, 2);
        model_init(&m, net[i]->w, 1);
        for (size_t k = 0; k < m.total; k++)
            net[i]->w[k] *=
                1 + i * 0x1p-18 * draw_signed(philox_word(0, 200, k));
    }
    for (int s = 1; s <= STEPS; s++) {
        for (int i = 0; i < 2; i++)
            loss[i] = net_step(net[i], &d, NULL, (s - 1) * BATCH, BATCH, 0.05);
        others = different(net[0], net[1]);
        if (s == 4 || s == 5 || s == STEPS)
            printf("step %d: losses %.0e apart, other decisions: %d\n", s,
                   fabs(loss[0] - loss[1]), others);
        CHECK(s > 4 || others == 0, "step %d: other decisions: %d", s, others);
    }
    net_close(net[0]);
    net_close(net[1]);
    digits_free(&d);
    return 0;
}
