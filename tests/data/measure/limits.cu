/* limits: our occupancy against the runtime's, for kernels of this program
   with few and with many registers. For tests/measure.t; needs a GPU. */
#include <stdio.h>

#include "kernels/launch.h"
#include "measure/occupancy.h"
#include "tour/args.h"

/* keep many registers busy */
template <int N>
__global__ void keep(int turns, float *x)
{
    float v[N];

    for (int k = 0; k < N; k++)
        v[k] = x[k * blockDim.x + threadIdx.x];
    for (int i = 0; i < turns; i++)
        for (int k = 0; k < N; k++)
            v[k] += v[(k + 1) % N];
    for (int k = 0; k < N; k++)
        x[k * blockDim.x + threadIdx.x] = v[k];
}

/* compare one kernel with the runtime */
static int compared;

static void compare_limits(const struct occupancy_sm *sm,
                           void (*kernel)(int, float *))
{
    struct cudaFuncAttributes f;

    CUDA_CHECK(cudaFuncGetAttributes(&f, kernel));
    for (int threads = 32; threads <= 1024; threads += 32)
        for (size_t shared = 0; shared <= 48 << 10; shared += 3000) {
            struct occupancy_kernel k = {threads, f.numRegs, shared};
            int got, want = occupancy_of(sm, &k).blocks;

            CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                &got, kernel, threads, shared));
            CHECK(got == want,
                  "%d threads, %d registers, %zu bytes: %d, not %d", threads,
                  f.numRegs, shared, want, got);
            compared++;
        }
}

int main(int argc, char **argv)
{
    struct cudaDeviceProp prop;
    struct occupancy_sm sm;
    int device;

    args_parse(argc, argv, "compare occupancy with the runtime", NULL, 0);
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&prop, device));
    CHECK(occupancy_sm(prop.major, prop.minor, &sm),
          "compute capability %d.%d is not in the table", prop.major,
          prop.minor);
    /* compare kernels with few and many registers */
    compare_limits(&sm, keep<4>);
    compare_limits(&sm, keep<32>);
    compare_limits(&sm, keep<64>);
    compare_limits(&sm, keep<100>);
    compare_limits(&sm, keep<160>);
    printf("ok: %d launches, occupancy as the runtime says\n", compared);
    return 0;
}
