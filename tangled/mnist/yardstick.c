#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mnist/step_d.h"
#include "mnist/yardstick.h"
#include "random/init.h"
#include "tour/check.h"

/* run the first steps in double */
void yardstick_losses(const struct first_steps *f, int threads, double *loss)
{
    struct net *c = net_open(f->m, f->batch, threads);

    for (size_t i = 0; i < f->m->total; i++)
        c->w[i] = f->w[i];
    for (int s = 0; s < f->steps; s++)
        loss[s] =
            net_step(c, f->train, f->order, s * f->batch, f->batch, f->lr);
    net_close(c);
}

void path_losses(const struct first_steps *f, const struct path *path,
                 int threads, float *loss)
{
    struct digits none = {0, NULL, NULL};
    void *net = path->open(f->m, f->train, &none, f->batch, threads);

    path->set(net, f->w);
    path->order(net, f->order);
    for (int s = 0; s < f->steps; s++) {
        path->step(net, s * f->batch, f->batch, f->lr, 0);
        path->losses(net, 1, &loss[s]);
    }
    path->close(net);
}

void yardstick_tolerance(const struct first_steps *f, int threads,
                         const double *yardstick, double *tolerance)
{
    float *w = check_alloc(f->m->total, sizeof *w);
    float *loss = check_alloc((size_t)f->steps, sizeof *loss);
    struct first_steps moved = *f;

    moved.w = w;
    memset(tolerance, 0, (size_t)f->steps * sizeof *tolerance);
    /* run four times from weights that are some roundings off */
    for (uint64_t run = 0; run < 4; run++) {
        for (size_t i = 0; i < f->m->total; i++)
            w[i] = f->w[i] *
                   (1 + 0x1p-19f * draw_signed(philox_word(run, 200, i)));
        path_losses(&moved, &path_reference, threads, loss);
        for (int s = 0; s < f->steps; s++)
            tolerance[s] = fmax(tolerance[s], 8 * fabs(loss[s] - yardstick[s]));
    }
    for (int s = 1; s < f->steps; s++)
        tolerance[s] = fmax(tolerance[s], tolerance[s - 1]);
    free(w);
    free(loss);
}
