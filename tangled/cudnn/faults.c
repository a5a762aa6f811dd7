/* faults: what the notes' comparison with cuDNN gets wrong, without a GPU. */
#include "conv/reference.h"
#include "cudnn/check.h"
#include "tour/args.h"
#include "tour/check.h"

/* describe the notes' convolution */
struct notes {
    cudnnTensorDescriptor_t in, out;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t conv;
};

static struct notes notes_make(const struct conv *v,
                               cudnnConvolutionMode_t mode)
{
    struct notes t;

    DNN_CHECK(cudnnCreateTensorDescriptor(&t.in));
    DNN_CHECK(cudnnCreateTensorDescriptor(&t.out));
    DNN_CHECK(cudnnCreateFilterDescriptor(&t.filter));
    DNN_CHECK(cudnnCreateConvolutionDescriptor(&t.conv));
    DNN_CHECK(cudnnSetTensor4dDescriptor(
        t.in, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, v->n, v->c, v->h, v->w));
    DNN_CHECK(cudnnSetFilter4dDescriptor(
        t.filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, v->k, v->c, v->r, v->s));
    DNN_CHECK(cudnnSetConvolution2dDescriptor(
        t.conv, v->pad, v->pad, v->stride, v->stride, v->dilation, v->dilation,
        mode, CUDNN_DATA_FLOAT));
    return t;
}

static void notes_free(struct notes t)
{
    DNN_CHECK(cudnnDestroyTensorDescriptor(t.in));
    DNN_CHECK(cudnnDestroyTensorDescriptor(t.out));
    DNN_CHECK(cudnnDestroyFilterDescriptor(t.filter));
    DNN_CHECK(cudnnDestroyConvolutionDescriptor(t.conv));
}

/* compare the sizes of the output */
static void wrong_size(const struct conv *v)
{
    struct notes t = notes_make(v, CUDNN_CROSS_CORRELATION);
    int n, k, p, q;

    DNN_CHECK(cudnnGetConvolution2dForwardOutputDim(t.conv, t.in, t.filter, &n,
                                                    &k, &p, &q));
    printf("size: the notes allocate %d x %d x %d x %d = %d numbers, cuDNN "
           "writes %d x %d x %d x %d = %d\n",
           v->n, v->k, v->h, v->w, v->n * v->k * v->h * v->w, n, k, p, q,
           n * k * p * q);
    CHECK(p == conv_out_h(v) && q == conv_out_w(v), "chapter 16 says %d x %d",
          conv_out_h(v), conv_out_w(v));
    notes_free(t);
}

/* turn the filter round */
static void flipped(void)
{
    struct conv v = {1, 1, 4, 4, 1, 2, 2, 1, 0, 1};
    float x[16], w[4] = {1, 2, 3, 4}, turned[4] = {4, 3, 2, 1}, y[9], z[9];

    for (int i = 0; i < 16; i++)
        x[i] = (float)i;
    conv_forward(&v, x, w, y);
    conv_forward(&v, x, turned, z);
    printf("filter: cross-correlation begins %g %g %g, convolution %g %g %g\n",
           y[0], y[1], y[2], z[0], z[1], z[2]);
    CHECK(y[0] != z[0], "the filter is its own mirror image");
}

/* count the threads of a block */
static void wrong_block(int h, int w)
{
    printf("block: dim3(H, W) for %d x %d is %d threads: %s\n", h, w, h * w,
           h * w > 1024 ? "refused, and nobody asks" : "fits");
}

/* call without looking */
/* What each call of the notes returns where there is no GPU. */
static void unchecked(const struct conv *v)
{
    struct notes t = notes_make(v, CUDNN_CONVOLUTION);
    cudnnHandle_t handle = NULL;
    float one = 1, zero = 0, memory[1] = {0};
    cudnnStatus_t first, last;
    char said[200] = "";

    first = cudnnCreate(&handle);
    if (first == CUDNN_STATUS_SUCCESS) {
        printf("unchecked: there is a GPU here; nothing to show\n");
        DNN_CHECK(cudnnDestroy(handle));
        notes_free(t);
        return;
    }
    last = cudnnConvolutionForward(handle, &one, t.in, memory, t.filter, memory,
                                   t.conv,
                                   CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                   NULL, 0, &zero, t.out, memory);
    cudnnGetLastErrorString(said, sizeof said);
    printf("unchecked: the last call says %s (%s)\n", cudnnGetErrorString(last),
           said);
    printf("unchecked: the first one said %s: %s\n", cudnnGetErrorString(first),
           dnn_words(first));
    notes_free(t);
}

int main(int argc, char **argv)
{
    struct conv v = {4, 1, 28, 28, 8, 3, 3, 1, 0, 1};

    args_parse(argc, argv, "the faults of a snippet", NULL, 0);
    wrong_size(&v);
    flipped();
    wrong_block(28, 28);
    wrong_block(33, 33);
    unchecked(&v);
    return 0;
}
