/* fast.cuh: a step of training, as fast as it gets. Equal inputs give equal bits. */
#ifndef RACE_FAST_CUH
#define RACE_FAST_CUH

#include "mnist/step.cuh"
#include "race/step.cuh"

enum fast_precision { FAST_BF16, FAST_TF32, FAST_FP32 };
enum { FAST_SLOTS = FUSED_SLOTS }; /* losses that are kept until asked */

/* hold the fast step */
struct fast {
    struct model m;
    enum fast_precision precision;
    int batch;                /* pictures of a step at most */
    const char *by;           /* who takes the steps, for a report */
    struct fused_host *fused; /* NULL: plain takes them */
    struct gpu
        *plain;  /* fp32; measures and answers, too. NULL: not needed yet */
    float *w;    /* on the host: what was set last */
    float *loss; /* on the device: [FAST_SLOTS] */
};

/* open and close the fast step */
/* Whether the fused step can run: the book's model, bf16, compute capability 9.0 */
static inline int fast_can(const struct model *m, enum fast_precision precision)
{
    int device, major = 0;

    if (m->width != 32 || precision != FAST_BF16)
        return 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor,
                                      device));
    return major >= 8;
}

/* For steps of up to `batch` pictures. Weights are zero: fast_set them. */
static inline struct fast *fast_create(const struct model *m, int batch,
                                       enum fast_precision precision)
{
    struct fast *f = (struct fast *)check_alloc(1, sizeof *f);

    CHECK(batch >= 1, "steps of %d pictures", batch);
    gpu_or_stop();
    f->m = *m;
    f->precision = precision;
    f->batch = batch;
    f->w = (float *)check_alloc(m->total, sizeof *f->w);
    CUDA_CHECK(cudaMalloc((void **)&f->loss, FAST_SLOTS * sizeof(float)));
    f->by = "the fp32 kernels of chapter 22";
    if (fast_can(m, precision)) {
        f->fused = fused_create(m, batch);
        f->by = "the fused kernels, in bf16";
    }
    return f;
}

static inline void fast_destroy(struct fast *f)
{
    CUDA_CHECK(cudaFree(f->loss));
    if (f->fused)
        fused_destroy(f->fused);
    if (f->plain)
        path_kernels.close(f->plain);
    free(f->w);
    free(f);
}

/* carry weights in and out */
/* m.total numbers on the host, laid out as in mnist/step.h; both wait for what
   is queued. The statistics at their end are kept for fast_answers. */
static inline void fast_set(struct fast *f, const float *w)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    memcpy(f->w, w, f->m.total * sizeof *w);
    if (f->fused)
        fused_set(f->fused, w);
    else if (f->plain)
        path_kernels.set(f->plain, w);
}

/* The plain kernels, with the weights of the moment. */
static inline struct gpu *fast_plain(struct fast *f)
{
    unsigned char pixels[DIGIT_PIXELS] = {}, label = 0;
    struct digits none = {1, pixels, &label};
    int made = !f->plain;

    if (made)
        f->plain =
            (struct gpu *)path_kernels.open(&f->m, &none, &none, f->batch, 1);
    CUDA_CHECK(cudaDeviceSynchronize());
    if (f->fused)
        fused_get(f->fused, f->w);
    if (made || f->fused)
        path_kernels.set(f->plain, f->w);
    return f->plain;
}

static inline void fast_get(struct fast *f, float *w)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    if (f->fused)
        fused_get(f->fused, f->w);
    else if (f->plain)
        path_kernels.get(f->plain, f->w);
    memcpy(w, f->w, f->m.total * sizeof *w);
}

/* take a fast step */
/* Pictures order[first], ... (NULL: first, ...) of images[][784], on the device
   like labels and order; the weights move by -rate times the gradient, the mean
   loss goes to f->loss[slot]. Queued on the stream. n from 1 to f->batch. A step
   that goes on where the last one ended is one launch of a graph. */
static inline void fast_step(struct fast *f, const unsigned char *images,
                             const unsigned char *labels, const int *order,
                             int first, int n, float rate, int slot,
                             cudaStream_t stream)
{
    CHECK(n >= 1 && n <= f->batch && first >= 0 && slot >= 0 &&
              slot < FAST_SLOTS,
          "a step on %d pictures of %d at most, slot %d", n, f->batch, slot);
    if (f->fused) {
        struct fused_args args = {images, labels, order, f->loss,
                                  first,  slot,   rate};

        fused_step(f->fused, args, n, stream);
    } else {
        struct gpu *c = f->plain ? f->plain : fast_plain(f);
        struct request r = {images, labels, order, first, rate, f->loss + slot};
        cudaStream_t own = c->stream;

        c->stream = stream;
        gpu_take(c, r, n);
        c->stream = own;
    }
}

/* measure and answer in fp32 */
/* Forward in training on such pictures, without a step, in fp32 (n = 0: of the
   last step); moments of that batch into moments[m.total - m.count] on the host. */
static inline void fast_measure(struct fast *f, const unsigned char *images,
                                const int *order, int first, int n,
                                float *moments)
{
    size_t bytes = (f->m.total - f->m.count) * sizeof *moments;

    CUDA_CHECK(cudaDeviceSynchronize());
    if (n == 0 && f->fused) {
        CUDA_CHECK(cudaMemcpy(moments, f->fused->d.moments, bytes,
                              cudaMemcpyDeviceToHost));
        return;
    }
    struct gpu *c = fast_plain(f);

    if (n > 0) {
        c->pixels[0] = (unsigned char *)images;
        c->labels[0] = (unsigned char *)images; /* read, and not used */
        c->counts[0] = first + n;
        gpu_go(c, 0, order, first, n, 1);
    }
    gpu_copy(c, moments, c->moments, bytes);
}

/* Outputs o[n][10] on the host, in evaluation, of images first, ... */
static inline void fast_answers(struct fast *f, const unsigned char *images,
                                int first, int n, float *o)
{
    struct gpu *c = fast_plain(f);

    c->pixels[1] = (unsigned char *)images;
    c->labels[1] = (unsigned char *)images; /* read, and not used */
    c->counts[1] = first + n;
    gpu_go(c, 1, NULL, first, n, 0);
    gpu_copy(c, o, c->o, (size_t)n * DIGIT_KINDS * sizeof *o);
}

#endif
