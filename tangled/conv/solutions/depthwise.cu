/* depthwise: a filter for each channel. */
#include "conv/trial.cuh"

/* convolve each channel with its own filter */
/* y has as many channels as x; w is [c][r][s]. */
__global__ void depthwise(struct conv v, int count, const float *x,
                          const float *w, float *y)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    int P = v.h + 2 * v.pad - v.r + 1, Q = v.w + 2 * v.pad - v.s + 1;
    int q = at % Q, p = at / Q % P, plane = at / Q / P;
    float sum = 0;

    if (at >= count)
        return;
    for (int t = 0; t < v.r * v.s; t++) {
        int row = p - v.pad + t / v.s, col = q - v.pad + t % v.s;

        if (row >= 0 && row < v.h && col >= 0 && col < v.w)
            sum += x[((size_t)plane * v.h + row) * v.w + col] *
                   w[plane % v.c * v.r * v.s + t];
    }
    y[at] = sum;
}

/* make the filters diagonal */
static void make_diagonal(struct trial *t)
{
    const struct conv *v = &t->v;

    for (int e = 0; e < (int)t->w.n; e++) {
        int k = e / 9 / v->c, c = e / 9 % v->c;

        if (k == c)
            t->w.h[c * 9 + e % 9] = (float)t->w.exact[e];
        else
            t->w.exact[e] = t->w.sizes[e] = 0;
    }
    conv_forward(v, t->x.exact, t->w.exact, t->y.exact);
    conv_forward(v, t->x.sizes, t->w.sizes, t->y.sizes);
    CUDA_CHECK(cudaMemcpy(t->w.d, t->w.h, v->c * 9 * sizeof(float),
                          cudaMemcpyHostToDevice));
}

int main(void)
{
    struct conv v = {2, 5, 14, 11, 5, 3, 3, 1, 1, 1};
    uint64_t seed = 1;
    struct trial t = trial_make(v, 0, &seed);

    make_diagonal(&t);
    tensor_poison(t.y);
    depthwise<<<blocks_for(t.y.n, 256), 256>>>(v, (int)t.y.n, t.x.d, t.w.d,
                                               t.y.d);
    CUDA_LAUNCH_CHECK();
    tensor_check(t.y, 9, "depthwise");
    trial_free(t);
    printf("ok: 5 channels, each with its own filter\n");
    return 0;
}
