/* keep_try: checkpoints come back, and what is no checkpoint is refused. */
#include "mnist/file.h"
#include "mnist/keep.h"
#include "tour/args.h"
#include "tour/check.h"

/* list what a stranger might try */
struct attempt {
    const char *old, *new, *why; /* why NULL: it is still right */
};

static const struct attempt attempts[] = {
    /* list what a stranger might try on the settings */
    {"{\"__m", " {\"__m", "a { is wanted here"},
    {"]}}", "]}} x", "text behind the header's }"},
    {"]}}", "]}}}", "text behind the header's }"},
    {"]}}", "]}", "a } is wanted here"},
    {"\"epoch\"", "\"Epoch\"", "its metadata lack \"epoch\""},
    {"\"batch\"", "\"epoch\"", "this key was there before"},
    {"\"epoch\":\"3\"", "\"epoch\":3", "a \" is wanted here"},
    {"\"epoch\":\"3\"", "\"epoch\":\"-3\"", "a whole number up to 2147483647"},
    {"\"epoch\":\"3\"", "\"epoch\":\"3 \"", "a whole number up to 2147483647"},
    {"\"epoch\":\"3\"", "\"epoch\":\"2147483648\"", "a whole number up to"},
    {"\"lr\":\"0.333333343\"", "\"lr\":\"nan\"",
     "its metadata \"lr\" is \"nan\""},
    {"\"epoch\":\"3\"", " \"epoch\"\t: \"\\u0033\"", "a whole number"},
    {"\"epoch\":\"3\"", " \"epoch\"\t:\n\"3\"", NULL},
    {"]}}", "]}}     ", NULL},
    {"\"path\":", "\"a\\n\":\"\\\"\",\"path\":", NULL},
    /* list what a stranger might try on the bytes */
    {"[24,32]", "[20,28]", "no tensor begins at byte 24"},
    {"[0,24]", "[4,28]", "no tensor begins at byte 0"},
    {"[24,32]", "[28,36]", "no tensor begins at byte 24"},
    {"[24,32]", "[24,28]", "not as far apart as the shape says"},
    {"[24,32]", "[24,16]", "not as far apart as the shape says"},
    {"[24,32]", "[24,9007199254740992]", "a number of 2^53 or more"},
    {"[24,32]", "[24,32,0]", "and two data_offsets"},
    {"[24,32]", "[32]", "and two data_offsets"},
    {"[24,32]", "[024,32]", "a whole number is wanted here"},
    {"[2,3]", "[2.0,3]", "a ] is wanted here"},
    {"[2,3]", "[1,1,1,1,1,1,1,1,1]", "too many numbers in a list"},
    {"[2,3]", "[4294967296,4294967296]", "w is [4294967296,4294967296]; the"},
    {"[2,3]", "[3,2]", "w is [3,2]; the model's is [2,3]"},
    {"[2,3]", "[2,3,1]", "w is [2,3,1]; the model's is [2,3]"},
    {"F32", "F16", "not F32"},
    {"\"shape\"", "\"form\"", "not one of dtype, shape, data_offsets"},
    {"\"shape\"", "\"dtype\"", "not one of dtype, shape, data_offsets"},
    {",\"data_offsets\":[0,24]", "", "a tensor has dtype, shape and two"},
    {"\"b\"", "\"w\"", "a tensor of this name was there before"},
    {"\"b\"", "\"c\"", "a tensor that the model has not"},
    {",\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[24,32]}", "",
     "has no tensor b"},
    {"\"b\"",
     "\"z\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[24,24]},"
     "\"b\"",
     "a tensor that the model has not"},
    {"\"b\"", "\"__metadata__\":{},\"b\"", "__metadata__ a second time"},
    {"\"b\"", "\"\\u0062\"", "a tensor that the model has not"},
    {"\"b\"", "\"b\n\"", "a control character in a string"}};

