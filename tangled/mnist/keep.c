#include "mnist/keep.h"
#include "mnist/file.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { EPOCH, BATCH, WIDTH, LR, SEED, DATA, PATH, PAIRS };

static const struct st_pair keys[PAIRS] = {
    {"epoch", ""}, {"batch", ""}, {"width", ""}, {"lr", ""},
    {"seed", ""},  {"data", ""},  {"path", ""}};

/* save a checkpoint */
int keep_save(const char *path, const struct keep *k, const struct st_tensor *t,
              int count, struct fault *why)
{
    struct st_pair meta[PAIRS];
    enum { ROOM = sizeof meta[0].value };

    memcpy(meta, keys, sizeof meta);
    snprintf(meta[EPOCH].value, ROOM, "%d", k->epoch);
    snprintf(meta[BATCH].value, ROOM, "%d", k->batch);
    snprintf(meta[WIDTH].value, ROOM, "%d", k->width);
    snprintf(meta[LR].value, ROOM, "%.9g", (double)k->lr);
    snprintf(meta[SEED].value, ROOM, "%" PRIu64, k->seed);
    snprintf(meta[DATA].value, ROOM, "%" PRIu64, k->data);
    snprintf(meta[PATH].value, ROOM, "%.15s", k->path);
    return st_write(path, t, count, meta, PAIRS, why);
}

/* read a whole number of the metadata */
/* Digits and nothing else, from 0 to most. */
static int keep_number(const char *path, const struct st_pair *p, uint64_t most,
                       uint64_t *value, struct fault *why)
{
    const char *s = p->value;
    char *end;

    errno = 0;
    *value = *s >= '0' && *s <= '9' ? strtoull(s, &end, 10) : UINT64_MAX;
    if (*s < '0' || *s > '9' || *end != '\0' || errno != 0 || *value > most)
        return fault_say(why,
                         "%s: its metadata \"%s\" is \"%.30s\", which is "
                         "no whole number up to %" PRIu64,
                         path, p->key, s, most);
    return 0;
}

/* read the settings of a checkpoint */
static int keep_take(const char *path, const struct st_pair *meta,
                     struct keep *k, struct fault *why)
{
    uint64_t epoch, batch, width;
    char *end;

    if (keep_number(path, &meta[EPOCH], INT_MAX, &epoch, why) != 0 ||
        keep_number(path, &meta[BATCH], INT_MAX, &batch, why) != 0 ||
        keep_number(path, &meta[WIDTH], INT_MAX, &width, why) != 0 ||
        keep_number(path, &meta[SEED], UINT64_MAX, &k->seed, why) != 0 ||
        keep_number(path, &meta[DATA], UINT64_MAX, &k->data, why) != 0)
        return -1;
    k->epoch = (int)epoch;
    k->batch = (int)batch;
    k->width = (int)width;
    k->lr = strtof(meta[LR].value, &end);
    if (end == meta[LR].value || *end != '\0' || !(k->lr >= 0 && k->lr < 1e30f))
        return fault_say(why, "%s: its metadata \"lr\" is \"%.30s\"", path,
                         meta[LR].value);
    snprintf(k->path, sizeof k->path, "%.15s", meta[PATH].value);
    return 0;
}

/* All of it is checked before any tensor is touched. */
int keep_load(const char *path, struct keep *k, const struct st_tensor *t,
              int count, struct fault *why)
{
    struct st_pair meta[PAIRS];
    unsigned char *file;
    size_t size;
    int bad = file_read(path, &file, &size, why);

    memcpy(meta, keys, sizeof meta);
    if (bad == 0)
        bad = st_decode(file, size, path, NULL, -1, meta, PAIRS, why);
    if (bad == 0)
        bad = keep_take(path, meta, k, why);
    if (bad == 0 && count >= 0)
        bad = st_decode(file, size, path, t, count, NULL, 0, why);
    free(file);
    return bad;
}

int keep_look(const char *path, struct keep *k, struct fault *why)
{
    return keep_load(path, k, NULL, -1, why);
}
