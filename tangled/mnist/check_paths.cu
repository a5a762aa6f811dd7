/* check_paths: the losses of the first steps of all paths agree. */
#include <math.h>
#include <stdio.h>

#include "mnist/fed.cuh"
#include "mnist/library.cuh"
#include "mnist/synth.h"
#include "mnist/yardstick.h"
#include "random/init.h"
#include "tour/args.h"

/* compare a batch on both sides */
static void compare_batch(const struct first_steps *f)
{
    int first = (f->steps - 1) * f->batch;
    size_t bytes = (size_t)f->batch * DIGIT_PIXELS * sizeof(float);
    float *x = (float *)check_alloc(bytes, 1);
    struct net *c = net_open(f->m, f->batch, 1);
    struct gpu *g = gpu_open(&by_kernels, f->m, f->train, f->train, f->batch);

    gpu_set(g, f->w);
    gpu_order(g, f->order);
    gpu_go(g, 0, g->order, first, f->batch, 1);
    gpu_copy(g, x, g->block[0].x, bytes);
    net_load(c, f->train, f->order, first, f->batch);
    CHECK(memcmp(x, c->pixels, bytes) == 0, "other pixels on the GPU");
    net_close(c);
    gpu_close(g);
    free(x);
}

/* compare the paths with the yardstick */
/* And twice the same steps of a path: the same bits. */
static void compare_all(const struct first_steps *f)
{
    static const struct path *all[] = {&path_reference, &path_kernels,
                                       &path_library};
    double yardstick[PATH_SLOTS], tolerance[PATH_SLOTS];
    float loss[PATH_SLOTS], again[PATH_SLOTS];

    yardstick_losses(f, 2, yardstick);
    yardstick_tolerance(f, 2, yardstick, tolerance);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double far = 0;

        path_losses(f, all[i], 2, loss);
        for (int s = 0; s < f->steps; s++) {
            double d = fabs(loss[s] - yardstick[s]);

            far = fmax(far, d);
            CHECK(d <= tolerance[s],
                  "%s: the loss of step %d is %.9g, in double %.9g: off by "
                  "%.2g, tolerance %.2g",
                  all[i]->name, s + 1, loss[s], yardstick[s], d, tolerance[s]);
        }
        path_losses(f, all[i], 1, again);
        CHECK(memcmp(loss, again, (size_t)f->steps * sizeof *loss) == 0,
              "%s: two runs of the same steps differ", all[i]->name);
        printf("%-9s within %.1e of the losses in double\n", all[i]->name, far);
    }
    path_losses(f, &path_kernels, 1, loss);
    path_losses(f, &path_fed, 1, again);
    CHECK(memcmp(loss, again, (size_t)f->steps * sizeof *loss) == 0,
          "digits that stay on the host give other losses");
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("width", 3, 1, WIDTH_MOST),
                         ARG_SIZE("batch", 6, 2, 4096),
                         ARG_SIZE("steps", 4, 1, PATH_SLOTS)};
    uint64_t seed =
        args_parse(argc, argv, "compares the paths", args, ARG_COUNT(args));
    int batch = (int)args[1].value, steps = (int)args[2].value;
    int count = batch * steps;
    struct model m = model_make((int)args[0].value);
    int *order = (int *)check_alloc((size_t)count, sizeof *order);
    float *w = (float *)check_alloc(m.total, sizeof *w);
    struct digits train;
    struct first_steps f = {&m, w, &train, order, batch, steps, 0.05f};

    synth_digits(count, seed, 0, &train);
    shuffle_order(count, seed, 0, order);
    model_init(&m, w, seed);
    compare_batch(&f);
    compare_all(&f);
    digits_free(&train);
    free(order);
    free(w);
    printf("ok: width %d, batch %d, %d steps\n", m.width, batch, steps);
    return 0;
}
