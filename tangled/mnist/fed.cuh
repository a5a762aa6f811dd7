/* fed.cuh: the path of the kernels, with training digits that stay on the host:
   each batch comes through the loader of chapter 11. */
#ifndef MNIST_FED_CUH
#define MNIST_FED_CUH

#include "async/loader.cuh"
#include "mnist/step.cuh"

/* remember what is under way */
struct fed {
    struct gpu *c;
    struct digits train;
    const int *order, *by; /* the trainer's; that of the batch under way */
    int sent;              /* its first digit, or -1 */
    struct loader l;
};

/* gather the digits of a batch */
static void fed_fill(void *p, int first, void *to)
{
    const struct fed *f = (const struct fed *)p;
    size_t batch = (size_t)f->c->batch;
    unsigned char *pixels = (unsigned char *)to;
    unsigned char *labels = pixels + batch * DIGIT_PIXELS;

    for (size_t i = 0; i < batch && first + (int)i < f->train.count; i++) {
        size_t from = f->by ? f->by[first + i] : first + i;

        memcpy(pixels + i * DIGIT_PIXELS, f->train.pixels + from * DIGIT_PIXELS,
               DIGIT_PIXELS);
        labels[i] = f->train.labels[from];
    }
}

/* take the wanted batch, and send the next */
static void fed_send(struct fed *f, const int *order, int first)
{
    f->by = order;
    f->sent = first;
    loader_send(&f->l, first);
}

static void fed_drop(struct fed *f)
{
    if (f->sent >= 0) {
        loader_take(&f->l, f->c->stream);
        loader_give(&f->l, f->c->stream);
    }
    f->sent = -1;
}

/* Digits first.. in the order, or as they lie if it is NULL. */
static struct request fed_take(struct fed *f, const int *order, int first,
                               int n)
{
    int batch = f->c->batch;
    const unsigned char *d;

    CHECK(n >= 1 && n <= batch && first >= 0 && first + n <= f->train.count,
          "digits %d to %d of %d, at most %d", first, first + n, f->train.count,
          batch);
    if (f->sent != first || f->by != order)
        fed_drop(f);
    if (f->sent < 0)
        fed_send(f, order, first);
    d = (const unsigned char *)loader_take(&f->l, f->c->stream);
    f->sent = -1;
    return {d, d + (size_t)batch * DIGIT_PIXELS, NULL, 0, 0, f->c->loss};
}

/* What reads the batch is queued; `next` is what will be asked for. */
static void fed_give(struct fed *f, const int *order, int next)
{
    loader_give(&f->l, f->c->stream);
    if (next < f->train.count)
        fed_send(f, order, next);
}

/* do with it what a path does */
static void fed_order(void *p, const int *order)
{
    struct fed *f = (struct fed *)p;

    fed_drop(f);
    f->order = order;
}

static void fed_step(void *p, int first, int n, float lr, int slot)
{
    struct fed *f = (struct fed *)p;
    struct request r = fed_take(f, f->order, first, n);

    r.lr = lr;
    r.loss = f->c->loss + slot;
    gpu_take(f->c, r, n);
    fed_give(f, f->order, first + n);
}

static void fed_go(struct fed *f, const int *order, int first, int n,
                   int training)
{
    struct request r = fed_take(f, order, first, n);

    f->c->n = n;
    gpu_load(f->c, r);
    gpu_forward(f->c, training);
    fed_give(f, order, first + n);
}

static void fed_measure(void *p, int first, int n, float *moments)
{
    struct fed *f = (struct fed *)p;

    if (n > 0)
        fed_go(f, f->order, first, n, 1);
    gpu_measure(f->c, 0, 0, moments);
}

static void fed_answers(void *p, int test, int first, int n, float *o)
{
    struct fed *f = (struct fed *)p;

    if (test) {
        gpu_answers(f->c, test, first, n, o);
    } else {
        fed_go(f, NULL, first, n, 0);
        gpu_copy(f->c, o, f->c->o, (size_t)n * DIGIT_KINDS * sizeof *o);
    }
}

/* open and close what is fed */
static void *fed_open(const struct model *m, const struct digits *train,
                      const struct digits *test, int batch, int)
{
    struct digits few = *train;
    struct fed *f = (struct fed *)check_alloc(1, sizeof *f);

    few.count = few.count < batch ? few.count : batch;
    f->c = gpu_open(&by_kernels, m, &few, test, batch);
    f->train = *train;
    f->sent = -1;
    loader_open(&f->l, (size_t)batch * (DIGIT_PIXELS + 1), fed_fill, f);
    return f;
}

static void fed_close(void *p)
{
    struct fed *f = (struct fed *)p;

    loader_close(&f->l);
    gpu_close(f->c);
    free(f);
}

static void fed_set(void *p, const float *w)
{
    gpu_set(((struct fed *)p)->c, w);
}

static void fed_get(void *p, float *w)
{
    gpu_get(((struct fed *)p)->c, w);
}

static void fed_losses(void *p, int count, float *loss)
{
    gpu_losses(((struct fed *)p)->c, count, loss);
}

static const struct path path_fed = {.name = "fed",
                                     .group = PATH_SLOTS,
                                     .open = fed_open,
                                     .close = fed_close,
                                     .set = fed_set,
                                     .get = fed_get,
                                     .order = fed_order,
                                     .step = fed_step,
                                     .losses = fed_losses,
                                     .measure = fed_measure,
                                     .answers = fed_answers};

#endif
