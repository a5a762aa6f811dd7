/* fusion: this chapter's own fused kernels beside the steps one by one. */
#include "conv/reference_d.h"
#include "cudnn/fusion.cuh"
#include "reduce/bound.h"
#include "tour/args.h"
#include "tour/rng.h"

/* copy to the device and back */
static float *to_device(const float *h, size_t n)
{
    float *d;

    CUDA_CHECK(cudaMalloc((void **)&d, (n + !n) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, n * sizeof *d, cudaMemcpyHostToDevice));
    return d;
}

/* Random numbers in [-1, 1). */
static float *some(size_t n, uint64_t *seed)
{
    float *h = (float *)check_alloc(n, sizeof *h);

    for (size_t i = 0; i < n; i++)
        h[i] = 2 * rng_float(seed) - 1;
    return h;
}

/* try the gate both ways */
/* ways: bit 0 one by one, bit 1 fused. */
static void try_gate(size_t n, int ways, uint64_t *seed)
{
    float *h[3], *d[3], *y = (float *)check_alloc(n + 1, sizeof *y), *d_y;

    for (int k = 0; k < 3; k++) {
        h[k] = some(n, seed);
        d[k] = to_device(h[k], n);
    }
    for (int fused = 0; fused < 2; fused++) {
        if (!(ways >> fused & 1))
            continue;
        poison(y, (n + 1) * sizeof *y);
        y[n] = 7;
        d_y = to_device(y, n + 1);
        if (fused)
            gate_fused(n, d[0], d[1], d[2], d_y, 0);
        else
            gate_separate(n, d[0], d[1], d[2], d_y, d_y, 0);
        CUDA_CHECK(
            cudaMemcpy(y, d_y, (n + 1) * sizeof *y, cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < n; i++)
            CHECK_NEAR(
                y[i],
                1 / (1 + exp(-((double)h[0][i] + (double)h[1][i] * h[2][i]))),
                1e-6, "a sum of size 2, rounded twice, and expf");
        CHECK(y[n] == 7, "element %zu of %zu was written", n, n);
        CUDA_CHECK(cudaFree(d_y));
    }
    for (int k = 0; k < 3; k++) {
        free(h[k]);
        CUDA_CHECK(cudaFree(d[k]));
    }
    free(y);
}

/* hold a layer for the test */
struct layer {
    struct conv v;
    int p, q;
    size_t nx, nw, ny, out;
    float *x, *w;
    struct affine *norm;
    double *want, *bound; /* out numbers */
};

/* compute a layer step by step */
/* Convolution, batch norm, ReLU and pooling, in double. A result may be off by
   what the sum may be off by, times the scale, and three more roundings. */
static void layer_reference(struct layer *l)
{
    double *x = (double *)check_alloc(l->nx, sizeof *x);
    double *w = (double *)check_alloc(l->nw, sizeof *w);
    double *y = (double *)check_alloc(l->ny, sizeof *y);
    double *size = (double *)check_alloc(l->ny, sizeof *size);
    int terms = l->v.c * l->v.r * l->v.s;

    for (size_t i = 0; i < l->nx; i++)
        x[i] = l->x[i];
    for (size_t i = 0; i < l->nw; i++)
        w[i] = l->w[i];
    conv_forward_d(&l->v, x, w, y);
    for (size_t i = 0; i < l->nx; i++)
        x[i] = fabs(x[i]);
    for (size_t i = 0; i < l->nw; i++)
        w[i] = fabs(w[i]);
    conv_forward_d(&l->v, x, w, size);
    for (size_t at = 0; at < l->out; at++) {
        int half = l->q / 2, rows = l->p / 2;
        size_t plane = at / half / rows, k = plane % l->v.k;
        int row = (int)(at / half % rows), col = (int)(at % half);
        double most = 0, room = 0;

        for (int e = 0; e < 4; e++) {
            size_t from =
                (plane * l->p + 2 * row + e / 2) * l->q + 2 * col + e % 2;
            double scale = l->norm[k].scale, shift = l->norm[k].shift;
            double v = scale * y[from] + shift;
            double r = fabs(scale) * size[from] * (terms + 2) + fabs(shift);

            most = v > most ? v : most;
            room = r > room ? r : room;
        }
        l->want[at] = most;
        l->bound[at] = room * 1.2e-7;
    }
    free(x), free(w), free(y), free(size);
}

/* try the fused layer */
static void try_layer(struct conv v, uint64_t *seed)
{
    struct layer l = {v, conv_out_h(&v), conv_out_w(&v)};
    float *d_x, *d_w, *y, *d_y;
    struct affine *d_norm;

    l.nx = conv_x(&v), l.nw = conv_w(&v), l.ny = conv_y(&v);
    l.out = (size_t)v.n * v.k * (l.p / 2) * (l.q / 2);
    l.x = some(l.nx, seed), l.w = some(l.nw, seed);
    l.norm = (struct affine *)check_alloc(v.k, sizeof *l.norm);
    l.want = (double *)check_alloc(l.out, sizeof *l.want);
    l.bound = (double *)check_alloc(l.out, sizeof *l.bound);
    for (int k = 0; k < v.k; k++) /* every other scale is negative */
        l.norm[k] = affine_of((k % 2 ? -1 : 1) * (0.5f + rng_float(seed)),
                              rng_float(seed) - 0.5f, rng_float(seed) - 0.5f,
                              0.01f + 9 * rng_float(seed), 1e-5f);
    layer_reference(&l);
    d_x = to_device(l.x, l.nx), d_w = to_device(l.w, l.nw);
    y = (float *)check_alloc(l.out + 1, sizeof *y);
    poison(y, (l.out + 1) * sizeof *y);
    y[l.out] = 7;
    d_y = to_device(y, l.out + 1);
    CUDA_CHECK(cudaMalloc((void **)&d_norm, v.k * sizeof *d_norm));
    CUDA_CHECK(cudaMemcpy(d_norm, l.norm, v.k * sizeof *d_norm,
                          cudaMemcpyHostToDevice));
    launch_fused_layer(&v, d_x, d_w, d_norm, d_y, 0);
    CUDA_CHECK(
        cudaMemcpy(y, d_y, (l.out + 1) * sizeof *y, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < l.out; i++)
        CHECK_NEAR(y[i], l.want[i], l.bound[i], "the bound of its sum");
    CHECK(y[l.out] == 7, "element %zu of %zu was written", l.out, l.out);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_w));
    CUDA_CHECK(cudaFree(d_y));
    CUDA_CHECK(cudaFree(d_norm));
    free(l.x), free(l.w), free(l.norm), free(l.want), free(l.bound), free(y);
}

