/* engines.h: a graph's engines asked for by number, with notes and knobs.
   cuDNN 9. C11 and C++17. */
#ifndef CUDNN_ENGINES_H
#define CUDNN_ENGINES_H

#include "cudnn/graph.h"

/* count the engines of a graph */
static inline int dnn_engines(struct dnn *g)
{
    int64_t n = 0, count = 0;

    dnn_ok(g,
           cudnnBackendGetAttribute(
               g->graph, CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT,
               CUDNN_TYPE_INT64, 1, &n, &count),
           "the number of engines");
    return (int)count;
}

/* take an engine by its number */
/* The engine of that number for the graph, or NULL: it cannot do it. */
static inline dnn_desc dnn_engine(struct dnn *g, int64_t number)
{
    dnn_desc e = dnn_new(g, CUDNN_BACKEND_ENGINE_DESCRIPTOR, "an engine");

    dnn_set_desc(g, e, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, g->graph);
    dnn_set_ints(g, e, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, 1, &number);
#if CUDNN_VERSION >= 90800
    if (g->device)
        dnn_set_desc(g, e, CUDNN_ATTR_ENGINE_DEVICEPROP, g->device);
#endif
    return dnn_finalize(g, e, "an engine") ? e : NULL;
}

/* read an engine's knobs */
enum { DNN_KNOBS = 16 };

struct dnn_knob {
    int32_t kind; /* a cudnnBackendKnobType_t */
    int64_t least, most;
};

/* How many knobs the engine has; they are put into `knob` unless it is NULL. */
static inline int dnn_knobs(struct dnn *g, dnn_desc engine,
                            struct dnn_knob *knob)
{
    dnn_desc info[DNN_KNOBS];
    int64_t count = 0, n;

    for (int i = 0; i < DNN_KNOBS; i++)
        info[i] = dnn_new(g, CUDNN_BACKEND_KNOB_INFO_DESCRIPTOR, "a knob");
    dnn_ok(g,
           cudnnBackendGetAttribute(engine, CUDNN_ATTR_ENGINE_KNOB_INFO,
                                    CUDNN_TYPE_BACKEND_DESCRIPTOR, DNN_KNOBS,
                                    &count, info),
           "an engine's knobs");
    for (int i = 0; knob && i < count && i < DNN_KNOBS; i++) {
        cudnnBackendGetAttribute(info[i], CUDNN_ATTR_KNOB_INFO_TYPE,
                                 CUDNN_TYPE_KNOB_TYPE, 1, &n, &knob[i].kind);
        cudnnBackendGetAttribute(info[i], CUDNN_ATTR_KNOB_INFO_MINIMUM_VALUE,
                                 CUDNN_TYPE_INT64, 1, &n, &knob[i].least);
        cudnnBackendGetAttribute(info[i], CUDNN_ATTR_KNOB_INFO_MAXIMUM_VALUE,
                                 CUDNN_TYPE_INT64, 1, &n, &knob[i].most);
    }
    return (int)count;
}

