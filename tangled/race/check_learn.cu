/* check_learn: training by a recipe, beside the same done step by step. */
#include "mnist/synth.h"
#include "race/learn.cuh"
#include "tour/args.h"

/* move the pictures on the host */
/* to from d's pixels, as move_digits should do it. */
static void move_on_host(const struct digits *d, uint64_t seed, int epoch,
                         int most, unsigned char *to)
{
    for (int i = 0; i < d->count; i++) {
        struct move m = move_at(seed, epoch, i, most);
        const unsigned char *from = d->pixels + (size_t)i * DIGIT_PIXELS;

        CHECK(abs(m.right) <= most && abs(m.down) <= most, "%d, %d of %d",
              m.right, m.down, most);
        memset(to, 0, DIGIT_PIXELS);
        for (int r = 0; r < DIGIT_SIDE; r++)
            for (int c = 0; c < DIGIT_SIDE; c++)
                if ((unsigned)(r + m.down) < DIGIT_SIDE &&
                    (unsigned)(c + m.right) < DIGIT_SIDE)
                    to[(r + m.down) * DIGIT_SIDE + c + m.right] =
                        from[r * DIGIT_SIDE + c];
        to += DIGIT_PIXELS;
    }
}

/* The kernel, epoch by epoch; no two epochs may move alike. */
static void check_moves(const struct digits *d, int most)
{
    size_t bytes = (size_t)d->count * DIGIT_PIXELS;
    unsigned char *want = (unsigned char *)check_alloc(bytes, 1);
    unsigned char *got = (unsigned char *)check_alloc(bytes, 1);
    unsigned char *before = (unsigned char *)check_alloc(bytes, 1);
    unsigned char *x, *y;

    CUDA_CHECK(cudaMalloc((void **)&x, bytes));
    CUDA_CHECK(cudaMalloc((void **)&y, bytes));
    CUDA_CHECK(cudaMemcpy(x, d->pixels, bytes, cudaMemcpyHostToDevice));
    for (int epoch = 0; epoch < 3; epoch++) {
        CUDA_CHECK(cudaMemset(y, 77, bytes));
        move_digits<<<d->count, 256>>>(5, epoch, most, x, y);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(cudaMemcpy(got, y, bytes, cudaMemcpyDeviceToHost));
        move_on_host(d, 5, epoch, most, want);
        CHECK(memcmp(got, want, bytes) == 0, "epoch %d, moves of %d", epoch,
              most);
        CHECK(most > 0 || memcmp(got, d->pixels, bytes) == 0, "no move moves");
        CHECK(most == 0 || epoch == 0 || memcmp(got, before, bytes) != 0,
              "epochs %d and %d move alike", epoch - 1, epoch);
        memcpy(before, got, bytes);
    }
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    free(want);
    free(got);
    free(before);
}

/* train step by step */
static void step_by_step(const struct model *m, const struct digits *train,
                         const struct recipe *r, uint64_t seed, float *w,
                         float *loss)
{
    int in_epoch = train->count / r->batch, steps = r->epochs * in_epoch;
    struct digits moved = *train, none = {0, NULL, NULL};
    size_t bytes = (size_t)train->count * DIGIT_PIXELS;
    int *order = (int *)check_alloc((size_t)train->count, sizeof *order);
    void *net;

    moved.pixels = (unsigned char *)check_alloc(bytes, 1);
    model_init(m, w, seed);
    for (int e = 0; e < r->epochs; e++) {
        move_on_host(train, seed, e, r->shift, moved.pixels);
        net = path_kernels.open(m, &moved, &none, r->batch, 1);
        path_kernels.set(net, w);
        shuffle_order(train->count, seed, (uint64_t)e, order);
        path_kernels.order(net, order);
        for (int s = 0; s < in_epoch; s++) {
            int step = e * in_epoch + s;

            path_kernels.step(net, s * r->batch, r->batch,
                              rate_at(r, step, steps), 0);
            path_kernels.losses(net, 1, &loss[step]);
        }
        path_kernels.get(net, w);
        path_kernels.close(net);
    }
    net = path_kernels.open(m, train, &none, r->batch, 1);
    path_kernels.set(net, w);
    path_kernels.order(net, order);
    train_calibrate(&path_kernels, net, m, train->count, r->batch, w);
    path_kernels.close(net);
    free(moved.pixels);
    free(order);
}

/* compare whole trainings */
static void compare(const struct model *m, const struct digits *train,
                    const struct recipe *r, uint64_t seed)
{
    int steps = r->epochs * (train->count / r->batch);
    float *w = (float *)check_alloc(m->total, sizeof *w);
    float *want = (float *)check_alloc((size_t)steps, sizeof *want);
    float *loss = (float *)check_alloc((size_t)steps, sizeof *loss);
    struct digits none = {0, NULL, NULL};
    struct learner l = learner_open(m, train, &none, r->batch, FAST_FP32);

    step_by_step(m, train, r, seed, w, want);
    for (int again = 0; again < 2; again++) {
        learn(&l, r, seed, again ? NULL : loss);
        CHECK(again || memcmp(loss, want, (size_t)steps * sizeof *loss) == 0,
              "batch %d, %d epochs, shift %d: other losses", r->batch,
              r->epochs, r->shift);
        CHECK(memcmp(l.w, w, m->count * sizeof *w) == 0,
              "batch %d, %d epochs, shift %d: other weights", r->batch,
              r->epochs, r->shift);
        CHECK(memcmp(l.w + m->count, w + m->count,
                     (m->total - m->count) * sizeof *w) == 0,
              "batch %d, %d epochs, shift %d: other statistics", r->batch,
              r->epochs, r->shift);
    }
    learner_close(&l);
    free(w);
    free(want);
    free(loss);
}

int main(int argc, char **argv)
{
    static const struct recipe recipes[] = {
        {8, 2, 0.1, -1, 0}, {5, 3, 0.1, 0.3, 1}, {2, 6, 0.02, 0, 2}};
    struct arg args[] = {ARG_SIZE("digits", 9, 8, 60000),
                         ARG_NUMBER("--most", 6, 1, 6)}; /* epochs */
    uint64_t seed =
        args_parse(argc, argv, "checks whole trainings", args, ARG_COUNT(args));
    struct model m = model_make(2);
    struct digits train;

    synth_digits((int)args[0].value, seed, 0, &train);
    for (int most = 0; most < 4; most++)
        check_moves(&train, most);
    for (struct recipe r : recipes) {
        if (r.epochs > (int)args[1].value)
            r.epochs = (int)args[1].value;
        compare(&m, &train, &r, seed);
    }
    digits_free(&train);
    printf("ok: moves of 0 to 3 pixels, and three trainings\n");
    return 0;
}
