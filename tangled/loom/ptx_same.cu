/* ptx_same: does each wrapper of ptx.h do what a plain computation does? On a GPU
   and on Loom. Needs compute capability 9.0 for all of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "loom/ptx.h"

#ifndef __LOOM__ /* barriers in shared memory are initialized below */
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

/* compare two arrays */
static int failed, tried;
static const char *only;

static void call(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return;
    fprintf(stderr, "ptx_same: %s: %s\n", what, cudaGetErrorString(e));
    exit(1);
}

/* Whether this part is wanted; its kernel's results are all ones before. */
static int begin(const char *name, void *out, size_t bytes)
{
    if (!strstr(name, only))
        return 0;
    memset(out, 0xff, bytes);
    return 1;
}

static void same(const char *name, const void *got, const void *want,
                 size_t bytes)
{
    size_t i = 0;

    call(cudaGetLastError(), name);
    call(cudaDeviceSynchronize(), name);
    while (i < bytes && ((const char *)got)[i] == ((const char *)want)[i])
        i++;
    tried++;
    failed += i < bytes;
    if (i < bytes)
        printf("not ok %s: byte %zu of %zu is 0x%02x, expected 0x%02x\n", name,
               i, bytes, ((const unsigned char *)got)[i],
               ((const unsigned char *)want)[i]);
    else
        printf("ok %s\n", name);
}

static void *room(size_t bytes)
{
    void *p;

    call(cudaMallocManaged(&p, bytes), "cudaMallocManaged");
    return p;
}

/* try copies of a few bytes */
/* Two groups of copies; of the last 16 bytes only 4 come from memory. */
__global__ void copy_kernel(unsigned *out, const unsigned *in)
{
    __shared__ __align__(16) unsigned s[8 * 32];
    unsigned *own = s + 8 * threadIdx.x;
    const unsigned *from = in + 8 * threadIdx.x;

    ptx_cp_async<4>(own, from);
    ptx_cp_async<4>(own + 1, from + 1, 0);
    ptx_cp_async<8>(own + 2, from + 2);
    ptx_cp_async_commit();
    ptx_cp_async<16>(own + 4, from + 4, 4);
    ptx_cp_async_commit();
    ptx_cp_async_wait<1>();
    for (int i = 0; i < 4; i++)
        out[8 * threadIdx.x + i] = own[i];
    ptx_cp_async_wait<0>();
    for (int i = 4; i < 8; i++)
        out[8 * threadIdx.x + i] = own[i];
}

static void try_copies(void)
{
    unsigned *in = (unsigned *)room(1024), *out = (unsigned *)room(1024),
             want[256];

    for (int i = 0; i < 256; i++) {
        in[i] = 1000003u * (unsigned)i + 7;
        want[i] = i % 8 == 1 || i % 8 > 4 ? 0 : in[i];
    }
    if (begin("cp.async", out, 1024)) {
        copy_kernel<<<1, 32>>>(out, in);
        same("cp.async", out, want, 1024);
    }
}

/* try loads and stores of matrices */
/* A row has 40 elements, so that its 16 bytes are somewhere. */
template <int N, int TRANS>
__global__ void load_kernel(unsigned *out, const unsigned short *in)
{
    __shared__ __align__(16) unsigned short s[32 * 40];
    unsigned d[4] = {0, 0, 0, 0};

    for (int i = threadIdx.x; i < 32 * 40; i += 32)
        s[i] = in[i];
    __syncwarp();
    ptx_ldmatrix<N, TRANS>(d, s + 40 * (threadIdx.x % (8 * N)));
    for (int i = 0; i < 4; i++)
        out[4 * threadIdx.x + i] = d[i];
}

template <int N, int TRANS>
__global__ void store_kernel(unsigned short *out, const unsigned *in)
{
    __shared__ __align__(16) unsigned short s[32 * 40];

    for (int i = threadIdx.x; i < 32 * 40; i += 32)
        s[i] = 7;
    __syncwarp();
    ptx_stmatrix<N, TRANS>(s + 40 * (threadIdx.x % (8 * N)),
                           in + 4 * threadIdx.x);
    __syncwarp();
    for (int i = threadIdx.x; i < 32 * 40; i += 32)
        out[i] = s[i];
}

/* try matrices of each kind */
template <int N, int TRANS>
static void try_matrix(int major)
{
    unsigned short *e = (unsigned short *)room(32 * 40 * 2), back[32 * 40];
    unsigned *d = (unsigned *)room(512), want[128] = {0};
    char name[40];

    for (int i = 0; i < 32 * 40; i++) {
        e[i] = (unsigned short)(i * 31 + 5);
        back[i] = 7;
    }
    for (int l = 0; l < 32; l++)
        for (int m = 0; m < N; m++)
            for (int k = 0; k < 2; k++) {
                int r = m * 8 + (TRANS ? l % 4 * 2 + k : l / 4),
                    c = TRANS ? l / 4 : l % 4 * 2 + k;

                want[4 * l + m] |= (unsigned)e[r * 40 + c] << 16 * k;
                back[r * 40 + c] = e[r * 40 + c];
            }
    snprintf(name, sizeof name, "ldmatrix.x%d%s", N, TRANS ? ".trans" : "");
    if (begin(name, d, 512)) {
        load_kernel<N, TRANS><<<1, 32>>>(d, e);
        same(name, d, want, 512);
    }
    snprintf(name, sizeof name, "stmatrix.x%d%s", N, TRANS ? ".trans" : "");
    if (major >= 9 && begin(name, e, 32 * 40 * 2)) {
        memcpy(d, want, 512);
        store_kernel<N, TRANS><<<1, 32>>>(e, d);
        same(name, e, back, 32 * 40 * 2);
    }
}

