/* xent.cuh: log-softmax, and the cross-entropy loss of logits. */
#ifndef LAYERS_XENT_CUH
#define LAYERS_XENT_CUH

#include "kernels/launch.h"
#include "reduce/block.cuh"

/* take the log-softmax of a row */
enum { XENT_WARPS = 4 };

/* A warp for each row of x [rows][cols]; y may be x. If there are labels, loss
   gets -y[label], or NaN where the label is no class. */
__global__ void log_softmax_rows(int rows, int cols, const float *x, float *y,
                                 const int *label, float *loss)
{
    int r = blockIdx.x * XENT_WARPS + my_warp();
    float most = -INFINITY, sum = 0, shift;

    if (r >= rows)
        return;
    x += (size_t)r * cols;
    y += (size_t)r * cols;
    for (int j = my_lane(); j < cols; j += WARP)
        most = fmaxf(most, x[j]);
    most = warp_max(most);
    for (int j = my_lane(); j < cols; j += WARP)
        sum += expf(x[j] - most);
    shift = logf(warp_sum(sum));
    for (int j = my_lane(); j < cols; j += WARP) {
        y[j] = x[j] - most - shift;
        if (label && label[r] == j)
            loss[r] = -y[j];
    }
    if (label && my_lane() == 0 && (label[r] < 0 || label[r] >= cols))
        loss[r] = NAN;
}

/* take the mean of the losses */
/* One block: *mean = the mean of x[0..n), the same bits every time. */
__global__ void xent_mean(int n, const float *x, float *mean)
{
    float sum = 0;

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += x[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *mean = sum / n;
}

/* subtract the label */
__global__ void xent_slope(int batch, int classes, const float *logp,
                           const int *label, float *dx)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < (size_t)batch * classes) {
        int of = label[i / classes], j = (int)(i % classes);
        int known = of >= 0 && of < classes;

        dx[i] = known ? (expf(logp[i]) - (j == of)) / batch : NAN;
    }
}

/* launch a loss */
/* Queue on the stream; rows, batch >= 0. */
static inline void log_softmax_forward_run(int rows, int cols, const float *x,
                                           float *y, cudaStream_t stream)
{
    unsigned blocks = (unsigned)ceil_div((size_t)rows, XENT_WARPS);

    if (rows > 0 && cols > 0)
        log_softmax_rows<<<blocks, XENT_WARPS * WARP, 0, stream>>>(
            rows, cols, x, y, NULL, NULL);
    CUDA_LAUNCH_CHECK();
}
/* logp [batch][classes]; losses [batch], one a sample; *loss, their mean. A
   label that is no class makes its loss, the mean and its gradients NaN. */
static inline void xent_forward_run(int batch, int classes, const float *x,
                                    const int *label, float *logp,
                                    float *losses, float *loss,
                                    cudaStream_t stream)
{
    unsigned blocks = (unsigned)ceil_div((size_t)batch, XENT_WARPS);

    CHECK(batch >= 1 && classes >= 1, "the mean loss of %d samples", batch);
    log_softmax_rows<<<blocks, XENT_WARPS * WARP, 0, stream>>>(
        batch, classes, x, logp, label, losses);
    CUDA_LAUNCH_CHECK();
    xent_mean<<<1, 256, 0, stream>>>(batch, losses, loss);
    CUDA_LAUNCH_CHECK();
}

static inline void xent_backward_run(int batch, int classes, const float *logp,
                                     const int *label, float *dx,
                                     cudaStream_t stream)
{
    size_t n = (size_t)batch * classes;

    if (n > 0)
        xent_slope<<<blocks_for(n, 128), 128, 0, stream>>>(batch, classes, logp,
                                                           label, dx);
    CUDA_LAUNCH_CHECK();
}

#endif