/* try the gradient of one channel */
static void try_one_channel(struct conv v, bool planes, uint64_t *seed)
{
    size_t count[] = {conv_y(&v), conv_w(&v), conv_x(&v)};
    size_t plane = (size_t)v.h * v.w;
    double *h[3];
    __nv_bfloat16 *b[3], *d[3], seven = __float2bfloat16(7);

    for (int i = 0; i < 3; i++) { /* dy, w, dx */
        h[i] = (double *)check_alloc(count[i], sizeof *h[i]);
        b[i] = (__nv_bfloat16 *)check_alloc(count[i] + 1, sizeof *b[i]);
        for (size_t at = 0; at < count[i]; at++) {
            size_t to = at; /* in memory */

            h[i][at] = (int)(5 * rng_float(seed)) - 2;
            if (i == 0 && !planes)
                to = (at / plane / v.k * plane + at % plane) * v.k +
                     at / plane % v.k;
            b[i][to] = __float2bfloat16((float)h[i][at]);
        }
        b[i][count[i]] = seven;
        CUDA_CHECK(cudaMalloc((void **)&d[i], (count[i] + 1) * sizeof *d[i]));
        CUDA_CHECK(cudaMemcpy(d[i], b[i], (count[i] + 1) * sizeof *d[i],
                              cudaMemcpyHostToDevice));
    }
    launch_one_channel_gradient(&v, planes, d[0], d[1], d[2], 0);
    conv_input_gradient_d(&v, h[0], h[1], h[2]);
    CUDA_CHECK(cudaMemcpy(b[2], d[2], (count[2] + 1) * sizeof *d[2],
                          cudaMemcpyDeviceToHost));
    for (size_t at = 0; at < count[2]; at++)
        CHECK(__bfloat162float(b[2][at]) ==
                  __bfloat162float(__float2bfloat16((float)h[2][at])),
              "gradient %zu of one channel is %g, not %g", at,
              __bfloat162float(b[2][at]), h[2][at]);
    CHECK(__bfloat162float(b[2][count[2]]) == 7, "element %zu was written",
          count[2]);
    for (int i = 0; i < 3; i++) {
        CUDA_CHECK(cudaFree(d[i]));
        free(h[i]), free(b[i]);
    }
}

