/* build: a graph built node by node, a node changed, a graph updated. */
#include <stdio.h>

#include "async/nodes.cuh"
#include "tour/args.h"

enum { STEPS_MOST = 1000 };

/* build, change and update */
/* The passes on the host, where pass 0 adds `first`. */
static void host_with_first(struct passes *w, unsigned first, unsigned *h)
{
    unsigned *b = h + w->n;

    for (unsigned i = 0; i < w->n; i++)
        b[i] = 5 * h[(i + 1) % w->n] + first;
    for (unsigned k = 1; k < w->steps; k++)
        for (unsigned i = 0; i < w->n; i++)
            (k % 2 ? h : b)[i] = 5 * (k % 2 ? b : h)[(i + 1) % w->n] + k;
}

static void build_and_change(struct passes *w)
{
    static cudaGraphNode_t nodes[STEPS_MOST];
    cudaGraph_t graph = built(w, nodes), again;
    cudaGraphExecUpdateResultInfo info;
    cudaGraphExec_t ready;
    unsigned *h;

    CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
    for (unsigned first = 0; first < 3; first++) {
        h = passes_begin(w);
        set_first(w, ready, nodes[0], first);
        host_with_first(w, first, h);
        CUDA_CHECK(cudaGraphLaunch(ready, w->side));
        passes_end(w, "a changed node", h);
    }
    again = captured(passes_in_stream, w, w->side);
    CUDA_CHECK(cudaGraphExecUpdate(ready, again, &info));
    h = passes_begin(w);
    host_with_first(w, 0, h);
    CUDA_CHECK(cudaGraphLaunch(ready, w->side));
    passes_end(w, "an updated graph", h);
    CUDA_CHECK(cudaGraphExecDestroy(ready));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaGraphDestroy(again));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 20),
                         ARG_SIZE("steps", 6, 2, STEPS_MOST)};
    struct passes w;

    args_parse(argc, argv, "a graph built, changed and updated", args,
               ARG_COUNT(args));
    passes_open(&w, (unsigned)args[0].value, (unsigned)args[1].value);
    build_and_change(&w);
    printf("ok: %u passes over %u numbers, built, changed and updated\n",
           w.steps, w.n);
    passes_close(&w);
    return 0;
}
