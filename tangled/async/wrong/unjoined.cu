/* wrong: gpu: cudaErrorStreamCaptureUnjoined */
#include "async/passes.cuh"

static void clear_only(struct passes *w, cudaStream_t s)
{
    stream_after(w->side, s, w->fork);
    CUDA_CHECK(cudaMemsetAsync(w->d[0], 0, 4, w->side));
}

int main(void)
{
    struct passes w;
    cudaStream_t s;

    passes_open(&w, 10, 2);
    CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    captured(clear_only, &w, s);
}
