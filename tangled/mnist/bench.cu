/* bench: the training step on the GPU, its time, its memory, its losses and
   what is learned, beside PyTorch. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure/bench.h"
#include "mnist/net.cuh"
#include "mnist/start.h"
#include "mnist/train.h"
#include "mnist/yardstick.h"
#include "random/init.h"

/* time the steps of a path */
enum { WARM = 30, COUNT = 200 };

static void print_times(const char *variant, int batch, const double *us)
{
    struct stats s = stats_of(us, COUNT);
    double mean = 0, square = 0;

    for (int i = 0; i < COUNT; i++)
        mean += us[i] / COUNT;
    for (int i = 0; i < COUNT; i++)
        square += (us[i] - mean) * (us[i] - mean) / (COUNT - 1);
    bench_row(variant, batch, "us", mean, "µs");
    bench_row(variant, batch, "us_sd", sqrt(square), "µs");
    bench_row(variant, batch, "us_q1", s.q1, "µs");
    bench_row(variant, batch, "us_median", s.median, "µs");
    bench_row(variant, batch, "us_q3", s.q3, "µs");
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

    for (int s = 0; s <= COUNT; s++)
        CUDA_CHECK(cudaEventCreate(&event[s]));
    for (int s = 0; s < WARM; s++)
        step_gpu(net, first_in(net, s, batch), batch, 0.05f, 0);
    CUDA_CHECK(cudaEventRecord(event[0], net->stream));
    for (int s = 0; s < COUNT; s++) {
        step_gpu(net, first_in(net, WARM + s, batch), batch, 0.05f, 0);
        CUDA_CHECK(cudaEventRecord(event[s + 1], net->stream));
    }
    CUDA_CHECK(cudaStreamSynchronize(net->stream));
    for (int s = 0; s < COUNT; s++) {
        float ms;

        CUDA_CHECK(cudaEventElapsedTime(&ms, event[s], event[s + 1]));
        us[s] = 1e3 * ms;
        sum += us[s];
    }
    for (int s = 0; s <= COUNT; s++)
        CUDA_CHECK(cudaEventDestroy(event[s]));
    print_times(variant, batch, us);
    return sum / COUNT;
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
    for (int s = 0; s < COUNT; s++) {
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
            sum[i] += 1e3 * ms / COUNT;
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

static void print_account(const struct net *net, const char *variant,
                          int batch, size_t before)
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
    static const int batches[] = {64, 256, 1024};
    struct model m = model_make(32);

    CUDA_CHECK(cudaFree(NULL));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            size_t before = taken();
            struct net *net =
                open_for(paths[j], &m, train, test, batches[i]);
            double us;

            print_account(net, paths[j]->name, batches[i], before);
            us = time_steps(net, paths[j]->name, batches[i]);
            if (j == 0)
                our_us[i] = us;
            time_stages(net, paths[j]->name, batches[i]);
            paths[j]->close(net);
        }
}

/* keep the losses */
enum { LOSSES = 100 };

static void keep_losses(const struct digits *train)
{
    struct model m = model_make(32);
    float *w = (float *)check_alloc(m.total, sizeof *w), loss[LOSSES];
    int *order = (int *)check_alloc((size_t)train->count, sizeof *order);
    struct first_steps f = {&m, w, train, order, 64, LOSSES, 0.05f};
    double yardstick[LOSSES];
    static const struct path *all[] = {&path_reference, &path_kernels,
                                       &path_library};
    static const char *name[] = {"loss_reference", "loss_kernels",
                                 "loss_library"};

    model_init(&m, w, 1);
    shuffle_order(train->count, 1, 0, order);
    yardstick_losses(&f, 8, yardstick);
    for (int s = 0; s < LOSSES; s++)
        bench_row("loss_double", s, "loss", yardstick[s], "");
    for (int i = 0; i < 3; i++) {
        path_losses(&f, all[i], 8, loss);
        for (int s = 0; s < LOSSES; s++) {
            bench_row(name[i], s, "loss", loss[s], "");
            bench_row(name[i], s, "off", fabs(loss[s] - yardstick[s]), "");
        }
    }
    free(w);
    free(order);
}

/* learn from five seeds */
enum { SEEDS = 5, EPOCHS = 5 };