static void try_matrices(int major)
{
    try_matrix<1, 0>(major);
    try_matrix<1, 1>(major);
    try_matrix<2, 0>(major);
    try_matrix<2, 1>(major);
    try_matrix<4, 0>(major);
    try_matrix<4, 1>(major);
}

/* try multiplications */
/* How an integer from -8 to 7 looks in a type of 1, 2 or 4 bytes. */
enum kind { BF16, F16, TF32, E4M3, E5M2, S8 };

static unsigned bits_of(int kind, int v)
{
    unsigned u, s = v < 0, a = (unsigned)(v < 0 ? -v : v), e = 0;
    float f = (float)v;

    memcpy(&u, &f, 4);
    while (a >> (e + 1))
        e++;
    switch (kind) {
    case BF16:
        return u >> 16;
    case F16:
        return v ? s << 15 | (e + 15) << 10 | ((a << 10 >> e) & 1023) : 0;
    case E4M3:
        return v ? s << 7 | (e + 7) << 3 | ((a << 3 >> e) & 7) : 0;
    case E5M2: /* 2 bits of fraction: 5 and 7 do not fit, and are not asked for */
        return v ? s << 7 | (e + 15) << 2 | ((a << 2 >> e) & 3) : 0;
    case S8:
        return (unsigned)v & 255;
    }
    return u;
}

/* a and b hold K values a row or column; the lane packs what it has to hold. */
__global__ void mma_kernel(int kind, float *d, int *di, const unsigned *a,
                           const unsigned *b, const float *c)
{
    unsigned l = threadIdx.x, x[4], y[2];
    float f[4];
    int q[4];

    for (int i = 0; i < 4; i++) {
        x[i] = a[4 * l + i];
        f[i] = c[4 * l + i];
        q[i] = (int)f[i];
    }
    y[0] = b[2 * l];
    y[1] = b[2 * l + 1];
    if (kind == BF16)
        ptx_mma_bf16(f, x, y, f);
    if (kind == F16)
        ptx_mma_f16(f, x, y, f);
    if (kind == TF32)
        ptx_mma_tf32(f, x, y, f);
    if (kind == E4M3)
        ptx_mma_e4m3(f, x, y, f);
    if (kind == E5M2)
        ptx_mma_e5m2(f, x, y, f);
    if (kind == S8)
        ptx_mma_s8(q, x, y, q);
    for (int i = 0; i < 4; i++) {
        d[4 * l + i] = kind == S8 ? (float)q[i] : f[i];
        di[4 * l + i] = q[i];
    }
}

/* try each type */
static void try_mma(int kind, const char *name)
{
    int per = kind == TF32 ? 1 : kind <= F16 ? 2 : 4, K = 8 * per;
    int A[16][32], B[32][8];
    unsigned *a = (unsigned *)room(512), *b = (unsigned *)room(256);
    float *c = (float *)room(512), *d = (float *)room(512), want[128];
    int *q = (int *)room(512);
    unsigned r = 1;

    if (!begin(name, d, 512))
        return;
    for (int k = 0; k < K; k++)
        for (int i = 0; i < 24; i++) {
            int v = (int)((r = r * 1664525u + 1013904223u) >> 28) - 8;

            v = kind == E5M2 && (abs(v) == 5 || abs(v) == 7) ? 3 : v;
            if (i < 16)
                A[i][k] = v;
            else
                B[k][i - 16] = v;
        }
    for (int l = 0; l < 32; l++) {
        int g = l / 4, t = l % 4;

        for (int i = 0; i < 4; i++) {
            int sum = 0, row = g + i / 2 * 8, column = 2 * t + i % 2;

            a[4 * l + i] = 0;
            for (int e = 0; e < per;
                 e++) /* register i: row g or g + 8, K lower or upper half */
                a[4 * l + i] |=
                    bits_of(kind,
                            A[g + i % 2 * 8][t * per + e + i / 2 * 4 * per])
                    << e * (32 / per) % 32;
            c[4 * l + i] = (float)(l - 10 * i);
            for (int k = 0; k < K; k++)
                sum += A[row][k] * B[k][column];
            want[4 * l + i] = c[4 * l + i] + (float)sum;
        }
        for (int i = 0; i < 2; i++) {
            b[2 * l + i] = 0;
            for (int e = 0; e < per; e++)
                b[2 * l + i] |= bits_of(kind, B[t * per + e + i * 4 * per][g])
                                << e * (32 / per) % 32;
        }
    }
    mma_kernel<<<1, 32>>>(kind, d, q, a, b, c);
    same(name, d, want, 512);
}

/* try doubles and all types */
__global__ void double_kernel(double *d)
{
    int l = threadIdx.x;
    double c[2] = {(double)l, -1.0};

    ptx_mma_f64(c, l / 4 + 10 * (l % 4), l / 4 - l % 4, c);
    d[2 * l] = c[0];
    d[2 * l + 1] = c[1];
}

static void try_multiplications(int major)
{
    double *d = (double *)room(512), want[64];

    try_mma(BF16, "mma bf16");
    try_mma(F16, "mma f16");
    try_mma(TF32, "mma tf32");
    try_mma(S8, "mma s8");
    if (major >= 9) {
        try_mma(E4M3, "mma e4m3");
        try_mma(E5M2, "mma e5m2");
    }
    for (int l = 0; l < 32; l++)
        for (int j = 0; j < 2; j++) {
            want[2 * l + j] = j ? -1 : l;
            for (int k = 0; k < 4; k++)
                want[2 * l + j] +=
                    (l / 4 + 10 * k) * (double)(l % 4 * 2 + j - k);
        }
    if (begin("mma f64", d, 512)) {
        double_kernel<<<1, 32>>>(d);
        same("mma f64", d, want, 512);
    }
}

