/* refused: which launches are refused? Prediction against the runtime. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"
#include "tour/rng.h"

/* compare a prediction with the runtime */
__global__ void nothing(void)
{
}

static int compare(uint64_t gx, uint64_t gy, uint64_t gz, uint64_t bx,
                   uint64_t by, uint64_t bz)
{
    uint64_t g[3] = {gx, gy, gz}, b[3] = {bx, by, bz};
    const char *why = launch_refusal(g, b);
    cudaError_t error;

    nothing<<<dim3((unsigned)gx, (unsigned)gy, (unsigned)gz),
              dim3((unsigned)bx, (unsigned)by, (unsigned)bz)>>>();
    error = cudaGetLastError();
    CHECK((error != cudaSuccess) == (why != NULL),
          "<<<(%d, %d, %d), (%d, %d, %d)>>>: predicted \"%s\", got %s", (int)gx,
          (int)gy, (int)gz, (int)bx, (int)by, (int)bz, why ? why : "accepted",
          cudaGetErrorName(error));
    return why != NULL;
}

int main(int argc, char **argv)
{
    uint64_t s = args_parse(argc, argv, "predict refused launches", NULL, 0);
    int count = 0;

    /* compare the eight of the exercise */
    count += compare(1, 1, 1, 1024, 1, 1);
    count += compare(1, 1, 1, 1025, 1, 1);
    count += compare(0, 1, 1, 32, 1, 1);
    count += compare(1, 65536, 1, 32, 1, 1);
    count += compare(65536, 1, 1, 1, 1, 1);
    count += compare(1, 1, 1, 32, 33, 1);
    count += compare(1, 1, 1, 1, 1, 65);
    count += compare(1, 1, 1, 16, 1, 64);
    CHECK(count == 5, "%d of 8 refused, not 5", count);
    setenv("LOOM_QUIET", "1", 0); /* five explanations are enough */
    for (int i = 0; i < 300; i++)
        count +=
            compare(rng_below(&s, 4), rng_below(&s, 4) + 1, 1,
                    rng_below(&s, 40), rng_below(&s, 40), rng_below(&s, 3));
    CUDA_CHECK(cudaDeviceSynchronize());
    printf("ok: 308 launches predicted, %d of them refused\n", count);
    return 0;
}
