/* bench: the training step on the GPU, its time, its memory, its losses and
   what is learned, beside PyTorch. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure/bench.h"
#include "mnist/cpu.h"
#include "mnist/file.h"
#include "mnist/net.cuh"
#include "mnist/plain.h"
#include "mnist/synth.h"
#include "mnist/train.h"
#include "mnist/yardstick.h"
#include "random/init.h"
#include "tour/args.h"

/* choose how much to measure */
enum { COUNT = 200, LOSSES = 100, SEEDS = 5, EPOCHS = 5 }; /* at most */

struct how_much {
    int train, test, width, batch[3], warm, count, losses, few;
    int seeds, epochs;
};

static const struct how_much small = {96, 32, 2, {4, 8, 16}, 1, 2, 3, 4, 2, 1};
static struct how_much the = {0,     0,      32, {64, 256, 1024}, 30,
                              COUNT, LOSSES, 64, SEEDS,           EPOCHS};

/* time the steps of a path */
static void print_times(const char *variant, int batch, const double *us)
{
    int n = the.count;
    double mean = 0, square = 0;

    for (int i = 0; i < n; i++)
        mean += us[i] / n;
    for (int i = 0; i < n; i++)
        square += (us[i] - mean) * (us[i] - mean) / (n - 1);
    bench_row(variant, batch, "us", mean, "µs");
    bench_row(variant, batch, "us_sd", sqrt(square), "µs");
}

/* The first digit of step s, and back to the first when they are all used. */
static int first_in(const struct net *net, int s, int batch)
{
    return s % (net->counts[0] / batch) * batch;
}
static double time_steps(struct net *net, const char *variant, int batch)
{
    cudaEvent_t event[COUNT + 1];
    double us[COUNT], sum = 0;

    for (int s = 0; s <= the.count; s++)
        CUDA_CHECK(cudaEventCreate(&event[s]));
    for (int s = 0; s < the.warm; s++)
        step_gpu(net, first_in(net, s, batch), batch, 0.05f, 0);
    CUDA_CHECK(cudaEventRecord(event[0], net->stream));
    for (int s = 0; s < the.count; s++) {
        step_gpu(net, first_in(net, the.warm + s, batch), batch, 0.05f, 0);
        CUDA_CHECK(cudaEventRecord(event[s + 1], net->stream));
    }
    CUDA_CHECK(cudaStreamSynchronize(net->stream));
    for (int s = 0; s < the.count; s++) {
        float ms;

        CUDA_CHECK(cudaEventElapsedTime(&ms, event[s], event[s + 1]));
        us[s] = 1e3 * ms;
        sum += us[s];
    }
    for (int s = 0; s <= the.count; s++)
        CUDA_CHECK(cudaEventDestroy(event[s]));
    print_times(variant, batch, us);
    return sum / the.count;
}
static struct net *open_for(const struct path *path, const struct model *m,
                            const struct digits *train,
                            const struct digits *test, int batch)
{
    struct net *net = (struct net *)path->open(m, train, test, batch, 1);
    float *w = (float *)check_alloc(m->total, sizeof *w);
    int *order = (int *)check_alloc((size_t)train->count, sizeof *order);

    model_init(m, w, 1);
    path->set(net, w);
    shuffle_order(train->count, 1, 0, order);
    path->order(net, order);
    free(w);
    free(order);
    return net;
}

/* time the stages of a step */
static void time_stages(struct net *net, const char *variant, int batch)
{
    static const char *name[] = {"us_load", "us_forward", "us_backward",
                                 "us_update"};
    double sum[4] = {0, 0, 0, 0};
    cudaEvent_t event[5];

    for (int i = 0; i < 5; i++)
        CUDA_CHECK(cudaEventCreate(&event[i]));
    for (int s = 0; s < the.count; s++) {
        /* take a step with an event after each stage */
        CUDA_CHECK(cudaEventRecord(event[0], net->stream));
        load_batch(net, 0, net->order, first_in(net, s, batch), batch);
        CUDA_CHECK(cudaEventRecord(event[1], net->stream));
        forward_on_gpu(net, 1);
        loss_on_gpu(net, 0);
        CUDA_CHECK(cudaEventRecord(event[2], net->stream));
        backward_on_gpu(net);
        CUDA_CHECK(cudaEventRecord(event[3], net->stream));
        sgd_run(net->m.count, 0.05f, net->g, net->w, net->stream);
        CUDA_CHECK(cudaEventRecord(event[4], net->stream));
        CUDA_CHECK(cudaStreamSynchronize(net->stream));
        for (int i = 0; i < 4; i++) {
            float ms;

            CUDA_CHECK(cudaEventElapsedTime(&ms, event[i], event[i + 1]));
            sum[i] += 1e3 * ms / the.count;
        }
    }
    for (int i = 0; i < 4; i++)
        bench_row(variant, batch, name[i], sum[i], "µs");
    for (int i = 0; i < 5; i++)
        CUDA_CHECK(cudaEventDestroy(event[i]));
}