/* try mbarriers */
/* Warp 0 writes a row and arrives; warp 1 adds it up and says that it may be
   written again. Then tokens, and a thread that drops out. */
__global__ void phase_kernel(int *out, int rows)
{
    __shared__ uint64_t full, empty, all;
    __shared__ int row[32];
    int lane = threadIdx.x % 32, sum = 0;

    if (threadIdx.x == 0) {
        ptx_mbarrier_init(&full, 32);
        ptx_mbarrier_init(&empty, 32);
        ptx_mbarrier_init(&all, 64);
    }
    __syncthreads();
    for (int i = 0; i < rows; i++)
        if (threadIdx.x < 32) {
            ptx_mbarrier_wait(&empty, (unsigned)(i & 1) ^ 1);
            row[lane] = 100 * i + lane;
            ptx_mbarrier_arrive(&full);
        } else {
            ptx_mbarrier_wait(&full, (unsigned)i & 1);
            sum += row[31 - lane];
            ptx_mbarrier_arrive(&empty);
        }
    uint64_t token = ptx_mbarrier_arrive(&all);

    while (!ptx_mbarrier_test(&all, token))
        ;
    if (threadIdx.x == 63)
        ptx_mbarrier_drop(&all);
    else
        ptx_mbarrier_arrive(&all);
    ptx_mbarrier_wait(&all, 1);
    if (threadIdx.x != 63) {
        ptx_mbarrier_arrive(&all);
        ptx_mbarrier_wait(&all, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        ptx_mbarrier_inval(&all);
    out[threadIdx.x] = sum;
}

static void try_mbarriers(void)
{
    int *out = (int *)room(256), want[64];

    for (int t = 0; t < 64; t++) {
        want[t] = 0;
        for (int i = 0; t >= 32 && i < 5; i++)
            want[t] += 100 * i + 63 - t;
    }
    if (begin("mbarrier", out, 256)) {
        phase_kernel<<<1, 64>>>(out, 5);
        same("mbarrier", out, want, 256);
    }
}

/* try bulk copies */
/* Comes by bulk copy, goes by bulk copy and once more as a sum. */
__global__ void bulk_kernel(float *out, float *sum, const float *in)
{
    __shared__ __align__(128) float s[256];
    __shared__ uint64_t bar;

    if (threadIdx.x == 0) {
        ptx_mbarrier_init(&bar, 1);
        ptx_fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx_mbarrier_expect(&bar, 1024);
        ptx_bulk_load(s, in, 512, &bar);
        ptx_bulk_load(s + 128, in + 128, 512, &bar);
    }
    ptx_mbarrier_wait(&bar, 0);
    s[threadIdx.x] *= 2;
    ptx_fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx_bulk_store(out + 256 * blockIdx.x, s, 1024);
        ptx_bulk_commit();
        ptx_bulk_add(sum, s, 1024);
        ptx_bulk_commit();
        ptx_bulk_wait_read<1>();
        ptx_bulk_wait<0>();
    }
}

static void try_bulk(void)
{
    float *in = (float *)room(1024), *out = (float *)room(4096),
          *sum = (float *)room(1024), want[1024], all[256];

    for (int i = 0; i < 256; i++) {
        in[i] = (float)i;
        for (int b = 0; b < 4; b++)
            want[256 * b + i] = 2.0f * (float)i;
        all[i] = 3.0f + 4 * 2.0f * (float)i;
        sum[i] = 3;
    }
    if (begin("cp.async.bulk", out, 4096)) {
        bulk_kernel<<<4, 256>>>(out, sum, in);
        same("cp.async.bulk", out, want, 4096);
        same("cp.reduce.async.bulk", sum, all, 1024);
    }
}

/* try copies of boxes */
enum { BOX = 4096 };

/* Copies a box to shared memory, shows how it lies there, stores it elsewhere. */
template <int D>
__global__ void box_kernel(unsigned char *out,
                           const __grid_constant__ CUtensorMap from,
                           const __grid_constant__ CUtensorMap to, int bytes,
                           int x, int y, int add)
{
    __shared__ __align__(1024) unsigned char s[BOX];
    __shared__ uint64_t bar;
    int at[5] = {x, y, 1, 0, 1};

    for (int i = threadIdx.x; i < BOX; i += 32)
        s[i] = 0xee;
    if (threadIdx.x == 0) {
        ptx_mbarrier_init(&bar, 1);
        ptx_fence_mbarrier_init();
    }
    ptx_fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx_mbarrier_expect(&bar, (unsigned)bytes);
        ptx_tensor_load<D>(s, &from, at, &bar);
    }
    ptx_mbarrier_wait(&bar, 0);
    for (int i = threadIdx.x; i < BOX; i += 32)
        out[i] = s[i];
    ptx_fence_async();
    __syncthreads();
    if (threadIdx.x == 0 && x >= 0 && y >= 0) { /* stores begin inside */
        if (add)
            ptx_tensor_add<D>(&to, at, s);
        else
            ptx_tensor_store<D>(&to, at, s);
        ptx_bulk_commit();
        ptx_bulk_wait<0>();
    }
}

struct box_case {
    const char *name;
    int dims, swizzle;
    unsigned box[5];
    int x, y, add, nan;
};

