/* loop: one graph, launched again and again; what changes is in memory. */
#include <stdio.h>

#include "kernels/launch.h"

enum { N = 1000, ROUNDS = 5, EACH = 10 };

/* add the rate, and halve it */
__global__ void add_rate(int n, const float *rate, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += *rate;
}

__global__ void halve(float *rate)
{
    *rate *= 0.5f;
}

int main(void)
{
    float *d_x, *d_rate, got[N], one = 1, want = 0;
    cudaGraphExec_t ready;
    cudaGraph_t graph;
    cudaStream_t s;

    CUDA_CHECK(cudaStreamCreate(&s));
    CUDA_CHECK(cudaMalloc((void **)&d_x, sizeof got));
    CUDA_CHECK(cudaMalloc((void **)&d_rate, sizeof one));
    CUDA_CHECK(cudaMemset(d_x, 0, sizeof got));
    CUDA_CHECK(cudaMemcpy(d_rate, &one, sizeof one, cudaMemcpyHostToDevice));
    /* capture ten launches */
    CUDA_CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < EACH; i++)
        add_rate<<<blocks_for(N, 128), 128, 0, s>>>(N, d_rate, d_x);
    CUDA_CHECK(cudaStreamEndCapture(s, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
    /* launch it in rounds */
    for (int r = 0; r < ROUNDS; r++) {
        CUDA_CHECK(cudaGraphLaunch(ready, s));
        halve<<<1, 1, 0, s>>>(d_rate);
        want += EACH * one;
        one *= 0.5f;
    }
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaStreamSynchronize(s));
    CUDA_CHECK(cudaMemcpy(got, d_x, sizeof got, cudaMemcpyDeviceToHost));
    /* compare with the sum of the rates */
    for (int i = 0; i < N; i++)
        CHECK(got[i] == want, "x[%d] is %g, not %g", i, got[i], want);
    /* give all of it back */
    CUDA_CHECK(cudaGraphExecDestroy(ready));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_rate));
    CUDA_CHECK(cudaStreamDestroy(s));
    printf("ok: %d rounds of one graph give %g\n", ROUNDS, want);
    return 0;
}
