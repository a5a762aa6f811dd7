#include "primer/solutions/set.h"
#include "tour/check.h"

struct bitset {
    int n, count;
    uint64_t *words;
};

/* make and destroy a set */
struct bitset *set_create(int n)
{
    struct bitset *s = check_alloc(1, sizeof *s);

    CHECK(n >= 0, "a set of %d numbers", n);
    s->n = n;
    s->words = check_alloc(((size_t)n + 63) / 64, sizeof *s->words);
    return s;
}

void set_destroy(struct bitset *s)
{
    if (s != NULL)
        free(s->words);
    free(s);
}

/* put a number into a set */
int set_has(const struct bitset *s, int i)
{
    CHECK(i >= 0 && i < s->n, "%d is not from 0 to %d", i, s->n - 1);
    return (int)(s->words[i / 64] >> (i % 64) & 1);
}

void set_put(struct bitset *s, int i)
{
    if (set_has(s, i))
        return;
    s->words[i / 64] |= UINT64_C(1) << (i % 64);
    s->count++;
}

int set_count(const struct bitset *s)
{
    return s->count;
}
