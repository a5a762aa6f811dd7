#include <stdlib.h>

#include "mnist/start.h"
#include "random/init.h"
#include "tour/check.h"

static int write_all(const char *dir, const char *name, const void *from,
                     size_t bytes, struct fault *why)
{
    char path[1000];
    FILE *f;
    size_t done;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "wb");
    if (f == NULL)
        return fault_say(why, "%.900s cannot be written", path);
    done = fwrite(from, 1, bytes, f);
    if (fclose(f) != 0 || done != bytes)
        return fault_say(why, "%.900s: not all of it could be written", path);
    return 0;
}
int start_write(const char *dir, const struct model *m, uint64_t seed,
                int count, int epochs, struct fault *why)
{
    float *w = (float *)check_alloc(m->total, sizeof *w);
    size_t numbers = (size_t)count * epochs;
    int *order = (int *)check_alloc(numbers, sizeof *order), bad;

    model_init(m, w, seed);
    for (int e = 0; e < epochs; e++)
        shuffle_order(count, seed, (uint64_t)e, order + (size_t)e * count);
    bad = write_all(dir, "weights.bin", w, m->total * sizeof *w, why) ||
          write_all(dir, "order.bin", order, numbers * sizeof *order, why);
    free(w);
    free(order);
    return bad ? -1 : 0;
}
