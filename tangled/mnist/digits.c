#include "mnist/digits.h"
#include "tour/idx.h"
#include "tour/rng.h"

#include <string.h>

/* load the digits of a part */
static const char *const name[2][2] = {
    {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"},
    {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}};

void digits_load(const char *dir, int test, struct digits *d)
{
    const char *pictures = name[test][0], *labels = name[test][1];
    struct idx x = idx_read(dir, pictures), y = idx_read(dir, labels);

    if (x.count < 1 || x.rows != DIGIT_SIDE || x.cols != DIGIT_SIDE)
        stop("%s: %s has %d pictures of %d x %d; the trainer takes 28 x 28",
             dir, pictures, x.count, x.rows, x.cols);
    if (x.count != y.count || y.rows * y.cols != 1)
        stop("%s: %s has %d pictures and %s has %d labels; they are no pair",
             dir, pictures, x.count, labels, y.count);
    for (int i = 0; i < y.count; i++)
        if (y.data[i] >= DIGIT_KINDS)
            stop("%s: label %d of %s, byte %d of the file, is %d; a label is "
                 "0 to 9",
                 dir, i, labels, 8 + i, y.data[i]);
    *d = (struct digits){x.count, x.data, y.data};
}

void digits_free(struct digits *d)
{
    free(d->pixels);
    free(d->labels);
    memset(d, 0, sizeof *d);
}

void digits_save(const char *dir, int test, const struct digits *d)
{
    struct idx x = {d->count, DIGIT_SIDE, DIGIT_SIDE, d->pixels};
    struct idx y = {d->count, 1, 1, d->labels};

    idx_write(dir, name[test][0], &x);
    idx_write(dir, name[test][1], &y);
}

/* fill a batch */
void digits_batch(const struct digits *d, const int *order, int first,
                  int count, float *x, int *labels)
{
    for (int i = 0; i < count; i++) {
        int which = order != NULL ? order[first + i] : first + i;
        const unsigned char *from = d->pixels + (size_t)which * DIGIT_PIXELS;
        float *to = x + (size_t)i * DIGIT_PIXELS;

        for (int p = 0; p < DIGIT_PIXELS; p++)
            to[p] = (float)from[p] / 255.0f;
        labels[i] = d->labels[which];
    }
}

/* mark a set of digits */
static uint64_t mark_bytes(uint64_t mark, const unsigned char *b, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = 0;

        for (size_t k = 0; k < 8 && i + k < n; k++)
            word |= (uint64_t)b[i + k] << (8 * k);
        mark = rng_mix(mark ^ word);
    }
    return mark;
}

uint64_t digits_mark(const struct digits *d)
{
    uint64_t mark = mark_bytes((uint64_t)d->count, d->labels, (size_t)d->count);

    return mark_bytes(mark, d->pixels, (size_t)d->count * DIGIT_PIXELS);
}
