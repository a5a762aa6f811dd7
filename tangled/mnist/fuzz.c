/* fuzz: a file that is damaged at random is refused, or still right. */
#include "mnist/file.h"
#include "mnist/safetensors.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

static const struct tensor t[] = {{"w", 2, {2, 3}, 0, 6}, {"b", 1, {2}, 6, 2}};

struct sample {
    size_t size;
    char b[1024];
};

/* try a file */
/* If so, nothing was written. */
static int is_refused(const struct sample *s)
{
    char *file = check_alloc(s->size + 1, 1);
    struct st_pair meta = {"epoch", ""};
    const char *why;
    float w[8];

    memcpy(file, s->b, s->size);
    poison(w, sizeof w);
    why = st_decode(file, s->size, t, 2, w, &meta, 1);
    free(file);
    CHECK(why || memcmp(w, s->b + s->size - sizeof w, sizeof w) == 0,
          "the tensors are not the last 32 bytes");
    for (int i = 0; why && i < 8; i++)
        CHECK(isnan(w[i]), "number %d was written", i);
    return why != NULL;
}

/* damage a file */
static void damage(struct sample *s, uint64_t *seed)
{
    static const char useful[] = "{}[]\":,\\ 0123456789aF\x7f\x80\xff";
    uint32_t size = (uint32_t)s->size, at = rng_below(seed, size + 1);
    uint32_t n = 1u << rng_below(seed, 10), kind = rng_below(seed, 3);

    n = n > size - at ? size - at : n;
    if (kind == 0 && n > 0)
        s->b[at] = useful[rng_below(seed, sizeof useful)];
    if (kind == 1) { /* take n out */
        memmove(s->b + at, s->b + at + n, size - at - n);
        s->size -= n;
    }
    if (kind == 2 && size + n <= sizeof s->b) { /* double them */
        memmove(s->b + at + n, s->b + at, size - at);
        s->size += n;
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 0, INT64_MAX / 2),
                         ARG_TEXT("--file", "fuzz.safetensors")};
    uint64_t seed = args_parse(argc, argv, "damages a file, then reads it",
                               args, ARG_COUNT(args));
    const float w[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct st_pair meta = {"epoch", "3"};
    struct sample whole = {0}, s;
    int64_t refused = 0;
    char *file;

    st_write(args[1].text, t, 2, w, &meta, 1);
    file = file_read(args[1].text, &whole.size);
    memcpy(whole.b, file, whole.size);
    free(file);
    remove(args[1].text);
    CHECK(!is_refused(&whole), "a file that nobody damaged");
    for (int64_t i = 0; i < args[0].value; i++) {
        s = whole;
        for (uint32_t k = 1 + rng_below(&seed, 4); k > 0; k--)
            damage(&s, &seed);
        refused += is_refused(&s);
    }
    printf("ok: %lld of %lld refused, the others still right\n",
           (long long)refused, (long long)args[0].value);
    return 0;
}
