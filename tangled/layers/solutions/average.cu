/* average: an average pool and its adjoint. */
#include <stdio.h>

#include "layers/case.cuh"

enum { ROWS = 34, COLS = 50, N = ROWS * COLS };

/* average four numbers, and back */
/* x [rows][cols], both even; y [rows / 2][cols / 2]. */
__global__ void average(int rows, int cols, const float *x, float *y)
{
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    const float *at = x + (size_t)2 * r * cols + 2 * c;

    if (2 * r < rows && 2 * c < cols)
        y[(size_t)r * (cols / 2) + c] =
            0.25f * (at[0] + at[1] + (at[cols] + at[cols + 1]));
}

__global__ void average_back(int rows, int cols, const float *dy, float *dx)
{
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.x * blockDim.x + threadIdx.x;

    if (r < rows && c < cols)
        dx[(size_t)r * cols + c] =
            0.25f * dy[(size_t)(r / 2) * (cols / 2) + c / 2];
}

/* run an average pool */
static void fill_whole(struct array *a, uint64_t seed)
{
    rng_fill_small(a->h, a->n, seed);
    case_put(a);
}

static void average_kernels(struct layer_case *c)
{
    dim3 block(16, 16), grid((COLS + 15) / 16, (ROWS + 15) / 16);

    average<<<grid, block>>>(ROWS, COLS, input(c, "x", N)->d,
                             output(c, "y", N / 4, 4)->d);
    average_back<<<grid, block>>>(ROWS, COLS, input(c, "dy", N / 4)->d,
                                  output(c, "dx", N, 4)->d);
}

int main(void)
{
    static struct layer_case c;
    struct array *x = input(&c, "x", N), *dy = input(&c, "dy", N / 4);
    struct array *y = output(&c, "y", N / 4, 4), *dx = output(&c, "dx", N, 4);
    double there = 0, back = 0;

    fill_whole(x, 2);
    fill_whole(dy, 3);
    case_kernels(&c, average_kernels);
    for (int i = 0; i < N; i++) {
        there += (double)x->h[i] * dx->h[i];
        back += i < N / 4 ? (double)y->h[i] * dy->h[i] : 0;
    }
    CHECK(there == back, "%g is not %g", there, back);
    CHECK(4 * y->h[0] == x->h[0] + x->h[1] + x->h[COLS] + x->h[COLS + 1],
          "the first window: %g", y->h[0]);
    printf("ok: average pool of %d x %d and its adjoint\n", ROWS, COLS);
    return 0;
}