/* set knobs */
static inline dnn_desc dnn_config(struct dnn *g, dnn_desc engine, int count,
                                  const struct dnn_knob *knob,
                                  const int64_t *value)
{
    dnn_desc c = dnn_new(g, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, "a config");
    dnn_desc choice[DNN_KNOBS];

    dnn_set_desc(g, c, CUDNN_ATTR_ENGINECFG_ENGINE, engine);
    for (int i = 0; i < count; i++) {
        choice[i] = dnn_new(g, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, "a knob");
        dnn_set(g, choice[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE,
                CUDNN_TYPE_KNOB_TYPE, 1, &knob[i].kind);
        dnn_set_ints(g, choice[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, 1,
                     &value[i]);
        dnn_finalize(g, choice[i], "a knob");
    }
    if (count > 0)
        dnn_set(g, c, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                CUDNN_TYPE_BACKEND_DESCRIPTOR, count, choice);
    return dnn_finalize(g, c, "a config") ? c : NULL;
}

/* read what a configuration sets */
/* The configuration's engine, its number, and the knobs that are set. */
static inline dnn_desc dnn_choices(struct dnn *g, dnn_desc config,
                                   int64_t *number, int *count,
                                   struct dnn_knob *knob, int64_t *value)
{
    dnn_desc e = dnn_new(g, CUDNN_BACKEND_ENGINE_DESCRIPTOR, "an engine");
    dnn_desc choice[DNN_KNOBS];
    int64_t n = 0, set = 0;

    for (int i = 0; i < DNN_KNOBS; i++)
        choice[i] = dnn_new(g, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, "a knob");
    if (g->why[0] ||
        !dnn_ok(g,
                cudnnBackendGetAttribute(config, CUDNN_ATTR_ENGINECFG_ENGINE,
                                         CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &n,
                                         &e),
                "a configuration's engine") ||
        !dnn_ok(g,
                cudnnBackendGetAttribute(e, CUDNN_ATTR_ENGINE_GLOBAL_INDEX,
                                         CUDNN_TYPE_INT64, 1, &n, number),
                "an engine's number"))
        return NULL;
    cudnnBackendGetAttribute(config, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                             CUDNN_TYPE_BACKEND_DESCRIPTOR, DNN_KNOBS, &set,
                             choice);
    *count = (int)set;
    for (int i = 0; i < *count; i++) {
        cudnnBackendGetAttribute(choice[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE,
                                 CUDNN_TYPE_KNOB_TYPE, 1, &n, &knob[i].kind);
        cudnnBackendGetAttribute(choice[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE,
                                 CUDNN_TYPE_INT64, 1, &n, &value[i]);
    }
    return e;
}

/* read an engine's notes */
/* Bit i is the header's value i. */
static inline unsigned dnn_notes(dnn_desc engine,
                                 cudnnBackendAttributeName_t name,
                                 cudnnBackendAttributeType_t type)
{
    int32_t note[32] = {0};
    int64_t count = 0;
    unsigned bits = 0;

    cudnnBackendGetAttribute(engine, name, type, 32, &count, note);
    for (int i = 0; i < count && i < 32; i++)
        bits |= 1u << note[i];
    return bits;
}

static inline bool dnn_uses_tensor_cores(dnn_desc engine)
{
    return dnn_notes(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                     CUDNN_TYPE_NUMERICAL_NOTE) >>
               CUDNN_NUMERICAL_NOTE_TENSOR_CORE &
           1;
}

/* print notes and knobs */
static const char *const dnn_behaviors[] = {
    "runtime", "reorders_filter", "reorders_bias", "cuda_graph", "cublasLt"};
static const char *const dnn_numerics[] = {
    "tensor_core",    "down_convert", "reduced_sums", "fft",
    "varies",         "winograd",     "winograd_4x4", "winograd_6x6",
    "winograd_13x13", "strict_nan"};
/* by their numbers, from 0 */
static const char dnn_knob_names[] =
    "split_k swizzle tile_size use_tex edge kblock ldga ldgb chunk_k split_h "
    "wino_tile multiply split_k_buf tilek stages reduction_mode split_k_mode "
    "split_k_slc idx_mode sliced split_rs singlebuffer ldgc specfilt "
    "kernel_cfg workspace tile_cga tile_cga_m tile_cga_n block_size occupancy "
    "array_per_thread num_c_per_block split_cols tile_rows tile_cols load_size "
    "cta_count stream_k split_p_slc tile_m tile_n warp_spec_cfg swap_ab";

static inline void print_notes(dnn_desc engine)
{
    unsigned behavior = dnn_notes(engine, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE,
                                  CUDNN_TYPE_BEHAVIOR_NOTE);
    unsigned numeric = dnn_notes(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                 CUDNN_TYPE_NUMERICAL_NOTE);

    for (int i = 0; i < 32; i++)
        if (behavior >> i & 1)
            i < 5 ? printf(" %s", dnn_behaviors[i]) : printf(" behavior_%d", i);
    for (int i = 0; i < 32; i++)
        if (numeric >> i & 1)
            i < 10 ? printf(" %s", dnn_numerics[i]) : printf(" numeric_%d", i);
}

static inline void print_knobs(const struct dnn_knob *knob, int count)
{
    for (int i = 0; i < count && i < DNN_KNOBS; i++) {
        const char *name = dnn_knob_names;

        for (int k = 0; name && k < knob[i].kind; k++)
            name = strchr(name, ' ') ? strchr(name, ' ') + 1 : NULL;
        if (name)
            printf(" %.*s=", (int)strcspn(name, " "), name);
        else
            printf(" knob_%d=", (int)knob[i].kind);
        printf("%lld..%lld", (long long)knob[i].least, (long long)knob[i].most);
    }
}

#endif