/* make all NaNs one */
/* Makes every float that is not a number the same. */
static void one_nan(unsigned char *out)
{
    call(cudaDeviceSynchronize(), "a box");
    for (size_t i = 0; i < BOX; i += 4) {
        float x;

        memcpy(&x, out + i, 4);
        if (x != x)
            memcpy(out + i, "\xff\xff\xff\x7f", 4);
    }
}

/* try a box */
static void launch_box(const box_case *t, unsigned char *out,
                       const CUtensorMap &from, const CUtensorMap &to,
                       int bytes)
{
    if (t->dims == 1)
        box_kernel<1><<<1, 32>>>(out, from, to, bytes, t->x, t->y, t->add);
    if (t->dims == 2)
        box_kernel<2><<<1, 32>>>(out, from, to, bytes, t->x, t->y, t->add);
    if (t->dims == 3)
        box_kernel<3><<<1, 32>>>(out, from, to, bytes, t->x, t->y, t->add);
    if (t->dims == 4)
        box_kernel<4><<<1, 32>>>(out, from, to, bytes, t->x, t->y, t->add);
    if (t->dims == 5)
        box_kernel<5><<<1, 32>>>(out, from, to, bytes, t->x, t->y, t->add);
}

/* Floats; dimension d has 35, 7, 3, 2, 2 elements. A row that is stored has 36, whole
   pieces of 16 bytes. */
static void try_box(const box_case *t)
{
    const uint64_t size[5] = {35, 7, 3, 2, 2},
                   stride[4] = {160, 1280, 3840, 7680};
    const size_t all = 3840;
    float *from = (float *)room(4 * all), *to = (float *)room(4 * all),
          *want_to = (float *)malloc(4 * all);
    unsigned char *out = (unsigned char *)room(BOX), want[BOX];
    unsigned n = t->box[0], at[5] = {0},
             mask = t->swizzle == 3   ? 0x70
                    : t->swizzle == 2 ? 0x30
                                      : 0x10;
    int first[5] = {t->x, t->y, 1, 0, 1};
    CUtensorMapFloatOOBfill fill =
        t->nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
               : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    CUtensorMap map[2];
    char name[60];

    if (!begin(t->name, out, BOX))
        return;
    for (size_t i = 0; i < all; i++) {
        from[i] = (float)i;
        want_to[i] = to[i] = 0.5f;
    }
    memset(want, 0xee, BOX);
    /* work out where each element goes */
    for (int d = 1; d < t->dims; d++)
        n *= t->box[d];
    for (unsigned i = 0; i < n; i++) {
        unsigned place = 4 * i, zero = t->nan ? 0x7fffffff : 0;
        size_t offset = 0;
        int here = 1, stored = t->x >= 0 && t->y >= 0;
        float is;

        if (t->swizzle)
            place ^= place >> 3 & mask;
        for (int d = 0; d < t->dims; d++) {
            int64_t x = first[d] + (int)at[d];

            here &= x >= 0 && x < (int64_t)size[d];
            stored &= x >= 0 && x < (int64_t)(d ? size[d] : 36);
            offset += (size_t)(x * (int64_t)(d ? stride[d - 1] / 4 : 1));
        }
        memcpy(want + place, here ? (void *)&from[offset] : (void *)&zero, 4);
        memcpy(&is, want + place, 4);
        if (stored)
            want_to[offset] = t->add ? is + 0.5f : is;
        for (int d = 0; d < t->dims && ++at[d] == t->box[d]; d++)
            at[d] = 0;
    }
    for (int i = 0; i < 2; i++)
        if (ptx_tensor_map(&map[i], CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                           (unsigned)t->dims, i ? to : from, size, stride,
                           t->box, (CUtensorMapSwizzle)t->swizzle, fill))
            call(cudaErrorInvalidValue, "cuTensorMapEncodeTiled");
    launch_box(t, out, map[0], map[1], (int)(4 * n));
    if (t->nan) /* which NaN is the hardware's affair */
        one_nan(out);
    same(t->name, out, want, BOX);
    snprintf(name, sizeof name, "%s, back", t->name);
    same(name, to, want_to, 4 * all);
    free(want_to);
}

