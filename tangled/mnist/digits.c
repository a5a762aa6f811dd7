#include "mnist/digits.h"
#include "mnist/idx.h"
#include "tour/rng.h"

#include <stdlib.h>
#include <string.h>

/* name the files of a part */
struct part_names {
    char pictures[64], labels[64];
};

static struct part_names part_names(const char *part)
{
    struct part_names n;

    snprintf(n.pictures, sizeof n.pictures, "%.20s-images-idx3-ubyte", part);
    snprintf(n.labels, sizeof n.labels, "%.20s-labels-idx1-ubyte", part);
    return n;
}

static int check_pair(const char *dir, const struct part_names *name,
                      const struct idx *x, const struct idx *y,
                      struct fault *why)
{
    if (x->rows != DIGIT_SIDE || x->cols != DIGIT_SIDE)
        return fault_say(why,
                         "%s: the pictures of %s are %d x %d; the trainer "
                         "takes 28 x 28",
                         dir, name->pictures, x->rows, x->cols);
    if (x->count != y->count)
        return fault_say(why,
                         "%s: %s has %d pictures and %s has %d labels; "
                         "they are no pair",
                         dir, name->pictures, x->count, name->labels, y->count);
    for (int i = 0; i < y->count; i++)
        if (y->data[i] >= DIGIT_KINDS)
            return fault_say(why,
                             "%s: label %d of %s, byte %d of the file, "
                             "is %d; a label is 0 to 9",
                             dir, i, name->labels, 8 + i, y->data[i]);
    return 0;
}

/* load the digits of a part */
int digits_load(const char *dir, const char *part, struct digits *d,
                struct fault *why)
{
    struct part_names name = part_names(part);
    struct idx x = {0, 0, 0, NULL}, y = {0, 0, 0, NULL};

    memset(d, 0, sizeof *d);
    if (idx_load(dir, name.pictures, IDX_PICTURES, &x, why) != 0 ||
        idx_load(dir, name.labels, IDX_LABELS, &y, why) != 0 ||
        check_pair(dir, &name, &x, &y, why) != 0) {
        idx_free(&x);
        idx_free(&y);
        return -1;
    }
    d->count = x.count;
    d->pixels = x.data;
    d->labels = y.data;
    return 0;
}

void digits_free(struct digits *d)
{
    free(d->pixels);
    free(d->labels);
    memset(d, 0, sizeof *d);
}

int digits_save(const char *dir, const char *part, const struct digits *d,
                struct fault *why)
{
    struct part_names name = part_names(part);
    struct idx x = {d->count, DIGIT_SIDE, DIGIT_SIDE, d->pixels};
    struct idx y = {d->count, 1, 1, d->labels};

    if (idx_save(dir, name.pictures, IDX_PICTURES, &x, why) != 0)
        return -1;
    return idx_save(dir, name.labels, IDX_LABELS, &y, why);
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
