/* fuzz: a valid checkpoint, changed on purpose and at random, is refused or
   still right. */
#include "mnist/safetensors.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* list what a stranger might try */
static const char header[] =
    "{\"__metadata__\":{\"epoch\":\"3\",\"who\":\"me\"},"
    "\"w\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
    "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[24,32]}}";
static const char data[32] = "this is the warp, and the weft.";

struct attempt {
    const char *old, *new, *why; /* why NULL: it is still right */
};

static const struct attempt attempts[] = {
    {"{\"__m", " {\"__m", "byte 8: metadata in { } are wanted here"},
    {"]}}", "]}} x", "does not end here"},
    {"]}}", "]}}}", "does not end here"},
    {"]}}", "]}", "does not end here"},
    {"\"epoch\"", "\"Epoch\"", "its metadata lack \"epoch\""},
    {"\"who\"", "\"epoch\"", "this key was there before"},
    {"\"epoch\":\"3\"", "\"epoch\":3", "a pair of texts is wanted here"},
    {"\"me\"}", "\"me\"", "a pair of texts is wanted here"},
    {"[24,32]", "[20,28]", "no tensor begins at byte 24"},
    {"[0,24]", "[4,28]", "no tensor begins at byte 0"},
    {"[24,32]", "[28,36]", "no tensor begins at byte 24"},
    {"[24,32]", "[24,28]", "not as far apart as the shape says"},
    {"[24,32]", "[24,16]", "not as far apart as the shape says"},
    {"[24,32]", "[24,999999999999999999999]", "a tensor with dtype"},
    {"[24,32]", "[24,32,0]", "a tensor with dtype"},
    {"[24,32]", "[-24,32]", "a tensor with dtype"},
    {"[2,3]", "[2.0,3]", "a tensor with dtype"},
    {"[2,3]", "[1,1,1,1,1,1,1,1,1]", "w is [1,1,1,1,1,1,1,1,1]; the model's"},
    {"[2,3]", "[4294967296,4294967296]", "w is [4294967296,4294967296]; the"},
    {"[2,3]", "[3,2]", "w is [3,2]; the model's is [2,3]"},
    {"[2,3]", "[2,3,1]", "w is [2,3,1]; the model's is [2,3]"},
    {"F32", "F16", "a tensor with dtype F32"},
    {"\"shape\"", "\"form\"", "a tensor with dtype F32, shape"},
    {",\"data_offsets\":[0,24]", "", "a tensor with dtype F32, shape"},
    {"\"b\"", "\"w\"", "w: a tensor of this name was there before"},
    {"\"b\"", "\"c\"", "c: a tensor that the model has not"},
    {",\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[24,32]}", "",
     "has no tensor b"},
    {"\"b\"", "\"__metadata__\":{},\"b\"", "a tensor with dtype F32"},
    {"\"epoch\":\"3\"", "\"epoch\"\t:\n\"3\"", NULL},
    {"]}}", "]}}     ", NULL},
    {"", "", NULL}};

/* try a file */
struct sample {
    size_t size;
    char b[4096];
};

static void make(struct sample *s, const char *old, const char *new)
{
    const char *at = strstr(header, old);
    uint64_t n;

    CHECK(at != NULL, "the header has no %s", old);
    n = (uint64_t)sprintf(s->b + 8, "%.*s%s%s", (int)(at - header), header, new,
                          at + strlen(old));
    memcpy(s->b, &n, 8);
    memcpy(s->b + 8 + n, data, sizeof data);
    s->size = 8 + n + sizeof data;
}

/* NULL, or the sentence; then nothing was written. */
static const char *try_file(const struct sample *s)
{
    char *file = check_alloc(s->size + 1, 1);
    const char *at = s->b + s->size - sizeof data, *why;
    float w[8];
    struct tensor t[] = {{"w", 2, {2, 3}, 0, 6}, {"b", 1, {2}, 6, 2}};
    struct st_pair meta = {"epoch", ""};

    memcpy(file, s->b, s->size);
    poison(w, sizeof w);
    why = st_decode(file, s->size, t, 2, w, &meta, 1);
    free(file);
    if (why == NULL)
        CHECK(memcmp(w, at, 32) == 0 ||
                  (memcmp(w + 6, at, 8) == 0 && memcmp(w, at + 8, 24) == 0),
              "the tensors are not the last 32 bytes");
    for (int i = 0; why != NULL && i < 8; i++)
        CHECK(isnan(w[i]), "number %d was written", i);
    return why;
}

/* damage a file */
static void damage(struct sample *s, uint64_t *seed)
{
    static const char useful[] = "{}[]\":,\\ 0123456789aF\x7f\x80\xff";
    uint32_t size = (uint32_t)s->size, at = rng_below(seed, size + 1);
    uint32_t n = rng_below(seed, 9), kind = rng_below(seed, 6);

    n = n > size - at ? size - at : n;
    if (kind == 0 && at < size) /* flip a bit */
        s->b[at] = (char)(s->b[at] ^ 1 << rng_below(seed, 8));
    if (kind == 1 && at < size) /* a byte with a meaning */
        s->b[at] = useful[rng_below(seed, sizeof useful)];
    if (kind == 2) /* cut off the end */
        s->size = at;
    if (kind == 3) /* all ones, or zeros */
        memset(s->b + at, n % 2 ? 0xff : 0, n);
    if (kind == 4) { /* take a few bytes out */
        memmove(s->b + at, s->b + at + n, size - at - n);
        s->size -= n;
    }
    if (kind == 5 && size + n <= sizeof s->b) { /* double them */
        memmove(s->b + at + n, s->b + at, size - at);
        s->size += n;
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 0, INT64_MAX / 2)};
    uint64_t seed = args_parse(argc, argv, "damage files, then read them", args,
                               ARG_COUNT(args));
    int64_t refused = 0;
    struct sample s;

    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        const struct attempt *a = &attempts[i];
        const char *got;

        make(&s, a->old, a->new);
        got = try_file(&s);
        CHECK(a->why ? got && strstr(got, a->why) : !got,
              "%s for %s: '%s', and not '%s'", a->new, a->old,
              got ? got : "taken", a->why ? a->why : "taken");
    }
    for (int64_t i = 0; i < args[0].value; i++) {
        make(&s, "", "");
        for (uint32_t k = 1 + rng_below(&seed, 4); k > 0; k--)
            damage(&s, &seed);
        refused += try_file(&s) != NULL;
    }
    printf("ok: %zu changes; %lld of %lld refused, the others still right\n",
           sizeof attempts / sizeof *attempts, (long long)refused,
           (long long)args[0].value);
    return 0;
}