/* try boxes of all kinds */
static void try_boxes(void)
{
    const box_case cases[] = {
        {"box 1d", 1, 0, {16}, 4},
        {"box 1d, over the end", 1, 0, {16}, 28},
        {"box 2d", 2, 0, {8, 3}, 4, 2},
        {"box 2d, over the corner", 2, 0, {16, 4}, -4, 5},
        {"box 2d, not a number outside", 2, 0, {8, 4}, 32, -1, 0, 1},
        {"box 2d, added", 2, 0, {8, 4}, 32, 1, 1},
        {"box 2d, added above", 2, 0, {8, 4}, 32, -1, 1},
        {"box 2d, swizzle 32", 2, 1, {8, 7}, 4, 0},
        {"box 2d, swizzle 64", 2, 2, {16, 7}, 4, 0},
        {"box 3d, swizzle 64", 3, 2, {16, 7, 2}, 4, 0},
        {"box 3d, swizzle 32", 3, 1, {8, 7, 3}, 4, 1},
        {"box 2d, swizzle 128", 2, 3, {32, 7}, 4, 0},
        {"box 3d, swizzle 128", 3, 3, {32, 5, 2}, 8, 3},
        {"box 4d", 4, 0, {12, 3, 2, 2}, 4, 1},
        {"box 5d", 5, 0, {12, 3, 2, 2, 1}, 4, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        try_box(&cases[i]);
}

/* try warpgroups */
/* Of rows x k elements, whose rows in memory run along k or, if turned, along the
   rows: brought by boxes, each as wide as the swizzle, one behind the other. */
template <int TURNED>
static __device__ void bring(char *to, const CUtensorMap *map, int rows, int k,
                             int wide, uint64_t *bar)
{
    int inner = TURNED ? rows : k, outer = TURNED ? k : rows;

    for (int x = 0; x < inner; x += wide) {
        int at[2] = {x, 0};

        ptx_tensor_load<2>(to + x * outer * 2, map, at, bar);
    }
}

/* The descriptor of what it brought, from step k0 on. */
template <int TURNED>
static __device__ uint64_t matrix_at(const char *p, int rows, int k, int k0,
                                     int swizzle)
{
    unsigned s = swizzle ? 16 << swizzle : 16;

    if (TURNED)
        return ptx_matrix(p + k0 * s, swizzle ? k * s : 128,
                          swizzle ? 8 * s : k * 16,
                          (CUtensorMapSwizzle)swizzle);
    return ptx_matrix(p + k0 * 2, swizzle ? 16 : rows * 16,
                      swizzle ? 8 * s : 128, (CUtensorMapSwizzle)swizzle);
}

/* multiply what was brought */
template <int N, int TA, int TB>
__global__ void __launch_bounds__(128)
    wgmma_kernel(float *d, const __grid_constant__ CUtensorMap a,
                 const __grid_constant__ CUtensorMap b, int swizzle, int add)
{
    __shared__ __align__(1024) char s[(64 + N) * 128];
    __shared__ uint64_t bar;
    int wide = swizzle ? 8 << swizzle : 8, k = swizzle ? wide : 16;
    int l = threadIdx.x % 32, w = threadIdx.x / 32;
    float sum[N / 2];

    if (threadIdx.x == 0) {
        ptx_mbarrier_init(&bar, 1);
        ptx_fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx_mbarrier_expect(&bar, (64 + N) * k * 2);
        bring<TA>(s, &a, 64, k, wide, &bar);
        bring<TB>(s + 64 * 128, &b, N, k, wide, &bar);
    }
#pragma unroll
    for (int i = 0; i < N / 2; i++)
        sum[i] = (float)i;
    ptx_mbarrier_wait(&bar, 0);
    ptx_wgmma_fence();
    for (int k0 = 0; k0 < k; k0 += 16)
        ptx_wgmma<N, TA, TB>(sum, matrix_at<TA>(s, 64, k, k0, swizzle),
                             matrix_at<TB>(s + 64 * 128, N, k, k0, swizzle),
                             add || k0);
    ptx_wgmma_commit();
    ptx_wgmma_wait<0>();
    ptx_hold<N / 2>(sum);
#pragma unroll
    for (int i = 0; i < N / 2; i++)
        d[(16 * w + l / 4 + i / 2 % 2 * 8) * N + i / 4 * 8 + l % 4 * 2 +
          i % 2] = sum[i];
}

/* try a multiplication of a warpgroup */
static CUtensorMap map_of_bf16(unsigned short *x, int inner, int outer,
                               int wide, int swizzle)
{
    const uint64_t size[2] = {(uint64_t)inner, (uint64_t)outer};
    const uint64_t stride = 2 * size[0];
    const unsigned box[2] = {(unsigned)wide, (unsigned)outer};
    CUtensorMap map;

    if (ptx_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, x, size,
                       &stride, box, (CUtensorMapSwizzle)swizzle,
                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        fprintf(stderr, "ptx_same: no tensor map\n");
    return map;
}

template <int N, int TA, int TB>
static void try_wgmma(int swizzle, int add)
{
    int wide = swizzle ? 8 << swizzle : 8, k = swizzle ? wide : 16;
    unsigned short *a = (unsigned short *)room(64 * 64 * 2);
    unsigned short *b = (unsigned short *)room(N * 64 * 2);
    static float want[64 * N];
    float *d = (float *)room(sizeof want);
    char name[40];

    snprintf(name, sizeof name, "wgmma%d %c%c%s", N, TA ? 'T' : 'N',
             TB ? 'T' : 'N',
             swizzle == 3 ? ""
             : swizzle    ? " narrow"
                          : " plain");
    if (!begin(name, d, sizeof want))
        return;
    for (int i = 0; i < 64 + N; i++)
        for (int p = 0; p < k; p++) {
            unsigned short v =
                (unsigned short)bits_of(BF16, (7 * i + 5 * p + i * p) % 13 - 6);

            if (i < 64)
                a[TA ? p * 64 + i : i * k + p] = v;
            else
                b[TB ? p * N + i - 64 : (i - 64) * k + p] = v;
        }
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < N; j++) {
            int sum = add ? j / 8 * 4 + i % 16 / 8 * 2 + j % 2 : 0, u = j + 64;

            for (int p = 0; p < k; p++)
                sum += ((7 * i + 5 * p + i * p) % 13 - 6) *
                       ((7 * u + 5 * p + u * p) % 13 - 6);
            want[i * N + j] = (float)sum;
        }
    wgmma_kernel<N, TA, TB><<<1, 128>>>(
        d, map_of_bf16(a, TA ? 64 : k, TA ? k : 64, wide, swizzle),
        map_of_bf16(b, TB ? N : k, TB ? k : N, wide, swizzle), swizzle, add);
    same(name, d, want, sizeof want);
}

/* try barriers of some warps */
__global__ void part_kernel(unsigned *out)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x, v = t;

    for (int i = 0; i < 5; i++) {
        s[t] = v + 1;
        if (t < 64)
            ptx_barrier<1>(64);
        else
            ptx_barrier_at(2, 64);
        v = s[t ^ 32];
        if (t < 64)
            asm volatile("bar.sync 1, 64;" ::: "memory");
        else
            ptx_barrier<2>(64);
    }
    out[t] = v;
}

static void try_warpgroups(void)
{
    unsigned *out = (unsigned *)room(512), want[128];

    for (unsigned t = 0; t < 128; t++)
        want[t] = (t ^ 32) + 5;
    if (begin("part", out, 512)) {
        part_kernel<<<1, 128>>>(out);
        same("part", out, want, 512);
    }
    for (int swizzle = 0; swizzle < 4; swizzle++) {
        try_wgmma<64, 0, 0>(swizzle, 0);
        try_wgmma<64, 0, 1>(swizzle, 0);
        try_wgmma<64, 1, 0>(swizzle, 1);
        try_wgmma<64, 1, 1>(swizzle, 0);
    }
    try_wgmma<128, 0, 1>(3, 1);
    try_wgmma<192, 0, 1>(3, 0);
    try_wgmma<256, 0, 0>(3, 0);
    try_wgmma<256, 0, 1>(3, 1);
}

/* try clusters */
/* Each block of a cluster of 4 tells the next one its number, three ways, and
   all add to the first. */
__global__ void __cluster_dims__(4, 1, 1) cluster_kernel(int *out)
{
    __shared__ int told, sum;
    __shared__ uint64_t bar;
    unsigned rank = ptx_cluster_rank(), next = (rank + 1) % ptx_cluster_size();

    if (threadIdx.x == 0) {
        sum = 0;
        ptx_mbarrier_init(&bar, 1);
        ptx_fence_mbarrier_init();
    }
    ptx_cluster_sync();
    if (threadIdx.x == 0) {
        *ptx_map(&told, next) = (int)(100 + blockIdx.x);
        ptx_mbarrier_arrive_at(&bar, next);
    }
    atomicAdd(ptx_map(&sum, 0), (int)threadIdx.x);
    ptx_mbarrier_wait(&bar, 0);
    ptx_cluster_arrive();
    ptx_cluster_wait();
    if (threadIdx.x == 0) {
        out[4 * blockIdx.x] = told;
        out[4 * blockIdx.x + 1] = *ptx_map(&sum, 0);
        out[4 * blockIdx.x + 2] = *ptx_map(&told, rank ^ 1);
        out[4 * blockIdx.x + 3] = (int)ptx_cluster_size();
    }
    ptx_cluster_sync();
}

/* Block 0 sends rows to blocks 0 and 2 at once; block 3 sends one to block 1. */
__global__ void __cluster_dims__(4, 1, 1) cast_kernel(int *out, const int *in)
{
    __shared__ __align__(128) int s[64], own[64];
    __shared__ uint64_t bar;
    unsigned rank = ptx_cluster_rank();

    own[threadIdx.x] = (int)(1000 * rank + threadIdx.x);
    s[threadIdx.x] = -1;
    if (threadIdx.x == 0) {
        ptx_mbarrier_init(&bar, 1);
        ptx_fence_mbarrier_init();
        if (rank != 3)
            ptx_mbarrier_expect(&bar, 256);
    }
    ptx_fence_async();
    ptx_cluster_sync();
    if (rank == 0 && threadIdx.x == 0)
        ptx_bulk_load_all(s, in, 256, &bar, 5);
    if (rank == 3 && threadIdx.x == 0)
        ptx_bulk_send(s, own, 256, &bar, 1);
    if (rank != 3)
        ptx_mbarrier_wait(&bar, 0);
    out[64 * blockIdx.x + threadIdx.x] = s[threadIdx.x];
    ptx_cluster_sync();
}

/* compare what clusters did */
static void try_clusters(void)
{
    int *out = (int *)room(2048), *in = (int *)room(256), want[512];

    for (int b = 0; b < 8; b++) {
        want[4 * b] = 100 + b / 4 * 4 + (b + 3) % 4;
        want[4 * b + 1] = 4 * 63 * 32;
        want[4 * b + 2] = 100 + b / 4 * 4 + ((b ^ 1) + 3) % 4;
        want[4 * b + 3] = 4;
    }
    if (begin("cluster", out, 128)) {
        cluster_kernel<<<8, 64>>>(out);
        same("cluster", out, want, 128);
    }
    for (int i = 0; i < 512; i++) {
        in[i % 64] = 7 * (i % 64);
        want[i] = i / 64 % 4 == 1   ? 3000 + i % 64
                  : i / 64 % 4 == 3 ? -1
                                    : 7 * (i % 64);
    }
    if (begin("cluster copies", out, 2048)) {
        cast_kernel<<<8, 64>>>(out, in);
        same("cluster copies", out, want, 2048);
    }
}

/* try the small ones */
__global__ void small_kernel(unsigned *out, float x)
{
    out[threadIdx.x] = 0;
    ptx_grid_wait();
    if (ptx_elect())
        out[threadIdx.x] = ptx_tf32(x);
    ptx_grid_launch();
}

static void try_small(void)
{
    unsigned *out = (unsigned *)room(256), want[64] = {0}, got[64] = {0};

    if (!begin("elect, tf32", out, 256))
        return;
    want[0] = want[1] = 0x3f802000; /* 1 + 2^-11 goes away from zero */
    small_kernel<<<1, 64>>>(out, 1.00048828125f);
    call(cudaDeviceSynchronize(), "elect");
    for (int i = 0; i < 64; i++) /* which lane is not said */
        got[i / 32] += out[i];
    same("elect, tf32", got, want, 256);
}

/* try fragments */
/* C - 2 B A^T..., whatever the layouts say: rows of A lie as the type has it. */
template <int M, int N, int K, class T, class S, class R>
__global__ void wmma_kernel(R *d, const S *a, const S *b, const R *c)
{
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, M, N, K, R> z;

    wmma::load_matrix_sync(x, a, K);
    wmma::load_matrix_sync(y, b, K);
    wmma::load_matrix_sync(z, c, N, wmma::mem_row_major);
    for (int i = 0; i < z.num_elements; i++)
        z.x[i] = z.x[i] + (R)1;
    wmma::mma_sync(z, x, y, z);
    wmma::store_matrix_sync(d, z, M, wmma::mem_col_major);
}

template <int M, int N, int K, class T, class S, class R>
static void try_wmma_type(const char *name)
{
    S *a = (S *)room(4096), *b = (S *)room(4096);
    R *c = (R *)room(4096), *d = (R *)room(4096), want[M * N];
    typedef std::conditional_t<std::is_same_v<R, int>, int, float> wide;
    int most = std::is_same_v<R, int> ? 0x40000001 : 0; /* no float is that */

    if (!begin(name, d, sizeof want))
        return;
    for (int i = 0; i < M * K; i++)
        a[i] = (S)(float)(i * 7 % 13 - 6);
    for (int i = 0; i < N * K; i++)
        b[i] = (S)(float)(i * 5 % 11 - 5);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            wide sum = (wide)(most + i - j + 1);

            c[i * N + j] = (R)(wide)(most + i - j);
            for (int k = 0; k < K; k++)
                sum += (wide)((float)a[i * K + k] * (float)b[j * K + k]);
            want[j * M + i] = (R)sum;
        }
    wmma_kernel<M, N, K, T, S, R><<<1, 32>>>(d, a, b, c);
    same(name, d, want, sizeof want);
}

