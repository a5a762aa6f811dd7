/* trace: one training step in ranges, for a tracer and for a table. */
#include "measure/range.h"
#include "mnist/step.cuh"
#include "mnist/synth.h"

/* take a step in ranges */
static void step_in_ranges(struct gpu *c, int n)
{
    struct gpu_block *a = &c->block[0], *b = &c->block[1];
    struct request r = {c->pixels[0], c->labels[0], NULL, 0, 0.05f, c->loss};

    c->stats = c->moments;
    c->n = n;
    range_open("load"), gpu_load(c, r), gpu_biases(c), range_close();
    range_open("block 1"), c->by->convolve(c, a);
    gpu_normalize(c, a), range_close();
    range_open("block 2"), c->by->convolve(c, b);
    gpu_normalize(c, b), range_close();
    range_open("head"), gpu_head(c), range_close();
    range_open("loss"), gpu_loss(c), range_close();
    range_open("head back"), gpu_head_back(c), range_close();
    range_open("2 back"), gpu_block_back(c, b);
    c->by->convolve_back(c, b), range_close();
    range_open("1 back"), gpu_block_back(c, a), gpu_join(c), range_close();
    range_open("update"), gpu_descend(c, c->kept), range_close();
}

/* trace a step */
#ifdef __LOOM__ /* a small one, whose times say nothing */
enum { WIDTH = 2, BATCH = 6 };
#else
enum { WIDTH = 32, BATCH = 64 };
#endif

int main(void)
{
    struct model m = model_make(WIDTH);
    float *w = (float *)check_alloc(m.total, sizeof *w);
    struct digits d;
    struct gpu *c;

    synth_digits(BATCH, 1, 0, &d);
    model_init(&m, w, 1);
    c = gpu_open(&by_kernels, &m, &d, &d, BATCH);
    gpu_set(c, w);
    for (int i = 0; i < 3; i++)
        step_in_ranges(c, BATCH);
    CUDA_CHECK(cudaDeviceSynchronize());
    ranges_count = 0;
    step_in_ranges(c, BATCH);
    range_table();
    gpu_close(c);
    digits_free(&d);
    free(w);
    return 0;
}
