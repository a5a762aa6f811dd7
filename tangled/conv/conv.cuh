/* conv.cuh: the convolution and its gradients on the device, for any shape, the
   best kernel for each. No float atomics: the same bits every time. */
#ifndef CONV_CONV_CUH
#define CONV_CONV_CUH

#include "conv/direct.cuh"
#include "conv/filter.cuh"
#include "conv/implicit.cuh"

/* choose a kernel for a gather */
static inline void launch_gather(struct gather g, const float *in,
                                 const float *w, float *out,
                                 cudaStream_t stream)
{
    size_t tiles = ceil_div((size_t)g.n * g.p * g.q, 128);

    if (gather_nine(g) && g.c == 1)
        launch_one(g, in, w, out, stream);
    else if (g.k < 8)
        launch_direct(g, in, w, out, stream);
    else if (!gather_nine(g))
        launch_tile<0, 64, 128, 8, 8>(g, in, w, out, stream);
    else if (g.k > 32 && ceil_div(g.k, 64) * tiles >= 264)
        launch_tile<9, 64, 128, 8, 8>(g, in, w, out, stream);
    else if (g.k > 32)
        launch_tile<9, 64, 128, 8, 4>(g, in, w, out, stream);
    else if (tiles >= 264)
        launch_tile<9, 32, 128, 8, 4>(g, in, w, out, stream);
    else
        launch_tile<9, 32, 128, 4, 4>(g, in, w, out, stream);
}

/* launch a convolution and its gradients */
/* As conv_forward and conv_input_gradient of reference.h, but the arrays are on
   the device and the work is queued on the stream. */
static inline void launch_conv_forward(const struct conv *v, const float *x,
                                       const float *w, float *y,
                                       cudaStream_t stream)
{
    conv_check(v);
    launch_gather(gather_forward(v), x, w, y, stream);
}

static inline void launch_conv_input_gradient(const struct conv *v,
                                              const float *dy, const float *w,
                                              float *dx, cudaStream_t stream)
{
    conv_check(v);
    launch_gather(gather_input_gradient(v), dy, w, dx, stream);
}
/* As conv_filter_gradient; work has conv_filter_gradient_bytes(v) on the
   device, which are overwritten. */
static inline void launch_conv_filter_gradient(const struct conv *v,
                                               const float *x, const float *dy,
                                               float *dw, void *work,
                                               cudaStream_t stream)
{
    struct filter_plan f;

    conv_check(v);
    f = filter_plan(v);
    launch_filter<0>(v, f, x, dy, (float *)work, stream);
    launch_filter_add(v, f, (const float *)work, dw, stream);
}

#endif
