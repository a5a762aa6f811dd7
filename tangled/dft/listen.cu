/* listen: a few frequencies in many sounds, beside the reference. */
#include <stdio.h>

#include "dft/key.h"
#include "dft/listen.cuh"
#include "dft/trial.h"
#include "reduce/unchanged.h"
#include "tour/args.h"

/* bound a tone */
/* How far the size of a tone in float may be off. */
static double tone_bound(int n, const double *x, double turns)
{
    double theta = 6.283185307179586 * turns, twice = 2 * cos(theta);
    double most = 1 / fmax(fabs(sin(theta)), 1e-300);
    double s = 0, before = 0, error = 0;

    for (int j = 0; j < n; j++) {
        double next = x[j] + twice * s - before;
        double e = 3 * fabs(twice * s) + fabs(x[j]) + fabs(next);

        error += 2 * e * fmin(n - j, most);
        before = s;
        s = next;
    }
    error += 6 * (fabs(s) + fabs(before));
    return 1.01 * BOUND_FLOAT * error;
}

/* hear tones on the device */
/* y[b * tones + t] := how much of tone t is in row b of x; on the host. */
static void hear(int n, int rows, int tones, const double *turns,
                 const float *x, float *y)
{
    size_t in = (size_t)n * rows, out = (size_t)tones * rows;
    float2 *h = (float2 *)check_alloc((size_t)tones, sizeof *h), *d_turned;
    float *d_x, *d_y;

    for (int t = 0; t < tones; t++)
        h[t] = {(float)cos(6.283185307179586 * turns[t]),
                (float)sin(6.283185307179586 * turns[t])};
    CUDA_CHECK(cudaMalloc((void **)&d_turned, tones * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_x, (in + 1) * sizeof *d_x));
    CUDA_CHECK(cudaMalloc((void **)&d_y, (out + 1) * sizeof *d_y));
    CUDA_CHECK(
        cudaMemcpy(d_turned, h, tones * sizeof *h, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_x, x, in * sizeof *x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_y, 0xff, (out + 1) * sizeof *d_y));
    goertzel_batch(n, rows, tones, d_turned, d_x, d_y, 0);
    CUDA_CHECK(
        cudaMemcpy(y, d_y, (out + 1) * sizeof *y, cudaMemcpyDeviceToHost));
    CHECK(isnan(y[out]), "goertzel: wrote behind %d rows", rows);
    check_unchanged(in, x, d_x);
    CUDA_CHECK(cudaFree(d_turned));
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    free(h);
}

/* listen to random sounds */
static void try_random(int n, int rows, int tones, uint64_t seed)
{
    float *x = (float *)check_alloc((size_t)n * rows, sizeof *x);
    float *y = (float *)check_alloc((size_t)tones * rows + 1, sizeof *y);
    double *turns = (double *)check_alloc((size_t)tones, sizeof *turns);
    double *row = (double *)check_alloc((size_t)n, sizeof *row);

    for (int t = 0; t < tones; t++)
        turns[t] = 0.05 + 0.45 * rng_float(&seed);
    rng_fill_float(x, (size_t)n * rows, seed);
    hear(n, rows, tones, turns, x, y);
    for (int b = 0; b < rows; b++) {
        for (int j = 0; j < n; j++)
            row[j] = x[(size_t)b * n + j];
        for (int t = 0; t < tones; t++)
            CHECK_NEAR(y[(size_t)b * tones + t], goertzel(n, row, turns[t]),
                       tone_bound(n, row, turns[t]),
                       "every rounding of the recurrence, carried to its end");
    }
    free(x), free(y), free(turns), free(row);
}

/* listen to keys */
static int strongest(const float *y)
{
    int best = 0;

    for (int t = 1; t < 4; t++)
        if (y[t] > y[best])
            best = t;
    return best;
}

static void try_keys(int rows, uint64_t seed)
{
    size_t n = KEY_SAMPLES;
    float *x = (float *)check_alloc(n * rows, sizeof *x);
    float *y = (float *)check_alloc(8 * (size_t)rows + 1, sizeof *y);
    double turns[KEY_TONES], sound[KEY_SAMPLES];

    for (int t = 0; t < KEY_TONES; t++)
        turns[t] = (double)key_tones[t] / KEY_RATE;
    for (int b = 0; b < rows; b++) {
        key_sound(b % 16, 1, &seed, sound);
        for (size_t j = 0; j < n; j++)
            x[b * n + j] = (float)sound[j];
    }
    hear((int)n, rows, KEY_TONES, turns, x, y);
    for (int b = 0; b < rows; b++)
        CHECK(4 * strongest(y + 8 * b) + strongest(y + 8 * b + 4) == b % 16,
              "sound %d: not key %c", b, key_names[b % 16]);
    free(x), free(y);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 205, 0, 4096),
                         ARG_SIZE("rows", 32, 0, 1 << 20),
                         ARG_SIZE("tones", 8, 1, 1024)};
    uint64_t seed =
        args_parse(argc, argv, "tones in many sounds", args, ARG_COUNT(args));
    int n = (int)args[0].value, rows = (int)args[1].value;
    int tones = (int)args[2].value;

    try_random(n, rows, tones, seed);
    try_keys(rows, seed);
    printf("ok: %d tones in %d sounds of %d, and %d keys\n", tones, rows, n,
           rows);
    return 0;
}
