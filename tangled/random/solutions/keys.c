/* keys: a shuffle that sorts by random keys. */
#include <stdio.h>

#include "random/philox.h"
#include "random/pvalue.h"
#include "tour/args.h"

struct key {
    uint64_t key;
    int sample;
};

static int order_of(const void *a, const void *b)
{
    const struct key *x = (const struct key *)a, *y = (const struct key *)b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->sample - y->sample;
}

/* sort samples by their keys */
static void shuffle(int n, uint64_t seed, uint64_t epoch, struct key *k)
{
    for (int i = 0; i < n; i++) {
        struct philox b = philox_at(seed, epoch, (uint64_t)i);

        k[i].key = (uint64_t)b.w[1] << 32 | b.w[0];
        k[i].sample = i;
    }
    qsort(k, (size_t)n, sizeof *k, order_of);
}

/* count the orders of three */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("shuffles", 60000, 6, 10000000)};
    uint64_t seed = args_parse(argc, argv, "a shuffle by keys", args, 1);
    double count[6] = {0}, p;
    struct key k[3];

    for (int64_t s = 0; s < args[0].value; s++) {
        int zero = 0;

        shuffle(3, seed, (uint64_t)s, k);
        while (k[zero].sample != 0)
            zero++;
        count[2 * zero + (k[zero ? 0 : 1].sample == 2)]++;
    }
    p = pvalue_even(count, 6, (double)args[0].value);
    CHECK(p > 1e-6 && p < 1 - 1e-6, "the orders of 3 are uneven: p = %g", p);
    printf("ok: all 6 orders of 3, p = %.3f\n", p);
    return 0;
}
