/* listen.cuh: a few frequencies in many sounds, by Goertzel's recurrence. */
#ifndef DFT_LISTEN_CUH
#define DFT_LISTEN_CUH

#include "kernels/launch.h"

/* listen to many sounds */
/* y[b][t] = how much of tone t is in row b of x, n floats each; turned[t] is
   the cosine and the sine of its turn between two samples. */
__global__ void goertzel_rows(int n, size_t count, int tones,
                              const float2 *turned, const float *x, float *y)
{
    size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0, before = 0;

    if (at >= count)
        return;
    float2 z = turned[at % tones];
    const float *row = x + at / tones * n;

    for (int j = 0; j < n; j++) {
        float next = row[j] + 2 * z.x * s - before;

        before = s;
        s = next;
    }
    y[at] = hypotf(s - z.x * before, z.y * before);
}

/* launch a thread for each tone */
/* turned: cosine and sine of the turn between two samples, for each tone. */
static inline void goertzel_batch(int n, int rows, int tones,
                                  const float2 *turned, const float *x,
                                  float *y, cudaStream_t stream)
{
    size_t count;

    CHECK(n >= 0 && rows >= 0 && tones > 0,
          "goertzel: %d tones in %d rows of %d samples", tones, rows, n);
    count = (size_t)rows * tones;
    if (count > 0)
        goertzel_rows<<<(unsigned)blocks_for(count, 256), 256, 0, stream>>>(
            n, count, tones, turned, x, y);
    CUDA_LAUNCH_CHECK();
}

#endif