/* account for the memory */
static size_t taken(void)
{
    size_t free_bytes, total;

    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
    return total - free_bytes;
}

static void print_account(const struct net *net, const char *variant, int batch,
                          size_t before)
{
    static const char *name[] = {"mib_digits", "mib_weights", "mib_gradients",
                                 "mib_activations", "mib_space"};
    const double mib = 1 << 20;
    double all = 0;

    for (int k = 0; k < ROOM_KINDS; k++) {
        bench_row(variant, batch, name[k], net->bytes[k] / mib, "MiB");
        all += net->bytes[k] / mib;
    }
    bench_row(variant, batch, "mib_ours", all, "MiB");
    bench_row(variant, batch, "mib_taken", (taken() - before) / mib, "MiB");
    bench_row(variant, batch, "mib_before", before / mib, "MiB");
}
static double our_us[3]; /* a step of `kernels`, for each batch */

static void time_all(const struct digits *train, const struct digits *test)
{
    static const struct path *paths[] = {&path_kernels, &path_library};
    struct model m = model_make(the.width);

    CUDA_CHECK(cudaFree(NULL));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            size_t before = taken();
            struct net *net = open_for(paths[j], &m, train, test, the.batch[i]);
            double us;

            print_account(net, paths[j]->name, the.batch[i], before);
            us = time_steps(net, paths[j]->name, the.batch[i]);
            if (j == 0)
                our_us[i] = us;
            time_stages(net, paths[j]->name, the.batch[i]);
            paths[j]->close(net);
        }
}

/* keep the losses */
static double yardstick[LOSSES]; /* in double */

static void keep_losses(const struct digits *train)
{
    struct model m = model_make(the.width);
    float *w = (float *)check_alloc(m.total, sizeof *w), loss[LOSSES];
    int *order = (int *)check_alloc((size_t)train->count, sizeof *order);
    struct first_steps f = {&m, w, train, order, the.few, the.losses, 0.05f};
    static const struct path *all[] = {&path_reference, &path_kernels,
                                       &path_library};
    static const char *name[] = {"loss_reference", "loss_kernels",
                                 "loss_library"};

    model_init(&m, w, 1);
    shuffle_order(train->count, 1, 0, order);
    yardstick_losses(&f, 8, yardstick);
    for (int s = 0; s < the.losses; s++)
        bench_row("loss_double", s, "loss", yardstick[s], "");
    for (int i = 0; i < 3; i++) {
        path_losses(&f, all[i], 8, loss);
        for (int s = 0; s < the.losses; s++) {
            bench_row(name[i], s, "loss", loss[s], "");
            bench_row(name[i], s, "off", fabs(loss[s] - yardstick[s]), "");
        }
    }
    free(w);
    free(order);
}

/* time the long sum */
static void whole(void *work, int set)
{
    struct net *net = (struct net *)work;
    const struct model_tensor *w = &net->m.tensor[6];

    (void)set;
    multiply(net, 'N', 'T', net->n, w->shape[0], w->shape[1], net->flat,
             net->w + w->at, 0, net->h);
}

static void parts(void *work, int set)
{
    struct net *net = (struct net *)work;

    (void)set;
    linear_on_gpu(net, 6, net->flat, net->h);
}
static void long_sum(const struct digits *train, const struct digits *test)
{
    struct model m = model_make(the.width);
    struct net *net = open_for(&path_kernels, &m, train, test, the.batch[0]);
    struct bench_case cases[] = {{"long_whole", whole, net, NULL, 0, 0, {0}},
                                 {"long_parts", parts, net, NULL, 0, 0, {0}}};

    CUDA_CHECK(cudaStreamDestroy(net->stream));
    net->stream = 0;
    step_gpu(net, 0, the.batch[0], 0.05f, 0);
    bench_measure(cases, 2, 1);
    bench_report(cases, 2, the.batch[0], 0, NULL, NULL);
    CUDA_CHECK(cudaStreamCreate(&net->stream));
    path_kernels.close(net);
}

/* launch a scatter and a gather */

