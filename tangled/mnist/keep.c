#include "mnist/keep.h"
#include "mnist/file.h"
#include "tour/args.h"

#include <limits.h>

enum { EPOCH, BATCH, WIDTH, SEED, DATA, NUMBERS, LR = NUMBERS, PATH, PAIRS };

static const struct st_pair keys[PAIRS] = {
    [EPOCH] = {"epoch", ""}, [BATCH] = {"batch", ""}, [WIDTH] = {"width", ""},
    [SEED] = {"seed", ""},   [DATA] = {"data", ""},   [LR] = {"lr", ""},
    [PATH] = {"path", ""}};

int keep_save(const char *path, const struct keep *k, const struct st_tensor *t,
              int count, struct fault *why)
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
    return st_write(path, t, count, meta, PAIRS, why);
}

/* load a checkpoint */
static int keep_take(const char *path, const struct st_pair *meta,
                     struct keep *k, struct fault *why)
{
    uint64_t n[NUMBERS];
    char *end;
    float lr = strtof(meta[LR].value, &end);

    for (int i = 0; i < NUMBERS; i++)
        if (args_digits(meta[i].value, &n[i]) != NULL ||
            (i < SEED && n[i] > INT_MAX))
            return fault_say(why,
                             "%s: its metadata \"%s\" is \"%s\"; a whole "
                             "number%s is wanted",
                             path, meta[i].key, meta[i].value,
                             i < SEED ? " up to 2147483647" : "");
    if (end == meta[LR].value || *end != '\0' || !(lr > 0 && lr < 1e30f))
        return fault_say(why, "%s: its metadata \"lr\" is \"%s\"", path,
                         meta[LR].value);
    *k = (struct keep){.epoch = (int)n[EPOCH],
                       .batch = (int)n[BATCH],
                       .width = (int)n[WIDTH],
                       .lr = lr,
                       .seed = n[SEED],
                       .data = n[DATA]};
    snprintf(k->path, sizeof k->path, "%.15s", meta[PATH].value);
    return 0;
}

int keep_load(const char *path, struct keep *k, const struct st_tensor *t,
              int count, struct fault *why)
{
    struct st_pair meta[PAIRS];
    struct keep settings;
    unsigned char *file;
    size_t size;
    int bad = file_read(path, &file, &size, why);

    memcpy(meta, keys, sizeof meta);
    if (bad == 0)
        bad = st_decode(file, size, path, NULL, -1, meta, PAIRS, why);
    if (bad == 0)
        bad = keep_take(path, meta, &settings, why);
    if (bad == 0 && count >= 0)
        bad = st_decode(file, size, path, t, count, NULL, 0, why);
    if (bad == 0)
        *k = settings;
    free(file);
    return bad;
}

int keep_look(const char *path, struct keep *k, struct fault *why)
{
    return keep_load(path, k, NULL, -1, why);
}
