/* ops.h: tensors and the operations of a graph. C11 and C++17. */
#ifndef CUDNN_OPS_H
#define CUDNN_OPS_H

#include "cudnn/graph.h"

/* know a tensor by its sizes */
/* A tensor is its sizes and its strides, in elements. */
struct dnn_tensor {
    int64_t id; /* its name when the plan is run */
    int rank;
    int64_t dim[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX];
    dnn_desc desc;
};

/* describe a tensor */
/* A virtual tensor exists between two operations and never in memory. */
static inline struct dnn_tensor dnn_tensor(struct dnn *g, cudnnDataType_t type,
                                           int rank, const int64_t *dim,
                                           const int64_t *stride,
                                           bool is_virtual)
{
    struct dnn_tensor t;
    int64_t align = 16;

    memset(&t, 0, sizeof t);
    t.id = ++g->tensors;
    t.rank = rank;
    for (int i = 0; i < rank && i < CUDNN_DIM_MAX; i++) {
        t.dim[i] = dim[i];
        t.stride[i] = stride[i];
    }
    t.desc = dnn_new(g, CUDNN_BACKEND_TENSOR_DESCRIPTOR, "a tensor");
    dnn_set_type(g, t.desc, CUDNN_ATTR_TENSOR_DATA_TYPE, type);
    dnn_set_ints(g, t.desc, CUDNN_ATTR_TENSOR_DIMENSIONS, rank, t.dim);
    dnn_set_ints(g, t.desc, CUDNN_ATTR_TENSOR_STRIDES, rank, t.stride);
    dnn_set_ints(g, t.desc, CUDNN_ATTR_TENSOR_UNIQUE_ID, 1, &t.id);
    dnn_set_ints(g, t.desc, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 1, &align);
    dnn_set(g, t.desc, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1,
            &is_virtual);
    dnn_finalize(g, t.desc, "a tensor");
    return t;
}

/* describe images and matrices */
/* n images of c channels, h x w; nhwc: the channels lie side by side. */
static inline struct dnn_tensor dnn_image(struct dnn *g, cudnnDataType_t type,
                                          bool nhwc, int64_t n, int64_t c,
                                          int64_t h, int64_t w, bool is_virtual)
{
    int64_t dim[4] = {n, c, h, w};
    int64_t planes[4] = {c * h * w, h * w, w, 1};
    int64_t pixels[4] = {h * w * c, 1, w * c, c};

    return dnn_tensor(g, type, 4, dim, nhwc ? pixels : planes, is_virtual);
}

/* b matrices of m x n, row-major. */
static inline struct dnn_tensor dnn_matrix(struct dnn *g, cudnnDataType_t type,
                                           int64_t b, int64_t m, int64_t n,
                                           bool is_virtual)
{
    int64_t dim[3] = {b, m, n}, stride[3] = {m * n, n, 1};

    return dnn_tensor(g, type, 3, dim, stride, is_virtual);
}

/* describe a number of the host */
/* A number that the host gives with each run, by value. */
static inline struct dnn_tensor dnn_scalar(struct dnn *g)
{
    int64_t one[4] = {1, 1, 1, 1}, align = sizeof(float);
    bool yes = true;
    struct dnn_tensor t;

    memset(&t, 0, sizeof t);
    t.id = ++g->tensors;
    t.rank = 4;
    t.desc = dnn_new(g, CUDNN_BACKEND_TENSOR_DESCRIPTOR, "a number");
    dnn_set_type(g, t.desc, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_DATA_FLOAT);
    dnn_set_ints(g, t.desc, CUDNN_ATTR_TENSOR_DIMENSIONS, 4, one);
    dnn_set_ints(g, t.desc, CUDNN_ATTR_TENSOR_STRIDES, 4, one);
    dnn_set_ints(g, t.desc, CUDNN_ATTR_TENSOR_UNIQUE_ID, 1, &t.id);
    dnn_set_ints(g, t.desc, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 1, &align);
    dnn_set(g, t.desc, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1,
            &yes);
    dnn_finalize(g, t.desc, "a number");
    return t;
}

/* name the attributes of a convolution */
enum dnn_conv { DNN_FORWARD, DNN_INPUT_GRADIENT, DNN_FILTER_GRADIENT };

#define DNN_CONV_ATTRS(OP, X, W, Y)                        \
    {                                                      \
        CUDNN_ATTR_OPERATION_CONVOLUTION_##OP##_CONV_DESC, \
            CUDNN_ATTR_OPERATION_CONVOLUTION_##OP##_##X,   \
            CUDNN_ATTR_OPERATION_CONVOLUTION_##OP##_##W,   \
            CUDNN_ATTR_OPERATION_CONVOLUTION_##OP##_##Y,   \
            CUDNN_ATTR_OPERATION_CONVOLUTION_##OP##_ALPHA, \
            CUDNN_ATTR_OPERATION_CONVOLUTION_##OP##_BETA,  \
    }

