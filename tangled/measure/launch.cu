/* launch: streams and graphs of tiny kernels, counted and timed. */
#include <stdio.h>

#include "measure/launch.cuh"
#include "tour/args.h"

/* check the number after many launches */
static void check_launches(const char *way, int n, int rounds, unsigned *d_x)
{
    unsigned got, want = 0;

    for (int r = 0; r < rounds; r++)
        want = after(want, n);
    CUDA_CHECK(cudaMemcpy(&got, d_x, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == want, "%s: %d times %d launches give %u, not %u", way, rounds,
          n, got, want);
}

/* launch in one way and say what it cost */
static void try_way(const char *way,
                    void (*queue)(int, unsigned *, cudaStream_t), int graph,
                    int n, cudaStream_t s)
{
    cudaGraphExec_t ready = NULL;
    struct launch_times t;
    unsigned *d_x;

    CUDA_CHECK(cudaMalloc((void **)&d_x, sizeof *d_x));
    CUDA_CHECK(cudaMemset(d_x, 0, sizeof *d_x));
    if (graph) {
        ready = record(queue, n, d_x, s);
        check_launches("recording", n, 0, d_x);
    }
    t = time_launches(queue, ready, n, d_x, s);
    check_launches(way, n, LAUNCH_ROUNDS + 1, d_x);
    printf("%s: %.2f us a launch, the host busy for %.2f\n", way,
           t.done.median / n, t.host.median / n);
    if (graph)
        CUDA_CHECK(cudaGraphExecDestroy(ready));
    CUDA_CHECK(cudaFree(d_x));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100, 1, 10000)};
    int n;
    cudaStream_t s;

    args_parse(argc, argv, "launch n tiny kernels in several ways", args,
               ARG_COUNT(args));
    n = (int)args[0].value;
    CUDA_CHECK(cudaStreamCreate(&s));
    try_way("stream", queue_tiny, 0, n, s);
    try_way("laden", queue_laden, 0, n, s);
    try_way("graph", queue_tiny, 1, n, s);
    CUDA_CHECK(cudaStreamDestroy(s));
    printf("ok: %d launches in each of 3 ways, none lost, all in order\n", n);
    return 0;
}
