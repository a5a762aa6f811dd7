/* shades: byte / 255 and byte * (1 / 255); the mean and spread of all pixels */
#include "mnist/synth.h"
#include "reduce/ulp.h"
#include "tour/args.h"
#include "tour/check.h"

/* compare quotients and products */
static void compare(void)
{
    int differ = 0;

    for (int p = 0; p < 256; p++) {
        float quotient = (float)p / 255.0f;
        float product = (float)p * (1.0f / 255.0f);

        CHECK(ulp_float(quotient, product) <= 1, "shade %d", p);
        differ += quotient != product;
    }
    CHECK(differ == 126, "%d shades differ", differ);
    printf("%d of 256 shades differ, by one unit in the last place\n", differ);
}

/* find the mean and the deviation of all pixels */
static void spread(const char *data)
{
    struct digits train, test;
    struct fault why;
    char from[256];
    int64_t n, sum = 0, squares = 0;
    double mean, deviation;

    CHECK(digits_open(data, 0, 0, &train, &test, from, sizeof from, &why) == 0,
          "%s", why.text);
    n = (int64_t)train.count * DIGIT_PIXELS;
    for (int64_t i = 0; i < n; i++) {
        sum += train.pixels[i];
        squares += train.pixels[i] * train.pixels[i];
    }
    mean = (double)sum / (double)n;
    deviation = sqrt((double)squares / (double)n - mean * mean);
    printf("%s: mean %.4f, deviation %.4f\n", from, mean / 255,
           deviation / 255);
    CHECK(mean > 20 && mean < 60, "a page as dark as %g is no page", mean);
    digits_free(&train);
    digits_free(&test);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--data", "synth")};

    args_parse(argc, argv, "how shades become floats", args, 1);
    compare();
    spread(args[0].text);
    return 0;
}
