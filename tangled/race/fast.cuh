/* fast.cuh: a step of training, as fast as it gets. Equal inputs give equal bits. */
#ifndef RACE_FAST_CUH
#define RACE_FAST_CUH

#include "mnist/step.cuh"

/* name the precisions */
enum fast_precision { FAST_BF16, FAST_TF32, FAST_FP32 };
enum { FAST_SLOTS = 1024 }; /* losses that are kept until asked */

/* hold the fast step */
struct fast {
    struct model m;
    enum fast_precision precision;
    int batch;      /* pictures of a step at most */
    const char *by; /* "fused" or "kernels of chapter 22" */
    struct gpu *plain; /* fp32: takes the steps, measures and answers */
    float *loss;       /* on the device: [FAST_SLOTS] */
};

/* open and close the fast step */
/* For steps of up to `batch` pictures. Weights are zero: fast_set them. */
static struct fast *fast_create(const struct model *m, int batch,
                                enum fast_precision precision)
{
    struct fast *f = (struct fast *)check_alloc(1, sizeof *f);
    unsigned char pixels[DIGIT_PIXELS] = {}, label = 0;
    struct digits none = {1, pixels, &label};

    f->m = *m;
    f->precision = precision;
    f->batch = batch;
    f->by = "kernels of chapter 22";
    f->plain = (struct gpu *)path_kernels.open(m, &none, &none, batch, 1);
    CUDA_CHECK(cudaMalloc((void **)&f->loss, FAST_SLOTS * sizeof(float)));
    return f;
}

static void fast_destroy(struct fast *f)
{
    CUDA_CHECK(cudaFree(f->loss));
    path_kernels.close(f->plain);
    free(f);
}

/* carry weights in and out */
/* m.total numbers on the host, laid out as in mnist/step.h; both wait for what
   is queued. The statistics at their end are kept for fast_answers. */
static void fast_set(struct fast *f, const float *w)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    path_kernels.set(f->plain, w);
}

static void fast_get(struct fast *f, float *w)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    path_kernels.get(f->plain, w);
}

/* take a fast step */
/* Pictures order[first], ... (NULL: first, ...) of images[][784], on the device
   like labels and order; the weights move by -rate times the gradient, the mean
   loss goes to f->loss[slot]. Queued on the stream. n from 1 to f->batch. */
static void fast_step(struct fast *f, const unsigned char *images,
                      const unsigned char *labels, const int *order, int first,
                      int n, float rate, int slot, cudaStream_t stream)
{
    struct gpu *c = f->plain;
    cudaStream_t own = c->stream;

    CHECK(n >= 1 && n <= f->batch && first >= 0 && slot >= 0 &&
              slot < FAST_SLOTS,
          "a step on %d pictures of %d at most, slot %d", n, f->batch, slot);
    c->stream = stream;
    c->pixels[0] = (unsigned char *)images;
    c->labels[0] = (unsigned char *)labels;
    c->counts[0] = first + n;
    gpu_load(c, 0, order, first, n);
    gpu_forward(c, 1);
    xent_forward_run(n, DIGIT_KINDS, c->o, c->label, c->logp, c->each,
                     f->loss + slot, stream);
    gpu_backward(c);
    sgd_run(c->m.count, rate, c->g, c->w, stream);
    c->stream = own;
}

/* measure and answer in fp32 */
/* Forward in training on such pictures, without a step (n = 0: of the last
   step); moments of that batch into moments[m.total - m.count] on the host. */
static void fast_measure(struct fast *f, const unsigned char *images,
                         const int *order, int first, int n, float *moments)
{
    struct gpu *c = f->plain;

    CUDA_CHECK(cudaDeviceSynchronize());
    if (n > 0) {
        c->pixels[0] = (unsigned char *)images;
        c->labels[0] = (unsigned char *)images; /* not used */
        c->counts[0] = first + n;
        gpu_load(c, 0, order, first, n);
        gpu_forward(c, 1);
    }
    gpu_copy(c, moments, c->moments,
             (c->m.total - c->m.count) * sizeof *moments);
}

/* Outputs o[n][10] on the host, in evaluation, of images first, ... */
static void fast_answers(struct fast *f, const unsigned char *images, int first,
                         int n, float *o)
{
    struct gpu *c = f->plain;

    CUDA_CHECK(cudaDeviceSynchronize());
    c->pixels[1] = (unsigned char *)images;
    c->labels[1] = (unsigned char *)images; /* not used */
    c->counts[1] = first + n;
    gpu_load(c, 1, NULL, first, n);
    gpu_forward(c, 0);
    gpu_copy(c, o, c->o, (size_t)n * DIGIT_KINDS * sizeof *o);
}

#endif