static const cudnnBackendDescriptorType_t dnn_conv_types[] = {
    CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
    CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
    CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR};

static const cudnnBackendAttributeName_t dnn_conv_names[3][6] = {
    DNN_CONV_ATTRS(FORWARD, X, W, Y), DNN_CONV_ATTRS(BWD_DATA, DX, W, DY),
    DNN_CONV_ATTRS(BWD_FILTER, X, DW, DY)};

/* describe padding and strides */
/* Of rows and columns alike; sums are of type `sums`. */
static inline dnn_desc dnn_conv_how(struct dnn *g, cudnnDataType_t sums,
                                    int64_t pad, int64_t stride)
{
    dnn_desc c = dnn_new(g, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, "a conv");
    cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
    int64_t dims = 2, pads[2] = {pad, pad}, strides[2] = {stride, stride};
    int64_t ones[2] = {1, 1};

    dnn_set_type(g, c, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, sums);
    dnn_set(g, c, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE,
            1, &mode);
    dnn_set_ints(g, c, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 1, &dims);
    dnn_set_ints(g, c, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 2, pads);
    dnn_set_ints(g, c, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 2, pads);
    dnn_set_ints(g, c, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 2, strides);
    dnn_set_ints(g, c, CUDNN_ATTR_CONVOLUTION_DILATIONS, 2, ones);
    dnn_finalize(g, c, "a convolution's description");
    return c;
}

/* add a convolution */
/* x * w = y, of which `which` says what is computed: y, the gradient by x in
   x's place, or that by w in w's. */
static inline void dnn_conv(struct dnn *g, enum dnn_conv which,
                            cudnnDataType_t sums, struct dnn_tensor x,
                            struct dnn_tensor w, struct dnn_tensor y,
                            int64_t pad, int64_t stride)
{
    const cudnnBackendAttributeName_t *name = dnn_conv_names[which];
    dnn_desc op = dnn_new(g, dnn_conv_types[which], "a convolution");
    float alpha = 1, beta = 0;

    dnn_set_desc(g, op, name[0], dnn_conv_how(g, sums, pad, stride));
    dnn_set_desc(g, op, name[1], x.desc);
    dnn_set_desc(g, op, name[2], w.desc);
    dnn_set_desc(g, op, name[3], y.desc);
    dnn_set(g, op, name[4], CUDNN_TYPE_FLOAT, 1, &alpha);
    dnn_set(g, op, name[5], CUDNN_TYPE_FLOAT, 1, &beta);
    dnn_add(g, op, "a convolution");
}

/* add a matrix product */
/* c = a b, for each of the batch; rank 3. */
static inline void dnn_matmul(struct dnn *g, struct dnn_tensor a,
                              struct dnn_tensor b, struct dnn_tensor c)
{
    dnn_desc m = dnn_new(g, CUDNN_BACKEND_MATMUL_DESCRIPTOR, "a matmul");
    dnn_desc op =
        dnn_new(g, CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR, "a product");

    dnn_set_type(g, m, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT);
    dnn_finalize(g, m, "a product's description");
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_MATMUL_DESC, m);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_MATMUL_ADESC, a.desc);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_MATMUL_BDESC, b.desc);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_MATMUL_CDESC, c.desc);
    dnn_add(g, op, "a matrix product");
}

/* add a pointwise operation */
/* y = mode(x) or, where b is not NULL, mode(x, b), element by element; a side
   of b may be 1 and counts for all of x's. */
static inline void dnn_pointwise(struct dnn *g, cudnnPointwiseMode_t mode,
                                 struct dnn_tensor x,
                                 const struct dnn_tensor *b,
                                 struct dnn_tensor y)
{
    dnn_desc p = dnn_new(g, CUDNN_BACKEND_POINTWISE_DESCRIPTOR, "pointwise");
    dnn_desc op =
        dnn_new(g, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, "pointwise");

    dnn_set(g, p, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1,
            &mode);
    dnn_set_type(g, p, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT);
    dnn_finalize(g, p, "a pointwise description");
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, p);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x.desc);
    if (b)
        dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b->desc);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y.desc);
    dnn_add(g, op, "a pointwise operation");
}

/* add a reduction */
/* y = the sum, largest, ... of x along each side that is 1 in y. */
static inline void dnn_reduce(struct dnn *g, cudnnReduceTensorOp_t how,
                              struct dnn_tensor x, struct dnn_tensor y)
{
    dnn_desc r = dnn_new(g, CUDNN_BACKEND_REDUCTION_DESCRIPTOR, "a reduction");
    dnn_desc op =
        dnn_new(g, CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR, "a reduction");

