/* capture: passes in a stream, in one kernel, and as a graph with a fork. */
#include <stdio.h>

#include "async/passes.cuh"
#include "tour/args.h"

/* pass in a stream and in one kernel */
static void pass_twice(struct passes *w)
{
    unsigned *h = passes_begin(w);

    host_passes(w->n, w->steps, h, h + w->n);
    passes_in_stream(w, w->side);
    passes_end(w, "stream", h);
    h = passes_begin(w);
    host_passes(w->n, w->steps, h, h + w->n);
    passes_in_one(w, w->side);
    passes_end(w, "one kernel", h);
}

/* launch a captured graph several times */
static void launch_captured(struct passes *w, int times)
{
    unsigned *h = passes_begin(w);
    cudaGraph_t plain, fork;
    cudaGraphExec_t ready;
    cudaStream_t s;

    CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    plain = captured(passes_in_stream, w, s);
    CUDA_CHECK(cudaGraphInstantiate(&ready, plain, 0));
    for (int k = 0; k < times; k++) {
        CUDA_CHECK(cudaGraphLaunch(ready, s));
        host_passes(w->n, w->steps, h, h + w->n);
    }
    passes_end(w, "graph", h);
    CUDA_CHECK(cudaGraphExecDestroy(ready));
    h = passes_begin(w);
    fork = captured(clear_and_pass, w, s);
    CUDA_CHECK(cudaGraphInstantiate(&ready, fork, 0));
    CUDA_CHECK(cudaGraphLaunch(ready, s));
    memset(h, 0, w->n * sizeof *h);
    host_passes(w->n, w->steps, h, h + w->n);
    passes_end(w, "graph with a fork", h);
    CUDA_CHECK(cudaGraphExecDestroy(ready));
    CUDA_CHECK(cudaGraphDestroy(plain));
    CUDA_CHECK(cudaGraphDestroy(fork));
    CUDA_CHECK(cudaStreamDestroy(s));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 20),
                         ARG_SIZE("steps", 6, 0, 10000),
                         ARG_SIZE("times", 3, 1, 1000)};
    struct passes w;

    args_parse(argc, argv, "passes over a ring, captured", args,
               ARG_COUNT(args));
    passes_open(&w, (unsigned)args[0].value, (unsigned)args[1].value);
    pass_twice(&w);
    launch_captured(&w, (int)args[2].value);
    printf("ok: %u passes over %u numbers, captured once and launched %d "
           "times\n",
           w.steps, w.n, (int)args[2].value);
    passes_close(&w);
    return 0;
}
