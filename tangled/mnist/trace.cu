/* trace: one training step in ranges, for a tracer and for a table. */
#include "measure/range.h"
#include "mnist/step.cuh"
#include "mnist/synth.h"

/* take a step in ranges */
#define RANGE(name, ...) range_open(name), __VA_ARGS__, range_close()

static void step_in_ranges(struct gpu *c, int n)
{
    struct gpu_block *a = &c->block[0], *b = &c->block[1];
    struct request r = {c->pixels[0], c->labels[0], NULL, 0, 0.05f, c->loss};

    c->stats = c->moments;
    c->n = n;
    RANGE("load", gpu_load(c, r), gpu_biases(c));
    RANGE("block 1", c->by->convolve(c, a), gpu_normalize(c, a));
    RANGE("block 2", c->by->convolve(c, b), gpu_normalize(c, b));
    RANGE("head", gpu_head(c));
    RANGE("loss", gpu_loss(c));
    RANGE("head back", gpu_head_back(c));
    RANGE("2 back", gpu_block_back(c, b), c->by->convolve_back(c, b));
    RANGE("1 back", gpu_block_back(c, a), gpu_join(c));
    RANGE("update", gpu_descend(c, c->kept));
}

/* trace a step */
#ifdef __LOOM__ /* a small one, whose times say nothing */
enum { WIDTH = 2, BATCH = 6 };
#else
enum { WIDTH = 32, BATCH = 64 };
#endif

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : BATCH;
    struct model m = model_make(WIDTH);
    float *w = (float *)check_alloc(m.total, sizeof *w);
    struct digits d;
    struct gpu *c;

    CHECK(n >= 1, "a batch of %d pictures", n);
    synth_digits(n, 1, 0, &d);
    model_init(&m, w, 1);
    c = gpu_open(&by_kernels, &m, &d, &d, n);
    gpu_set(c, w);
    for (int i = 0; i < 3; i++)
        step_in_ranges(c, n);
    CUDA_CHECK(cudaDeviceSynchronize());
    ranges_count = 0;
    step_in_ranges(c, n);
    range_table();
    gpu_close(c);
    digits_free(&d);
    free(w);
    return 0;
}