/* scatter the patches */
/* dx, which must be 0 before, from the patches, by atomics. */
__global__ void scatter_patches(int side, int pixels, const float *patches,
                                float *dx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int tap = blockIdx.y % 9, c = blockIdx.y / 9;
    int h = i / side % side + tap / 3 - 1, w = i % side + tap % 3 - 1;

    if (i < pixels && h >= 0 && h < side && w >= 0 && w < side)
        atomicAdd(dx + (size_t)c * pixels + i + (tap / 3 - 1) * side + tap % 3 -
                      1,
                  patches[(size_t)blockIdx.y * pixels + i]);
}

static void scatter(struct net *net, const struct gpu_block *b, float *dx)
{
    int pixels = net->n * b->side * b->side;
    dim3 grid((unsigned)blocks_for((size_t)pixels, 256), 9 * b->in);

    CUDA_CHECK(cudaMemsetAsync(dx, 0, (size_t)b->in * pixels * sizeof *dx,
                               net->stream));
    scatter_patches<<<grid, 256, 0, net->stream>>>(b->side, pixels, b->patches,
                                                   dx);
    CUDA_LAUNCH_CHECK();
}

static void gather(struct net *net, const struct gpu_block *b, float *dx)
{
    int pixels = net->n * b->side * b->side;
    dim3 grid((unsigned)blocks_for((size_t)pixels, 256), b->in);

    add_patches<<<grid, 256, 0, net->stream>>>(b->side, pixels, b->patches, dx);
    CUDA_LAUNCH_CHECK();
}

/* measure atomics */
struct adding {
    struct net *net;
    void (*add)(struct net *net, const struct gpu_block *b, float *dx);
};

static void add_once(void *work, int set)
{
    struct adding *a = (struct adding *)work;

    (void)set;
    a->add(a->net, &a->net->block[1], a->net->block[0].dp);
}

/* How many of 20 runs differ from the first in some bit. */
static int other_results(struct adding *a)
{
    size_t bytes = (size_t)a->net->n * a->net->m.c1 * 196 * sizeof(float);
    char *first = (char *)check_alloc(bytes, 1);
    char *now = (char *)check_alloc(bytes, 1);
    int others = 0;

    for (int run = 0; run <= 20; run++) {
        add_once(a, 0);
        fetch(a->net, run ? now : first, a->net->block[0].dp, bytes);
        others += run && memcmp(now, first, bytes) != 0;
    }
    free(first);
    free(now);
    return others;
}
static void time_adding(struct net *net)
{
    struct adding add[] = {{net, gather}, {net, scatter}};
    struct bench_case cases[] = {
        {"gather", add_once, &add[0], NULL, 0, 0, {0}},
        {"scatter", add_once, &add[1], NULL, 0, 0, {0}}};

    bench_measure(cases, 2, 1);
    bench_report(cases, 2, net->n, 0, NULL, NULL);
    for (int i = 0; i < 2; i++)
        bench_row(cases[i].variant, net->n, "others", other_results(&add[i]),
                  "");
}

static void atomics(const struct digits *train, const struct digits *test)
{
    struct model m = model_make(the.width);
    struct net *net = open_for(&path_library, &m, train, test, the.batch[1]);

    CUDA_CHECK(cudaStreamDestroy(net->stream));
    net->stream = 0;
    check_cublas(cublasSetStream(net->cublas, 0), "cublasSetStream");
    step_gpu(net, 0, the.batch[1], 0.05f, 0);
    time_adding(net);
    CUDA_CHECK(cudaStreamCreate(&net->stream));
    path_library.close(net);
}

/* learn from five seeds */
static double percent(const struct net *net, const struct digits *test,
                      const float *w, int batch)
{
    path_kernels.set((void *)net, w);
    return 100.0 *
           train_right(&path_kernels, (void *)net, test, 1, batch, NULL) /
           test->count;
}

/* The same with each test batch normalised by its own moments. */
static double percent_own(struct net *net, const struct digits *test, int batch)
{
    float *o = (float *)check_alloc((size_t)batch * MODEL_DIGITS, sizeof *o);
    int right = 0, asked = test->count / batch * batch;

    for (int first = 0; first < asked; first += batch) {
        load_batch(net, 1, NULL, first, batch);
        forward_on_gpu(net, 1);
        fetch(net, o, net->o, (size_t)batch * MODEL_DIGITS * sizeof *o);
        right += train_count(batch, o, test->labels + first, NULL);
    }
    free(o);
    return 100.0 * right / asked;
}
static void row(const char *variant, uint64_t seed, int epoch, double percent)
{
    bench_row(variant, (int)seed * 10 + epoch + 1, "accuracy", percent, "%");
}