static void try_wmma(void)
{
    using namespace nvcuda::wmma;

    try_wmma_type<16, 16, 16, __half, __half, float>("wmma half");
    try_wmma_type<16, 16, 16, __half, __half, __half>("wmma half, half");
    try_wmma_type<8, 32, 16, __half, __half, float>("wmma half 8 x 32");
    try_wmma_type<32, 8, 16, __nv_bfloat16, __nv_bfloat16, float>(
        "wmma bf16 32 x 8");
    try_wmma_type<16, 16, 8, precision::tf32, float, float>("wmma tf32");
    try_wmma_type<16, 16, 16, signed char, signed char, int>("wmma bytes");
    try_wmma_type<8, 8, 4, double, double, double>("wmma double");
}

/* try libcu++ */
/* The sum of the numbers of all threads, in four ways; then rows through a pipeline. */
__device__ cuda::atomic<int, cuda::thread_scope_device> grid_sum;

__global__ void libcu_kernel(int *out, const int *in)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int sum, row[64];
    __shared__ __align__(16) int stage[2][64];
    auto block = cooperative_groups::this_thread_block();
    cuda::atomic_ref<int, cuda::thread_scope_block> ref(sum);

    if (threadIdx.x == 0) {
        init(&bar, 64);
        sum = 0;
    }
    __syncthreads();
    ref.fetch_add((int)threadIdx.x);
    grid_sum.fetch_add((int)threadIdx.x, cuda::memory_order_relaxed);
    bar.arrive_and_wait();
    cuda::memcpy_async(row + threadIdx.x, in + threadIdx.x, sizeof(int), bar);
    bar.arrive_and_wait();
    int r = row[63 - threadIdx.x] + ref.load();
    auto pipe = cuda::make_pipeline(block, &state);

    for (int i = 0; i < 6; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, stage[i % 2], in + 64 * i, 256, pipe);
        pipe.producer_commit();
        if (i == 0)
            continue;
        pipe.consumer_wait();
        r += stage[(i - 1) % 2][63 - threadIdx.x];
        pipe.consumer_release();
    }
    pipe.consumer_wait();
    r += stage[1][threadIdx.x];
    pipe.consumer_release();
    out[threadIdx.x] = r;
    if (threadIdx.x == 0)
        out[64] = grid_sum.load();
}

