/* edge: the ink that moves push over the edge. */
#include <stdio.h>

#include "mnist/synth.h"
#include "tour/check.h"

/* How many lose ink when all are moved to the right by so many pixels. */
static int cut(const struct digits *d, int by)
{
    int count = 0;

    for (int i = 0; i < d->count; i++) {
        int ink = 0;

        for (int p = 0; p < DIGIT_PIXELS; p++)
            if (p % DIGIT_SIDE >= DIGIT_SIDE - by)
                ink += d->pixels[(size_t)i * DIGIT_PIXELS + p];
        count += ink > 0;
    }
    return count;
}

int main(void)
{
    struct digits d;

    synth_digits(2000, 1, 0, &d);
    for (int by = 1; by <= 4; by++)
        printf("%d of 2000 lose ink %d to the right\n", cut(&d, by), by);
    CHECK(cut(&d, 2) == 0 && cut(&d, 4) > 0, "where it begins");
    digits_free(&d);
    return 0;
}
