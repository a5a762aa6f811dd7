/* graphs.h: the graphs of this chapter, by name. C11 and C++17. */
#ifndef CUDNN_GRAPHS_H
#define CUDNN_GRAPHS_H

#include "cudnn/ops.h"

/* say what a graph is made for */
/* The tensors in memory have `type`, or its nearest where an operation wants
   another; sums and what is virtual are float. */
struct dnn_case {
    cudnnDataType_t type;
    bool nhwc;
    int64_t n, c, h, w, k; /* images, channels, rows, columns; filters 3 x 3 */
};

/* make the tensors of a case */
/* y of v's shape with `c` channels. */
static inline struct dnn_tensor
case_image(struct dnn *g, const struct dnn_case *v, int64_t c, bool is_virtual)
{
    return dnn_image(g, is_virtual ? CUDNN_DATA_FLOAT : v->type, v->nhwc, v->n,
                     c, v->h, v->w, is_virtual);
}

/* One number for each of c channels. */
static inline struct dnn_tensor case_channels(struct dnn *g,
                                              const struct dnn_case *v,
                                              cudnnDataType_t type, int64_t c)
{
    return dnn_image(g, type, v->nhwc, 1, c, 1, 1, false);
}

/* convolve */
static inline void graph_conv_of(struct dnn *g, const struct dnn_case *v,
                                 enum dnn_conv which)
{
    struct dnn_tensor x = case_image(g, v, v->c, false);
    struct dnn_tensor w =
        dnn_image(g, v->type, v->nhwc, v->k, v->c, 3, 3, false);
    struct dnn_tensor y = case_image(g, v, v->k, false);

    dnn_conv(g, which, CUDNN_DATA_FLOAT, x, w, y, 1, 1);
}

static inline void graph_conv(struct dnn *g, const struct dnn_case *v)
{
    graph_conv_of(g, v, DNN_FORWARD);
}

static inline void graph_dgrad(struct dnn *g, const struct dnn_case *v)
{
    graph_conv_of(g, v, DNN_INPUT_GRADIENT);
}

static inline void graph_wgrad(struct dnn *g, const struct dnn_case *v)
{
    graph_conv_of(g, v, DNN_FILTER_GRADIENT);
}

/* convolve, add a bias and cut off */
static inline void graph_conv_bias_relu(struct dnn *g, const struct dnn_case *v)
{
    struct dnn_tensor x = case_image(g, v, v->c, false);
    struct dnn_tensor w =
        dnn_image(g, v->type, v->nhwc, v->k, v->c, 3, 3, false);
    struct dnn_tensor bias = case_channels(g, v, v->type, v->k);
    struct dnn_tensor y = case_image(g, v, v->k, false);
    struct dnn_tensor sum = case_image(g, v, v->k, true);
    struct dnn_tensor shifted = case_image(g, v, v->k, true);

    dnn_conv(g, DNN_FORWARD, CUDNN_DATA_FLOAT, x, w, sum, 1, 1);
    dnn_pointwise(g, CUDNN_POINTWISE_ADD, sum, &bias, shifted);
    dnn_pointwise(g, CUDNN_POINTWISE_RELU_FWD, shifted, NULL, y);
}

/* convolve and take statistics */
static inline void graph_conv_stats(struct dnn *g, const struct dnn_case *v)
{
    struct dnn_tensor x = case_image(g, v, v->c, false);
    struct dnn_tensor w =
        dnn_image(g, v->type, v->nhwc, v->k, v->c, 3, 3, false);
    struct dnn_tensor y = case_image(g, v, v->k, false);
    struct dnn_tensor sum = case_channels(g, v, CUDNN_DATA_FLOAT, v->k);
    struct dnn_tensor squares = case_channels(g, v, CUDNN_DATA_FLOAT, v->k);

    dnn_conv(g, DNN_FORWARD, CUDNN_DATA_FLOAT, x, w, y, 1, 1);
    dnn_statistics(g, y, sum, squares);
}

