#include "mnist/keep.h"
#include "mnist/file.h"
#include "tour/args.h"

#include <limits.h>

enum { EPOCH, BATCH, WIDTH, SEED, DATA, NUMBERS, LR = NUMBERS, PATH, PAIRS };

static const struct st_pair keys[PAIRS] = {
    [EPOCH] = {"epoch", ""}, [BATCH] = {"batch", ""}, [WIDTH] = {"width", ""},
    [SEED] = {"seed", ""},   [DATA] = {"data", ""},   [LR] = {"lr", ""},
    [PATH] = {"path", ""}};

void keep_save(const char *path, const struct keep *k,
               const struct st_tensor *t, int count)
{
    uint64_t n[NUMBERS] = {[EPOCH] = (uint64_t)k->epoch,
                           [BATCH] = (uint64_t)k->batch,
                           [WIDTH] = (uint64_t)k->width,
                           [SEED] = k->seed,
                           [DATA] = k->data};
    struct st_pair meta[PAIRS];

    memcpy(meta, keys, sizeof meta);
    for (int i = 0; i < NUMBERS; i++)
        snprintf(meta[i].value, sizeof meta[i].value, "%" PRIu64, n[i]);
    snprintf(meta[LR].value, sizeof meta[LR].value, "%.9g", (double)k->lr);
    snprintf(meta[PATH].value, sizeof meta[PATH].value, "%.15s", k->path);
    st_write(path, t, count, meta, PAIRS);
}

/* load a checkpoint */
void keep_load(const char *path, struct keep *k, const struct st_tensor *t,
               int count)
{
    struct st_pair meta[PAIRS];
    size_t size;
    char *file = file_read(path, &size), *end;
    const char *why;
    uint64_t n[NUMBERS];
    float lr;

    memcpy(meta, keys, sizeof meta);
    why = st_decode(file, size, t, count, meta, PAIRS);
    if (why != NULL)
        stop("%s: %s", path, why);
    for (int i = 0; i < NUMBERS; i++)
        if (args_digits(meta[i].value, &n[i]) != NULL ||
            (i < SEED && n[i] > INT_MAX))
            stop("%s: its metadata \"%s\" is \"%s\"; a whole number%s is "
                 "wanted",
                 path, meta[i].key, meta[i].value,
                 i < SEED ? " up to 2147483647" : "");
    lr = strtof(meta[LR].value, &end);
    if (*end != '\0' || !(lr > 0 && lr < 1e30f))
        stop("%s: its metadata \"lr\" is \"%s\"", path, meta[LR].value);
    *k = (struct keep){.epoch = (int)n[EPOCH],
                       .batch = (int)n[BATCH],
                       .width = (int)n[WIDTH],
                       .lr = lr,
                       .seed = n[SEED],
                       .data = n[DATA]};
    snprintf(k->path, sizeof k->path, "%.15s", meta[PATH].value);
    free(file);
}
