/* bench: the training step on the GPU, its time, its memory, its losses and
   what is learned, beside PyTorch; on Loom, the step on the CPU. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "matmul/library.cuh"
#include "measure/bench.h"
#include "measure/clock.h"
#include "mnist/library.cuh"
#include "mnist/synth.h"
#include "mnist/yardstick.h"
#include "random/init.h"
#include "tour/args.h"

/* choose how much to measure */
enum { LOSSES = 100, SEEDS = 5, BATCHES = 4 }; /* at most */

struct how_much {
    int train, test, width, batch[BATCHES], rounds, losses, few, seeds, epochs;
};

static const struct how_much small = {96, 32, 2, {4, 8, 16, 32}, 1, 3, 4, 2, 1};
static struct how_much the = {0,  0,     32, {64, 256, 1024, 4096}, 0, LOSSES,
                              64, SEEDS, 5};

static struct start {
    struct digits train, test;
    struct model m;
    float *w;
    int *order;
} s;

static void begin(void)
{
    s.m = model_make(the.width);
    s.w = (float *)check_alloc(s.m.total, sizeof *s.w);
    s.order = (int *)check_alloc((size_t)s.train.count, sizeof *s.order);
    model_init(&s.m, s.w, 1);
    shuffle_order(s.train.count, 1, 0, s.order);
}

static struct gpu *open_for(const struct products *by,
                            const struct digits *train, int batch)
{
    struct gpu *c = gpu_open(by, &s.m, train, &s.test, batch);

    gpu_set(c, s.w);
    gpu_order(c, s.order);
    return c;
}

/* account for the memory */
static double mib_taken(void)
{
    size_t free_bytes, total;

    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
    return (double)(total - free_bytes) / (1 << 20);
}

static void print_account(const struct gpu *c, const char *variant,
                          double before)
{
    static const char *const name[] = {"mib_digits", "mib_weights",
                                       "mib_gradients", "mib_activations",
                                       "mib_space"};
    double all = 0;

    for (int k = 0; k < ROOM_KINDS; k++) {
        double mib = (double)c->bytes[k] / (1 << 20);

        bench_row(variant, c->batch, name[k], mib, "MiB");
        all += mib;
    }
    bench_row(variant, c->batch, "mib_ours", all, "MiB");
    bench_row(variant, c->batch, "mib_taken", mib_taken() - before, "MiB");
    bench_row(variant, c->batch, "mib_before", before, "MiB");
}

enum { STEP, LOAD, FORWARD, BACKWARD, UPDATE, STAGES, CALLS = STAGES, ALONE };

static void run_stage(void *work, int stage, int set)
{
    struct gpu *c = (struct gpu *)work;
    int n = c->batch;

    struct request r = {c->pixels[0], c->labels[0], c->order, set * n, 0,
                        c->loss};

    c->n = n;
    if (stage == STEP)
        gpu_step(c, set * n, n, 0, 0);
    if (stage == LOAD)
        gpu_load(c, r);
    if (stage == FORWARD) {
        gpu_forward(c, 1);
        gpu_loss(c);
        gpu_join(c);
    }
    if (stage == BACKWARD)
        gpu_backward(c);
    if (stage == UPDATE)
        gpu_descend(c, c->kept);
    if (stage == CALLS) /* call by call, without the graph ... */
        gpu_launch(c, r);
    if (stage == ALONE) { /* ... and on one stream */
        struct products alone = *c->by;

        alone.beside = 0;
        c->by = &alone;
        gpu_launch(c, r);
        c->by = &by_kernels;
    }
}

/* time a step on both paths */
static void measure_step(int batch)
{
    static const char *const names[2][STAGES] = {
        {"kernels", "kernels_load", "kernels_forward", "kernels_backward",
         "kernels_update"},
        {"library", "library_load", "library_forward", "library_backward",
         "library_update"}};
    struct bench b = {NULL, batch};
    struct bench_case table[2 * STAGES + 2];
    struct gpu *c[2];
    size_t nodes;

    b.sets = s.train.count / batch;
    b.peer[0] = {"library", "of_library"};
    for (int j = 0; j < 2; j++) {
        double before = mib_taken();

        c[j] = open_for(j ? &by_library : &by_kernels, &s.train, batch);
        print_account(c[j], names[j][STEP], before);
        for (int k = 0; k < STAGES; k++)
            table[j * STAGES + k] = {names[j][k], run_stage, k, c[j]};
    }
    table[2 * STAGES] = {"kernels_calls", run_stage, CALLS, c[0]};
    table[2 * STAGES + 1] = {"kernels_alone", run_stage, ALONE, c[0]};
    for (int k = 0; k < 2 * STAGES + 2; k++) {
        table[k].rounds = the.rounds;
        table[k].by_host = table[k].how != LOAD && table[k].how != UPDATE;
    }
    bench_run(table, 2 * STAGES + 2, &b);
    CUDA_CHECK(cudaGraphGetNodes(c[0]->drawn, NULL, &nodes));
    bench_row(names[0][STEP], batch, "launches", (double)nodes, "");
    for (int j = 0; j < 2; j++)
        gpu_close(c[j]);
}

