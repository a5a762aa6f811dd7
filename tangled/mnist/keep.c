#include "mnist/keep.h"
#include "mnist/file.h"
#include "tour/args.h"

#include <limits.h>

enum { EPOCH, BATCH, WIDTH, SEED, DATA, LR, PATH, PRECISION, NUMBERS = LR };

static const struct st_pair keys[KEEP_PAIRS] = {
    {"epoch", ""}, {"batch", ""}, {"width", ""}, {"seed", ""},
    {"data", ""},  {"lr", ""},    {"path", ""},  {"precision", ""}};

void keep_texts(const struct keep *k, struct st_pair text[KEEP_PAIRS])
{
    uint64_t n[NUMBERS] = {(uint64_t)k->epoch, (uint64_t)k->batch,
                           (uint64_t)k->width, k->seed, k->data};

    memcpy(text, keys, sizeof keys);
    for (int i = 0; i < NUMBERS; i++)
        snprintf(text[i].value, ST_TEXT, "%" PRIu64, n[i]);
    snprintf(text[LR].value, ST_TEXT, "%g", (double)k->lr);
    if (strtof(text[LR].value, NULL) != k->lr)
        snprintf(text[LR].value, ST_TEXT, "%.9g", (double)k->lr);
    snprintf(text[PATH].value, ST_TEXT, "%s", k->path);
    snprintf(text[PRECISION].value, ST_TEXT, "%s", k->precision);
}

void keep_save(const char *path, const struct keep *k, const struct model *m,
               const float *w)
{
    struct st_pair meta[KEEP_PAIRS];

    keep_texts(k, meta);
    st_write(path, m->tensor, TENSORS, w, meta, KEEP_PAIRS);
}

/* load a checkpoint */
void keep_load(const char *path, struct keep *k, const struct model *m,
               float *w)
{
    struct st_pair meta[KEEP_PAIRS];
    size_t size;
    char *file = file_read(path, &size), *end;
    const char *why;
    uint64_t n[NUMBERS];
    float lr;

    memcpy(meta, keys, sizeof keys);
    why = st_decode(file, size, m ? m->tensor : NULL, TENSORS, w, meta,
                    KEEP_PAIRS);
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
    *k = (struct keep){.lr = lr, .seed = n[SEED], .data = n[DATA]};
    k->epoch = (int)n[EPOCH];
    k->batch = (int)n[BATCH];
    k->width = (int)n[WIDTH];
    snprintf(k->path, sizeof k->path, "%.15s", meta[PATH].value);
    snprintf(k->precision, sizeof k->precision, "%.7s", meta[PRECISION].value);
    free(file);
}
