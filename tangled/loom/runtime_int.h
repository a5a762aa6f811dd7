/* runtime_int.h: what the runtime's modules share, and programs do not see. */
#ifndef LOOM_RUNTIME_INT_H
#define LOOM_RUNTIME_INT_H

#include <stdint.h>

#include "loom/cuda_runtime_api.h"

/* describe the handles */
enum {
    LOOM_STREAM = 0x7eac0de1,
    LOOM_EVENT,
    LOOM_GRAPH,
    LOOM_EXEC,
    LOOM_NODE,
    LOOM_POOL,
    LOOM_ARRAY,
    LOOM_TEXTURE
};

struct loom_nodes {
    struct CUgraphNode_st **at;
    size_t n, room;
};

struct CUstream_st {
    unsigned word, flags;
    int priority;
    cudaLaunchAttributeValue attribute[16];
    struct CUgraph_st *graph; /* what it was last recorded into, or NULL */
    struct loom_nodes front;  /* what its next node has to wait for */
};

struct CUevent_st {
    unsigned word, flags;
    unsigned times;           /* it was recorded */
    uint64_t number;          /* of the work that does it, or 0 */
    double ms;                /* when that was done, or 0 */
    struct CUgraph_st *graph; /* or into what ... */
    struct loom_nodes front;  /* ... and behind which nodes */
};

/* describe a copy */
struct loom_box {
    char *to;
    const char *from;
    size_t to_pitch, from_pitch, width, height;
    size_t to_slice, from_slice, depth; /* 0 or 1: a single slice */
    enum cudaMemcpyKind kind;
};

/* declare what the calls share */
/* Every call returns through one of these; the second has waited. */
cudaError_t loom_result(cudaError_t e);
cudaError_t loom_synced(cudaError_t e);
/* A kernel or a copy of a graph has failed. */
void loom_pend(cudaError_t e);
int loom_usable(void);
int loom_is_registered(const void *p);
/* Does what all streams hold. */
void loom_finish_all(void);
int loom_is_stream(cudaStream_t s);
int loom_is_default(cudaStream_t s);
int loom_is_event(cudaEvent_t e);
void loom_stamp(cudaEvent_t e);

/* What recordings forbid: the host to wait, the legacy stream to be used;
   and how many calls have done so. */
extern struct loom_recording {
    int strict, blocking, spoilt;
} loom_recording;

/* What is wrong with a copy, after it was said; the copy; both in a stream. */
cudaError_t loom_check_copy(const char *call, const struct loom_box *b);
void loom_do_copy(void *box);
cudaError_t loom_copy(const char *call, const struct loom_box *b,
                      cudaStream_t s);
void loom_run_kernel(const struct loom_launch *l);
/* The graph that the stream is being recorded into, or NULL. */
struct CUgraph_st *loom_recorded(cudaStream_t s);
int loom_recording_into(const struct CUgraph_st *g);

/* Adds a node behind those that the stream stands at. */
cudaError_t loom_record(cudaStream_t s, cudaGraphNodeType type,
                        void (*run)(void *), const void *args, size_t bytes);

/* Memory of a graph that is being recorded by the stream. */
cudaError_t loom_record_alloc(void **p, size_t bytes, cudaStream_t s);
cudaError_t loom_record_free(void *p, cudaStream_t s);
void loom_join_front(struct loom_nodes *to, const struct loom_nodes *from);

/* loom_enqueue for work that is a node of this type. */
cudaError_t loom_enqueue_as(cudaGraphNodeType type, cudaStream_t s,
                            void (*run)(void *), const void *args,
                            size_t bytes);

/* Makes the box that is copied; what is wrong with the parameters. */
cudaError_t loom_box_of(struct loom_box *b, const struct cudaMemcpy3DParms *p);
#endif