static void measure_steps(void)
{
    cublasHandle_t cublas;

    CUBLAS_CHECK(cublasCreate(&cublas));
    bench_library("cuBLAS", matmul_library_version(cublas));
    CUBLAS_CHECK(cublasDestroy(cublas));
    for (int i = 0; i < BATCHES; i++)
        measure_step(the.batch[i]);
}

/* keep the losses */
static double yardstick[LOSSES]; /* in double */

static void keep_losses(void)
{
    struct first_steps f = {&s.m,    s.w,        &s.train, s.order,
                            the.few, the.losses, 0.05f};
    static const struct path *const all[] = {&path_reference, &path_kernels,
                                             &path_library};
    float loss[LOSSES];

    yardstick_losses(&f, 8, yardstick);
    for (int k = 0; k < the.losses; k++)
        bench_row("loss_double", k, "loss", yardstick[k], "");
    for (int i = 0; i < 3; i++) {
        char name[40];

        snprintf(name, sizeof name, "loss_%s", all[i]->name);
        path_losses(&f, all[i], 8, loss);
        for (int k = 0; k < the.losses; k++) {
            bench_row(name, k, "loss", loss[k], "");
            bench_row(name, k, "off", fabs(loss[k] - yardstick[k]), "");
        }
    }
}

/* scatter the patches */
/* dx, which must be 0 before, from the patches, by atomics. */
__global__ void scatter_patches(int side, int in, int pixels,
                                const float *patches, float *dx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, plane = side * side;
    int tap = blockIdx.y % 9, ch = blockIdx.y / 9;
    int h = i / side % side + tap / 3 - 1, w = i % side + tap % 3 - 1;

    if (i < pixels && h >= 0 && h < side && w >= 0 && w < side)
        atomicAdd(dx + ((size_t)(i / plane) * in + ch) * plane + h * side + w,
                  patches[(size_t)blockIdx.y * pixels + i]);
}

/* measure atomics */
static void run_adding(void *work, int by_atomics, int)
{
    struct gpu *c = (struct gpu *)work;
    const struct gpu_block *b = &c->block[1];
    const float *patches = ((struct library *)c->own)->patches[1];
    int pixels = c->n * b->side * b->side;
    unsigned blocks = (unsigned)blocks_for((size_t)pixels, 256);

    if (by_atomics) {
        CUDA_CHECK(cudaMemsetAsync(
            b->dx, 0, (size_t)b->in * pixels * sizeof *b->dx, c->stream));
        scatter_patches<<<dim3(blocks, 9 * b->in), 256, 0, c->stream>>>(
            b->side, b->in, pixels, patches, b->dx);
    } else {
        add_patches<<<dim3(blocks, b->in), 256, 0, c->stream>>>(
            b->side, b->in, pixels, patches, b->dx);
    }
    CUDA_LAUNCH_CHECK();
}

/* How many of 20 repetitions differ from the first. */
static int other_results(struct gpu *c, int by_atomics)
{
    size_t bytes = (size_t)c->n * c->m.c1 * 196 * sizeof(float);
    char *first = (char *)check_alloc(bytes, 1);
    char *now = (char *)check_alloc(bytes, 1);
    int others = 0;

    for (int run = 0; run <= 20; run++) {
        run_adding(c, by_atomics, 0);
        gpu_copy(c, run ? now : first, c->block[1].dx, bytes);
        others += run && memcmp(now, first, bytes) != 0;
    }
    free(first);
    free(now);
    return others;
}

static void measure_atomics(void)
{
    static const struct bench_case table[] = {{"gather", run_adding, 0},
                                              {"scatter", run_adding, 1}};
    struct gpu *c = open_for(&by_library, &s.train, the.batch[1]);
    struct bench b = {c, the.batch[1]};

    gpu_step(c, 0, the.batch[1], 0.05f, 0);
    b.peer[0] = {"gather", "of_gather"};
    bench_run(table, 2, &b);
    for (int k = 0; k < 2; k++)
        bench_row(table[k].variant, b.size, "others", other_results(c, k), "");
    gpu_close(c);
}

/* test a network */
static double percent(struct gpu *c, const float *w)
{
    gpu_set(c, w);
    return 100.0 * train_right(&path_kernels, c, &s.test, 1, the.few, NULL) /
           s.test.count;
}

/* learn from five seeds */
static void learn_epoch(struct gpu *c, uint64_t seed, int epoch, double *run)
{
    int count = c->counts[0];
    int *order = (int *)check_alloc((size_t)count, sizeof *order);

    shuffle_order(count, seed, (uint64_t)epoch, order);
    gpu_order(c, order);
    for (int first = 0; first + the.few <= count; first += the.few) {
        gpu_step(c, first, the.few, 0.05f, 0);
        if (run)
            train_run(&path_kernels, c, &c->m, the.few, run);
    }
    free(order);
}

