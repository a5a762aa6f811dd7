/* the libraries as strangers call them */
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <curand.h>
#include <curand_kernel.h>
#include <nvtx3/nvToolsExt.h>
#include <cstdio>

__global__ void draw(unsigned *words, float *normals)
{
    curandState s;

    curand_init(1234, threadIdx.x, 5, &s);
    words[threadIdx.x] = curand(&s);
    normals[threadIdx.x] = curand_normal(&s);
}

int main()
{
    /* words of NVIDIA's curand_kernel.h, run on the host */
    const unsigned want[4] = {2501467243u, 75263415u, 839904678u, 3857148075u};
    float a[6] = {1, 2, 3, 4, 5, 6}, x[6] = {1, 0, 2, 0, 3, 0}, y[4] = {1, 9, 1, 9}, *A, *X, *Y, *C;
    float one = 1, two = 2, zero = 0, norm = 0, mean = 0, square = 0, *normals;
    unsigned *words;
    half *H;
    int at = 0;
    cublasHandle_t h;
    cublasLtHandle_t lt;
    curandGenerator_t g;

    cudaMallocManaged(&A, 24);
    cudaMallocManaged(&X, 24);
    cudaMallocManaged(&Y, 16);
    cudaMallocManaged(&C, 16);
    cudaMallocManaged(&H, 8);
    cudaMallocManaged(&words, 16);
    cudaMallocManaged(&normals, 4000);
    nvtxRangePushA("all");
    if (cublasCreate(&h) || cublasLtCreate(&lt) || cublasSetMatrix(2, 3, 4, a, 2, A, 2) || cublasSetVector(3, 4, x, 2, X, 2) ||
        cublasSetVector(2, 4, y, 2, Y, 2))
        return puts("no handle"), 1;
    if (cublasSgemv(h, CUBLAS_OP_N, 2, 3, &one, A, 2, X, 2, &two, Y, 2) || cublasSnrm2(h, 3, X, 2, &norm) || cublasIsamax(h, 3, X, 2, &at) ||
        cudaDeviceSynchronize() || Y[0] != 24 || Y[2] != 30 || norm * norm < 13.99f || at != 3)
        return printf("wrong vectors: %g %g %g %d\n", Y[0], Y[2], norm, at), 1;
    for (int i = 0; i < 4; i++)
        H[i] = __float2half((float)i + 1);
    if (cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, H, CUDA_R_16F, 2, H, CUDA_R_16F, 2, &zero, C, CUDA_R_32F, 2,
                     CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) ||
        cublasSger(h, 2, 1, &one, A, 1, A, 1, C, 2) || cudaDeviceSynchronize() || C[0] != 11 || C[1] != 16 || C[3] != 20)
        return printf("wrong product: %g %g %g %g\n", C[0], C[1], C[2], C[3]), 1;
    draw<<<1, 4>>>(words, normals);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++)
        if (words[i] != want[i])
            return printf("wrong word: %u\n", words[i]), 1;
    if (curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) || curandGenerateNormal(g, normals, 1000, 5, 2) || cudaDeviceSynchronize())
        return puts("no numbers"), 1;
    for (int i = 0; i < 1000; i++) {
        mean += normals[i] / 1000;
        square += (normals[i] - 5) * (normals[i] - 5) / 1000;
    }
    if (fabsf(mean - 5) > 0.3f || fabsf(square - 4) > 0.6f)
        return printf("wrong normals: %g %g\n", mean, square), 1;
    if (cuCmulf(make_cuComplex(1, 2), make_cuComplex(3, 4)).y != 10 || cuCabs(make_cuDoubleComplex(3, 4)) != 5)
        return puts("wrong product of complex numbers"), 1;
    puts("ok: libraries");
    return nvtxRangePop();
}
