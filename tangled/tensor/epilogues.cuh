/* epilogues.cuh: what bias and ReLU cost, in the product and behind it. */
#ifndef TENSOR_EPILOGUES_CUH
#define TENSOR_EPILOGUES_CUH

#include "tensor/lt_any.cuh"
#include "tensor/measured.cuh"

/* add a bias by a kernel */
/* Eight neighbors a thread; n is a multiple of 8. */
__global__ void bias_relu(size_t count, int n, bf16 *c, const bf16 *bias)
{
    size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 8;
    uint4 x, y;
    bf16 *to = (bf16 *)&x;
    const bf16 *add = (const bf16 *)&y;

    if (i >= count)
        return;
    x = *(const uint4 *)(c + i);
    y = *(const uint4 *)(bias + i % n);
    for (int e = 0; e < 8; e++)
        to[e] = __float2bfloat16(
            fmaxf(0, __bfloat162float(to[e]) + __bfloat162float(add[e])));
    *(uint4 *)(c + i) = x;
}

static struct {
    struct lt_call plain, ends;
    bf16 *bias;
} epilogues;

/* run a product with what follows */
static void run_epilogue(void *, int how, int set)
{
    bf16 *a = measured.x + 3 * measured.each * set, *b = a + measured.each;
    bf16 *c = b + measured.each;
    size_t count = (size_t)measured.n * measured.n;

    lt_call_run(how == 1 ? &epilogues.ends : &epilogues.plain, a, b, 0, c,
                cudaStreamPerThread);
    if (how == 2)
        bias_relu<<<(unsigned)ceil_div(count, 2048), 256, 0,
                    cudaStreamPerThread>>>(count, measured.n, c,
                                           epilogues.bias);
}

/* measure what follows */
static void measure_epilogue(int n, void *place)
{
    static const struct bench_case table[] = {
        {"epilogue_none", run_epilogue, 0},
        {"epilogue_fused", run_epilogue, 1},
        {"epilogue_apart", run_epilogue, 2}};
    struct bench b = {NULL, n, 0, 2.0 * n * n * n};
    struct lt_kind kind = {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F};

    measured_open(n);
    CUDA_CHECK(cudaMalloc((void **)&epilogues.bias, 2 * (size_t)n));
    fill16<<<8, 256>>>(n, epilogues.bias, 8, 0);
    CUDA_LAUNCH_CHECK();
    epilogues.plain = lt_make(&kind, 'N', n, n, n, place);
    kind.bias = epilogues.bias;
    epilogues.ends = lt_make(&kind, 'N', n, n, n, place);
    b.sets = measured.sets;
    b.peer[0] = {"epilogue_none", "of_product"};
    bench_run(table, 3, &b);
    lt_free(&epilogues.plain);
    lt_free(&epilogues.ends);
    CUDA_CHECK(cudaFree(epilogues.bias));
    CUDA_CHECK(cudaFree(measured.x));
}
#endif
