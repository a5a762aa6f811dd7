/* probe_fft: what cuFFT must give, on Loom and on a GPU. */
#include <cufft.h>
#include <math.h>
#include <stdio.h>

#include "stack/cuda_check.h"
#include "tour/check.h"

/* check the result of a call of cuFFT */
#define FFT(call)                                      \
    do {                                               \
        cufftResult r = (call);                        \
        CHECK(r == CUFFT_SUCCESS, "%s: %d", #call, r); \
    } while (0)

/* try a wave */
static void try_wave(int n, int k, int batch)
{
    cufftComplex *h = (cufftComplex *)check_alloc((size_t)n * batch, sizeof *h);
    cufftComplex *d;
    size_t bytes = (size_t)n * batch * sizeof *h, work = 1;
    cufftHandle plan;

    k %= n;
    for (int i = 0; i < n * batch; i++) {
        h[i].x = (float)cos(2 * M_PI * k * (i % n) / n);
        h[i].y = (float)sin(2 * M_PI * k * (i % n) / n);
    }
    CUDA_CHECK(cudaMalloc(&d, bytes));
    CUDA_CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    FFT(cufftCreate(&plan));
    CHECK(cufftExecC2C(plan, d, d, CUFFT_FORWARD) == CUFFT_INVALID_PLAN,
          "a plan that was not made");
    FFT(cufftSetStream(plan, 0));
    FFT(cufftMakePlan1d(plan, n, CUFFT_C2C, batch, &work));
    FFT(cufftExecC2C(plan, d, d, CUFFT_FORWARD));
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n * batch; i++)
        CHECK(fabs(h[i].x - (i % n == k ? n : 0)) < 1e-4 * n &&
                  fabs(h[i].y) < 1e-4 * n,
              "line %d of %d points is %g,%g", i, n, h[i].x, h[i].y);
    FFT(cufftDestroy(plan));
    CHECK(cufftDestroy(plan) == CUFFT_INVALID_PLAN,
          "a plan is destroyed twice");
    CUDA_CHECK(cudaFree(d));
    free(h);
}

/* try a real signal in place */
static void try_real(int n)
{
    int row = 2 * (n / 2 + 1);
    float *h = (float *)check_alloc(3 * (size_t)row, sizeof *h), *d;
    size_t bytes = 3 * row * sizeof *h;
    cufftHandle there, back;

    for (int i = 0; i < 3 * row; i++)
        h[i] = (float)(i % 11);
    CUDA_CHECK(cudaMalloc(&d, bytes));
    CUDA_CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    FFT(cufftPlan2d(&there, 3, n, CUFFT_R2C));
    FFT(cufftPlan2d(&back, 3, n, CUFFT_C2R));
    FFT(cufftExecR2C(there, d, (cufftComplex *)d));
    FFT(cufftExecC2R(back, (cufftComplex *)d, d));
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3 * row; i++)
        CHECK(i % row >= n || fabs(h[i] - 3.0 * n * (i % 11)) < 1e-3 * n,
              "point %d of 3 x %d is %g", i, n, h[i]);
    FFT(cufftDestroy(there));
    FFT(cufftDestroy(back));
    CUDA_CHECK(cudaFree(d));
    free(h);
}

/* try signals that lie apart */
static void try_apart(void)
{
    enum { N = 12 };
    cufftDoubleComplex h[2 * N], *in, *out;
    size_t work;
    cufftHandle plan;
    int n = N;

    for (int i = 0; i < 2 * N; i++) {
        h[i].x = i / 2 == i % 2; /* an impulse at 0, and one at 1 */
        h[i].y = 0;
    }
    CUDA_CHECK(cudaMalloc(&in, sizeof h));
    CUDA_CHECK(cudaMalloc(&out, sizeof h));
    CUDA_CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    FFT(cufftCreate(&plan));
    FFT(cufftMakePlanMany(plan, 1, &n, &n, 2, 1, &n, 1, N, CUFFT_Z2Z, 2,
                          &work));
    FFT(cufftExecZ2Z(plan, in, out, CUFFT_FORWARD));
    CUDA_CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2 * N; i++)
        CHECK(fabs(h[i].x - cos(2 * M_PI * (i / N) * (i % N) / N)) < 1e-12,
              "signal %d, line %d: %g", i / N, i % N, h[i].x);
    FFT(cufftDestroy(plan));
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
}

int main(void)
{
    cufftHandle plan;

    for (int n = 1; n < 70; n += 3)
        try_wave(n, n % 5, 4);
    for (int n = 1; n < 40; n++)
        try_real(n);
    try_apart();
    CHECK(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE,
          "a transform of no points");
    printf("ok: transforms forward, back, in place and apart\n");
}
