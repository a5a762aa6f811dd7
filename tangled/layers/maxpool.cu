/* maxpool: the largest of each 2 x 2 on the device, and the way back. */
#include <stdio.h>

#include "layers/maxpool.cuh"
#include "layers/reference_d.h"
#include "layers/trial.cuh"
#include "tour/args.h"

/* try a max-pool */
static void try_pool(int planes, int h, int w, size_t shift, uint64_t seed)
{
    struct trial t = {seed, 0, {}};
    size_t nx = (size_t)planes * h * w, ny = (size_t)planes * (h / 2) * (w / 2);
    struct array *x = trial_out(&t, nx + shift, 4), *dy = trial_in(&t, ny, 0);
    struct array *y = trial_out(&t, ny, 4), *which = trial_out(&t, ny, 1);
    struct array *dx = trial_out(&t, nx + shift, 4);
    unsigned char *want = (unsigned char *)check_alloc(ny, 1);

    for (size_t i = 0; i < nx + shift; i++)
        x->h[i] = rng_below(&t.seed, 50) ? rng_small(&t.seed) : NAN;
    trial_put(x);
    for (int again = 0; again < 2; again++) {
        maxpool_forward_run(planes, h, w, x->d + shift, y->d,
                            (unsigned char *)which->d, 0);
        maxpool_backward_run(planes, h, w, dy->d, (unsigned char *)which->d,
                             dx->d + shift, 0);
        trial_fetch(&t, again);
    }
    maxpool_forward(planes, h, w, x->wide + shift, y->wide, want);
    maxpool_backward(planes, h, w, dy->wide, want, dx->wide + shift);
    /* compare a max-pool with the reference */
    CHECK(memcmp(which->h, want, ny) == 0, "%d x %d: another one wins", h, w);
    for (size_t i = 0; i < ny; i++)
        CHECK(y->h[i] == y->wide[i] || (isnan(y->h[i]) && isnan(y->wide[i])),
              "y[%zu] is %g, not %g", i, y->h[i], y->wide[i]);
    for (size_t i = shift; i < nx + shift; i++)
        CHECK(dx->h[i] == dx->wide[i], "%d x %d: dx[%zu] is %g, not %g", h, w,
              i, dx->h[i], dx->wide[i]);
    free(want);
    trial_free(&t);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("planes", 6, 0, 1 << 20),
                         ARG_SIZE("h", 28, 0, 1 << 12),
                         ARG_SIZE("w", 28, 0, 1 << 12)};
    uint64_t seed = args_parse(argc, argv, "a max-pool, tried", args, 3);

    for (int h = 0; h < 10; h++)
        for (int w = 0; w < 10; w++)
            try_pool(1 + (h + w) % 3, h, w, h % 2, seed + h + w);
    try_pool(3, 31, 129, 0, seed);
    try_pool(3, 65, 34, 1, seed);
    try_pool((int)args[0].value, (int)args[1].value, (int)args[2].value, 0,
             seed);
    printf("ok: max-pool, 103 sizes: numbers, places and the way back\n");
    return 0;
}
