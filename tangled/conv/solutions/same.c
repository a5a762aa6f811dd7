/* same: outputs as large as the inputs, whatever the filter. */
#include <stdio.h>
#include <stdlib.h>

#include "conv/reference_d.h"
#include "tour/rng.h"

enum { H = 7, W = 9 };

/* pad on one side more than on the other */
static void try_same(int taps, int far, int i, int j, uint64_t *seed)
{
    int all = far * (taps - 1), before = all / 2, wide = W + all;
    struct conv v = {1, 1, H + all, wide, 1, taps, taps, 1, 0, far};
    double *padded = (double *)check_alloc(conv_x(&v), sizeof *padded);
    double x[H * W], y[H * W], w[25] = {0};

    CHECK(conv_out_h(&v) == H && conv_out_w(&v) == W, "the size changed");
    for (int e = 0; e < H * W; e++) {
        x[e] = rng_small(seed);
        padded[(before + e / W) * wide + before + e % W] = x[e];
    }
    w[i * taps + j] = 1;
    conv_forward(&v, padded, w, y);
    for (int e = 0; e < H * W; e++) {
        int row = e / W + i * far - before, col = e % W + j * far - before;
        int exists = row >= 0 && row < H && col >= 0 && col < W;

        CHECK(y[e] == (exists ? x[row * W + col] : 0), "element %d", e);
    }
    free(padded);
}

int main(void)
{
    uint64_t seed = 1;

    for (int taps = 1; taps <= 5; taps++)
        for (int dilation = 1; dilation <= 3; dilation++)
            try_same(taps, dilation, taps / 3, taps / 2, &seed);
    printf("ok: 15 filters keep the size\n");
    return 0;
}
