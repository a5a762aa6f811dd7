/* bench: the benchmark of this chapter beside CUB's histogram. */
#include <cub/device/device_histogram.cuh>

#include "atomics/bench.cuh"

static void run_cub(struct count_work *w, const unsigned char *in)
{
    static void *scratch;
    static size_t bytes;
    int bins = BINS;

    if (scratch == NULL) {
        CUDA_CHECK(cub::DeviceHistogram::HistogramEven(
            NULL, bytes, in, w->counts, bins + 1, 0, bins, (int64_t)1 << MOST));
        CUDA_CHECK(cudaMalloc(&scratch, bytes));
    }
    CUDA_CHECK(cub::DeviceHistogram::HistogramEven(
        scratch, bytes, in, w->counts, bins + 1, 0, bins, (int64_t)w->n));
}

int main(int argc, char **argv)
{
    peer = run_cub;
    bench_all(argc, argv);
    return 0;
}