static void learn_epoch(struct net *net, int count, uint64_t seed, int epoch,
                        struct running *running)
{
    int *order = (int *)check_alloc((size_t)count, sizeof *order);

    shuffle_order(count, seed, (uint64_t)epoch, order);
    path_kernels.order(net, order);
    for (int first = 0; first + the.few <= count; first += the.few) {
        step_gpu(net, first, the.few, 0.05f, 0);
        if (running)
            running_step(running, &path_kernels, net, &net->m, the.few);
    }
    free(order);
}
/* One seed: rows of test accuracy after each epoch, under all statistics.
   Returns the last, with those of one pass. */
static double learn(struct net *net, const struct digits *train,
                    const struct digits *test, uint64_t seed)
{
    float *w = (float *)check_alloc(net->m.total, sizeof *w);
    struct running running;
    double accuracy = 0;

    model_init(&net->m, w, seed);
    path_kernels.set(net, w);
    running_begin(&running);
    for (int e = 0; e < the.epochs; e++) {
        learn_epoch(net, train->count, seed, e, &running);
        path_kernels.get(net, w);
        running_put(&running, &net->m, w);
        row("running", seed, e, percent(net, test, w, the.few));
        row("own_batch", seed, e, percent_own(net, test, the.few));
        row("own_four", seed, e, percent_own(net, test, 4));
        train_calibrate(&path_kernels, net, &net->m, train->count, the.few, w);
        accuracy = percent(net, test, w, the.few);
        row("one_pass", seed, e, accuracy);
    }
    free(w);
    return accuracy;
}
static void learn_all(const struct digits *train, const struct digits *test)
{
    struct model m = model_make(the.width);
    struct net *net = open_for(&path_kernels, &m, train, test, the.few);
    double last[SEEDS];

    for (int seed = 1; seed <= the.seeds; seed++)
        last[seed - 1] = learn(net, train, test, (uint64_t)seed);
    bench_row("kernels", the.few, "accuracy", stats_of(last, the.seeds).median,
              "%");
    path_kernels.close(net);
}

/* learn from our own digits */
static void learn_own(const struct digits *test)
{
    struct digits own;
    struct net *net;
    struct model m = model_make(the.width);
    float *w = (float *)check_alloc(m.total, sizeof *w);
    int count = the.train ? the.train : 60000;

    synth_digits(count, 1, 0, &own);
    net = open_for(&path_kernels, &m, &own, test, the.few);
    for (int e = 0; e < 2; e++)
        learn_epoch(net, count, 1, e, NULL);
    train_calibrate(&path_kernels, net, &m, count, the.few, w);
    bench_row("own", count, "written", percent(net, test, w, the.few), "%");
    path_kernels.close(net);
    digits_free(&own);
    free(w);
}

/* write what the peer begins with */
static void write_numbers(const char *dir, const char *name, const void *from,
                          size_t bytes)
{
    char path[100];
    struct fault why;
    struct file_new *f;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = file_begin(path, &why);
    CHECK(f && file_put(f, from, bytes, &why) == 0 && file_commit(f, &why) == 0,
          "%s", why.text);
}

static void write_start(const char *dir, int count)
{
    struct model m = model_make(the.width);
    float *w = (float *)check_alloc(m.total, sizeof *w);
    int *order = (int *)check_alloc((size_t)count, sizeof *order);

    model_init(&m, w, 1);
    shuffle_order(count, 1, 0, order);
    write_numbers(dir, "weights.bin", w, m.total * sizeof *w);
    write_numbers(dir, "order.bin", order, (size_t)count * sizeof *order);
    free(w);
    free(order);
}

/* run the peer */
/* Runs the script with a folder to start from, passes its rows on, compares. */
static void run_peer(int count, const char *script)
{
    char dir[] = "/tmp/mnist-peer-XXXXXX", command[500], line[500];
    FILE *peer;

    CHECK(mkdtemp(dir) != NULL, "no folder in /tmp");
    write_start(dir, count);
    fflush(stdout);
    snprintf(command, sizeof command, "%s %s", script, dir);
    peer = popen(command, "r");
    CHECK(peer != NULL, "no python3");
    /* pass the rows of the peer on */
    while (fgets(line, sizeof line, peer)) {
        int k;
        double x;

        fputs(line, stdout);
        if (sscanf(line, "mnist,torch_eager,%d,us,%lf", &k, &x) == 2)
            bench_row("kernels", k, "of_eager",
                      x / our_us[(k > 64) + (k > 256)], "");
        if (sscanf(line, "mnist,loss_torch,%d,loss,%lf", &k, &x) == 2)
            bench_row("loss_torch", k, "off", fabs(x - yardstick[k]), "");
    }
    if (pclose(peer) != 0)
        printf("# peer: PyTorch is not here\n");
    snprintf(command, sizeof command, "rm -r %s", dir);
    CHECK(system(command) == 0, "%s is left behind", dir);
}

