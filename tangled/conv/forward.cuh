/* forward.cuh: the forward kernels by name and number. */
#ifndef CONV_FORWARD_CUH
#define CONV_FORWARD_CUH

#include "conv/conv.cuh"
#include "conv/im2col.cuh"
#include "conv/tiled.cuh"

/* list the forward kernels */
enum {
    FORWARD_DIRECT,
    FORWARD_TILED,
    FORWARD_IM2COL,
    FORWARD_IMPLICIT,
    FORWARD_CHOSEN,
    FORWARD_KERNELS
};
static const char *const forward_names[] = {"direct", "tiled", "im2col",
                                            "implicit", "chosen"};

/* Queues y = x with the filters w by one of them; work: conv_im2col_bytes(v)
   on the device. */
static inline void launch_forward(int kernel, const struct conv *v,
                                  const float *x, const float *w, float *y,
                                  void *work)
{
    /* launch the forward kernel of this number */
    if (kernel == FORWARD_DIRECT)
        launch_direct(gather_forward(v), x, w, y, 0);
    else if (kernel == FORWARD_TILED)
        launch_tiled(v, x, w, y, 0);
    else if (kernel == FORWARD_IM2COL)
        launch_im2col(v, x, w, y, work, 0);
    else if (kernel == FORWARD_IMPLICIT)
        launch_tile<0, 64, 128, 8, 8>(gather_forward(v), x, w, y, 0);
    else
        launch_conv_forward(v, x, w, y, 0);
}

#endif
