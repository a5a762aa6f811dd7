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

static int keep_number(const char *path, const struct st_pair *p, uint64_t most,
                       uint64_t *value, struct fault *why)
{
    const char *s = p->value;
    char *end;

    errno = 0;
    *value = strtoull(s, &end, 10);
    if (*s >= '0' && *s <= '9' && *end == '\0' && errno == 0 && *value <= most)
        return 0;
    return fault_say(why,
                     "%s: its metadata \"%s\" is \"%s\"; a whole number "
                     "up to %" PRIu64 " is wanted",
                     path, p->key, s, most);
}

static int keep_take(const char *path, const struct st_pair *meta,
                     struct keep *k, struct fault *why)
{
    static const int which[] = {EPOCH, BATCH, WIDTH, SEED, DATA};
    uint64_t n[5];
    char *end;
    float lr = strtof(meta[LR].value, &end);

    for (int i = 0; i < 5; i++)
        if (keep_number(path, &meta[which[i]],
                        which[i] < LR ? INT_MAX : UINT64_MAX, &n[i], why) != 0)
            return -1;
    if (end == meta[LR].value || *end != '\0' || !(lr > 0 && lr < 1e30f))
        return fault_say(why, "%s: its metadata \"lr\" is \"%s\"", path,
                         meta[LR].value);
    k->epoch = (int)n[0];
    k->batch = (int)n[1];
    k->width = (int)n[2];
    k->seed = n[3];
    k->data = n[4];
    k->lr = lr;
    snprintf(k->path, sizeof k->path, "%.15s", meta[PATH].value);
    return 0;
}

/* load a checkpoint */
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
