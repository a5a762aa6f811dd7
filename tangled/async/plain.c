/* plain: managed memory in a C program, built by a C compiler. */
#include <stdio.h>

#include <cuda_runtime.h>

#include "tour/check.h"

enum { N = 5000 };

int main(void)
{
    unsigned char *p, got[N];
    int bad = 0;

    bad |= cudaMallocManaged((void **)&p, N, cudaMemAttachGlobal);
    CHECK(!bad, "no managed memory: error %d", bad);
    for (int i = 0; i < N; i++)
        p[i] = (unsigned char)i;    /* the host writes ... */
    bad |= cudaMemset(p, 7, N / 2); /* ... the device writes ... */
    bad |= cudaMemcpy(got, p, N, cudaMemcpyDeviceToHost);
    bad |= cudaDeviceSynchronize();
    CHECK(!bad, "error %d", bad);
    for (int i = 0; i < N; i++) { /* ... and the host reads */
        int want = i < N / 2 ? 7 : i % 256;

        CHECK(p[i] == want && got[i] == want, "byte %d is %d and %d, not %d", i,
              p[i], got[i], want);
    }
    CHECK(cudaFree(p) == cudaSuccess, "cudaFree");
    printf("ok: %d managed bytes, and no nvcc\n", N);
    return 0;
}
