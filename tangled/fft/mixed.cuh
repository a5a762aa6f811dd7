/* mixed.cuh: transforms of any length whose prime factors are at most 13. */
#ifndef FFT_MIXED_CUH
#define FFT_MIXED_CUH

#include "fft/rows.cuh"

/* make a level of a mixed length */
/* Level `at` of q rows in shared memory, by radix R: from a, or from s.in if it
   is the first, to b, or to s.out if it is the last. */
template <int R>
static __device__ void mixed_level(const struct fft_job &s, int at, int ns,
                                   int q, const float2 *a, float2 *b)
{
    int n = s.n, m = n / R, first = at == 0, last = at == s.count - 1;
    int across = first ? s.from.across : last ? s.to.across : 0;

    for (int t = threadIdx.x; t < q * m; t += blockDim.x) {
        int row = across ? t % q : t / m, j = across ? t / q : t % m;
        int k = j % ns, to = (j - k) * R + k;
        int g = blockIdx.x * q + row;
        size_t in, out;
        float2 x[R];

        if (g >= s.rows)
            continue;
        in = start(s.from, s.group_rows, g);
        out = start(s.to, s.group_rows, g);
        for (int i = 0; i < R; i++) {
            x[i] = first ? s.in[in + (j + i * m) * s.from.step]
                         : a[row * n + j + i * m];
            if (first)
                swap_parts<1>(&x[i], s.swap_in);
            if (i > 0 && ns > 1)
                x[i] = mul(x[i], s.turns[k * i * (m / ns)]);
        }
        butterfly<R>(x);
        for (int i = 0; i < R; i++) {
            int bin = to + i * ns;

            if (last) {
                if (s.first)
                    x[i] = mul(x[i], s.first[(size_t)bin * (g % s.group_rows)]);
                swap_parts<1>(&x[i], s.swap_out);
                s.out[out + bin * s.to.step] =
                    make_float2(s.scale * x[i].x, s.scale * x[i].y);
            } else {
                b[row * n + bin] = x[i];
            }
        }
    }
}

/* transform rows of a mixed length */
enum { MIXED_THREADS = 256, MIXED_MOST = 8192 };

/* Rows of a length that a block of 256 threads takes at a time. */
static __host__ __device__ inline int mixed_rows(int n)
{
    return n >= 512 ? 1 : 512 / n < 64 ? 512 / n : 64;
}

__global__ void __launch_bounds__(MIXED_THREADS)
    fft_mixed(const __grid_constant__ struct fft_job s)
{
    extern __shared__ float2 shared[];
    int q = mixed_rows(s.n), ns = 1;
    float2 *a = shared, *b = shared + q * s.n, *other;

    for (int at = 0; at < s.count; at++) {
        switch (s.radix[at]) {
        /* choose the level of a radix */
        case 1:
            mixed_level<1>(s, at, ns, q, a, b);
            break;
        case 2:
            mixed_level<2>(s, at, ns, q, a, b);
            break;
        case 3:
            mixed_level<3>(s, at, ns, q, a, b);
            break;
        case 4:
            mixed_level<4>(s, at, ns, q, a, b);
            break;
        case 5:
            mixed_level<5>(s, at, ns, q, a, b);
            break;
        case 7:
            mixed_level<7>(s, at, ns, q, a, b);
            break;
        case 8:
            mixed_level<8>(s, at, ns, q, a, b);
            break;
        case 9:
            mixed_level<9>(s, at, ns, q, a, b);
            break;
        case 10:
            mixed_level<10>(s, at, ns, q, a, b);
            break;
        case 11:
            mixed_level<11>(s, at, ns, q, a, b);
            break;
        case 13:
            mixed_level<13>(s, at, ns, q, a, b);
            break;
        }
        __syncthreads();
        ns *= s.radix[at];
        other = a, a = b, b = other;
    }
}

#endif