/* see that a refusal touches nothing */
/* Loads path; NULL, or the sentence. */
static const char *load_try(const char *path)
{
    static struct fault why;
    float x[8];
    struct st_tensor t[] = {{"w", 2, {2, 3}, x}, {"b", 1, {2}, x + 6}};
    struct keep k = {-1, -1, -1, -1, 1, 1, "none"}, before = k;
    int taken;

    poison(x, sizeof x);
    taken = keep_load(path, &k, t, 2, &why) == 0;
    for (int i = 0; i < 8; i++)
        CHECK(isnan(x[i]) == !taken, "number %d was%s written", i,
              taken ? " not" : "");
    CHECK(taken || memcmp(&k, &before, sizeof k) == 0, "settings were touched");
    return taken ? NULL : why.text;
}

static size_t change(const unsigned char *file, size_t size, const char *old,
                     const char *new, unsigned char *out)
{
    size_t n = strlen(old), m = strlen(new), at = 8;

    while (at + n <= size && memcmp(file + at, old, n) != 0)
        at++;
    CHECK(at + n <= size, "the checkpoint has no %s", old);
    memcpy(out, file, at);
    memcpy(out + at, new, m);
    memcpy(out + at + m, file + at + n, size - at - n);
    size = size - n + m;
    n = size - 8 - 32; /* the new length of the header */
    out[0] = (unsigned char)n;
    out[1] = (unsigned char)(n >> 8);
    return size;
}

static void try_one(const char *path, const unsigned char *bytes, size_t size,
                    const char *want)
{
    struct fault why;
    struct file_new *f = file_begin(path, &why);
    const char *got;

    CHECK(f != NULL && file_put(f, bytes, size, &why) == 0 &&
              file_commit(f, &why) == 0,
          "%s", why.text);
    got = load_try(path);
    CHECK(want == NULL ? got == NULL : got != NULL && strstr(got, want) != NULL,
          "'%s', and not '%s'", got != NULL ? got : "taken",
          want != NULL ? want : "taken");
}

/* try the whole list */
static void try_all(const char *path)
{
    size_t size, count = sizeof attempts / sizeof *attempts;
    unsigned char *file, out[2048];
    struct fault why;

    CHECK(file_read(path, &file, &size, &why) == 0, "%s", why.text);
    CHECK(size < 1900 && size % 8 == 0, "a checkpoint of %zu bytes", size);
    for (const struct attempt *a = attempts; a < attempts + count; a++)
        try_one(path, out, change(file, size, a->old, a->new, out), a->why);
    for (size_t n = 0; n < size; n += n < 10 || n + 40 > size ? 1 : 29)
        try_one(path, file, n, n == 0 ? "is empty" : "was cut off");
    file[3] = 1; /* a header of 16 million bytes */
    try_one(path, file, size, "is no safetensors file, or was cut off");
    printf("ok: %zu changes, and shorter files\n", count);
    free(file);
}

/* see that a checkpoint comes back */
static void comes_back(const char *path)
{
    struct keep k = {3, 64, 32, 1.0f / 3, UINT64_MAX, 12345, "kernels"}, back;
    float w[6] = {1, -2, 3, -0.0f, 5, 6}, b[2] = {0x1p-149f, 8}, w2[6], b2[2];
    struct st_tensor t[] = {{"w", 2, {2, 3}, w}, {"b", 1, {2}, b}};
    struct st_tensor t2[] = {{"b", 1, {2}, b2}, {"w", 2, {2, 3}, w2}};
    struct fault why;

    CHECK(keep_save(path, &k, t, 2, &why) == 0, "%s", why.text);
    CHECK(keep_load(path, &back, t2, 2, &why) == 0, "%s", why.text);
    CHECK(memcmp(w, w2, sizeof w) == 0 && memcmp(b, b2, sizeof b) == 0 &&
              back.epoch == 3 && back.batch == 64 && back.width == 32 &&
              back.lr == k.lr && back.seed == UINT64_MAX &&
              back.data == 12345 && strcmp(back.path, "kernels") == 0,
          "it did not come back as it was");
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--file", "keep_try.safetensors")};

    args_parse(argc, argv, "checkpoints, good and bad", args, 1);
    comes_back(args[0].text);
    try_all(args[0].text);
    remove(args[0].text);
    return 0;
}
