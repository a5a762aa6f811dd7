/* data_try: digits are drawn, loaded and made floats as they should. */
#include "mnist/synth.h"
#include "tour/args.h"
#include "tour/check.h"

/* check where a digit is */
static void check_drawn(uint64_t seed)
{
    struct digits d, few, one;

    synth_digits(100, 1, 0, &one);
    CHECK(digits_mark(&one) == UINT64_C(0xa7d2ea7d15d762bc),
          "the mark is %#" PRIx64, digits_mark(&one));
    synth_digits(1000, seed, 0, &d);
    synth_digits(10, seed, 0, &few);
    CHECK(memcmp(few.pixels, d.pixels, 10 * DIGIT_PIXELS) == 0,
          "ten digits are not the first of a thousand");
    for (int i = 0; i < d.count; i++) {
        const unsigned char *x = d.pixels + (size_t)i * DIGIT_PIXELS;
        double ink = 0, right = 0, down = 0;

        for (int p = 0; p < DIGIT_PIXELS; p++) {
            ink += x[p];
            right += x[p] * (p % DIGIT_SIDE - 13.5);
            down += x[p] * (p / DIGIT_SIDE - 13.5);
        }
        CHECK(ink > 20 * 255 && fabs(right) < ink && fabs(down) < ink,
              "digit %d has the ink of %g pixels, and its mass at %g, %g", i,
              ink / 255, right / ink, down / ink);
    }
    digits_free(&one);
    digits_free(&d);
    digits_free(&few);
}

static void check_marks(uint64_t seed, const char *dir)
{
    struct digits d, other, test;
    uint64_t mark;

    synth_digits(7, seed, 0, &d);
    synth_digits(7, seed + 1, 0, &other);
    synth_digits(7, seed, 1, &test);
    mark = digits_mark(&d);
    CHECK(mark != digits_mark(&other), "another seed draws the same digits");
    CHECK(mark != digits_mark(&test), "another part has the same digits");
    for (int i = 0; i < 7 * DIGIT_PIXELS + 7; i++) {
        unsigned char *b = i < 7 ? &d.labels[i] : &d.pixels[i - 7];

        *b ^= 1;
        CHECK(mark != digits_mark(&d), "byte %d does not matter", i);
        *b ^= 1;
    }
    digits_free(&other);
    if (dir) {
        struct digits read, none;

        digits_open(dir, 7, 0, &read, &none);
        CHECK(mark == digits_mark(&read), "other digits are in %s", dir);
        digits_free(&read);
        digits_free(&none);
    }
    digits_free(&d);
    digits_free(&test);
}

/* check a batch */
static void check_batch(uint64_t seed)
{
    enum { N = 50, FIRST = 20, COUNT = 9 };
    static float x[COUNT * DIGIT_PIXELS];
    int order[N], labels[COUNT];
    struct digits d;

    synth_digits(N, seed, 0, &d);
    for (int i = 0; i < N; i++)
        order[i] = N - 1 - i;
    for (int turned = 0; turned < 2; turned++) {
        poison(x, sizeof x);
        digits_batch(&d, turned ? order : NULL, FIRST, COUNT, x, labels);
        for (int i = 0; i < COUNT * DIGIT_PIXELS; i++) {
            int row = FIRST + i / DIGIT_PIXELS, p = i % DIGIT_PIXELS;
            int which = turned ? N - 1 - row : row;
            int byte = d.pixels[which * DIGIT_PIXELS + p];

            CHECK(x[i] == (float)(byte / 255.0), "shade %d is %g", byte, x[i]);
            CHECK(labels[row - FIRST] == d.labels[which], "row %d's label",
                  row);
        }
    }
    digits_free(&d);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--data", NULL)};
    uint64_t seed = args_parse(argc, argv, "digits in and out of files", args,
                               ARG_COUNT(args));

    check_drawn(seed);
    check_marks(seed, args[0].text);
    check_batch(seed);
    printf("ok: digits, marks, batches%s\n", args[0].text ? ", files" : "");
    return 0;
}
