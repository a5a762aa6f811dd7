/* legacy.cuh: convolution and its gradients by cuDNN's legacy calls, each call
   checked, the fastest algorithm of those that cuDNN timed. */
#ifndef CUDNN_LEGACY_CUH
#define CUDNN_LEGACY_CUH

#include "conv/size.h"
#include "cudnn/check.h"
#include "cudnn/ops.h"
#include "stack/cuda_check.h"

/* describe a convolution for the legacy calls */
struct legacy {
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x, y, bias;
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t conv;
    cudnnActivationDescriptor_t relu;
    int algo[3];  /* by enum dnn_conv */
    void *work;   /* of the largest of the three */
    size_t bytes; /* of work */
};

/* make the legacy descriptions */
/* type of x, w and y; sums are float. math: CUDNN_FMA_MATH for plain float,
   CUDNN_TENSOR_OP_MATH lets the tensor cores in. */
static inline struct legacy legacy_make(cudnnHandle_t handle,
                                        const struct conv *v,
                                        cudnnDataType_t type, bool nhwc,
                                        cudnnMathType_t math)
{
    cudnnTensorFormat_t lie = nhwc ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
    struct legacy l;
    int n, k, p, q;

    memset(&l, 0, sizeof l);
    l.handle = handle;
    conv_check(v);
    DNN_CHECK(cudnnCreateTensorDescriptor(&l.x));
    DNN_CHECK(cudnnCreateTensorDescriptor(&l.y));
    DNN_CHECK(cudnnCreateTensorDescriptor(&l.bias));
    DNN_CHECK(cudnnCreateFilterDescriptor(&l.w));
    DNN_CHECK(cudnnCreateConvolutionDescriptor(&l.conv));
    DNN_CHECK(cudnnCreateActivationDescriptor(&l.relu));
    DNN_CHECK(
        cudnnSetTensor4dDescriptor(l.x, lie, type, v->n, v->c, v->h, v->w));
    DNN_CHECK(
        cudnnSetFilter4dDescriptor(l.w, type, lie, v->k, v->c, v->r, v->s));
    DNN_CHECK(cudnnSetConvolution2dDescriptor(
        l.conv, v->pad, v->pad, v->stride, v->stride, v->dilation, v->dilation,
        CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    DNN_CHECK(cudnnSetConvolutionMathType(l.conv, math));
    DNN_CHECK(cudnnGetConvolution2dForwardOutputDim(l.conv, l.x, l.w, &n, &k,
                                                    &p, &q));
    DNN_CHECK(cudnnSetTensor4dDescriptor(l.y, lie, type, n, k, p, q));
    DNN_CHECK(cudnnSetTensor4dDescriptor(l.bias, lie, type, 1, k, 1, 1));
    DNN_CHECK(cudnnSetActivationDescriptor(l.relu, CUDNN_ACTIVATION_RELU,
                                           CUDNN_NOT_PROPAGATE_NAN, 0));
    return l;
}

/* free the legacy descriptions */
static inline void legacy_free(struct legacy l)
{
    DNN_CHECK(cudnnDestroyTensorDescriptor(l.x));
    DNN_CHECK(cudnnDestroyTensorDescriptor(l.y));
    DNN_CHECK(cudnnDestroyTensorDescriptor(l.bias));
    DNN_CHECK(cudnnDestroyFilterDescriptor(l.w));
    DNN_CHECK(cudnnDestroyConvolutionDescriptor(l.conv));
    DNN_CHECK(cudnnDestroyActivationDescriptor(l.relu));
    CUDA_CHECK(cudaFree(l.work));
}

/* take the fastest algorithm that may be used */
#define LEGACY_BEST(perf, which)                                        \
    do {                                                                \
        int i = 0;                                                      \
                                                                        \
        while (i < count && (perf[i].status != CUDNN_STATUS_SUCCESS ||  \
                             (math == CUDNN_FMA_MATH &&                 \
                              perf[i].mathType != CUDNN_FMA_MATH &&     \
                              perf[i].mathType != CUDNN_DEFAULT_MATH))) \
            i++;                                                        \
        CHECK(i < count, "no algorithm of the legacy API can do this"); \
        l->algo[which] = (int)perf[i].algo;                             \
        if (perf[i].memory > l->bytes)                                  \
            l->bytes = perf[i].memory;                                  \
    } while (0)

/* let cuDNN time its algorithms */
/* cuDNN runs all that it has, on memory of its own, and sorts them. An
   algorithm that may not use `math` is left out. */
static inline void legacy_choose(struct legacy *l, cudnnMathType_t math)
{
    cudnnConvolutionFwdAlgoPerf_t y[16];
    cudnnConvolutionBwdDataAlgoPerf_t dx[16];
    cudnnConvolutionBwdFilterAlgoPerf_t dw[16];
    int count;

    DNN_CHECK(cudnnFindConvolutionForwardAlgorithm(
        l->handle, l->x, l->w, l->conv, l->y, 16, &count, y));
    LEGACY_BEST(y, DNN_FORWARD);
    DNN_CHECK(cudnnFindConvolutionBackwardDataAlgorithm(
        l->handle, l->w, l->y, l->conv, l->x, 16, &count, dx));
    LEGACY_BEST(dx, DNN_INPUT_GRADIENT);
    DNN_CHECK(cudnnFindConvolutionBackwardFilterAlgorithm(
        l->handle, l->x, l->y, l->conv, l->w, 16, &count, dw));
    LEGACY_BEST(dw, DNN_FILTER_GRADIENT);
    CUDA_CHECK(cudaFree(l->work));
    l->work = NULL;
    if (l->bytes > 0)
        CUDA_CHECK(cudaMalloc(&l->work, l->bytes));
}

/* call the legacy convolution */
/* y = alpha conv(x, w) + beta y, with alpha = 1 and beta = 0; for a gradient x
   or w is what is written. The work is queued on the handle's stream. */
static inline void legacy_run(const struct legacy *l, enum dnn_conv which,
                              void *x, void *w, void *y)
{
    const float one = 1, zero = 0;

    if (which == DNN_FORWARD)
        DNN_CHECK(
            cudnnConvolutionForward(l->handle, &one, l->x, x, l->w, w, l->conv,
                                    (cudnnConvolutionFwdAlgo_t)l->algo[which],
                                    l->work, l->bytes, &zero, l->y, y));
    else if (which == DNN_INPUT_GRADIENT)
        DNN_CHECK(cudnnConvolutionBackwardData(
            l->handle, &one, l->w, w, l->y, y, l->conv,
            (cudnnConvolutionBwdDataAlgo_t)l->algo[which], l->work, l->bytes,
            &zero, l->x, x));
    else
        DNN_CHECK(cudnnConvolutionBackwardFilter(
            l->handle, &one, l->x, x, l->y, y, l->conv,
            (cudnnConvolutionBwdFilterAlgo_t)l->algo[which], l->work, l->bytes,
            &zero, l->w, w));
}

/* add a bias and cut off by two more calls */
static inline void legacy_bias_relu(const struct legacy *l, void *bias, void *y)
{
    const float one = 1, zero = 0;

    DNN_CHECK(cudnnAddTensor(l->handle, &one, l->bias, bias, &one, l->y, y));
    DNN_CHECK(cudnnActivationForward(l->handle, l->relu, &one, l->y, y, &zero,
                                     l->y, y));
}

#endif