static void try_libcu(void)
{
    int *out = (int *)room(260), *in = (int *)room(6 * 256), want[65];

    for (int i = 0; i < 384; i++)
        in[i] = 17 * i % 101;
    for (int t = 0; t < 64; t++) {
        want[t] = in[63 - t] + 2016 + in[5 * 64 + t];
        for (int i = 0; i < 5; i++)
            want[t] += in[64 * i + 63 - t];
    }
    want[64] = 2016;
    if (begin("libcu", out, 260)) {
        libcu_kernel<<<1, 64>>>(out, in);
        same("libcu", out, want, 256);
    }
}

/* try inline PTX */
/* A barrier in memory and the loop around it. */
static __device__ void wait_inline(unsigned gate, unsigned lane)
{
    if (lane == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(gate),
                     "r"(32));
    __syncwarp();
    asm volatile(
        "{ .reg .b64 t; mbarrier.arrive.shared::cta.b64 t, [%0]; }" ::"r"(gate)
        : "memory");
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@p bra done;\n"
                 "bra again;\n"
                 "done:\n"
                 "}" ::"r"(gate),
                 "r"(0));
}

/* use inline PTX */
/* What a stranger writes: operands of all kinds, registers, a loop. */
__global__ void inline_kernel(unsigned *out, const unsigned *in)
{
    __shared__ __align__(16) unsigned s[32];
    __shared__ uint64_t bar;
    unsigned lane, x, y, z, v, d[4], own = 8 * threadIdx.x;
    unsigned at = ptx_shared(s + threadIdx.x);
    float f;
    long long wide;

    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;"
        : "=r"(x)
        : "r"(lane), "r"(5u), "r"(3u));
    asm("prmt.b32 %0, %1, %2, 0x1032;" : "=r"(y) : "r"(0x11223344u), "r"(0u));
    asm("{ .reg .pred p;\n"
        "setp.gt.u32 p, %1, 15;\n"
        "selp.u32 %0, 7, 9, p; }"
        : "=r"(z)
        : "r"(lane));
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(in + lane));
    asm volatile("st.global.wt.u32 [%0+12], %1;" ::"l"(out + own), "r"(v)
                 : "memory");
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(out + 256), "r"(1u)
                 : "memory");
    out[own] = x;
    out[own + 1] = y;
    out[own + 2] = z;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at),
                 "l"(in + lane)
                 : "memory");
    asm volatile("cp.async.commit_group;\n"
                 "cp.async.wait_group 0;" ::
                     : "memory");
    wait_inline(ptx_shared(&bar), lane);
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(ptx_shared(s + lane / 8 * 4)));
    out[own + 4] = d[3];
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(x) : "r"(0xabcdeu + lane));
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;"
                 : "=r"(y)
                 : "r"(lane));
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(wide) : "r"(-3), "r"(100000));
    asm("fma.rn.f32 %0, %1, %2, 0f3F800000;"
        : "=f"(f)
        : "f"(1.5f), "f"((float)lane));
    out[own + 5] = x;
    out[own + 6] = y + (unsigned)(wide / 1000);
    out[own + 7] = (unsigned)(2 * f);
}

