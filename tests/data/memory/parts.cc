/* parts.cc: which kernels chapter 6 launches to copy and to transpose, what it predicts of
   strides, what its probes read and its boxes copy; without a device, one thread at a time. parts.h is made
   of its headers by tests/memory.t, which turns k<<<g, b>>>(x) into (launched(g, b), k)(x). */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/sizes.h"
#include "memory/peaks.h"
#include "memory/predict.h"

#define __global__ static
#define __device__
#define __host__

struct dim3 {
    unsigned x, y;
    dim3(unsigned x = 1, unsigned y = 1) : x(x), y(y) {}
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;
struct float4 { float x, y, z, w; };

static int room;
template <class K> static int shared_allowed(K, int bytes) { return bytes <= room; }
static void launched(dim3 grid, dim3 block, int bytes = 0)
{
    printf("%ux%u of %ux%u, %d bytes: ", grid.x, grid.y, block.x, block.y, bytes);
}

struct kernel {
    char name[60];
    void operator()(size_t n, ...) const { printf("%s %zu; ", name, n); }
    void operator()(int rows, int cols, const float *, float *) const { printf("%s %d %d; ", name, rows, cols); }
    template <class... A> static kernel of(const char *format, A... a)
    {
        kernel k;

        snprintf(k.name, sizeof k.name, format, a...);
        return k;
    }
};
static const kernel transpose_write = kernel::of("write"), transpose_read = kernel::of("read"),
                    copy_float = kernel::of("float");
template <int H, int W, int T, int PITCH, int FLIP>
const kernel transpose_tile = kernel::of("tile<%d, %d, %d, %d, %d>", H, W, T, PITCH, FLIP);
template <int DOWN, int STREAM> const kernel transpose_vectors = kernel::of("vectors<%d, %d>", DOWN, STREAM);
template <class V, int U, int STREAM>
const kernel copy_words = kernel::of("words<%d, %d, %d>", (int)sizeof(V), U, STREAM);

enum move_kind { COPIED, TURNED, BOXED };
struct move {
    const char *name;
    void (*launch)(int rows, int cols, const float *x, float *y);
    enum move_kind kind;
};

/* an array whose loads are counted */
static unsigned loads;
struct counted {
    const float *p;
    float operator[](size_t i) const { return loads++, p[i]; }
};

/* how many copies of each size, with something there or not, and what arrives */
static unsigned copied[5][2];
template <int SIZE> static void async_copy(void *to, const void *from, int here)
{
    copied[SIZE / 4][here]++;
    if (here)
        memcpy(to, from, SIZE);
    else
        memset(to, 0, SIZE);
}

/* what a device is asked for shared memory */
#define CUDA_CHECK(call) (void)(call)
enum { cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
#define cudaGetDevice(d) (*(d) = 3)
#define cudaDeviceGetAttribute(v, which, device) (printf("%d of %d? ", which, device), *(v) = room)
#define cudaFuncSetAttribute(k, which, bytes) printf("%s: %d is %d; ", k, which, bytes)

#include "parts.h"

static void places(void)
{
    for (int c = 0; c < WIDE; c += 5)
        for (int g = 0; g < GROUPS; g += 3)
            printf("%d ", turned(c, g));
    printf("\n");
}

static void boxes(void)
{
    static float x[4200], y[4200], s[SPAN];
    static const size_t size[] = {1, 4, 1023, 1024, 1027, 1028, 1029, 1032, 2051, 2052, 2053, 4096};
    int wrong = 0;

    for (int i = 0; i < 4200; i++)
        x[i] = i + 1;
    for (size_t n : size) {
        for (int k = 0; k < 4200; k++)
            y[k] = -1;
        for (size_t tile = 0; tile < (n + BOX - 1) / BOX; tile++)
            for (int wide = 0; wide < 2; wide++) {
                memset(copied, 0, sizeof copied);
                memset(s, 0xff, sizeof s);
                for (threadIdx.x = 0; threadIdx.x < BOX_THREADS; threadIdx.x++)
                    wide ? start_tile<16>(n, tile, x, s) : start_tile<4>(n, tile, x, s);
                printf("%zu %zu %d: %u %u of 4, %u %u of 16; ", n, tile, wide, copied[1][0], copied[1][1],
                       copied[4][0], copied[4][1]);
                for (size_t k = 0; k < SPAN; k++) {
                    size_t i = tile * BOX + k;

                    wrong += s[k] != (i >= RADIUS && i - RADIUS < n ? x[i - RADIUS] : 0);
                }
                for (threadIdx.x = 0; threadIdx.x < BOX_THREADS; threadIdx.x++)
                    sum_tile<4>(n, tile, s, y);
            }
        for (size_t i = 0; i < 4200; i++) {
            float sum = 0;

            for (size_t k = i < RADIUS ? 0 : i - RADIUS; k <= i + RADIUS && k < n; k++)
                sum += x[k];
            wrong += y[i] != (i < n ? sum : -1);
        }
        printf("\n");
    }
    printf("%d of the boxes are wrong\n", wrong);
}

static void moves(const struct move *m, int count)
{
    static const int size[][2] = {{1, 1}, {32, 8}, {33, 9}, {64, 64}, {8192, 8192}, {4096, 8188},
                                  {260, 196}, {255, 33}, {65536, 257}, {65537, 257}, {65281, 256}, {65280, 255}, {7936, 2111}};

    for (room = 48 << 10; room < 150000; room += 60 << 10)
        for (int i = 0; i < count; i++) {
            printf("%s %d %d: ", m[i].name, m[i].kind, room);
            for (const auto &s : size)
                m[i].launch(s[0], s[1], NULL, NULL);
            printf("\n");
        }
}

static void leave(void)
{
    static const int more[] = {-1, 0, 1, 1 << 10};

    room = 60 << 10;
    for (int from = 48 << 10; from <= room; from += room - from ? room - from : 1)
        for (int m : more)
            printf("%d: %d; ", from + m, shared_asked("kernel", from + m));
    printf("\n");
}

static void predictions(void)
{
    for (int size = 4; size <= 16; size *= 2) {
        for (int start = 0; start < 36; start += 7)
            for (int step = 0; step < 140; step = step < 9 ? step + 4 : 2 * step + 3)
                printf("%d ", predict_sectors(start, step, size, 32));
        for (int stride = 0; stride < 40; stride++)
            printf("%d ", predict_passes(size, stride));
        printf("\n");
    }
    printf("%.9g %.9g %.9g %d %d\n", peak_dram(3201, 6016), peak_sms(132, 1980, 128), peak_pcie(32, 16),
           SHARED_BYTES, REGISTER_BYTES);
}

static void reads(void)
{
    struct rung r = {"registers", 3, 32, 5}, s = {"shared", 3, 32, 5};
    static float x[2000 * 16], y[105];
    int wrong = 0;

    printf("%g %g\n", rung_bytes(&r), rung_bytes(&s));
    for (int i = 0; i < 2000 * 16; i++)
        x[i] = i;
    for (int n = 0; n < 100; n += 33)
        for (int scattered = 0; scattered < 2; scattered++) {
            for (int i = 0; i < 105; i++)
                y[i] = -1;
            blockDim = dim3(8), gridDim = dim3(4);
            for (blockIdx.x = 0; blockIdx.x < 4; blockIdx.x++)
                for (threadIdx.x = 0; threadIdx.x < 8; threadIdx.x++) {
                    float before[105];

                    memcpy(before, y, sizeof y);
                    loads = 0;
                    if (scattered)
                        read_scattered(n, 1536, {x}, y);
                    else
                        read_strided(n, 3, 2, {x}, y);
                    for (int i = 0; i < 105; i++)
                        loads -= before[i] != y[i];
                    wrong += loads != 0;
                    for (int i = 0; i < 105; i++) /* each is written once, by one thread */
                        wrong += before[i] != y[i] && (before[i] != -1 || i / 32 != (int)blockIdx.x ||
                                                       i % 8 != (int)threadIdx.x);
                }
            for (int i = 0; i < 105; i++)
                wrong += y[i] != (i >= n      ? -1
                                  : scattered ? 16 * (float)((i * 1664557ull + 1013904223) % 1536)
                                              : i * 3 + 2);
        }
    printf("%d reads are wrong\n", wrong);
}

int main(void)
{
    moves(transposes, TRANSPOSES);
    moves(copies, COPIES);
    leave();
    predictions();
    reads();
    boxes();
    places();
    return 0;
}
