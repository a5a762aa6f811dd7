/* nodes.cuh: the passes as a graph that is built node by node. */
#ifndef ASYNC_NODES_CUH
#define ASYNC_NODES_CUH

#include "async/passes.cuh"

/* add a node for one pass */
/* The parameters of pass k; args must live until they are used. */
static inline struct cudaKernelNodeParams
pass_params(struct passes *w, unsigned *k, void *args[4])
{
    struct cudaKernelNodeParams p = {};

    args[0] = &w->n;
    args[1] = k;
    args[2] = &w->d[*k % 2];
    args[3] = &w->d[(*k + 1) % 2];
    p.func = (void *)pass;
    p.gridDim = dim3((unsigned)blocks_for(w->n, 256));
    p.blockDim = dim3(256);
    p.kernelParams = args;
    return p;
}

/* build the passes */
/* The graph of the passes, and its nodes. */
static inline cudaGraph_t built(struct passes *w, cudaGraphNode_t *nodes)
{
    cudaGraph_t graph;

    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    for (unsigned k = 0; k < w->steps; k++) {
        void *args[4];
        struct cudaKernelNodeParams p = pass_params(w, &k, args);

        CUDA_CHECK(cudaGraphAddKernelNode(&nodes[k], graph,
                                          k ? &nodes[k - 1] : NULL, k > 0, &p));
    }
    return graph;
}

/* change the first step */
/* Pass 0 adds `first` from the next launch on. */
static inline void set_first(struct passes *w, cudaGraphExec_t ready,
                             cudaGraphNode_t node, unsigned first)
{
    void *args[4];
    unsigned zero = 0;
    struct cudaKernelNodeParams p = pass_params(w, &zero, args);

    args[1] = &first;
    CUDA_CHECK(cudaGraphExecKernelNodeSetParams(ready, node, &p));
}

#endif
