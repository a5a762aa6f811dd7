/* path.cuh: the fast step as paths of the trainer, one for each precision. */
#ifndef RACE_PATH_CUH
#define RACE_PATH_CUH

#include "mnist/train.h"
#include "race/fast.cuh"

/* hold the digits beside the fast step */
struct fast_net {
    struct fast *f;
    unsigned char *pixels[2], *labels[2]; /* training and test digits */
    const unsigned char *shown; /* training digits as the steps see them */
    int *order, counts[2];
    int base, next; /* slots: of the trainer's slot 0; behind the last step */
    struct gpu *plain; /* chapter 22's kernels, if they have these weights */
    cudaStream_t stream;
};

/* open the fast step and the digits */
static unsigned char *fast_bytes(const unsigned char *from, size_t count)
{
    unsigned char *p;

    CUDA_CHECK(cudaMalloc((void **)&p, count + !count));
    CUDA_CHECK(cudaMemcpy(p, from, count, cudaMemcpyHostToDevice));
    return p;
}

static struct fast_net *fast_open(enum fast_precision precision,
                                  const struct model *m,
                                  const struct digits *train,
                                  const struct digits *test, int batch)
{
    struct fast_net *c = (struct fast_net *)check_alloc(1, sizeof *c);
    const struct digits *part[] = {train, test};
    size_t bytes = (size_t)(train->count + !train->count) * sizeof *c->order;

    gpu_or_stop();
    c->f = fast_create(m, batch, precision);
    for (int k = 0; k < 2; k++) {
        size_t count = (size_t)part[k]->count;

        c->counts[k] = part[k]->count;
        c->pixels[k] = fast_bytes(part[k]->pixels, count * DIGIT_PIXELS);
        c->labels[k] = fast_bytes(part[k]->labels, count);
    }
    c->shown = c->pixels[0];
    CUDA_CHECK(cudaMalloc((void **)&c->order, bytes));
    CUDA_CHECK(cudaStreamCreate(&c->stream));
    return c;
}

static void fast_close(void *net)
{
    struct fast_net *c = (struct fast_net *)net;

    CUDA_CHECK(cudaDeviceSynchronize());
    fast_destroy(c->f);
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaFree(c->pixels[k]));
        CUDA_CHECK(cudaFree(c->labels[k]));
    }
    CUDA_CHECK(cudaFree(c->order));
    CUDA_CHECK(cudaStreamDestroy(c->stream));
    free(c);
}

/* answer the trainer by the fast step */
static struct gpu *fast_net_plain(struct fast_net *c)
{
    if (c->plain == NULL) {
        c->plain = fast_plain(c->f);
        for (int k = 0; k < 2; k++) {
            c->plain->pixels[k] = c->pixels[k];
            c->plain->labels[k] = c->labels[k];
            c->plain->counts[k] = c->counts[k];
        }
        c->plain->order = c->order;
    }
    return c->plain;
}

static void fast_net_set(void *net, const float *w)
{
    struct fast_net *c = (struct fast_net *)net;

    fast_set(c->f, w);
    c->plain = NULL;
}

static void fast_net_get(void *net, float *w)
{
    fast_get(((struct fast_net *)net)->f, w);
}

static void fast_net_order(void *net, const int *order)
{
    struct fast_net *c = (struct fast_net *)net;

    CUDA_CHECK(cudaMemcpyAsync(c->order, order,
                               (size_t)c->counts[0] * sizeof *order,
                               cudaMemcpyHostToDevice, c->stream));
    CUDA_CHECK(cudaStreamSynchronize(c->stream));
}
static void fast_net_step(void *net, int first, int n, float lr, int slot)
{
    struct fast_net *c = (struct fast_net *)net;

    c->plain = NULL;
    if (slot == 0)
        c->base = c->next;
    c->next = (c->base + slot + 1) % FAST_SLOTS;
    fast_step(c->f, c->shown, c->labels[0], c->order, first, n, lr,
              (c->base + slot) % FAST_SLOTS, c->stream);
}

static void fast_net_losses(void *net, int count, float *loss)
{
    struct fast_net *c = (struct fast_net *)net;
    int part = count < FAST_SLOTS - c->base ? count : FAST_SLOTS - c->base;

    CUDA_CHECK(cudaMemcpyAsync(loss, c->f->loss + c->base,
                               (size_t)part * sizeof *loss,
                               cudaMemcpyDeviceToHost, c->stream));
    CUDA_CHECK(cudaMemcpyAsync(loss + part, c->f->loss,
                               (size_t)(count - part) * sizeof *loss,
                               cudaMemcpyDeviceToHost, c->stream));
    CUDA_CHECK(cudaStreamSynchronize(c->stream));
}

static void fast_net_measure(void *net, int first, int n, float *moments)
{
    struct fast_net *c = (struct fast_net *)net;

    if (n == 0)
        fast_measure(c->f, c->pixels[0], NULL, 0, 0, moments);
    else
        path_kernels.measure(fast_net_plain(c), first, n, moments);
}

static void fast_net_answers(void *net, int test, int first, int n, float *o)
{
    struct fast_net *c = (struct fast_net *)net;

    path_kernels.answers(fast_net_plain(c), test, first, n, o);
}

/* name the fast paths */
static void *open_fast_fp32(const struct model *m, const struct digits *train,
                            const struct digits *test, int batch, int)
{
    return fast_open(FAST_FP32, m, train, test, batch);
}

static void *open_fast_tf32(const struct model *m, const struct digits *train,
                            const struct digits *test, int batch, int)
{
    return fast_open(FAST_TF32, m, train, test, batch);
}

static void *open_fast_bf16(const struct model *m, const struct digits *train,
                            const struct digits *test, int batch, int)
{
    return fast_open(FAST_BF16, m, train, test, batch);
}

static struct path fast_path(const char *name,
                             void *(*open)(const struct model *,
                                           const struct digits *,
                                           const struct digits *, int, int))
{
    return {.name = name,
            .group = PATH_SLOTS,
            .open = open,
            .close = fast_close,
            .set = fast_net_set,
            .get = fast_net_get,
            .order = fast_net_order,
            .step = fast_net_step,
            .losses = fast_net_losses,
            .measure = fast_net_measure,
            .answers = fast_net_answers};
}

/* In the order of enum fast_precision. */
static const struct path path_fast[] = {fast_path("fast_bf16", open_fast_bf16),
                                        fast_path("fast_tf32", open_fast_tf32),
                                        fast_path("fast", open_fast_fp32)};

#endif
