/* xent: log-softmax and cross-entropy on the device, forward and backward. */
#include <stdio.h>

#include "layers/try_xent.cuh"
#include "tour/args.h"

/* try a wrong label */
static void try_label(int wrong)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, got[16], *d;
    int label[3] = {0, wrong, 1}, *d_label;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof got + sizeof x));
    CUDA_CHECK(cudaMalloc((void **)&d_label, sizeof label));
    CUDA_CHECK(cudaMemcpy(d + 16, x, sizeof x, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemcpy(d_label, label, sizeof label, cudaMemcpyHostToDevice));
    xent_forward_run(3, 2, d + 16, d_label, d, d + 6, d + 9, 0);
    xent_backward_run(3, 2, d, d_label, d + 10, 0);
    CUDA_CHECK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3; i++) {
        int nan = isnan(got[6 + i]) && isnan(got[10 + 2 * i]);

        CHECK(!isnan(got[2 * i]) && (i == 1) == nan, "label %d: sample %d",
              wrong, i);
    }
    CHECK(isnan(got[9]), "label %d: the mean loss is %g", wrong, got[9]);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(d_label));
}

int main(int argc, char **argv)
{
    static const int sizes[][3] = {{1, 1},  {1, 2},   {3, 10},  {5, 31},
                                   {7, 32}, {33, 33}, {129, 3}, {2, 129}};
    struct arg args[] = {ARG_SIZE("batch", 300, 1, 1 << 20),
                         ARG_SIZE("classes", 10, 1, 4096)};
    uint64_t seed = args_parse(argc, argv, "the loss, tried", args, 2);
    int own[3] = {(int)args[0].value, (int)args[1].value, 1};

    for (int k = 0; k <= ARG_COUNT(sizes); k++) {
        const int *size = k < ARG_COUNT(sizes) ? sizes[k] : own;

        trial("xent", run_xent, size, 0, k % 2 * 100, seed + k);
        trial("xent_twice", run_xent, size, 0, 0, seed + k);
    }
    try_label(2);
    try_label(-1);
    printf("ok: log-softmax and cross-entropy, once and twice, 9 sizes\n");
    return 0;
}
