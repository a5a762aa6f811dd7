/* small.cuh: products of few terms, and products of few elements. */
#ifndef GEMM_SMALL_CUH
#define GEMM_SMALL_CUH

#include "gemm/launch.cuh"
#include "matmul/product.cuh"

/* multiply with short sums */
/* k <= K. A lane has V columns, and the numbers of B for them in registers; a
   warp has `rows` rows, WARPS apart. */
template <int K, int V>
__global__ void __launch_bounds__(32 * WARPS)
    multiply_short(const __grid_constant__ struct product s, int rows)
{
    int j = (blockIdx.x % s.across * 32 + threadIdx.x) * V;
    int i = blockIdx.x / s.across * WARPS * rows + threadIdx.y;
    int end = min(i + WARPS * rows, s.m);
    float y[K][V];

    if (j >= s.n)
        return;

/* load a lane's numbers of B */
#pragma unroll
    for (int p = 0; p < K; p++)
        for (int q = 0; q < V; q++)
            y[p][q] = p < s.k ? s.b[p * s.sb.row + (j + q) * s.sb.col] : 0;
#pragma unroll 4
    for (; i < end; i += WARPS) {
        float c[V] = {};

#pragma unroll
        for (int p = 0; p < K; p++) {
            float x = p < s.k ? s.a[i * s.sa.row + p * s.sa.col] : 0;

            for (int q = 0; q < V; q++)
                c[q] += x * y[p][q];
        }
        /* write a lane's columns */
        float *out = &s.c[i * s.ldc + j];

        for (int q = 0; q < V; q++)
            c[q] = s.alpha * c[q] + (s.beta == 0 ? 0 : s.beta * out[q]);
        if (V == 4)
            *(float4 *)out = make_float4(c[0], c[1 % V], c[2 % V], c[3 % V]);
        else
            out[0] = c[0];
    }
}

/* multiply with a block for each element */
/* FLIGHT steps of a thread are on their way together. */
enum { FLIGHT = 4 };

static __global__ void __launch_bounds__(32 * WARPS)
    multiply_dots(const __grid_constant__ struct product s)
{
    __shared__ float some[WARPS];
    int i = blockIdx.x / s.n, j = blockIdx.x % s.n, lane = threadIdx.x % 32;
    const float *a = s.a + i * s.sa.row, *b = s.b + j * s.sb.col;
    float sum = 0;

    for (int p = threadIdx.x; p < s.k; p += 32 * WARPS * FLIGHT) {
        float x[FLIGHT], y[FLIGHT];

#pragma unroll
        for (int f = 0; f < FLIGHT; f++) {
            int at = p + f * 32 * WARPS;

            x[f] = at < s.k ? a[at * s.sa.col] : 0;
            y[f] = at < s.k ? b[at * s.sb.row] : 0;
        }
#pragma unroll
        for (int f = 0; f < FLIGHT; f++)
            sum += x[f] * y[f];
    }
    /* add what the threads have */
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0)
        some[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += some[w];
        put_product(s, i, j, sum);
    }
}

/* launch a small product */
enum { SHORT_SUM = 16 }; /* the most terms of a short one */

template <int K>
static inline void launch_terms(struct product s, int sms, cudaStream_t stream)
{
    int four = in_fours(s.c, s.ldc, s.n);
    size_t across = ceil_div((size_t)s.n, four ? 128 : 32);
    size_t rows = (size_t)s.m * across / (4 * WARPS * (size_t)sms);
    void (*kernel)(const struct product, int) =
        four ? multiply_short<K, 4> : multiply_short<K, 1>;

    rows = rows < 1 ? 1 : rows > 16 ? 16 : rows;
    s.across = (int)across;
    kernel<<<(unsigned)(across * ceil_div((size_t)s.m, WARPS * rows)),
             dim3(32, WARPS), 0, stream>>>(s, (int)rows);
    CUDA_LAUNCH_CHECK();
}

static inline void launch_short(const struct product *s, int sms,
                                cudaStream_t stream)
{
    if (s->k <= 1)
        launch_terms<1>(*s, sms, stream);
    else if (s->k <= 2)
        launch_terms<2>(*s, sms, stream);
    else if (s->k <= 4)
        launch_terms<4>(*s, sms, stream);
    else if (s->k <= 8)
        launch_terms<8>(*s, sms, stream);
    else
        launch_terms<SHORT_SUM>(*s, sms, stream);
}

static inline void launch_dots(const struct product *s, cudaStream_t stream)
{
    multiply_dots<<<(unsigned)(s->m * s->n), 32 * WARPS, 0, stream>>>(*s);
    CUDA_LAUNCH_CHECK();
}

#endif
