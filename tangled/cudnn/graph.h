/* graph.h: cuDNN's graph API from C: create, set, finalize; what is refused is
   said in words. cuDNN 9. C11 and C++17. */
#ifndef CUDNN_GRAPH_H
#define CUDNN_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cudnn.h>

#if CUDNN_MAJOR != 9
#error "this program is written for cuDNN 9; cudnn.h is of another version"
#endif

/* describe a graph in the making */
typedef cudnnBackendDescriptor_t dnn_desc;

enum { DNN_OPS = 16, DNN_WORDS = 1024 };

/* Start it with dnn_open. After the first refusal everything else does nothing,
   so a caller asks once, at the end, whether `why` has a text. */
struct dnn {
    cudnnHandle_t handle; /* of a GPU; or NULL, and then */
    dnn_desc device;      /* the properties of one; or NULL */
    dnn_desc graph, ops[DNN_OPS];
    int op_count;
    int64_t tensors; /* made so far: the last one's id */
    dnn_desc *owned; /* all that dnn_close destroys */
    int owned_count, owned_room;
    cudnnStatus_t status; /* of the first refusal */
    char why[DNN_WORDS];  /* and in words */
};

/* say a status in words */
static inline const char *dnn_words(cudnnStatus_t s)
{
    switch ((int)s / 1000) {
    case 0:
        return "it worked";
    case 1:
        return "cuDNN cannot start here, or its parts do not fit together";
    case 2:
        return "an argument is wrong";
    case 3:
        return "right, but nothing in this cuDNN can do it here";
    case 4:
        return "cuDNN failed inside";
    case 5:
        return "the GPU, its driver or another library failed";
    default:
        return "a status that this program does not know";
    }
}

/* keep the first refusal */
/* True while nothing was refused. `what` was just asked for. */
static inline bool dnn_ok(struct dnn *g, cudnnStatus_t s, const char *what)
{
    char said[DNN_WORDS / 2] = "";

    if (g->why[0] || s == CUDNN_STATUS_SUCCESS)
        return !g->why[0];
    cudnnGetLastErrorString(said, sizeof said);
    g->status = s;
    snprintf(g->why, sizeof g->why, "%s: %s: %s (%s)", what,
             cudnnGetErrorString(s), dnn_words(s), said);
    return false;
}

/* remember a descriptor */
static inline dnn_desc dnn_own(struct dnn *g, dnn_desc d)
{
    if (g->owned_count == g->owned_room) {
        g->owned_room = 2 * g->owned_room + 64;
        g->owned = (dnn_desc *)realloc(g->owned, (size_t)g->owned_room *
                                                     sizeof *g->owned);
        if (!g->owned) {
            fprintf(stderr, "no memory for %d descriptors\n", g->owned_room);
            exit(1);
        }
    }
    return g->owned[g->owned_count++] = d;
}

/* create, set and finalize */
static inline dnn_desc dnn_new(struct dnn *g, cudnnBackendDescriptorType_t type,
                               const char *what)
{
    dnn_desc d = NULL;

    if (g->why[0] || !dnn_ok(g, cudnnBackendCreateDescriptor(type, &d), what))
        return NULL;
    return dnn_own(g, d);
}

static inline void dnn_set(struct dnn *g, dnn_desc d,
                           cudnnBackendAttributeName_t name,
                           cudnnBackendAttributeType_t type, int64_t count,
                           const void *values)
{
    char what[40];

    if (g->why[0])
        return;
    snprintf(what, sizeof what, "attribute %d", (int)name);
    dnn_ok(g, cudnnBackendSetAttribute(d, name, type, count, values), what);
}

static inline bool dnn_finalize(struct dnn *g, dnn_desc d, const char *what)
{
    return !g->why[0] && dnn_ok(g, cudnnBackendFinalize(d), what);
}

/* set the commonest kinds of attribute */
static inline void dnn_set_desc(struct dnn *g, dnn_desc d,
                                cudnnBackendAttributeName_t name, dnn_desc v)
{
    dnn_set(g, d, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &v);
}

static inline void dnn_set_ints(struct dnn *g, dnn_desc d,
                                cudnnBackendAttributeName_t name, int64_t count,
                                const int64_t *v)
{
    dnn_set(g, d, name, CUDNN_TYPE_INT64, count, v);
}

static inline void dnn_set_type(struct dnn *g, dnn_desc d,
                                cudnnBackendAttributeName_t name,
                                cudnnDataType_t v)
{
    dnn_set(g, d, name, CUDNN_TYPE_DATA_TYPE, 1, &v);
}

/* open and close */
/* Empties *g. For a GPU give a handle; without one give the JSON text of a
   GPU's properties, and plans can be made but not run. */