/* convolve twice in one graph */
static inline void graph_two_convs(struct dnn *g, const struct dnn_case *v)
{
    struct dnn_tensor x = case_image(g, v, v->c, false);
    struct dnn_tensor w1 =
        dnn_image(g, v->type, v->nhwc, v->k, v->c, 3, 3, false);
    struct dnn_tensor w2 =
        dnn_image(g, v->type, v->nhwc, v->k, v->k, 3, 3, false);
    struct dnn_tensor y = case_image(g, v, v->k, false);
    struct dnn_tensor between = case_image(g, v, v->k, true);

    dnn_conv(g, DNN_FORWARD, CUDNN_DATA_FLOAT, x, w1, between, 1, 1);
    dnn_conv(g, DNN_FORWARD, CUDNN_DATA_FLOAT, between, w2, y, 1, 1);
}

/* multiply matrices */
/* n x c times c x k. */
static inline void graph_matmul(struct dnn *g, const struct dnn_case *v)
{
    struct dnn_tensor a = dnn_matrix(g, v->type, 1, v->n, v->c, false);
    struct dnn_tensor b = dnn_matrix(g, v->type, 1, v->c, v->k, false);
    struct dnn_tensor c = dnn_matrix(g, v->type, 1, v->n, v->k, false);

    dnn_matmul(g, a, b, c);
}

static inline void graph_matmul_bias_relu(struct dnn *g,
                                          const struct dnn_case *v)
{
    struct dnn_tensor a = dnn_matrix(g, v->type, 1, v->n, v->c, false);
    struct dnn_tensor b = dnn_matrix(g, v->type, 1, v->c, v->k, false);
    struct dnn_tensor bias = dnn_matrix(g, v->type, 1, 1, v->k, false);
    struct dnn_tensor c = dnn_matrix(g, v->type, 1, v->n, v->k, false);
    struct dnn_tensor sum =
        dnn_matrix(g, CUDNN_DATA_FLOAT, 1, v->n, v->k, true);
    struct dnn_tensor shifted =
        dnn_matrix(g, CUDNN_DATA_FLOAT, 1, v->n, v->k, true);

    dnn_matmul(g, a, b, sum);
    dnn_pointwise(g, CUDNN_POINTWISE_ADD, sum, &bias, shifted);
    dnn_pointwise(g, CUDNN_POINTWISE_RELU_FWD, shifted, NULL, c);
}

/* compute sigmoid(a + b c) */
static inline void graph_sigmoid(struct dnn *g, const struct dnn_case *v)
{
    int64_t rows = v->n * v->c * v->h, w = v->w;
    struct dnn_tensor a = dnn_matrix(g, v->type, 1, rows, w, false);
    struct dnn_tensor b = dnn_matrix(g, v->type, 1, rows, w, false);
    struct dnn_tensor c = dnn_matrix(g, v->type, 1, rows, w, false);
    struct dnn_tensor y = dnn_matrix(g, v->type, 1, rows, w, false);
    struct dnn_tensor bc = dnn_matrix(g, CUDNN_DATA_FLOAT, 1, rows, w, true);
    struct dnn_tensor sum = dnn_matrix(g, CUDNN_DATA_FLOAT, 1, rows, w, true);

    dnn_pointwise(g, CUDNN_POINTWISE_MUL, b, &c, bc);
    dnn_pointwise(g, CUDNN_POINTWISE_ADD, a, &bc, sum);
    dnn_pointwise(g, CUDNN_POINTWISE_SIGMOID_FWD, sum, NULL, y);
}

/* cut off and nothing else */
static inline void graph_relu(struct dnn *g, const struct dnn_case *v)
{
    struct dnn_tensor x = case_image(g, v, v->c, false);
    struct dnn_tensor y = case_image(g, v, v->c, false);

    dnn_pointwise(g, CUDNN_POINTWISE_RELU_FWD, x, NULL, y);
}

/* reduce */
static inline void graph_sum(struct dnn *g, const struct dnn_case *v)
{
    struct dnn_tensor x = case_image(g, v, v->c, false);
    struct dnn_tensor y = case_channels(g, v, CUDNN_DATA_FLOAT, v->c);

    dnn_reduce(g, CUDNN_REDUCE_TENSOR_ADD, x, y);
}