    dnn_set_type(g, r, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_DATA_FLOAT);
    dnn_set(g, r, CUDNN_ATTR_REDUCTION_OPERATOR,
            CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &how);
    dnn_finalize(g, r, "a reduction's description");
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_REDUCTION_DESC, r);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x.desc);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y.desc);
    dnn_add(g, op, "a reduction");
}

/* add the statistics of a batch norm */
/* Of each channel of x the sum and the sum of squares: 1 x c x 1 x 1. */
static inline void dnn_statistics(struct dnn *g, struct dnn_tensor x,
                                  struct dnn_tensor sum,
                                  struct dnn_tensor squares)
{
    dnn_desc op =
        dnn_new(g, CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR, "statistics");
    cudnnGenStatsMode_t mode = CUDNN_GENSTATS_SUM_SQSUM;

    dnn_set(g, op, CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_TYPE_GENSTATS_MODE,
            1, &mode);
    dnn_set_type(g, op, CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC,
                 CUDNN_DATA_FLOAT);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_GENSTATS_XDESC, x.desc);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, sum.desc);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, squares.desc);
    dnn_add(g, op, "statistics");
}

/* add a normalization */
/* y = (x - mean) inv scale + bias; in training mean and inv are computed and
   written, in inference they are read; an RMS norm has no mean. */
struct dnn_norm {
    cudnnBackendNormMode_t mode;
    cudnnBackendNormFwdPhase_t phase;
    struct dnn_tensor x, scale, bias, epsilon, mean, inv, y;
};

static inline void dnn_norm(struct dnn *g, const struct dnn_norm *v)
{
    dnn_desc op = dnn_new(g, CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR,
                          "a normalization");

    dnn_set(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE, 1,
            &v->mode);
    dnn_set(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_PHASE,
            CUDNN_TYPE_NORM_FWD_PHASE, 1, &v->phase);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, v->x.desc);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC,
                 v->scale.desc);
    if (v->bias.id)
        dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC,
                     v->bias.desc);
    if (v->epsilon.id)
        dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC,
                     v->epsilon.desc);
    if (v->mean.id)
        dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC,
                     v->mean.desc);
    if (v->inv.id)
        dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC,
                     v->inv.desc);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, v->y.desc);
    dnn_add(g, op, "a normalization");
}

/* add a pooling */
/* y = the largest, or the mean, of each window of `side` x `side`, which lie
   side by side. */
static inline void dnn_pool(struct dnn *g, cudnnResampleMode_t mode,
                            struct dnn_tensor x, struct dnn_tensor y,
                            int64_t side)
{
    dnn_desc r = dnn_new(g, CUDNN_BACKEND_RESAMPLE_DESCRIPTOR, "a pooling");
    dnn_desc op = dnn_new(g, CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR,
                          "a pooling");
    cudnnPaddingMode_t padding =
        mode == CUDNN_RESAMPLE_MAXPOOL ? CUDNN_NEG_INF_PAD : CUDNN_ZERO_PAD;
    cudnnFraction_t window[2] = {{side, 1}, {side, 1}},
                    none[2] = {{0, 1}, {0, 1}};
    int64_t dims = 2;

    dnn_set(g, r, CUDNN_ATTR_RESAMPLE_MODE, CUDNN_TYPE_RESAMPLE_MODE, 1, &mode);
    dnn_set_type(g, r, CUDNN_ATTR_RESAMPLE_COMP_TYPE, CUDNN_DATA_FLOAT);
    dnn_set(g, r, CUDNN_ATTR_RESAMPLE_PADDING_MODE, CUDNN_TYPE_PADDING_MODE, 1,
            &padding);
    dnn_set_ints(g, r, CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS, 1, &dims);
    dnn_set(g, r, CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, CUDNN_TYPE_FRACTION, 2,
            window);
    dnn_set(g, r, CUDNN_ATTR_RESAMPLE_STRIDES, CUDNN_TYPE_FRACTION, 2, window);
    dnn_set(g, r, CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, CUDNN_TYPE_FRACTION, 2,
            none);
    dnn_set(g, r, CUDNN_ATTR_RESAMPLE_POST_PADDINGS, CUDNN_TYPE_FRACTION, 2,
            none);
    dnn_finalize(g, r, "a pooling's description");
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC, r);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, x.desc);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, y.desc);
    dnn_add(g, op, "a pooling");
}

/* add a change of shape */
/* y has x's elements in x's order, under other sizes. */
static inline void dnn_reshape(struct dnn *g, struct dnn_tensor x,
                               struct dnn_tensor y)
{
    dnn_desc op =
        dnn_new(g, CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR, "a reshape");

    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x.desc);
    dnn_set_desc(g, op, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, y.desc);
    dnn_add(g, op, "a reshape");
}

#endif
