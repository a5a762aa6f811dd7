/* data_try: digits are drawn, saved, loaded and made floats as they should. */
#include "mnist/digits.h"
#include "mnist/synth.h"
#include "tour/args.h"
#include "tour/check.h"

/* check where a digit is */
static void check_place(const unsigned char *pixels, int i)
{
    double mass = 0, x = 0, y = 0;

    for (int p = 0; p < DIGIT_PIXELS; p++) {
        mass += pixels[p];
        x += pixels[p] * (p % DIGIT_SIDE + 0.5);
        y += pixels[p] * (p / DIGIT_SIDE + 0.5);
    }
    CHECK(mass > 20 * 255, "digit %d has the ink of %g pixels", i, mass / 255);
    CHECK(fabs(x / mass - 14) < 1 && fabs(y / mass - 14) < 1,
          "digit %d has its mass at %g, %g", i, x / mass, y / mass);
}

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
    for (int i = 0; i < d.count; i++)
        check_place(d.pixels + (size_t)i * DIGIT_PIXELS, i);
    digits_free(&one);
    digits_free(&d);
    digits_free(&few);
}

static void check_marks(uint64_t seed)
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
    CHECK(mark == digits_mark(&d), "changed back, and differs");
    digits_free(&d);
    digits_free(&other);
    digits_free(&test);
}

/* check a batch */
static void check_batch(uint64_t seed)
{
    enum { N = 50, FIRST = 20, COUNT = 9 };
    float *x = check_alloc(COUNT * DIGIT_PIXELS, sizeof *x);
    int order[N], labels[COUNT];
    struct digits d;

    synth_digits(N, seed, 0, &d);
    for (int i = 0; i < N; i++)
        order[i] = N - 1 - i;
    for (int turned = 0; turned < 2; turned++) {
        poison(x, COUNT * DIGIT_PIXELS * sizeof *x);
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
    free(x);
    digits_free(&d);
}

static void check_files(const char *dir, uint64_t seed)
{
    struct digits d, back;
    struct fault why;

    CHECK(synth_write(dir, 30, 20, seed, &why) == 0, "%s", why.text);
    for (int part = 0; part < 2; part++) {
        synth_digits(part == 0 ? 30 : 20, seed, (uint64_t)part, &d);
        CHECK(digits_load(dir, part == 0 ? "train" : "t10k", &back, &why) == 0,
              "%s", why.text);
        CHECK(digits_mark(&d) == digits_mark(&back), "part %d differs", part);
        digits_free(&d);
        digits_free(&back);
    }
}

/* say what is in a folder */
static void say_part(const char *name, const struct digits *d)
{
    printf("%s: %d digits, mark %016" PRIx64 "\n", name, d->count,
           digits_mark(d));
}

static int say_folder(const char *dir)
{
    struct digits train, test;
    struct fault why;
    char from[256];

    if (digits_open(dir, 0, 0, &train, &test, from, sizeof from, &why) != 0) {
        fprintf(stderr, "data_try: %s\n", why.text);
        return 1;
    }
    say_part("train", &train);
    say_part("t10k", &test);
    digits_free(&train);
    digits_free(&test);
    return 0;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--data", NULL), ARG_TEXT("--new", NULL)};
    uint64_t seed = args_parse(argc, argv, "digits in and out of files", args,
                               ARG_COUNT(args));

    if (args[0].text != NULL)
        return say_folder(args[0].text);
    check_drawn(seed);
    check_marks(seed);
    check_batch(seed);
    if (args[1].text != NULL)
        check_files(args[1].text, seed);
    printf("ok: digits, marks, batches%s\n", args[1].text ? ", files" : "");
    return 0;
}
