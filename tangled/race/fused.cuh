/* fused.cuh: what the kernels of the fast step share: shapes, arrays, places. */
#ifndef RACE_FUSED_CUH
#define RACE_FUSED_CUH

#include <cuda_bf16.h>

#include "kernels/launch.h"
#include "loom/ptx.h"

typedef __nv_bfloat16 bf16;

/* name the shapes of the step */
enum {
    SIDE1 = 28, /* pixels of a side: of block 1, */
    SIDE2 = 14, /* of block 2, and behind it */
    SIDE3 = 7,
    INK = SIDE1 * SIDE1,    /* pixels of a picture */
    PIXELS = SIDE2 * SIDE2, /* of block 2 */
    CELLS = SIDE3 * SIDE3,
    CH1 = 32, /* channels of block 1 and block 2 */
    CH2 = 64,
    HIDDEN = 128,
    KINDS = 10,
    PITCH = 16,              /* a row of pixels with its border */
    PADDED = 16 * PITCH + 2, /* with two that the last row's taps touch */
    INK_PITCH = 32,          /* the same for the picture */
    INK_PADDED = 31 * INK_PITCH,
    MOMENTS = 54,           /* 9 sums and 45 products of a patch */
    LOT = 64,               /* pictures that the head takes together */
    HEAD_SUMS = 1536,       /* 1280 + 128 + 10 + the loss, and rest */
    FUSED_SLOTS = 1024,     /* losses that are kept; the slots go around */
    FILTERS = 9 * CH1 * CH2 /* weights of the second convolution */
};

/* say what a step is about */
/* What a step is about; on the device, and the step itself goes on to the next
   batch. */
struct fused_args {
    const unsigned char *images, *labels;
    const int *order;
    float *loss;
    int first, slot;
    float rate;
};

/* hold the arrays of the step */
/* All arrays are on the device. */
struct fused {
    struct fused_args *args;
    int n;   /* pictures of the step */
    int sms; /* of the card */
    int grid1, grid3, parts4, grid5, cells2, splits2;
    float *conv1, *bn1, *conv2, *bn2, *fc1, *fc1_bias, *fc2, *fc2_bias;
    bf16 *filters;               /* [tap][column][ci]: column: real_channel() */
    bf16 *turned;                /* [tap][ci][co] */
    bf16 *fc1_half;              /* [cell][hidden][channel] */
    unsigned long long *sums;    /* [MOMENTS], zero before a step */
    unsigned long long *kept;    /* the same, until the step ends */
    float *coef1, *coef2;        /* [4][channels]: mean, 1 / sd, a, shift */
    float *moments;              /* as at the end of struct net's w */
    bf16 *z2;                    /* [n][PIXELS][CH2] */
    bf16 *p2, *best, *dp2;       /* [n][CELLS][CH2]; best: z2 that won */
    bf16 *dh;                    /* [n to whole lots][HIDDEN] */
    unsigned long long *z_sums;  /* [2][CH2]: of z2, of its squares */
    float *h_sums;               /* [splits2][n][HIDDEN] */
    float *head_sums;            /* [grid3][HEAD_SUMS] */
    unsigned long long *dy_sums; /* [2][CH2]: of dy, of dy (z2 - mean) */
    float *filter_sums;          /* [grid5][FILTERS] */
    float *patch_sums;           /* [grid5][CH1][16] */
};

/* place chunks of lines */
/* Where chunk `chunk` of 16 bytes of a line lies: lines of 64 bytes, and of 128.
   Eight lines that follow each other, read at the same chunk, share no bank. */
static __device__ inline int in_64(int line, int chunk)
{
    return line * 64 + ((chunk ^ (line >> 1 & 3)) << 4);
}

static __device__ inline int in_128(int line, int chunk)
{
    return line * 128 + ((chunk ^ (line & 7)) << 4);
}

/* deal channels to columns */
/* Column 8 i + 2 t + e of the product is channel 16 t + 2 i + e: so what a lane
   has of a pixel lies together. */
static __host__ __device__ inline int real_channel(int column)
{
    return column % 8 / 2 * 16 + column / 8 * 2 + column % 2;
}

/* put two numbers into a word */
static __device__ inline unsigned pair_of(float low, float high)
{
    __nv_bfloat162 v = __floats2bfloat162_rn(low, high);
    unsigned bits;

    memcpy(&bits, &v, 4);
    return bits;
}

static __device__ inline float low_of(unsigned pair)
{
    return __uint_as_float(pair << 16);
}

static __device__ inline float high_of(unsigned pair)
{
    return __uint_as_float(pair & 0xffff0000u);
}

/* Element e of 8 in 16 bytes. */
static __device__ inline float of_eight(const uint4 &v, int e)
{
    unsigned w = e < 2 ? v.x : e < 4 ? v.y : e < 6 ? v.z : v.w;

    return e % 2 ? high_of(w) : low_of(w);
}

/* find a picture of the batch */
static __device__ inline const unsigned char *image_of(const struct fused &f,
                                                       int i)
{
    const struct fused_args *a = f.args;
    int from = a->order ? a->order[a->first + i] : a->first + i;

    return a->images + (size_t)from * INK;
}

/* add up in any order */
/* Sums of many blocks as whole numbers of these units: exact to add, in any order.
   z2: against 1e-5 in a variance. Gradients: a step of less moves no weight. */
#define Z_UNIT 0x1p-24
#define DY_UNIT 0x1p-40

static __device__ inline void add_units(unsigned long long *to, double x,
                                        double unit)
{
    atomicAdd(to, (unsigned long long)llrint(x / unit));
}

static __device__ inline double from_units(unsigned long long x, double unit)
{
    return (double)(long long)x * unit;
}

#endif
