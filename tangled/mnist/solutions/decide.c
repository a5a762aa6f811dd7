/* decide: two runs in double from weights that are next to equal. */
#define REAL_DOUBLE
#include "mnist/cpu.c" /* what cpu.h hides */
#include "mnist/synth.h"
#include "random/init.h"

enum { BATCH = 64, STEPS = 15 };

/* The maxima and ReLUs of the last batch that differ. */
static int different(const struct cpu *a, const struct cpu *b)
{
    int count = 0;

    for (int i = 0; i < 2; i++) {
        const struct block *p = &a->block[i], *q = &b->block[i];
        size_t cells = (size_t)a->n * p->side * p->side / 4 * p->out;

        for (size_t k = 0; k < cells; k++)
            count += p->winner[k] != q->winner[k];
    }
    for (size_t k = 0; k < (size_t)a->n * a->hidden; k++)
        count += (a->h[k] > 0) != (b->h[k] > 0);
    return count;
}

/* train two networks side by side */
int main(void)
{
    static float x[BATCH * MODEL_PIXELS];
    struct model m = model_make(8);
    float *w = (float *)check_alloc(m.total, sizeof *w);
    double *v = (double *)check_alloc(m.total, sizeof *v), loss[2];
    struct cpu *net[2];
    struct digits d;
    int label[BATCH];

    synth_digits(BATCH * STEPS, 1, 0, &d);
    model_init(&m, w, 1);
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < m.total; k++)
            v[k] =
                w[k] * (1 + i * 0x1p-18 * draw_signed(philox_word(0, 200, k)));
        net[i] = cpu_open(&m, BATCH, 2);
        cpu_set(net[i], v);
    }
    for (int s = 1; s <= STEPS; s++) {
        /* take a step with both networks */
        int others;

        digits_batch(&d, NULL, (s - 1) * BATCH, BATCH, x, label);
        for (int i = 0; i < 2; i++) {
            cpu_forward(net[i], BATCH, x, 1);
            loss[i] = cpu_loss(net[i], label);
            cpu_backward(net[i]);
            cpu_update(net[i], 0.05);
        }
        others = different(net[0], net[1]);
        if (s == 4 || s == 5 || s == STEPS)
            printf("step %d: losses %.0e apart, other decisions: %d\n", s,
                   fabs(loss[0] - loss[1]), others);
        CHECK(s > 4 || others == 0, "step %d: other decisions: %d", s, others);
    }
    cpu_close(net[0]);
    cpu_close(net[1]);
    digits_free(&d);
    free(w);
    free(v);
    return 0;
}
