/* pays: after how many rounds has a graph paid for itself? */
#include "measure/launch.cuh"

/* compute the rounds until it pays */
static double rounds_until(double make, double stream, double graph)
{
    return graph < stream ? floor(make / (stream - graph)) + 1 : -1;
}

int main(void)
{
    enum { N = 100 };
    unsigned *d_x;
    double start, make, s, g, r;
    cudaStream_t stream;
    cudaGraphExec_t ready;

    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc((void **)&d_x, sizeof *d_x));
    CUDA_CHECK(cudaMemset(d_x, 0, sizeof *d_x));
    start = clock_us();
    ready = record(queue_tiny, N, d_x, stream);
    make = clock_us() - start;
    g = time_launches(queue_tiny, ready, N, d_x, stream).done.median;
    s = time_launches(queue_tiny, NULL, N, d_x, stream).done.median;
    r = rounds_until(make, s, g);
    CHECK(r < 0 || (make + r * g < r * s && make + (r - 1) * g >= (r - 1) * s),
          "%g rounds: make %g, stream %g, graph %g", r, make, s, g);
    CHECK(rounds_until(100, 30, 10) == 6 && rounds_until(1, 2, 3) == -1, "sum");
    printf("ok: after %.0f rounds (-1: never)\n", r);
    CUDA_CHECK(cudaGraphExecDestroy(ready));
    CUDA_CHECK(cudaFree(d_x));
    return 0;
}