/* Returns the last accuracy, with the statistics of one pass. */
static double learn(struct gpu *c, uint64_t seed)
{
    float *w = (float *)check_alloc(s.m.total, sizeof *w);
    double run[6 * WIDTH_MOST], accuracy = 0;

    model_init(&s.m, w, seed);
    gpu_set(c, w);
    for (size_t i = s.m.count; i < s.m.total; i++)
        run[i - s.m.count] = w[i];
    for (int e = 0; e < the.epochs; e++) {
        int row = (int)seed * 10 + e + 1;

        learn_epoch(c, seed, e, run);
        gpu_get(c, w);
        train_put(&s.m, run, w);
        bench_row("running", row, "accuracy", percent(c, w), "%");
        train_calibrate(&path_kernels, c, &s.m, c->counts[0], the.few, w);
        accuracy = percent(c, w);
        bench_row("one_pass", row, "accuracy", accuracy, "%");
    }
    free(w);
    return accuracy;
}

static void learn_all(void)
{
    struct gpu *c = open_for(&by_kernels, &s.train, the.few);
    double last[SEEDS];

    for (int seed = 1; seed <= the.seeds; seed++)
        last[seed - 1] = learn(c, (uint64_t)seed);
    bench_row("kernels", the.few, "accuracy", stats_of(last, the.seeds).median,
              "%");
    gpu_close(c);
}

/* learn from our own digits */
static void learn_own(void)
{
    float *w = (float *)check_alloc(s.m.total, sizeof *w);
    struct digits own;
    struct gpu *c;

    synth_digits(s.train.count, 1, 0, &own);
    c = open_for(&by_kernels, &own, the.few);
    for (int e = 0; e < 2; e++)
        learn_epoch(c, 1, e, NULL);
    train_calibrate(&path_kernels, c, &s.m, own.count, the.few, w);
    bench_row("own", own.count, "written", percent(c, w), "%");
    gpu_close(c);
    digits_free(&own);
    free(w);
}

/* run the peer */
static void write_numbers(const char *dir, const char *name, const void *from,
                          size_t bytes)
{
    char path[100];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "wb");
    CHECK(f && fwrite(from, 1, bytes, f) == bytes && fclose(f) == 0,
          "%s cannot be written", path);
}

static void run_peer(const char *script)
{
    char dir[] = "/tmp/mnist-peer-XXXXXX", command[500];

    CHECK(mkdtemp(dir) != NULL, "no folder in /tmp");
    write_numbers(dir, "weights.bin", s.w, s.m.total * sizeof *s.w);
    write_numbers(dir, "order.bin", s.order,
                  (size_t)s.train.count * sizeof *s.order);
    write_numbers(dir, "losses.bin", yardstick, sizeof yardstick);
    fflush(stdout);
    snprintf(command, sizeof command,
             "%s %s || echo '# peer: PyTorch is not here, or failed'; rm -r %s",
             script, dir, dir);
    CHECK(system(command) == 0, "%s is left behind", dir);
}

/* time the CPU */
#ifdef __LOOM__
static void run_cpu(void *net, int, int)
{
    path_reference.step(net, 0, the.few, 0.05f, 0);
}

static void *open_reference(int threads)
{
    void *net = path_reference.open(&s.m, &s.train, &s.test, the.few, threads);

    path_reference.set(net, s.w);
    path_reference.order(net, s.order);
    return net;
}

static void learn_on_cpu(void *net)
{
    float *w = (float *)check_alloc(s.m.total, sizeof *w);
    int count = s.train.count;
    double began = clock_us();

    path_reference.set(net, s.w);
    for (int i = 0; i + the.few <= count; i += the.few)
        path_reference.step(net, i, the.few, 0.05f, 0);
    bench_row("epoch", count, "seconds", 1e-6 * (clock_us() - began), "s");
    train_calibrate(&path_reference, net, &s.m, count, the.few, w);
    bench_row("epoch", count, "accuracy",
              100.0 *
                  train_right(&path_reference, net, &s.test, 1, the.few, NULL) /
                  s.test.count,
              "%");
    free(w);
}

static void time_cpu(void)
{
    struct bench b = {NULL, the.few, 0, the.few * 24995328.0};
    void *one = open_reference(1), *two = open_reference(2);
    struct bench_case table[] = {{"lanes_1", run_cpu, 0, one, 0, 0, 0, 15},
                                 {"lanes_2", run_cpu, 0, two, 0, 0, 0, 15}};

    bench_run(table, 2, &b);
    learn_on_cpu(two);
    path_reference.close(one);
    path_reference.close(two);
}
#endif

/* measure everything */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--small")};

    args_parse(argc, argv, "measures the training step", args, 1);
    if (args[0].value)
        the = small;
    digits_open(args[0].value ? "synth" : NULL, the.train, the.test, &s.train,
                &s.test);
    begin();
    bench_begin("mnist");
#ifdef __LOOM__
    time_cpu();
    if (args[0].value)
#endif
    {
        measure_steps();
        keep_losses();
        measure_atomics();
        learn_all();
        learn_own();
        run_peer(args[0].value ? "true" : "python3 bench/peers/mnist.py");
    }
    return 0;
}