static double percent(const struct net *net, const struct digits *test,
                      const float *w, int batch)
{
    path_kernels.set((void *)net, w);
    return 100.0 *
           train_right(&path_kernels, (void *)net, test, 1, batch, NULL) /
           test->count;
}

/* One seed: rows of test accuracy after each epoch, under both statistics. */
static void learn(struct net *net, const struct digits *train,
                  const struct digits *test, uint64_t seed, double *accuracy)
{
    float *w = (float *)check_alloc(net->m.total, sizeof *w);
    int *order = (int *)check_alloc((size_t)train->count, sizeof *order);
    struct running running;

    model_init(&net->m, w, seed);
    path_kernels.set(net, w);
    running_begin(&running);
    for (int e = 0; e < EPOCHS; e++) {
        shuffle_order(train->count, seed, (uint64_t)e, order);
        path_kernels.order(net, order);
        for (int first = 0; first + 64 <= train->count; first += 64) {
            step_gpu(net, first, 64, 0.05f, 0);
            running_step(&running, &path_kernels, net, &net->m, 64);
        }
        path_kernels.get(net, w);
        running_put(&running, &net->m, w);
        bench_row("running", (int)seed * 10 + e + 1, "accuracy",
                  percent(net, test, w, 64), "%");
        train_calibrate(&path_kernels, net, &net->m, train->count, 64, w);
        accuracy[e] = percent(net, test, w, 64);
        bench_row("one_pass", (int)seed * 10 + e + 1, "accuracy", accuracy[e],
                  "%");
    }
    free(w);
    free(order);
}
static void learn_all(const struct digits *train, const struct digits *test)
{
    struct model m = model_make(32);
    struct net *net = open_for(&path_kernels, &m, train, test, 64);
    double accuracy[EPOCHS], best[SEEDS], last[SEEDS];

    for (int seed = 1; seed <= SEEDS; seed++) {
        learn(net, train, test, (uint64_t)seed, accuracy);
        best[seed - 1] = last[seed - 1] = accuracy[EPOCHS - 1];
        for (int e = 0; e < EPOCHS; e++)
            best[seed - 1] = fmax(best[seed - 1], accuracy[e]);
    }
    bench_row("kernels", 64, "accuracy", stats_of(last, SEEDS).median, "%");
    bench_row("kernels", 64, "accuracy_best", stats_of(best, SEEDS).median, "%");
    path_kernels.close(net);
}

/* run the peer */
/* Runs bench/peers/mnist.py, passes its rows on, and compares. */
static void run_peer(int count)
{
    char dir[] = "/tmp/mnist-peer-XXXXXX", command[500], line[500];
    struct model m = model_make(32);
    struct fault why;
    FILE *peer;

    CHECK(mkdtemp(dir) != NULL, "no folder in /tmp");
    CHECK(start_write(dir, &m, 1, count, 5, &why) == 0, "%s", why.text);
    fflush(stdout);
    snprintf(command, sizeof command, "python3 bench/peers/mnist.py %s", dir);
    peer = popen(command, "r");
    CHECK(peer != NULL, "no python3");
    while (fgets(line, sizeof line, peer)) {
        int batch;
        double us;

        fputs(line, stdout);
        if (sscanf(line, "mnist,torch_eager,%d,us,%lf", &batch, &us) == 2)
            bench_row("kernels", batch, "of_eager",
                      us / our_us[batch == 64 ? 0 : batch == 256 ? 1 : 2], "");
    }
    if (pclose(peer) != 0)
        printf("# peer: PyTorch is not here\n");
    snprintf(command, sizeof command, "rm -r %s", dir);
    CHECK(system(command) == 0, "%s is left behind", dir);
}

int main(void)
{
    struct digits train, test;
    struct fault why;
    char from[500];

    CHECK(digits_open(NULL, 0, 0, &train, &test, from, sizeof from, &why) == 0,
          "%s", why.text);
    bench_begin("mnist");
    printf("# digits: %s\n", from);
    time_all(&train, &test);
    keep_losses(&train);
    learn_all(&train, &test);
    run_peer(train.count);
    digits_free(&train);
    digits_free(&test);
    return 0;
}
