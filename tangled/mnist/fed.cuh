/* fed.cuh: the path of the kernels, with training digits that stay on the host:
   each batch comes through the loader of chapter 11. */
#ifndef MNIST_FED_CUH
#define MNIST_FED_CUH

#include "async/loader.cuh"
#include "mnist/step.cuh"

struct fed {
    struct gpu *c;
    struct digits train;
    const int *order, *by; /* the trainer's; that of this batch */
    struct loader l;
};

/* feed a batch */
static void fed_fill(void *p, int first, void *to)
{
    const struct fed *f = (const struct fed *)p;
    size_t batch = (size_t)f->c->batch;
    unsigned char *pixels = (unsigned char *)to;

    for (size_t i = 0; i < batch && first + (int)i < f->train.count; i++) {
        size_t from = f->by ? f->by[first + i] : first + i;

        memcpy(pixels + i * DIGIT_PIXELS, f->train.pixels + from * DIGIT_PIXELS,
               DIGIT_PIXELS);
        pixels[batch * DIGIT_PIXELS + i] = f->train.labels[from];
    }
}

/* As gpu_ask() says; an order that is not NULL is the trainer's. */
static struct request fed_ask(void *p, const int *order, int first)
{
    struct fed *f = (struct fed *)p;
    const unsigned char *d;

    f->by = order ? f->order : NULL;
    if (f->l.given < f->l.taken)
        loader_give(&f->l, f->c->stream);
    loader_send(&f->l, first);
    d = (const unsigned char *)loader_take(&f->l, f->c->stream);
    return {d, d + (size_t)f->c->batch * DIGIT_PIXELS};
}

/* open and close what is fed */
static void *fed_open(const struct model *m, const struct digits *train,
                      const struct digits *test, int batch, int)
{
    struct digits few = *train;
    struct fed *f = (struct fed *)check_alloc(1, sizeof *f);

    few.count = few.count < batch ? few.count : batch;
    f->c = gpu_open(&by_kernels, m, &few, test, batch);
    f->c->counts[0] = train->count;
    f->c->ask = fed_ask;
    f->c->asked = f;
    f->train = *train;
    loader_open(&f->l, (size_t)batch * (DIGIT_PIXELS + 1), fed_fill, f);
    return f->c;
}

static void fed_close(void *p)
{
    struct fed *f = (struct fed *)((struct gpu *)p)->asked;

    loader_close(&f->l);
    gpu_close(f->c);
    free(f);
}

static void fed_order(void *p, const int *order)
{
    ((struct fed *)((struct gpu *)p)->asked)->order = order;
}

static const struct path path_fed =
    path_by("fed", fed_open, fed_close, fed_order);

#endif