/* check what a channel becomes */
/* A channel ten times as wide, with the same gamma, comes out as wide. */
static void try_affine(void)
{
    struct affine narrow = affine_of(4, 1, 3, 4, 0);
    struct affine wide = affine_of(4, 1, 30, 400, 0);

    CHECK(narrow.scale == 2 && narrow.shift == -5, "%g x + %g", narrow.scale,
          narrow.shift);
    CHECK_NEAR(wide.scale * 10, narrow.scale, 1e-6, "two roundings");
    CHECK(affine_of(1, 0, 0, 0, 0.25f).scale == 2, "eps is under the root");
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 24),
                         ARG_TEXT("--only", "")};
    uint64_t seed =
        args_parse(argc, argv, "fused kernels", args, ARG_COUNT(args));
    static const char *const parts[] = {"separate", "fused", "layers"};
    static const struct conv shapes[] = {
        {2, 3, 8, 8, 4, 3, 3, 1, 1, 1},   {1, 1, 28, 28, 8, 3, 3, 1, 1, 1},
        {2, 5, 9, 7, 3, 3, 3, 1, 1, 1},   {3, 2, 5, 6, 2, 2, 3, 1, 0, 1},
        {0, 2, 6, 6, 3, 3, 3, 1, 1, 1},   {1, 2, 3, 3, 5, 3, 3, 1, 0, 1},
        {1, 4, 13, 11, 6, 5, 3, 2, 2, 1}, {2, 2, 12, 12, 3, 3, 3, 1, 2, 2}};
    static const struct conv single[] = {{2, 1, 28, 28, 32, 3, 3, 1, 1, 1},
                                         {3, 1, 5, 8, 16, 3, 3, 1, 1, 1},
                                         {1, 1, 7, 9, 5, 3, 3, 1, 1, 1},
                                         {5, 1, 1, 1, 9, 3, 3, 1, 1, 1},
                                         {0, 1, 4, 4, 8, 3, 3, 1, 1, 1}};
    int which = *args[1].text ? 0 : 7, layers = sizeof shapes / sizeof *shapes;

    for (int i = 0; i < 3; i++)
        if (!strcmp(args[1].text, parts[i]))
            which = 1 << i;
    if (!which)
        args_refuse(argv[0], "--only takes separate, fused or layers, not %s",
                    args[1].text);
    try_affine();
    if (which & 3)
        try_gate((size_t)args[0].value, which, &seed);
    for (int i = 0; which & 4 && i < layers; i++)
        try_layer(shapes[i], &seed);
    for (int i = 0; which & 4 && i < 10; i++)
        try_one_channel(single[i / 2], i % 2, &seed);
    if (which == 7)
        printf("ok: sigmoid of %d sums both ways, %d fused layers, 5 gradients "
               "of one channel\n",
               (int)args[0].value, layers);
    return 0;
}