/* normalize */
static inline void graph_norm_of(struct dnn *g, const struct dnn_case *v,
                                 cudnnBackendNormMode_t mode,
                                 cudnnBackendNormFwdPhase_t phase)
{
    bool batch = mode == CUDNN_BATCH_NORM, whole = mode == CUDNN_INSTANCE_NORM;
    int64_t c = batch || whole ? v->c : v->c * v->h * v->w;
    int64_t n = batch ? 1 : v->n, means = batch || whole ? v->c : 1;
    bool training = phase == CUDNN_NORM_FWD_TRAINING;
    struct dnn_norm a;

    memset(&a, 0, sizeof a);
    a.mode = mode;
    a.phase = phase;
    if (batch || whole) {
        a.x = case_image(g, v, c, false);
        a.y = case_image(g, v, c, false);
    } else { /* a row of all the numbers of an image */
        a.x = dnn_image(g, v->type, v->nhwc, v->n, c, 1, 1, false);
        a.y = dnn_image(g, v->type, v->nhwc, v->n, c, 1, 1, false);
    }
    a.scale = case_channels(g, v, CUDNN_DATA_FLOAT, c);
    if (mode != CUDNN_RMS_NORM)
        a.bias = case_channels(g, v, CUDNN_DATA_FLOAT, c);
    if (training || !batch)
        a.epsilon = dnn_scalar(g);
    if (training || batch) {
        if (mode != CUDNN_RMS_NORM)
            a.mean =
                dnn_image(g, CUDNN_DATA_FLOAT, v->nhwc, n, means, 1, 1, false);
        a.inv = dnn_image(g, CUDNN_DATA_FLOAT, v->nhwc, n, means, 1, 1, false);
    }
    dnn_norm(g, &a);
}

static inline void graph_batch_norm(struct dnn *g, const struct dnn_case *v)
{
    graph_norm_of(g, v, CUDNN_BATCH_NORM, CUDNN_NORM_FWD_INFERENCE);
}

static inline void graph_batch_norm_train(struct dnn *g,
                                          const struct dnn_case *v)
{
    graph_norm_of(g, v, CUDNN_BATCH_NORM, CUDNN_NORM_FWD_TRAINING);
}

static inline void graph_layer_norm(struct dnn *g, const struct dnn_case *v)
{
    graph_norm_of(g, v, CUDNN_LAYER_NORM, CUDNN_NORM_FWD_TRAINING);
}

static inline void graph_rms_norm(struct dnn *g, const struct dnn_case *v)
{
    graph_norm_of(g, v, CUDNN_RMS_NORM, CUDNN_NORM_FWD_TRAINING);
}

static inline void graph_instance_norm(struct dnn *g, const struct dnn_case *v)
{
    graph_norm_of(g, v, CUDNN_INSTANCE_NORM, CUDNN_NORM_FWD_TRAINING);
}

/* pool */
static inline void graph_pool_of(struct dnn *g, const struct dnn_case *v,
                                 cudnnResampleMode_t mode)
{
    struct dnn_tensor x = case_image(g, v, v->c, false);
    struct dnn_tensor y =
        dnn_image(g, v->type, v->nhwc, v->n, v->c, v->h / 2, v->w / 2, false);

    dnn_pool(g, mode, x, y, 2);
}

static inline void graph_max_pool(struct dnn *g, const struct dnn_case *v)
{
    graph_pool_of(g, v, CUDNN_RESAMPLE_MAXPOOL);
}

static inline void graph_mean_pool(struct dnn *g, const struct dnn_case *v)
{
    graph_pool_of(g, v, CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING);
}

/* take the softmax of rows */
/* p = softmax(s) along the last side, of five operations. */
static inline void softmax_rows(struct dnn *g, struct dnn_tensor s,
                                struct dnn_tensor p)
{
    int64_t row[4], one[4];
    struct dnn_tensor most, total, less, power;

    for (int i = 0; i < s.rank; i++) {
        row[i] = i == s.rank - 1 ? 1 : s.dim[i];
        one[i] = s.rank == 4 && i == 0 ? s.dim[1] * s.dim[2]
                 : i == s.rank - 3     ? s.dim[s.rank - 2]
                                       : 1;
    }
    most = dnn_tensor(g, CUDNN_DATA_FLOAT, s.rank, row, one, true);
    total = dnn_tensor(g, CUDNN_DATA_FLOAT, s.rank, row, one, true);
    less = dnn_tensor(g, CUDNN_DATA_FLOAT, s.rank, s.dim, s.stride, true);
    power = dnn_tensor(g, CUDNN_DATA_FLOAT, s.rank, s.dim, s.stride, true);
    dnn_reduce(g, CUDNN_REDUCE_TENSOR_MAX, s, most);
    dnn_pointwise(g, CUDNN_POINTWISE_SUB, s, &most, less);
    dnn_pointwise(g, CUDNN_POINTWISE_EXP, less, NULL, power);
    dnn_reduce(g, CUDNN_REDUCE_TENSOR_ADD, power, total);
    dnn_pointwise(g, CUDNN_POINTWISE_DIV, power, &total, p);
}

