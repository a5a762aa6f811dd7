/* grey: a digit in 24 greys */
#include "mnist/synth.h"
#include "tour/args.h"
#include "tour/check.h"

/* print a picture in greys */
static int grey(int shade)
{
    return 232 + shade * 23 / 255;
}

static void print_grey(FILE *out, const unsigned char *pixels)
{
    for (int r = 0; r < DIGIT_SIDE; r += 2) {
        for (int c = 0; c < DIGIT_SIDE; c++)
            fprintf(out, "\033[38;5;%dm\033[48;5;%dm▀",
                    grey(pixels[r * DIGIT_SIDE + c]),
                    grey(pixels[(r + 1) * DIGIT_SIDE + c]));
        fputs("\033[0m\n", out);
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "a digit in greys", NULL, 0);
    struct digits d;

    CHECK(grey(0) == 232 && grey(255) == 255, "black and white");
    synth_digits(1, seed, 1, &d);
    print_grey(stdout, d.pixels);
    printf("a %d\n", d.labels[0]);
    digits_free(&d);
    return 0;
}
