/* forward.cuh: a table of the forward kernels. */
#ifndef CONV_FORWARD_CUH
#define CONV_FORWARD_CUH

#include "conv/conv.cuh"
#include "conv/im2col.cuh"
#include "conv/tiled.cuh"

/* list the forward kernels */
/* work: conv_im2col_bytes(v) on the device. */
static inline void forward_direct(const struct conv *v, const float *x,
                                  const float *w, float *y, void *work)
{
    (void)work;
    launch_direct(gather_forward(v), x, w, y, 0);
}

static inline void forward_tiled(const struct conv *v, const float *x,
                                 const float *w, float *y, void *work)
{
    (void)work;
    launch_tiled(v, x, w, y, 0);
}

static inline void forward_im2col(const struct conv *v, const float *x,
                                  const float *w, float *y, void *work)
{
    launch_im2col(v, x, w, y, work, 0);
}
static inline void forward_implicit(const struct conv *v, const float *x,
                                    const float *w, float *y, void *work)
{
    (void)work;
    launch_tile<0, 64, 128, 8, 8>(gather_forward(v), x, w, y, 0);
}

static inline void forward_chosen(const struct conv *v, const float *x,
                                  const float *w, float *y, void *work)
{
    (void)work;
    launch_conv_forward(v, x, w, y, 0);
}

static const struct forward_kernel {
    const char *name;
    void (*launch)(const struct conv *v, const float *x, const float *w,
                   float *y, void *work);
} forward_kernels[] = {{"direct", forward_direct},
                       {"tiled", forward_tiled},
                       {"im2col", forward_im2col},
                       {"implicit", forward_implicit},
                       {"chosen", forward_chosen}};
enum { FORWARD_KERNELS = 5 };

#endif
