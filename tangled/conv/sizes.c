/* sizes: the formula for the size of a convolution against counting. */
#include <stdio.h>

#include "conv/size.h"
#include "tour/args.h"
#include "tour/rng.h"

/* count by sliding */
/* Lays the filter on the padded line, moves it by the stride as long as its
   last tap is on the line, and counts. */
static int count_places(int size, int filter, int stride, int pad, int dilation)
{
    int places = 0;

    for (int start = 0; start + dilation * (filter - 1) < size + 2 * pad;
         start += stride)
        places++;
    return places;
}

/* try every small set of parameters */
static void try_set(int size, int filter, int stride, int pad, int dilation)
{
    int want = count_places(size, filter, stride, pad, dilation);
    struct conv v = {1, 1, size, 20, 1, filter, 1, stride, pad, dilation};

    CHECK(conv_out_h(&v) == want, "%d, not %d outputs", conv_out_h(&v), want);
    CHECK((conv_refusal(&v) == NULL) == (want > 0),
          "a filter that fits %d times", want);
}

static int try_small(void)
{
    int tried = 0;

    for (int size = 1; size <= 12; size++)
        for (int filter = 1; filter <= 7; filter++)
            for (int stride = 1; stride <= 5; stride++)
                for (int pad = 0; pad <= 4; pad++)
                    for (int dilation = 1; dilation <= 4; dilation++, tried++)
                        try_set(size, filter, stride, pad, dilation);
    return tried;
}

/* try large parameters */
/* Counting would take too long: the last place must fit, and no further one. */
static int try_large(uint64_t *seed)
{
    for (int i = 0; i < 100000; i++) {
        int size = 1 + (int)rng_below(seed, 1u << 30);
        int taps = 1 + (int)rng_below(seed, 1000);
        int stride = 1 + (int)rng_below(seed, 1000);
        int pad = (int)rng_below(seed, 1000);
        int far = 1 + (int)rng_below(seed, 1000);
        int64_t out = conv_out(size, taps, stride, pad, far);
        int64_t room = size + 2 * pad - (int64_t)far * (taps - 1);

        CHECK(out == 0 || (out - 1) * stride < room,
              "the last of %lld places is beyond the end", (long long)out);
        CHECK(out * stride >= room, "a place behind the last of %lld",
              (long long)out);
    }
    return 100000;
}

/* see the degenerate refused */
static int see_refused(void)
{
    static const struct conv bad[] = {
        {-1, 1, 5, 5, 1, 3, 3, 1, 0, 1},
        {1, 0, 5, 5, 1, 3, 3, 1, 0, 1},
        {1, 1, 0, 5, 1, 1, 1, 1, 3, 1},
        {1, 1, 5, 0, 1, 1, 1, 1, 3, 1},
        {1, 1, 5, 5, 0, 3, 3, 1, 0, 1},
        {1, 1, 5, 5, 1, 0, 3, 1, 0, 1},
        {1, 1, 5, 5, 1, 3, 0, 1, 0, 1},
        {1, 1, 5, 5, 1, 3, 3, 0, 0, 1},
        {1, 1, 5, 5, 1, 3, 3, -1, 0, 1},
        {1, 1, 5, 5, 1, 3, 3, 1, -1, 1},
        {1, 1, 5, 5, 1, 3, 3, 1, 0, 0},
        {1, 1, 2, 5, 1, 3, 3, 2, 0, 1}, /* -1 / 2 is 0 in C */
        {1, 1, 5, 5, 1, 3, 3, 1, 0, 3},
        {1, 1, 5, 5, 1, 3, 3, 1, INT_MAX / 2, 1},
        {1, 1, 2, 1, 1, 1, 1, 1 << 30, INT_MAX / 2, 1},
        {1, 1, 1, 2, 1, 1, 1, 1 << 30, INT_MAX / 2, 1},
        {1 << 16, 1 << 15, 1, 1, 1, 1, 1, 1, 0, 1},
        {1, 1, 1 << 16, 1 << 16, 1, 1, 1, 1, 0, 1},
        {1, 1, 1, 1, 1, 1, 1, 1, 30000, 1}};
    int count = (int)(sizeof bad / sizeof *bad);

    for (int i = 0; i < count; i++)
        CHECK(conv_refusal(&bad[i]) != NULL, "line %d was not refused", i);
    return count;
}

int main(int argc, char **argv)
{
    uint64_t seed =
        args_parse(argc, argv, "the sizes of convolutions", NULL, 0);
    int tried = try_small(), large = try_large(&seed), refused = see_refused();

    printf("ok: %d sets of parameters counted, %d large ones, %d refused\n",
           tried, large, refused);
    return 0;
}
