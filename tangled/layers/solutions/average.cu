/* average: an average pool and its adjoint. */
#include <stdio.h>

#include "layers/trial.cuh"

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

/* sum the products of two arrays */
static double dot(const struct array *a, const struct array *b)
{
    double sum = 0;

    for (size_t i = 0; i < a->n; i++)
        sum += (double)a->h[i] * b->h[i];
    return sum;
}

int main(void)
{
    const int rows = 34, cols = 50;
    struct trial t = {1, 0, {}};
    struct array *x = trial_in(&t, rows * cols, 0), *y, *dy, *dx;
    dim3 block(16, 16), grid(4, 3);

    /* make the arrays of an average pool */
    dy = trial_in(&t, rows * cols / 4, 0);
    y = trial_out(&t, rows * cols / 4, 4);
    dx = trial_out(&t, rows * cols, 4);
    rng_fill_small(x->h, x->n, 2);
    rng_fill_small(dy->h, dy->n, 3);
    trial_put(x);
    trial_put(dy);
    average<<<grid, block>>>(rows, cols, x->d, y->d);
    average_back<<<grid, block>>>(rows, cols, dy->d, dx->d);
    trial_fetch(&t, 0);
    CHECK(dot(y, dy) == dot(x, dx), "%g is not %g", dot(y, dy), dot(x, dx));
    CHECK(4 * y->h[0] == x->h[0] + x->h[1] + x->h[cols] + x->h[cols + 1],
          "the first window: %g", y->h[0]);
    trial_free(&t);
    printf("ok: average pool of %d x %d and its adjoint\n", rows, cols);
    return 0;
}
