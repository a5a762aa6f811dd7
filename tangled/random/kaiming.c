/* kaiming: the mean square of activations behind layers with ReLU. */
#include <stdio.h>

#include "random/init.h"
#include "tour/args.h"
#include "tour/check.h"

enum { WIDTH = 256, SAMPLES = 32, LAYERS = 10 };

/* pass a layer */
/* y = relu(w x); returns the mean square of y. */
static double layer(const float *w, const float *x, float *y)
{
    double square = 0;

    for (int j = 0; j < WIDTH; j++) {
        double sum = 0;

        for (int i = 0; i < WIDTH; i++)
            sum += (double)w[j * WIDTH + i] * x[i];
        y[j] = sum > 0 ? (float)sum : 0;
        square += (double)y[j] * y[j];
    }
    return square / WIDTH;
}

/* print the mean squares for a bound */
static void mean_squares(const char *name, float bound, uint64_t seed)
{
    float *w = (float *)check_alloc(WIDTH * WIDTH, sizeof *w);
    static float x[SAMPLES][WIDTH], y[WIDTH];

    init_normal(x[0], SAMPLES * WIDTH, 1, seed, 0);
    printf("%-22s", name);
    for (int l = 1; l <= LAYERS; l++) {
        double square = 0;

        init_uniform(w, WIDTH * WIDTH, bound, seed, (uint64_t)l);
        for (int s = 0; s < SAMPLES; s++) {
            square += layer(w, x[s], y) / SAMPLES;
            memcpy(x[s], y, sizeof y);
        }
        if (l == 1 || l == 4 || l == LAYERS)
            printf(" %9.2g", square);
    }
    puts("");
    free(w);
}

int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "activations by bound", NULL, 0);

    printf("%-22s %9s %9s %9s\n", "mean square after", "1 layer", "4", "10");
    mean_squares("fan-in", init_kaiming_bound(WIDTH), seed);
    mean_squares("number of weights", init_kaiming_bound(WIDTH * WIDTH), seed);
    mean_squares("PyTorch's default", (float)sqrt(1.0 / WIDTH), seed);
    return 0;
}