/* time the CPU */
static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Operations of a step for n pictures: see the table of the model. */
static double operations(const struct model *m, int n)
{
    double first = 2.0 * 9 * m->c1 * 784, second = 18.0 * m->c1 * m->c2 * 196;
    double head = 2.0 * m->hidden * (49.0 * m->c2 + MODEL_DIGITS);

    return n * (2 * first + 3 * second + 3 * head);
}

static void print_cpu(const char *variant, const struct model *m, int n,
                      double s)
{
    bench_row(variant, n, "ms", 1e3 * s, "ms");
    bench_row(variant, n, "gflops", operations(m, n) / s * 1e-9, "GFLOP/s");
}
static void time_plain(const struct model *m, const float *w,
                       const struct digits *d)
{
    float *x = (float *)check_alloc((size_t)the.few * MODEL_PIXELS, sizeof *x);
    float *grad = (float *)check_alloc(m->count, sizeof *grad);
    int *label = (int *)check_alloc((size_t)the.few, sizeof *label);
    double best = 1e30;

    digits_batch(d, NULL, 0, the.few, x, label);
    for (int i = 0; i < 2; i++) {
        double began = now();

        plain_step(m, w, the.few, x, label, grad);
        best = fmin(best, now() - began);
    }
    print_cpu("plain", m, the.few, best);
    free(x);
    free(grad);
    free(label);
}
static void time_lanes(const struct model *m, const float *w,
                       const struct digits *d, int threads)
{
    struct digits none = {0, NULL, NULL};
    void *net = path_reference.open(m, d, &none, the.few, threads);
    double best = 1e30;

    path_reference.set(net, w);
    path_reference.order(net, NULL);
    for (int i = 0; i < 20; i++) {
        double began = now();

        path_reference.step(net, 0, the.few, 0.05f, 0);
        best = fmin(best, now() - began);
    }
    print_cpu(threads == 1 ? "lanes_1" : "lanes_2", m, the.few, best);
    path_reference.close(net);
}
static void time_cpu(const struct digits *train, const struct digits *test)
{
    struct model m = model_make(the.width);
    float *w = (float *)check_alloc(m.total, sizeof *w);
    int *order = (int *)check_alloc((size_t)train->count, sizeof *order);
    void *net = path_reference.open(&m, train, test, the.few, 2);
    double began;

    model_init(&m, w, 1);
    shuffle_order(train->count, 1, 0, order);
    time_plain(&m, w, train);
    time_lanes(&m, w, train, 1);
    time_lanes(&m, w, train, 2);
    path_reference.set(net, w);
    path_reference.order(net, order);
    began = now();
    for (int i = 0; i + the.few <= train->count; i += the.few)
        path_reference.step(net, i, the.few, 0.05f, 0);
    bench_row("epoch", train->count, "seconds", now() - began, "s");
    train_calibrate(&path_reference, net, &m, train->count, the.few, w);
    bench_row("epoch", train->count, "accuracy",
              100.0 *
                  train_right(&path_reference, net, test, 1, the.few, NULL) /
                  test->count,
              "%");
    path_reference.close(net);
    free(w);
    free(order);
}
#ifdef __LOOM__
enum { ON_THE_MACHINE = 1 };
#else
enum { ON_THE_MACHINE = 0 };
#endif

static void time_gpu(const struct digits *train, const struct digits *test,
                     int peer)
{
    time_all(train, test);
    keep_losses(train);
    long_sum(train, test);
    atomics(train, test);
    learn_all(train, test);
    learn_own(test);
    run_peer(train->count, peer ? "python3 bench/peers/mnist.py" : "true");
}
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--small")};
    struct digits train, test;
    struct fault why;
    char from[500];

    args_parse(argc, argv, "measures the training step", args, 1);
    if (args[0].value)
        the = small;
    CHECK(digits_open(args[0].value ? "synth" : NULL, the.train, the.test,
                      &train, &test, from, sizeof from, &why) == 0,
          "%s", why.text);
    bench_begin("mnist");
    printf("# digits: %s\n", from);
    if (ON_THE_MACHINE)
        time_cpu(&train, &test);
    if (!ON_THE_MACHINE || args[0].value)
        time_gpu(&train, &test, !args[0].value);
    digits_free(&train);
    digits_free(&test);
    return 0;
}