static inline void graph_softmax(struct dnn *g, const struct dnn_case *v)
{
    struct dnn_tensor s = dnn_matrix(g, v->type, v->n, v->c, v->k, false);
    struct dnn_tensor p = dnn_matrix(g, v->type, v->n, v->c, v->k, false);

    softmax_rows(g, s, p);
}

/* attend */
/* softmax(q k') v for n sequences of c heads of h positions, k numbers each. */
static inline void graph_attention(struct dnn *g, const struct dnn_case *v)
{
    struct dnn_tensor q =
        dnn_image(g, v->type, false, v->n, v->c, v->h, v->k, false);
    int64_t dim[4] = {v->n, v->c, v->k, v->h};
    int64_t turned[4] = {v->c * v->h * v->k, v->h * v->k, 1, v->k};
    struct dnn_tensor k = dnn_tensor(g, v->type, 4, dim, turned, false);
    struct dnn_tensor values =
        dnn_image(g, v->type, false, v->n, v->c, v->h, v->k, false);
    struct dnn_tensor o =
        dnn_image(g, v->type, false, v->n, v->c, v->h, v->k, false);
    struct dnn_tensor s =
        dnn_image(g, CUDNN_DATA_FLOAT, false, v->n, v->c, v->h, v->h, true);
    struct dnn_tensor p =
        dnn_image(g, v->type, false, v->n, v->c, v->h, v->h, true);

    dnn_matmul(g, q, k, s);
    softmax_rows(g, s, p);
    dnn_matmul(g, p, values, o);
}

/* transpose and reshape */
static inline void graph_transpose(struct dnn *g, const struct dnn_case *v)
{
    struct dnn_tensor x =
        dnn_image(g, v->type, false, v->n, v->c, v->h, v->w, false);
    struct dnn_tensor y =
        dnn_image(g, v->type, true, v->n, v->c, v->h, v->w, false);

    dnn_pointwise(g, CUDNN_POINTWISE_IDENTITY, x, NULL, y);
}

static inline void graph_reshape(struct dnn *g, const struct dnn_case *v)
{
    struct dnn_tensor x =
        dnn_image(g, v->type, false, v->n, v->c, v->h, v->w, false);
    struct dnn_tensor y =
        dnn_matrix(g, v->type, 1, v->n, v->c * v->h * v->w, false);

    dnn_reshape(g, x, y);
}

/* list the graphs */
struct dnn_named {
    const char *name;
    void (*build)(struct dnn *g, const struct dnn_case *v);
};

static const struct dnn_named dnn_graphs[] = {
    {"conv", graph_conv},
    {"dgrad", graph_dgrad},
    {"wgrad", graph_wgrad},
    {"conv_bias_relu", graph_conv_bias_relu},
    {"conv_stats", graph_conv_stats},
    {"two_convs", graph_two_convs},
    {"matmul", graph_matmul},
    {"matmul_bias_relu", graph_matmul_bias_relu},
    {"sigmoid", graph_sigmoid},
    {"relu", graph_relu},
    {"sum", graph_sum},
    {"batch_norm", graph_batch_norm},
    {"batch_norm_train", graph_batch_norm_train},
    {"layer_norm", graph_layer_norm},
    {"rms_norm", graph_rms_norm},
    {"instance_norm", graph_instance_norm},
    {"max_pool", graph_max_pool},
    {"mean_pool", graph_mean_pool},
    {"softmax", graph_softmax},
    {"attention", graph_attention},
    {"transpose", graph_transpose},
    {"reshape", graph_reshape},
};
enum { DNN_GRAPHS = sizeof dnn_graphs / sizeof *dnn_graphs };

/* A graph of the list, or NULL. */
static inline const struct dnn_named *dnn_graph_named(const char *name)
{
    for (int i = 0; i < DNN_GRAPHS; i++)
        if (!strcmp(dnn_graphs[i].name, name))
            return &dnn_graphs[i];
    return NULL;
}

#endif
