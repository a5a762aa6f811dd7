/* cdp: passes launched by a kernel, and passes that start early. */
#include <cuda_device_runtime_api.h>
#include <stdio.h>

#include "async/device.cuh"
#include "tour/args.h"

/* pass by these launches */
static void pass_by(const char *who,
                    void (*queue)(struct passes *, cudaStream_t),
                    struct passes *w)
{
    unsigned *h = passes_begin(w);

    host_passes(w->n, w->steps, h, h + w->n);
    queue(w, w->side);
    passes_end(w, who, h);
}

static void pass_as_graph(const char *who,
                          void (*queue)(struct passes *, cudaStream_t),
                          struct passes *w)
{
    unsigned *h = passes_begin(w);
    cudaGraphExec_t ready;
    cudaGraph_t graph;

    host_passes(w->n, w->steps, h, h + w->n);
    graph = captured(queue, w, w->side);
    CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CUDA_CHECK(cudaGraphLaunch(ready, w->side));
    passes_end(w, who, h);
    CUDA_CHECK(cudaGraphExecDestroy(ready));
    CUDA_CHECK(cudaGraphDestroy(graph));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 20),
                         ARG_SIZE("steps", 6, 0, 10000), ARG_FLAG("--early")};
    struct passes w;

    args_parse(argc, argv, "passes by dynamic parallelism, and early", args,
               ARG_COUNT(args));
    passes_open(&w, (unsigned)args[0].value, (unsigned)args[1].value);
    if (!args[2].value)
        pass_by("parent", passes_by_parent, &w);
    pass_by("early", passes_early, &w);
    pass_as_graph("early, as a graph", passes_early, &w);
    printf("ok: %u passes over %u numbers, %s\n", w.steps, w.n,
           args[2].value ? "early" : "by a parent and early");
    passes_close(&w);
    return 0;
}