static inline void dnn_open(struct dnn *g, cudnnHandle_t handle,
                            const char *json)
{
    size_t version = cudnnGetVersion();

    memset(g, 0, sizeof *g);
    g->handle = handle;
    if (version / 10000 != 9) {
        g->status = CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH;
        snprintf(g->why, sizeof g->why,
                 "cuDNN %zu is loaded, by its own number; this program is "
                 "written for 9 (90000 to 99999)",
                 version);
    } else if (json && (CUDNN_VERSION < 90800 || version < 90800)) {
        g->status = CUDNN_STATUS_NOT_SUPPORTED;
        snprintf(g->why, sizeof g->why,
                 "cuDNN %zu.%zu makes no plans without a GPU: that came with "
                 "9.8",
                 version / 10000, version / 100 % 100);
    }
#if CUDNN_VERSION >= 90800
    if (json) {
        g->device = dnn_new(g, CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "a device");
        dnn_set(g, g->device, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
                CUDNN_TYPE_CHAR, (int64_t)strlen(json), json);
        dnn_finalize(g, g->device, "the properties of a device");
    }
#endif
}

static inline void dnn_close(struct dnn *g)
{
    while (g->owned_count > 0)
        cudnnBackendDestroyDescriptor(g->owned[--g->owned_count]);
    free(g->owned);
    g->owned = NULL;
    g->owned_room = 0;
}

/* add an operation to the graph */
static inline void dnn_add(struct dnn *g, dnn_desc op, const char *what)
{
    if (g->op_count == DNN_OPS)
        dnn_ok(g, CUDNN_STATUS_BAD_PARAM, "more operations than DNN_OPS");
    else if (dnn_finalize(g, op, what))
        g->ops[g->op_count++] = op;
}

/* make a graph of the operations */
static inline bool dnn_finish(struct dnn *g)
{
    g->graph = dnn_new(g, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, "a graph");
    if (g->handle) /* before 9.8 a graph must have it */
        dnn_set(g, g->graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE,
                CUDNN_TYPE_HANDLE, 1, &g->handle);
    dnn_set(g, g->graph, CUDNN_ATTR_OPERATIONGRAPH_OPS,
            CUDNN_TYPE_BACKEND_DESCRIPTOR, g->op_count, g->ops);
    return dnn_finalize(g, g->graph, "the graph");
}

/* ask the heuristics */
/* Engine configurations for the graph, the best guess first, at most `room`;
   returns how many there are. `from`, if not NULL: how many were looked at. */
static inline int dnn_ask(struct dnn *g, cudnnBackendHeurMode_t mode,
                          dnn_desc *configs, int room, int64_t *from)
{
    dnn_desc h =
        dnn_new(g, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, "the heuristics");
    int64_t count = 0, looked = 0;

    dnn_set_desc(g, h, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, g->graph);
    dnn_set(g, h, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
#if CUDNN_VERSION >= 90800
    if (g->device)
        dnn_set_desc(g, h, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, g->device);
#endif
    if (!dnn_finalize(g, h, "the heuristics"))
        return 0;
    for (int i = 0; i < room; i++)
        configs[i] = dnn_new(g, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, "a config");
    cudnnBackendGetAttribute(h, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                             CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &looked, NULL);
    dnn_ok(g,
           cudnnBackendGetAttribute(h, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                    CUDNN_TYPE_BACKEND_DESCRIPTOR, room, &count,
                                    configs),
           "the heuristics' answer");
    if (from)
        *from = looked;
    return g->why[0] ? 0 : (int)count;
}

/* build a plan */
/* A plan for one configuration, or NULL if it is refused; *workspace: the bytes
   that a run needs. */
static inline dnn_desc dnn_build(struct dnn *g, dnn_desc config,
                                 int64_t *workspace)
{
    dnn_desc plan =
        dnn_new(g, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, "a plan");
    int64_t count = 0;

    if (g->handle)
        dnn_set(g, plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1,
                &g->handle);
    dnn_set_desc(g, plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
#if CUDNN_VERSION >= 90800
    if (g->device)
        dnn_set_desc(g, plan, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, g->device);
#endif
    if (!dnn_finalize(g, plan, "a plan") ||
        !dnn_ok(g,
                cudnnBackendGetAttribute(
                    plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                    CUDNN_TYPE_INT64, 1, &count, workspace),
                "a plan's workspace"))
        return NULL;
    return plan;
}

/* run a plan */
/* Which memory each tensor is, by its id; the workspace is on the device. */
static inline dnn_desc dnn_pack(struct dnn *g, int count, const int64_t *ids,
                                void *const *memory, void *workspace)
{
    dnn_desc pack =
        dnn_new(g, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, "a variant pack");

    dnn_set_ints(g, pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, count, ids);
    dnn_set(g, pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
            count, memory);
    dnn_set(g, pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1,
            &workspace);
    return dnn_finalize(g, pack, "a variant pack") ? pack : NULL;
}

/* Queues the plan on the handle's stream. */
static inline bool dnn_run(struct dnn *g, dnn_desc plan, dnn_desc pack)
{
    return !g->why[0] &&
           dnn_ok(g, cudnnBackendExecute(g->handle, plan, pack), "a run");
}

#endif
