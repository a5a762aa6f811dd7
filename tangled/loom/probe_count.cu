/* probe_count.cu: kernels whose requests can be counted by hand.
   Usage: probe_count [NAME...]   all of them if none is named */
#include <stdio.h>
#include <string.h>

#include "tour/check.h"

/* fix the sizes of the probes */
/* 4 blocks of 4 warps: 16 warps, 512 threads. The arrays are longer. */
enum { BLOCKS = 4, THREADS = 128, N = BLOCKS * THREADS, LENGTH = 64 * N };

static float *in, *out, host[LENGTH];

__device__ int self(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* read with a stride */
__global__ void strided(float *out, const float *in, int stride, int shift)
{
    int i = self();

    out[i] = in[i * stride + shift];
}

/* read backwards */
__global__ void backwards(float *out, const float *in)
{
    int i = self();

    out[i] = in[N - 1 - i];
}

/* read two and four numbers at once */
template <class T>
__global__ void wide(T *out, const T *in)
{
    int i = self();

    out[i] = in[i];
}

/* read a tile by columns */
/* The tile's rows are WIDTH long; FLIP exchanges the columns of each row. */
template <int WIDTH, bool FLIP>
__global__ void tile(float *out, const float *in)
{
    __shared__ float t[32][WIDTH];
    int x = threadIdx.x % 32, first = threadIdx.x / 32;
    const float *from = in + blockIdx.x * 1024;
    float *to = out + blockIdx.x * 1024;

    for (int y = first; y < 32; y += 4)
        t[y][FLIP ? x ^ y : x] = from[32 * y + x];
    __syncthreads();
    for (int y = first; y < 32; y += 4)
        to[32 * y + x] = t[x][FLIP ? x ^ y : y];
}

/* read shared memory with a stride */
template <class T, int STRIDE>
__global__ void shared_stride(T *out, const T *in)
{
    __shared__ T t[32 * STRIDE * 4];
    int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 32 * STRIDE;

    for (int k = 0; k < STRIDE; k++)
        t[row + k * 32 + lane] = in[k * 32 + lane];
    __syncthreads();
    out[self()] = t[row + lane * STRIDE];
}

/* add up by keys */
/* The key is self() / 2^shift & mask; sums lie `stride` apart. */
__global__ void add_global(float *out, const float *in, int shift, int mask,
                           int stride)
{
    int i = self();

    atomicAdd((int *)&out[(i >> shift & mask) * stride], (int)in[i]);
}

__global__ void add_shared(float *out, const float *in, int shift, int mask,
                           int stride)
{
    __shared__ int own[1024];
    int i = self(), t = threadIdx.x;

    for (int k = t; k < 1024; k += THREADS)
        own[k] = 0;
    __syncthreads();
    atomicAdd(&own[(i >> shift & mask) * stride], (int)in[i]);
    __syncthreads();
    if (t <= mask)
        atomicAdd((int *)&out[t], own[t * stride]);
}

/* count keys */
__global__ void count_ones(float *out)
{
    __shared__ int own[16];
    int i = self();

    if (threadIdx.x < 16)
        own[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&own[i / 4 % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd((int *)&out[threadIdx.x], own[threadIdx.x]);
}

/* add up with shuffles */
__global__ void shuffled(float *out, const float *in)
{
    float sum = in[self()];

    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0)
        out[self() / 32] = sum;
}

/* let the lanes part */
/* Lane l adds l % 4 + 1 numbers. */
__global__ void uneven(float *out, const float *in)
{
    int i = self(), n = threadIdx.x % 4 + 1;
    float sum = 0;

#pragma unroll 1
    for (int k = 0; k < n; k++)
        sum += in[i + k * N];
    out[i] = sum;
}

/* part and meet again */
/* Half of the lanes take one way, half the other, and they meet again. */
__global__ void halves(float *out, const float *in, int turns)
{
    int i = self();
    float x = 0;

    if (threadIdx.x % 2 == 0) {
#pragma unroll 1
        for (int k = 0; k < turns; k++)
            x += in[i + k * N];
    } else {
#pragma unroll 1
        for (int k = 0; k < turns; k++)
            x -= in[i + k * N];
    }
    out[i] = x;
}

__global__ void guarded(float *out, const float *in, int n)
{
    int i = self();

    if (i < n)
        out[i] = in[i];
}

/* write rows for the probes */
#define STRIDED(name, stride, shift)                                        \
    {                                                                       \
        name, [] { strided<<<BLOCKS, THREADS>>>(out, in, stride, shift); }, \
            [](int i) { return (i * stride + shift) % 1000; }, N, 0         \
    }
#define KEYS(name, kernel, shift, mask, stride, apart)                         \
    {                                                                          \
        name,                                                                  \
            [] { kernel<<<BLOCKS, THREADS>>>(out, in, shift, mask, stride); }, \
            [](int i) {                                                        \
                return i % apart ? 0 : sum_keys(shift, mask, i / apart);       \
            },                                                                 \
            (mask + 1) * apart, 1                                              \
    }
#define TILE(name, width, flip)                                                \
    {                                                                          \
        name, [] { tile<width, flip><<<BLOCKS, THREADS>>>(out, in); },         \
            [](int i) {                                                        \
                return (i / 1024 * 1024 + i % 32 * 32 + i % 1024 / 32) % 1000; \
            },                                                                 \
            BLOCKS * 1024, 0                                                   \
    }
#define SHARED(name, T, parts, stride)                                         \
    {                                                                          \
        name,                                                                  \
            [] {                                                               \
                shared_stride<T, stride>                                       \
                    <<<BLOCKS, THREADS>>>((T *)out, (T *)in);                  \
            },                                                                 \
            [](int i) { return i / parts % 32 * stride * parts + i % parts; }, \
            N *parts, 0                                                        \
    }

/* list the probes */
static int sum_keys(int shift, int mask, int key)
{
    int sum = 0;

    for (int k = 0; k < N; k++)
        sum += (k >> shift & mask) == key ? k % 1000 : 0;
    return sum;
}

static int sum_of(int i, int n, int apart)
{
    int sum = 0;

    for (int k = 0; k < n; k++)
        sum += (i + k * apart) % 1000;
    return sum;
}

static const struct probe {
    const char *name;
    void (*launch)(void);
    int (*value)(int i); /* of out[i], for the first n */
    int n, whole;        /* whole: out holds integers */
} probes[] = {
    /* list the probes of global memory */
    STRIDED("stride1", 1, 0),
    STRIDED("stride2", 2, 0),
    STRIDED("stride4", 4, 0),
    STRIDED("stride8", 8, 0),
    STRIDED("stride16", 16, 0),
    STRIDED("stride32", 32, 0),
    STRIDED("misaligned", 1, 1),
    STRIDED("broadcast", 0, 0),
    {"reverse", [] { backwards<<<BLOCKS, THREADS>>>(out, in); },
     [](int i) { return (N - 1 - i) % 1000; }, N, 0},
    {"float2", [] { wide<<<BLOCKS, THREADS>>>((float2 *)out, (float2 *)in); },
     [](int i) { return i % 1000; }, 2 * N, 0},
    {"float4", [] { wide<<<BLOCKS, THREADS>>>((float4 *)out, (float4 *)in); },
     [](int i) { return i % 1000; }, 4 * N, 0},
    /* list the probes of shared memory */
    TILE("tile_plain", 32, false),
    TILE("tile_padded", 33, false),
    TILE("tile_swizzled", 32, true),
    SHARED("shared_float", float, 1, 1),
    SHARED("shared_float_2", float, 1, 2),
    SHARED("shared_float_8", float, 1, 8),
    SHARED("shared_float2", float2, 2, 1),
    SHARED("shared_float2_2", float2, 2, 2),
    SHARED("shared_float4", float4, 4, 1),
    SHARED("shared_float4_2", float4, 4, 2),
    /* list the probes of atomics */
    KEYS("histogram_global", add_global, 2, 15, 1, 1),
    KEYS("atomic_one", add_global, 0, 0, 1, 1),
    KEYS("atomic_apart", add_global, 0, 31, 8, 8),
    KEYS("histogram_shared", add_shared, 2, 15, 1, 1),
    KEYS("shared_atomic_2", add_shared, 0, 31, 2, 1),
    KEYS("shared_atomic_32", add_shared, 0, 31, 32, 1),
    {"histogram_ones", [] { count_ones<<<BLOCKS, THREADS>>>(out); },
     [](int) { return N / 16; }, 16, 1},
    /* list the probes that add and part */
    {"shuffle", [] { shuffled<<<BLOCKS, THREADS>>>(out, in); },
     [](int i) { return sum_of(32 * i, 32, 1); }, N / 32, 0},
    {"uneven", [] { uneven<<<BLOCKS, THREADS>>>(out, in); },
     [](int i) { return sum_of(i, i % 4 + 1, N); }, N, 0},
    {"halves", [] { halves<<<BLOCKS, THREADS>>>(out, in, 3); },
     [](int i) { return (i % 2 ? -1 : 1) * sum_of(i, 3, N); }, N, 0},
    {"guard", [] { guarded<<<BLOCKS, THREADS>>>(out, in, N - 12); },
     [](int i) { return i % 1000; }, N - 12, 0},
};

/* run a probe and check it */
static void check(const struct probe *p)
{
    CHECK(cudaMemset(out, 0, 1024) == cudaSuccess, "memset failed");
    p->launch();
    CHECK(cudaMemcpy(host, out, p->n * sizeof *out, cudaMemcpyDeviceToHost) ==
              cudaSuccess,
          "%s failed", p->name);
    for (int i = 0; i < p->n; i++) {
        int got = (int)host[i];

        if (p->whole)
            memcpy(&got, &host[i], sizeof got);
        CHECK(got == p->value(i), "%s: out[%d] is %d", p->name, i, got);
    }
}

static void prepare(void)
{
    size_t bytes = LENGTH * sizeof *in;

    for (int i = 0; i < LENGTH; i++)
        host[i] = (float)(i % 1000);
    CHECK(cudaMalloc(&in, bytes) == cudaSuccess &&
              cudaMalloc(&out, bytes) == cudaSuccess &&
              cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice) ==
                  cudaSuccess,
          "no memory");
}

/* run the probes that were asked for */
static int wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return 1;
    return argc == 1;
}

int main(int argc, char **argv)
{
    int ran = 0, list = argc == 2 && strcmp(argv[1], "list") == 0;

    if (!list)
        prepare();
    for (const struct probe &p : probes)
        if (list) {
            printf("%s\n", p.name);
        } else if (wanted(p.name, argc, argv)) {
            check(&p);
            ran++;
        }
    CHECK(list || argc == 1 || ran == argc - 1, "there is no such probe: %s",
          argv[1]);
    if (!list)
        fprintf(stderr, "ok: %d probes computed what they should\n", ran);
    return 0;
}