/* compute with inline PTX */
__global__ void inline_numbers(unsigned *out, unsigned bytes, unsigned all)
{
    float f;

    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;"
        : "=r"(out[0])
        : "r"(bytes), "r"(0x04030201u), "r"(10u));
    asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;"
        : "=r"(out[1])
        : "r"(0xff010203u), "r"(0x02010101u), "r"(0u));
    asm("add.cc.u32 %0, %2, 2;\n\taddc.u32 %1, 0, 0;"
        : "=r"(out[2]), "=r"(out[3])
        : "r"(all));
    asm("sub.cc.u32 %0, %2, 2;\n\tsubc.u32 %1, 5, 0;"
        : "=r"(out[4]), "=r"(out[5])
        : "r"(all + 2));
    asm("mad.lo.cc.u32 %0, %2, %2, %2;\n\tmadc.hi.u32 %1, %2, %2, 0;"
        : "=&r"(out[6]), "=r"(out[7])
        : "r"(all));
    asm("dp4a.s32.s32 %0, %1, %2, 1;"
        : "=r"(out[8])
        : "r"(0x01ff0102), "r"(0x02020202));
    asm("add.rp.f32 %0, %1, %2;" : "=f"(f) : "f"(1.0f), "f"(1e-10f));
    out[9] = __float_as_uint(f);
    asm("fma.rn.sat.f32 %0, %1, %1, %1;" : "=f"(f) : "f"(2.0f));
    out[10] = __float_as_uint(f);
    asm("sad.u32 %0, %1, %2, 5;" : "=r"(out[11]) : "r"(3u), "r"(10u));
    asm("mul24.lo.s32 %0, %1, 3;" : "=r"(out[12]) : "r"(0x00ffffff));
}

/* compare what PTX did */
static void try_inline(void)
{
    const unsigned numbers[] = {
        18, 0xff020304, 1,          1,  0xffffffff,  4, 0, 0xffffffff,
        7,  0x3f800001, 0x3f800000, 12, (unsigned)-3};
    unsigned *out = (unsigned *)room(1028), *in = (unsigned *)room(128),
             want[257];

    for (unsigned l = 0; l < 32; l++) {
        in[l] = 3 * l;
        want[8 * l] = l ^ 6;
        want[8 * l + 1] = 0x33441122;
        want[8 * l + 2] = l > 15 ? 7 : 9;
        want[8 * l + 3] = 3 * l;
        want[8 * l + 4] = 3 * (12 + l % 4);
        want[8 * l + 5] = (0xabcde + l) >> 4 & 255;
        want[8 * l + 6] = (l ^ 1) - 300;
        want[8 * l + 7] = 3 * l + 2;
    }
    want[256] = 31; /* from all ones on */
    if (begin("inline", out, 1028)) {
        inline_kernel<<<1, 32>>>(out, in);
        same("inline", out, want, 1028);
    }
    if (begin("inline", out, sizeof numbers)) {
        inline_numbers<<<1, 1>>>(out, 0x01020304, 0xffffffff);
        same("inline", out, numbers, sizeof numbers);
    }
}

/* run all parts */
int main(int argc, char **argv)
{
    int major = 0;

    call(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0),
         "attribute");
    PTX_LOOM(major = 9;)
    only = argc > 1 ? argv[1] : "";
    try_copies();
    try_matrices(major);
    try_multiplications(major);
    if (major >= 8)
        try_wmma(), try_libcu();
    if (major >= 9) {
        try_mbarriers();
        try_bulk();
        try_boxes();
        try_clusters();
        try_small();
        try_inline();
        try_warpgroups();
    } else {
        printf("compute capability %d.x: the rest needs 9.0\n", major);
    }
    printf("%s: %d of %d differ\n", failed || !tried ? "not ok" : "ok", failed,
           tried);
    return failed || !tried;
}
