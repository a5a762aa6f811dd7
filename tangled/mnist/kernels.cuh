/* kernels.cuh: the kernels of the step that no earlier chapter has. */
#ifndef MNIST_KERNELS_CUH
#define MNIST_KERNELS_CUH

#include "layers/batchnorm.cuh"
#include "mnist/digits.h"

#define EPSILON 1e-5f /* as PyTorch's */

/* say what differs from step to step */
struct request {
    const unsigned char *pixels, *labels;
    const int *order; /* NULL: as they lie */
    int first;
    float lr, *loss; /* where the mean loss goes */
};

/* pick a batch out of the digits */
enum { PICK_THREADS = 256 };

/* And keeps the request, for the kernels that come later in the step. */
__global__ void pick(struct request r, float *x, int *label,
                     struct request *kept)
{
    int i = blockIdx.x, from = r.order ? r.order[r.first + i] : r.first + i;

    for (int p = threadIdx.x; p < DIGIT_PIXELS; p += blockDim.x)
        x[(size_t)i * DIGIT_PIXELS + p] =
            r.pixels[(size_t)from * DIGIT_PIXELS + p] / 255.0f;
    if (threadIdx.x == 0)
        label[i] = r.labels[from];
    if (i == 0 && threadIdx.x == 0)
        *kept = r;
}

/* describe a normalization to the kernels */
/* A channel is blockIdx.y. Scales, means and their like lie `out` numbers before
   biases, variances and theirs. */
struct norm_args {
    int n, out, shares; /* pictures, channels; shares of a channel's sums */
    const float *z, *scale;
    float *mean;
    struct moments *measured; /* shares of the moments; NULL: mean is known */
    float2 *sums;             /* shares of the sums of the way back */
    float *y, *dy, *dz, *dscale;
    unsigned char *winner;
};

struct norm {
    float mean, r, a, bias; /* r = 1 / sqrt(var + EPSILON) */
};

static __device__ inline struct norm norm_of(const struct norm_args &g,
                                             float mean, float var)
{
    struct norm f = {mean, 1 / sqrtf(var + EPSILON)};

    f.a = g.scale[blockIdx.y] * f.r;
    f.bias = g.scale[g.out + blockIdx.y];
    return f;
}

/* take the maximum of each cell on the GPU */

/* find a cell */
struct cell {
    size_t y, z;
};

/* Cells are counted through all pictures. */
template <int SIDE>
static __device__ inline struct cell cell_at(int out, int i)
{
    const int HALF = SIDE / 2, CELLS = HALF * HALF;
    size_t plane = (size_t)(i / CELLS) * out + blockIdx.y;
    struct cell at = {plane * CELLS + i % CELLS,
                      plane * 4 * CELLS + i % CELLS / HALF * 2 * SIDE +
                          i % HALF * 2};

    return at;
}

template <int SIDE>
static __device__ inline void load_cell(const float *z, float *v)
{
    float2 up = *(const float2 *)z, low = *(const float2 *)(z + SIDE);

    v[0] = up.x;
    v[1] = up.y;
    v[2] = low.x;
    v[3] = low.y;
}

template <int SIDE>
static __device__ inline void store_cell(const float *v, float *z)
{
    *(float2 *)z = make_float2(v[0], v[1]);
    *(float2 *)(z + SIDE) = make_float2(v[2], v[3]);
}

template <int SIDE>
__global__ void __launch_bounds__(NORM_THREADS) maxima(struct norm_args g)
{
    int k = blockIdx.y, step = gridDim.x * blockDim.x;
    float2 m = g.measured ? norm_join(g.shares, g.measured)
                          : make_float2(g.mean[k], g.mean[g.out + k]);
    struct norm f = norm_of(g, m.x, m.y);

    if (g.measured && blockIdx.x == 0 && threadIdx.x == 0) {
        g.mean[k] = m.x;
        g.mean[g.out + k] = m.y;
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x;
         i < g.n * SIDE * SIDE / 4; i += step) {
        struct cell at = cell_at<SIDE>(g.out, i);
        float v[4], best = 0;
        unsigned char who = 4;

        load_cell<SIDE>(g.z + at.z, v);
        /* find the largest of the four */
        for (int j = 0; j < 4; j++) {
            v[j] = (v[j] - f.mean) * f.a + f.bias;
            if (v[j] > best || isnan(v[j])) {
                best = v[j];
                who = (unsigned char)j;
            }
        }
        g.y[at.y] = best;
        g.winner[at.y] = who;
    }
}

/* go back to the winners on the GPU */
template <int SIDE>
__global__ void __launch_bounds__(NORM_THREADS) winner_sums(struct norm_args g)
{
    int k = blockIdx.y, step = gridDim.x * blockDim.x;
    struct norm f = norm_of(g, g.mean[k], g.mean[g.out + k]);
    float sum = 0, with = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x;
         i < g.n * SIDE * SIDE / 4; i += step) {
        struct cell at = cell_at<SIDE>(g.out, i);
        int who = g.winner[at.y];
        float d = g.dy[at.y];

        if (who == 4)
            continue;
        sum += d;
        with += d * (g.z[at.z + who / 2 * SIDE + who % 2] - f.mean) * f.r;
    }
    sum = block_sum(sum);
    with = block_sum(with);
    if (threadIdx.x == 0)
        g.sums[k * g.shares + blockIdx.x] = make_float2(sum, with);
}
template <int SIDE>
__global__ void __launch_bounds__(NORM_THREADS) norm_back(struct norm_args g)
{
    int k = blockIdx.y, step = gridDim.x * blockDim.x;
    float2 mine = my_lane() < g.shares ? g.sums[k * g.shares + my_lane()]
                                       : make_float2(0, 0);
    float sum = warp_sum(mine.x), with = warp_sum(mine.y);
    float each = 1 / ((float)g.n * SIDE * SIDE);
    struct norm f = norm_of(g, g.mean[k], g.mean[g.out + k]);

    if (blockIdx.x == 0 && threadIdx.x == 0) {
        g.dscale[k] = with;
        g.dscale[g.out + k] = sum;
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x;
         i < g.n * SIDE * SIDE / 4; i += step) {
        struct cell at = cell_at<SIDE>(g.out, i);
        int who = g.winner[at.y];
        float v[4], d = g.dy[at.y];

        load_cell<SIDE>(g.z + at.z, v);
        for (int j = 0; j < 4; j++)
            v[j] = f.a * ((j == who ? d : 0) -
                          (sum + (v[j] - f.mean) * f.r * with) * each);
        store_cell<SIDE>(v, g.dz + at.z);
    }
}

/* measure the loss of each picture */
enum { LOSS_WARPS = 4 };

/* A warp takes a picture, a lane a kind of digit. */
__global__ void cross_entropy(int n, const float *o, const int *label,
                              float *dout, float *each)
{
    int i = blockIdx.x * LOSS_WARPS + my_warp(), k = my_lane();
    float x, sum;

    if (i >= n)
        return;
    x = k < DIGIT_KINDS ? o[i * DIGIT_KINDS + k] : -INFINITY;
    x -= warp_max(x);
    sum = warp_sum(expf(x));
    if (k < DIGIT_KINDS)
        dout[i * DIGIT_KINDS + k] = (expf(x) / sum - (k == label[i])) / n;
    if (k == label[i])
        each[i] = logf(sum) - x;
}

__global__ void mean_loss(int n, const float *each, const struct request *kept)
{
    float sum = 0;

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += each[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *kept->loss = sum / n;
}

/* descend */
__global__ void descend(size_t count, const struct request *kept,
                        const float *g, float *w)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        w[i] -= kept->lr * g[i];
}

#endif
