/* scatter.cuh: the gradient of the patches added up by atomics, to be measured;
   the trainer does not use it. */
#ifndef MNIST_SCATTER_CUH
#define MNIST_SCATTER_CUH

#include "mnist/net.cuh"

/* scatter the patches */
__global__ void scatter_patches(int side, int pixels, const float *patches,
                                float *dx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int tap = blockIdx.y % 9, c = blockIdx.y / 9;
    int h = i / side % side + tap / 3 - 1, w = i % side + tap % 3 - 1;

    if (i < pixels && h >= 0 && h < side && w >= 0 && w < side)
        atomicAdd(dx + (size_t)c * pixels + i + (tap / 3 - 1) * side + tap % 3 -
                      1,
                  patches[(size_t)blockIdx.y * pixels + i]);
}
static void scatter(struct net *net, const struct gpu_block *b, float *dx)
{
    int pixels = net->n * b->side * b->side;
    dim3 grid((unsigned)blocks_for((size_t)pixels, 256), 9 * b->in);

    CUDA_CHECK(cudaMemsetAsync(dx, 0, (size_t)b->in * pixels * sizeof *dx,
                               net->stream));
    scatter_patches<<<grid, 256, 0, net->stream>>>(b->side, pixels, b->patches,
                                                   dx);
    CUDA_LAUNCH_CHECK();
}

static void gather(struct net *net, const struct gpu_block *b, float *dx)
{
    int pixels = net->n * b->side * b->side;
    dim3 grid((unsigned)blocks_for((size_t)pixels, 256), b->in);

    add_patches<<<grid, 256, 0, net->stream>>>(b->side, pixels, b->patches, dx);
    CUDA_LAUNCH_CHECK();
}

/* take a step with atomics */
static void step_scattered(struct net *net, int first, int n, float lr)
{
    struct gpu_block *b = &net->block[1];

    forward_gpu(net, first, n);
    loss_on_gpu(net, 0);
    head_back(net);
    block_back(net, b, NULL);
    multiply(net, 'T', 'N', 9 * b->in, n * b->side * b->side, b->out,
             net->w + b->weight, b->dy, 0, b->patches);
    scatter(net, b, net->block[0].dp);
    block_back(net, &net->block[0], NULL);
    sgd_run(net->m.count, lr, net->g, net->w, net->stream);
}

#endif
