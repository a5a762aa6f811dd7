/* check_paths: the losses of the first steps of all paths agree; one pass gives
   the same statistics in batches of any size, and running averages others. */
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

/* compare two kinds of statistics */
static void compare_statistics(const struct first_steps *f)
{
    const struct path *path = &path_reference;
    const struct model *m = f->m;
    int numbers = (int)(m->total - m->count), many = f->train->count;
    void *net = path->open(m, f->train, f->train, many, 2);
    unsigned char *answer = (unsigned char *)check_alloc((size_t)many, 2);
    float *w[2], now[6 * WIDTH_MOST];
    double s[6 * WIDTH_MOST], left = 0.9 * 0.9 * 0.9;
    int others = 0;

    /* compare two passes */
    for (int i = 0; i < 2; i++) {
        w[i] = (float *)check_alloc(m->total, sizeof *w[i]);
        path->set(net, f->w);
        train_calibrate(path, net, m, many, i ? 1 : many, w[i]);
    }
    for (size_t u = m->count; u < m->count + m->c1; u++) {
        double a = w[0][u], b = w[0][u + m->c1], off = 2 * 784 * 0x1p-24;

        CHECK_NEAR(w[1][u], a, off * sqrt(b + a * a), "784 additions in float");
        CHECK_NEAR(w[1][u + m->c1], b, off * b, "784 additions in float");
    }
    /* compare running averages */
    path->measure(net, 0, many, now);
    for (int k = 0; k < numbers; k++)
        s[k] = f->w[m->count + k];
    for (int i = 0; i < 3; i++)
        train_run(path, net, m, many, s);
    for (int k = 0; k < numbers; k++) {
        double first = f->w[m->count + k];
        double n = many * (k < 2 * m->c1 ? 784.0 : 196.0);
        double by = first == 1 ? n / (n - 1) : 1;

        CHECK_NEAR(s[k], left * first + (1 - left) * now[k] * by, 1e-12,
                   "in double");
    }
    /* count other answers */
    train_put(m, s, w[0]);
    for (int i = 0; i < 2; i++) {
        path->set(net, w[i]);
        train_right(path, net, f->train, 0, many, answer + i * many);
        free(w[i]);
    }
    for (int i = 0; i < many; i++)
        others += answer[i] != answer[many + i];
    free(answer);
    printf("ok: %d answered otherwise by running averages\n", others);
    path->close(net);
}

/* compare the paths with the yardstick */
/* And twice the same steps of a path: the same bits. */
static void compare_all(const struct first_steps *f)
{
    static const struct path *all[] = {&path_reference, &path_kernels,
                                       &path_library, &path_fed};
    double yardstick[PATH_SLOTS], tolerance[PATH_SLOTS];
    float loss[PATH_SLOTS], again[PATH_SLOTS];

    yardstick_losses(f, 2, yardstick);
    yardstick_tolerance(f, 2, yardstick, tolerance);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double far = 0;

        path_losses(f, all[i], 2, loss);
        for (int s = 0; s < f->steps; s++) {
            far = fmax(far, fabs(loss[s] - yardstick[s]));
            CHECK_NEAR(loss[s], yardstick[s], tolerance[s],
                       "8 times what roundings of the weights do");
        }
        path_losses(f, all[i], 1, again);
        CHECK(memcmp(loss, again, (size_t)f->steps * sizeof *loss) == 0,
              "%s: two runs of the same steps differ", all[i]->name);
        printf("%-9s within %.1e of the losses in double\n", all[i]->name, far);
    }
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
    compare_statistics(&f);
    compare_all(&f);
    digits_free(&train);
    free(order);
    free(w);
    printf("ok: width %d, batch %d, %d steps\n", m.width, batch, steps);
    return 0;
}
