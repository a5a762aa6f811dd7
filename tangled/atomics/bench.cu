/* bench: the benchmark of this chapter beside CUB's histogram. */
#include <cub/device/device_histogram.cuh>

#include "atomics/bench.cuh"

/* count with the library */
static void *cub_scratch;
static size_t cub_bytes;

static void run_cub(void *work, int set)
{
    struct count_work *w = (struct count_work *)work;
    unsigned char *in = w->in + w->stride * (size_t)set;

    if (cub_scratch == NULL) {
        CUDA_CHECK(cub::DeviceHistogram::HistogramEven(
            NULL, cub_bytes, in, w->counts, (int)BINS + 1, 0, (int)BINS,
            (int64_t)w->n));
        CUDA_CHECK(cudaMalloc(&cub_scratch, cub_bytes));
    }
    CUDA_CHECK(cub::DeviceHistogram::HistogramEven(
        cub_scratch, cub_bytes, in, w->counts, (int)BINS + 1, 0, (int)BINS,
        (int64_t)w->n));
}

int main(int argc, char **argv)
{
    run_peer = run_cub;
    bench_all(argc, argv);
    return 0;
}
