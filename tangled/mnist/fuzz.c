/* fuzz: valid files, damaged at random, are refused or still right. */
#include "mnist/idx.h"
#include "mnist/safetensors.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

enum { FUZZ_MOST = 4096 };

struct sample {
    size_t size;
    unsigned char b[FUZZ_MOST];
};

/* check a sentence */
static void check_why(const struct fault *why)
{
    size_t n = strlen(why->text);

    CHECK(strncmp(why->text, "sample: ", 8) == 0 && n > 12 &&
              n + 1 < sizeof why->text,
          "the sentence is '%s'", why->text);
}

/* 1 if it was taken, 0 if refused. */
static int try_idx(const struct sample *s, int dims)
{
    unsigned char *file = check_alloc(s->size, 1);
    size_t head = 4 + 4 * (size_t)dims, bytes;
    struct fault why = {"?"};
    struct idx set;
    int taken;

    memcpy(file, s->b, s->size);
    taken = idx_decode(file, s->size, "sample", dims, &set, &why) == 0;
    free(file);
    if (!taken) {
        check_why(&why);
        CHECK(set.data == NULL, "refused, and something was kept");
        return 0;
    }
    bytes = (size_t)set.count * set.rows * set.cols;
    /* check what was taken */
    if (s->b[0] == 0)
        CHECK(s->size == head + bytes && s->b[3] == dims &&
                  memcmp(set.data, s->b + head, bytes) == 0,
              "%zu bytes were taken from a file of %zu", bytes, s->size);
    else
        CHECK(bytes == 12 && memcmp(set.data, "warp and wef", 12) == 0,
              "a damaged gzip file was taken");
    idx_free(&set);
    return 1;
}

/* try a sample as a checkpoint */
static int try_tensors(const struct sample *s, struct fault *why)
{
    unsigned char *file = check_alloc(s->size, 1);
    float w[6], b[2];
    struct st_tensor t[] = {{"w", 2, {2, 3}, w}, {"b", 1, {2}, b}};
    struct st_pair meta = {"epoch", ""};
    int taken;

    memcpy(file, s->b, s->size);
    poison(w, sizeof w);
    poison(b, sizeof b);
    taken = st_decode(file, s->size, "sample", t, 2, &meta, 1, why) == 0;
    free(file);
    /* check what became of two tensors */
    if (taken) {
        const unsigned char *data = s->b + s->size - 32;

        CHECK((memcmp(w, data, 24) == 0 && memcmp(b, data + 24, 8) == 0) ||
                  (memcmp(b, data, 8) == 0 && memcmp(w, data + 8, 24) == 0),
              "the tensors are not the last 32 bytes");
    } else {
        check_why(why);
        for (int i = 0; i < 6; i++)
            CHECK(isnan(w[i]) && isnan(b[i % 2]), "number %d was written", i);
    }
    return taken;
}

/* make a valid sample */
enum { PICTURES, PACKED, LABELS, TENSORS, SAMPLES };

static const char sample_pictures[] = "\0\0\x08\3\0\0\0\3\0\0\0\2\0\0\0\2"
                                      "warp and wef";
static const char sample_packed[] =
    "\x1f\x8b\x08\0\0\0\0\0\2\3\x63\x60\xe0\x60\x66\x60\x60\0\x61\x26"
    "\x10\x2e\x4f\x2c\x2a\x50\x48\xcc\x4b\x51\x28\x4f\x4d\3\0\x5e\xec\x71\x2b"
    "\x1c\0\0\0";
static const char sample_labels[] = "\0\0\x08\1\0\0\0\5\3\1\4\1\5";
static const char sample_tensors[] =
    "\x98\0\0\0\0\0\0\0{\"__metadata__\":{\"epoch\":\"3\",\"who\":\"me\"},"
    "\"w\":"
    "{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},\"b\":{"
    "\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[24,32]}}"
    "this is the warp, and the weft.";

static const struct {
    const char *name, *bytes;
    size_t size;
} samples[SAMPLES] = {
    {"pictures", sample_pictures, sizeof sample_pictures - 1},
    {"packed pictures", sample_packed, sizeof sample_packed - 1},
    {"labels", sample_labels, sizeof sample_labels - 1},
    {"tensors", sample_tensors, sizeof sample_tensors}};

