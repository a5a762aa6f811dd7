/* graph.h: graphs, built node by node or recorded from streams. C11 and
   C++17. */
#ifndef LOOM_GRAPH_H
#define LOOM_GRAPH_H

#include "loom/cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* declare the calls of graphs */
cudaError_t cudaGraphCreate(cudaGraph_t *g, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t g);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec,
                                  unsigned long long *flags);
cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t g);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node,
                                     cudaGraphNode_t original,
                                     cudaGraph_t clone);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g,
                                cudaGraphExecUpdateResultInfo *info);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g,
                                 unsigned long long flags LOOM_OR(0));
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t g,
                                          unsigned long long flags LOOM_OR(0));
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t s);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t g, const char *path,
                                   unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t fn, void *data);
cudaError_t cudaDeviceGetGraphMemAttribute(int device,
                                           enum cudaGraphMemAttributeType what,
                                           void *value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device,
                                           enum cudaGraphMemAttributeType what,
                                           void *value);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaStreamBeginCapture(cudaStream_t s,
                                   enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t g,
                                          const cudaGraphNode_t *before,
                                          const cudaGraphEdgeData *edges,
                                          size_t n,
                                          enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t s,
                                  enum cudaStreamCaptureStatus *status);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s,
                                     enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id LOOM_OR(0),
                                     cudaGraph_t *graph LOOM_OR(0),
                                     const cudaGraphNode_t **before LOOM_OR(0),
                                     const cudaGraphEdgeData **edges LOOM_OR(0),
                                     size_t *n LOOM_OR(0));
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s,
                                                cudaGraphNode_t *before,
                                                const cudaGraphEdgeData *edges,
                                                size_t n,
                                                unsigned flags LOOM_OR(0));
cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t *nodes,
                                  size_t *n);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *before,
                                         cudaGraphEdgeData *edges, size_t *n);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *behind,
                                           cudaGraphEdgeData *edges, size_t *n);
cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, cudaGraphEdgeData *edges,
                              size_t *n);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t n, cudaGraphNodeType *type);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t n, cudaGraph_t *g);
cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edges, size_t n);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edges,
                                        size_t n);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t n);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int on);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *on);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *h,
                                             cudaGraph_t g,
                                             unsigned first LOOM_OR(0),
                                             unsigned flags LOOM_OR(0));
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t g,
                             const cudaGraphNode_t *before,
                             const cudaGraphEdgeData *edges, size_t n,
                             struct cudaGraphNodeParams *p);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t g,
                                     const cudaGraphNode_t *before, size_t n,
                                     void *to, const void *from, size_t count,
                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
                                               cudaGraphNode_t node, void *to,
                                               const void *from, size_t count,
                                               enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t g,
                                     const cudaGraphNode_t *before, size_t n,
                                     struct cudaMemAllocNodeParams *p);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t g,
                                      const cudaGraphNode_t *before, size_t n,
                                      cudaEvent_t event);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t g,
                                       const cudaGraphNode_t *before, size_t n,
                                       cudaGraph_t child);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t g,
                                  const cudaGraphNode_t *before, size_t n);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t n,
                                   struct cudaGraphNodeParams *p);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n,
                                       struct cudaGraphNodeParams *p);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
                                                 cudaGraphNode_t n,
                                                 cudaGraph_t child);
#define LOOM_NODE_OF(Name, T)                                                  \
    cudaError_t cudaGraphAdd##Name##Node(cudaGraphNode_t *node, cudaGraph_t g, \
                                         const cudaGraphNode_t *before,        \
                                         size_t n, const T *p);                \
    cudaError_t cudaGraph##Name##NodeGetParams(cudaGraphNode_t n, T *p);       \
    cudaError_t cudaGraph##Name##NodeSetParams(cudaGraphNode_t n, const T *p); \
    cudaError_t cudaGraphExec##Name##NodeSetParams(                            \
        cudaGraphExec_t exec, cudaGraphNode_t n, const T *p);
LOOM_NODE_OF(Kernel, struct cudaKernelNodeParams)
LOOM_NODE_OF(Memcpy, struct cudaMemcpy3DParms)
LOOM_NODE_OF(Memset, struct cudaMemsetParams)
LOOM_NODE_OF(Host, struct cudaHostNodeParams)
#undef LOOM_NODE_OF
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t g,
                                    const cudaGraphNode_t *before, size_t n,
                                    void *value);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t g,
                                        const cudaGraphNode_t *before, size_t n,
                                        cudaEvent_t value);
/* Records a launch into the graph of a stream. */
cudaError_t loom_record_kernel(const struct loom_launch *l, cudaStream_t s);

/* cudaGraphSetConditional. */
void loom_set_condition(cudaGraphConditionalHandle h, unsigned value);
#ifdef __cplusplus
}
#endif
#endif
