/* learn.cuh: whole trainings by a recipe, with everything on the GPU. */
#ifndef RACE_LEARN_CUH
#define RACE_LEARN_CUH

#include "measure/clock.h"
#include "race/path.cuh"
#include "race/recipe.h"
#include "random/init.h"

/* move the pictures */
/* Where picture i of an epoch goes: right and down, each from -most to most.
   (The remainder favors some by one in 100 million.) */
struct move {
    int right, down;
};

RANDOM_FN struct move move_at(uint64_t seed, int epoch, int i, int most)
{
    uint32_t side = 2 * (uint32_t)most + 1;
    uint32_t w = philox_word(seed, 1000 + (uint64_t)epoch, (uint64_t)i);
    struct move m = {(int)(w % side) - most, (int)(w / side % side) - most};

    return m;
}
__global__ void move_digits(uint64_t seed, int epoch, int most,
                            const unsigned char *from, unsigned char *to)
{
    struct move m = move_at(seed, epoch, blockIdx.x, most);
    size_t at = (size_t)blockIdx.x * DIGIT_PIXELS;

    for (int p = threadIdx.x; p < DIGIT_PIXELS; p += blockDim.x) {
        int row = p / DIGIT_SIDE - m.down, column = p % DIGIT_SIDE - m.right;

        to[at + p] =
            row >= 0 && row < DIGIT_SIDE && column >= 0 && column < DIGIT_SIDE
                ? from[at + row * DIGIT_SIDE + column]
                : 0;
    }
}

/* hold a learner */
enum { CALIBRATE = 4096 }; /* pictures that the statistics are taken from */

struct learner {
    const struct path *path; /* one of path_fast */
    const struct model *m;
    struct fast_net *net;
    unsigned char *moved; /* the training digits of an epoch */
    int *order[2];        /* of this epoch and the next, pinned */
    cudaEvent_t copied[2];
    float *w; /* m->total */
};

static struct learner learner_open(const struct model *m,
                                   const struct digits *train,
                                   const struct digits *test, int batch,
                                   enum fast_precision precision)
{
    struct learner l = {&path_fast[precision], m};
    size_t count = (size_t)train->count;

    l.net = (struct fast_net *)l.path->open(m, train, test, batch, 1);
    l.w = (float *)check_alloc(m->total, sizeof *l.w);
    CUDA_CHECK(cudaMalloc((void **)&l.moved, count * DIGIT_PIXELS));
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaMallocHost((void **)&l.order[k], count * sizeof(int)));
        CUDA_CHECK(cudaEventCreate(&l.copied[k]));
    }
    return l;
}

static void learner_close(struct learner *l)
{
    l->path->close(l->net);
    CUDA_CHECK(cudaFree(l->moved));
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaFreeHost(l->order[k]));
        CUDA_CHECK(cudaEventDestroy(l->copied[k]));
    }
    free(l->w);
}

/* train by a recipe */
/* From the weights that the seed draws; into l->w the weights and statistics.
   Returns the seconds from the first step to the last number. Where loss is
   not NULL, every step's goes there (and the time says nothing). */
static double learn(struct learner *l, const struct recipe *r, uint64_t seed,
                    float *loss)
{
    struct fast_net *net = l->net;
    int count = net->counts[0], in_epoch = count / r->batch;
    int steps = r->epochs * in_epoch;
    double began;

    model_init(l->m, l->w, seed);
    l->path->set(net, l->w);
    CUDA_CHECK(cudaDeviceSynchronize());
    began = clock_us();
    for (int e = 0; e < r->epochs; e++) {
        /* queue the order of an epoch */
        CUDA_CHECK(cudaEventSynchronize(l->copied[e % 2])); /* of epoch e - 2 */
        shuffle_order(count, seed, (uint64_t)e, l->order[e % 2]);
        CUDA_CHECK(cudaMemcpyAsync(net->order, l->order[e % 2],
                                   (size_t)count * sizeof(int),
                                   cudaMemcpyHostToDevice, net->stream));
        CUDA_CHECK(cudaEventRecord(l->copied[e % 2], net->stream));
        /* queue the moves of an epoch */
        net->shown = r->shift ? l->moved : net->pixels[0];
        if (r->shift) {
            move_digits<<<count, 256, 0, net->stream>>>(
                seed, e, r->shift, net->pixels[0], l->moved);
            CUDA_LAUNCH_CHECK();
        }
        for (int s = 0; s < in_epoch; s++) {
            int step = e * in_epoch + s, slot = step % PATH_SLOTS;

            l->path->step(net, s * r->batch, r->batch, rate_at(r, step, steps),
                          slot);
            if (loss && (slot == PATH_SLOTS - 1 || step == steps - 1))
                l->path->losses(net, slot + 1, loss + step - slot);
        }
    }
    /* take the statistics of some pictures */
    train_calibrate(l->path, net, l->m, count < CALIBRATE ? count : CALIBRATE,
                    r->batch, l->w);
    CUDA_CHECK(cudaDeviceSynchronize());
    return 1e-6 * (clock_us() - began);
}

#endif
