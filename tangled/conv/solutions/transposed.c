/* transposed: a large image from a small one. */
#include <stdio.h>
#include <string.h>

#include "conv/reference_d.h"
#include "tour/rng.h"

enum { M = 4, MOST = 40 };

/* make a large image both ways */
static void try_transposed(int stride, int rest, uint64_t *seed)
{
    int n = (M - 1) * stride + 3 - 2 + rest; /* 3 taps, padding 1 */
    struct conv v = {1, 1, n, n, 1, 3, 3, stride, 1, 1};
    double small[M * M], w[9], got[MOST * MOST], want[MOST * MOST] = {0};

    for (int i = 0; i < M * M + 9; i++)
        *(i < 9 ? &w[i] : &small[i - 9]) = rng_small(seed);
    CHECK(conv_out_h(&v) == M, "%d leads to %d", n, conv_out_h(&v));
    conv_input_gradient(&v, small, w, got);
    for (int i = 0; i < M * M * 9; i++) {
        int row = i / 9 / M * stride + i % 9 / 3 - 1;
        int col = i / 9 % M * stride + i % 3 - 1;

        if (row >= 0 && row < n && col >= 0 && col < n)
            want[row * n + col] += small[i / 9] * w[i % 9];
    }
    CHECK(memcmp(got, want, (size_t)n * n * sizeof *got) == 0, "stride %d",
          stride);
}

int main(void)
{
    uint64_t seed = 1;

    for (int stride = 1; stride <= 4; stride++)
        for (int rest = 0; rest < stride; rest++)
            try_transposed(stride, rest, &seed);
    printf("ok: 10 transposed convolutions\n");
    return 0;
}
