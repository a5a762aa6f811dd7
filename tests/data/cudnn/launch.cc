/* launch.cc: in how many blocks chapter 19's own kernels are launched for a size, and what
   their threads touch, without a device. parts.h is fusion.cuh, in which tests/cudnn.t
   makes k<<<g, b>>>(x) a loop over all threads. One runs after the other: what a shuffle
   gives is wrong, and no result is looked at. */
#include "conv/size.h"
#include "kernels/sizes.h"

#include <initializer_list>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define __device__
#define __global__
struct alignas(16) float4 { float x, y, z, w; };
static float4 make_float4(float x, float y, float z, float w)
{
    return {x, y, z, w};
}
typedef float __nv_bfloat16;
static float __bfloat162float(float x)
{
    return x;
}
static float __float2bfloat16(float x)
{
    return x;
}

static dim3 gridDim, blockDim, blockIdx, threadIdx;
static void launched(unsigned grid, unsigned block, size_t = 0, cudaStream_t = 0)
{
    printf("; %u of %u", grid, block);
    gridDim = grid, blockDim = block, blockIdx = threadIdx = 0;
}
static void next_thread(void)
{
    if (++threadIdx.x == blockDim.x)
        threadIdx = 0, blockIdx.x++;
}
/* One thread says whom it asks; a lane that asks itself might do so for ever. */
static float __shfl_xor_sync(unsigned mask, float x, int lane)
{
    if (blockIdx.x == 0 && threadIdx.x == 24)
        printf(" %x:%d", mask, lane);
    if (lane < 1 || lane >= 8) {
        printf(" asks lane %d of its eight\n", lane);
        exit(1);
    }
    return x;
}

#include "parts.h"

template <class T> static T *room(size_t n)
{
    return (T *)calloc(n ? n : 1, sizeof(T)); /* the sanitizer sees its end */
}

static void layer(const struct conv &v)
{
    printf("%d %d %d %d, %d %d %d, %d %d %d", v.n, v.c, v.h, v.w, v.k, v.r, v.s, v.stride, v.pad, v.dilation);
    launch_fused_layer(&v, room<float>(conv_x(&v)), room<float>(conv_w(&v)), room<affine>(v.k),
                       room<float>((size_t)v.n * v.k * (conv_out_h(&v) / 2) * (conv_out_w(&v) / 2)), 0);
    for (int planes = 0; planes < 2 && v.c == 1 && v.pad == 1; planes++)
        launch_one_channel_gradient(&v, planes, room<float>(conv_y(&v)), room<float>(conv_w(&v)),
                                    room<float>(conv_x(&v)), 0);
    printf("\n");
}

int main(void)
{
    for (int n : {0, 1, 256, 257, 1024, 1025}) {
        printf("%d", n);
        gate_separate(n, room<float>(n), room<float>(n), room<float>(n), room<float>(n), room<float>(n), 0);
        gate_fused(n, room<float>(n), room<float>(n), room<float>(n), room<float>(n), 0);
        printf("\n");
    }
    layer({2, 3, 8, 8, 4, 3, 3, 1, 1, 1}), layer({2, 3, 8, 8, 5, 3, 3, 1, 1, 1});
    layer({2, 5, 9, 7, 3, 3, 3, 1, 1, 1}), layer({1, 2, 3, 3, 5, 3, 3, 1, 0, 1});
    layer({0, 1, 6, 6, 3, 3, 3, 1, 1, 1}), layer({1, 4, 13, 11, 6, 5, 3, 2, 2, 1});
    layer({1, 1, 4, 16, 9, 3, 3, 1, 1, 1}), layer({1, 1, 5, 13, 3, 3, 3, 1, 1, 1});
    return 0;
}
