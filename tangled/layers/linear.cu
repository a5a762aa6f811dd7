/* linear: a linear layer on the device, forward and backward. */
#include <stdio.h>

#include "layers/linear.cuh"
#include "layers/reference_d.h"
#include "layers/trial.cuh"
#include "tour/args.h"

/* try a linear layer */
static void try_linear(int batch, int in, int out, uint64_t seed)
{
    struct trial t = {seed, 0, {}};
    size_t nx = (size_t)batch * in, nw = (size_t)out * in;
    size_t ny = (size_t)batch * out;
    struct array *x = trial_in(&t, nx, 0), *w = trial_in(&t, nw, 0);
    struct array *b = trial_in(&t, out, 0), *dy = trial_in(&t, ny, 0);
    struct array *y = trial_out(&t, ny, 4), *dx = trial_out(&t, nx, 4);
    struct array *dw = trial_out(&t, nw, 4), *db = trial_out(&t, out, 4);

    for (int again = 0; again < 2; again++) {
        linear_forward_run(batch, in, out, x->d, w->d, b->d, y->d, 0);
        linear_backward_run(batch, in, out, x->d, w->d, dy->d, dx->d, dw->d,
                            db->d, 0);
        trial_fetch(&t, again);
    }
    /* compare a linear layer with the reference */
    linear_forward(batch, in, out, x->wide, w->wide, b->wide, y->wide);
    linear_forward(batch, in, out, x->size, w->size, b->size, y->size);
    linear_backward(batch, in, out, x->wide, w->wide, dy->wide, dx->wide,
                    dw->wide, db->wide);
    linear_backward(batch, in, out, x->size, w->size, dy->size, dx->size,
                    dw->size, db->size);
    trial_near(y, "y", in + 1, in + 2);
    trial_near(dx, "dx", out, out + 1);
    trial_near(dw, "dw", batch, batch + 1);
    trial_near(db, "dbias", batch, bound_height(batch, WARP));
    trial_free(&t);
}

int main(int argc, char **argv)
{
    static const int sizes[][3] = {{1, 1, 1},    {2, 3, 5},   {7, 33, 10},
                                   {31, 1, 129}, {65, 32, 3}, {129, 17, 31},
                                   {0, 4, 5},    {3, 0, 2},   {3, 4, 0}};
    struct arg args[] = {ARG_SIZE("batch", 64, 0, 4096),
                         ARG_SIZE("in", 96, 0, 4096),
                         ARG_SIZE("out", 10, 0, 4096)};
    uint64_t seed = args_parse(argc, argv, "a linear layer, tried", args, 3);

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        try_linear(sizes[k][0], sizes[k][1], sizes[k][2], seed + k);
    try_linear((int)args[0].value, (int)args[1].value, (int)args[2].value,
               seed);
    printf("ok: linear, 10 sizes: y, dx, dw, dbias within their bounds\n");
    return 0;
}