static void sample_damage(struct sample *s, uint64_t *seed)
{
    static const char useful[] = "{}[]\":,\\ 0123456789aF\x7f\x80\xff";
    uint32_t size = (uint32_t)s->size, at = rng_below(seed, size + 1);
    uint32_t n = rng_below(seed, 9), kind = rng_below(seed, 7);

    n = n > size - at ? size - at : n;
    if (kind == 0 && at < size) /* flip a bit */
        s->b[at] ^= (unsigned char)(1 << rng_below(seed, 8));
    if (kind == 1 && at < size) /* a byte with a meaning */
        s->b[at] = (unsigned char)useful[rng_below(seed, sizeof useful)];
    if (kind == 2) /* a few random bytes */
        for (uint32_t i = 0; i < n; i++)
            s->b[at + i] = (unsigned char)rng_below(seed, 256);
    if (kind == 3) /* cut off the end */
        s->size = at;
    if (kind == 4) /* all ones, or zeros */
        memset(s->b + at, n % 2 ? 0xff : 0, n);
    /* lengthen or shorten the middle */
    if (kind == 5) { /* take a few bytes out */
        memmove(s->b + at, s->b + at + n, size - at - n);
        s->size -= n;
    }
    if (kind == 6 && size + n <= FUZZ_MOST) { /* double a few */
        memmove(s->b + at + n, s->b + at, size - at);
        s->size += n;
    }
}

/* list what a stranger might try */
static const struct attempt {
    const char *old, *new, *why; /* why NULL: it is still right */
} attempts[] = {
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
    {"\"b\"", "\"w\"", "a tensor of this name was there before"},
    {"\"b\"", "\"c\"", "a tensor that the model has not"},
    {",\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[24,32]}", "",
     "has no tensor b"},
    {"\"b\"", "\"__metadata__\":{},\"b\"", "a tensor with dtype F32"},
    {"\"epoch\":\"3\"", "\"epoch\"\t:\n\"3\"", NULL},
    {"]}}", "]}}     ", NULL}};

/* try what a stranger might try */
static void try_attempts(void)
{
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        const struct attempt *a = &attempts[i];
        const char *head = sample_tensors + 8, *at = strstr(head, a->old);
        struct fault why = {"taken"};
        struct sample s;
        int n, taken;

        n = sprintf((char *)s.b + 8, "%.*s%s%s", (int)(at - head), head, a->new,
                    at + strlen(a->old));
        s.size = 8 + (size_t)n + 1;
        n -= 31; /* what is behind the header */
        memset(s.b, 0, 8);
        s.b[0] = (unsigned char)n;
        s.b[1] = (unsigned char)(n >> 8);
        taken = try_tensors(&s, &why);
        CHECK(a->why ? strstr(why.text, a->why) != NULL : taken,
              "%s for %s: '%s', and not '%s'", a->new, a->old, why.text,
              a->why ? a->why : "taken");
    }
}

/* try many damaged samples */
static void fuzz(int64_t n, int kind, uint64_t seed)
{
    struct fault why;
    struct sample s;
    int64_t right = 0;

    for (int64_t i = -1; i < n; i++) { /* the first is as it was */
        s.size = samples[kind].size;
        memcpy(s.b, samples[kind].bytes, s.size);
        for (uint32_t k = 1 + rng_below(&seed, 4); k > 0 && i >= 0; k--)
            sample_damage(&s, &seed);
        right += kind == TENSORS  ? try_tensors(&s, &why)
                 : kind == LABELS ? try_idx(&s, IDX_LABELS)
                                  : try_idx(&s, IDX_PICTURES);
        CHECK(i >= 0 || right == 1 || (kind == PACKED && !IDX_ZLIB),
              "valid %s are refused", samples[kind].name);
    }
    printf("%s: %lld of %lld refused, the others still right\n",
           samples[kind].name, (long long)(right ? n + 1 - right : n),
           (long long)n);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 0, INT64_MAX / 2)};
    uint64_t seed = args_parse(argc, argv, "damage files, then read them", args,
                               ARG_COUNT(args));

    try_attempts();
    for (int kind = 0; kind < SAMPLES; kind++)
        fuzz(args[0].value, kind, seed);
    return 0;
}
