#include "mnist/safetensors.h"
#include "mnist/file.h"
#include "tour/check.h"

#include <inttypes.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error safetensors keeps numbers little-endian, and this machine does not
#endif

/* write the tensors with a header */
/* 2,3 for a shape of 2 x 3; returns text. */
static char *st_shape(const struct tensor *t, char text[ST_TEXT])
{
    int n = 0;

    for (int k = 0; k < t->rank; k++)
        n += sprintf(text + n, "%s%d", k > 0 ? "," : "", t->shape[k]);
    return text;
}

void st_write(const char *path, const struct tensor *t, int count,
              const float *w, const struct st_pair *meta, int pairs)
{
    FILE *to = file_begin(path);
    char shape[ST_TEXT];
    size_t end = 0;
    uint64_t n = 0;

    fwrite(&n, sizeof n, 1, to);
    fputs("{\"__metadata__\":{", to);
    for (int i = 0; i < pairs; i++)
        fprintf(to, "%s\"%s\":\"%s\"", i > 0 ? "," : "", meta[i].key,
                meta[i].value);
    fputc('}', to);
    for (int i = 0; i < count; i++) {
        end = t[i].at + t[i].count;
        fprintf(to,
                ",\"%s\":{\"dtype\":\"F32\",\"shape\":[%s],"
                "\"data_offsets\":[%zu,%zu]}",
                t[i].name, st_shape(&t[i], shape), 4 * t[i].at, 4 * end);
    }
    fprintf(to, "}%*s", (int)((15 - ftell(to) % 8) % 8), "");
    n = (uint64_t)ftell(to) - sizeof n;
    rewind(to);
    fwrite(&n, sizeof n, 1, to);
    fseek(to, 0, SEEK_END);
    fwrite(w, sizeof *w, end, to);
    file_commit(to, path); /* which sees if any of this failed */
}

/* say what is wrong with a header */
static char sentence[600];
#define WRONG(...) (snprintf(sentence, sizeof sentence, __VA_ARGS__), sentence)

struct reader {
    const char *begin, *at, *end; /* the header; a 0 stands at its end */
};

static const char *wrong_here(const struct reader *r, const char *what)
{
    return WRONG("byte %d: %s", 8 + (int)(r->at - r->begin), what);
}

/* take the metadata */
static const char *take_pairs(struct reader *r, struct st_pair *meta, int pairs)
{
    int n = 0;

    sscanf(r->at, "{ \"__metadata__\" : {%n", &n);
    r->at += n;
    for (char end = n ? ',' : '}'; end == ','; end = *r->at++) {
        char key[ST_TEXT], value[ST_TEXT];

        n = 0;
        sscanf(r->at, " \"%127[^\"\\]\" : \"%127[^\"\\]\" %n", key, value, &n);
        if (n == 0)
            return wrong_here(r, "a pair of texts is wanted here");
        r->at += n;
        for (struct st_pair *p = meta; p < meta + pairs; p++)
            if (strcmp(key, p->key) == 0 && p->value[0] != '\0')
                return wrong_here(r, "this key was there before");
            else if (strcmp(key, p->key) == 0)
                strcpy(p->value, value);
    }
    if (r->at == r->begin || r->at[-1] != '}')
        return wrong_here(r, "metadata in { } are wanted here");
    for (int i = 0; i < pairs; i++)
        if (meta[i].value[0] == '\0')
            return WRONG("its metadata lack \"%s\", so it is no checkpoint of "
                         "this trainer",
                         meta[i].key);
    return NULL;
}

/* take the tensors */
/* to[i]: where tensor i ends, of so many bytes; 0 before. */
static const char *take_tensors(struct reader *r, const struct tensor *t,
                                int count, uint64_t bytes, uint64_t *to)
{
    uint64_t at = 0;

    while (*r->at == ',') {
        char name[ST_TEXT], shape[ST_TEXT], begin[20], end[20], want[ST_TEXT];
        int n = 0, i = 0;

        sscanf(r->at,
               ", \"%127[^\"\\]\" : { \"dtype\" : \"F32\" , \"shape\" : "
               "[ %127[0-9,] ] , \"data_offsets\" : [ %18[0-9] , %18[0-9] ] } "
               "%n",
               name, shape, begin, end, &n);
        if (n == 0)
            return wrong_here(r, "a tensor with dtype F32, shape and "
                                 "data_offsets is wanted here");
        r->at += n;
        while (i < count && strcmp(name, t[i].name) != 0)
            i++;
        if (i == count)
            return WRONG("%s: a tensor that the model has not", name);
        if (to[i] != 0)
            return WRONG("%s: a tensor of this name was there before", name);
        if (strcmp(shape, st_shape(&t[i], want)) != 0)
            return WRONG("%s is [%s]; the model's is [%s]", name, shape, want);
        to[i] = at + 4 * t[i].count;
        if (strtoull(begin, NULL, 10) != at || strtoull(end, NULL, 10) != to[i])
            return WRONG("%s has bytes %s to %s; %" PRIu64 " to %" PRIu64
                         " are next",
                         name, begin, end, at, to[i]);
        at = to[i];
    }
    if (*r->at != '}' || r->at + 1 + strspn(r->at + 1, " ") != r->end)
        return wrong_here(r, "the header does not end here as it should");
    for (int i = 0; i < count; i++)
        if (to[i] == 0)
            return WRONG("has no tensor %s", t[i].name);
    if (at != bytes)
        return WRONG("was cut off, or goes on: its tensors take %" PRIu64
                     " bytes; it has %" PRIu64,
                     at, bytes);
    return NULL;
}

/* take the header apart */
const char *st_decode(char *file, size_t size, const struct tensor *t,
                      int count, float *w, struct st_pair *meta, int pairs)
{
    struct reader r = {file + 8, file + 8, NULL};
    uint64_t n, to[TENSORS] = {0};
    const char *why;
    char *data, behind;

    CHECK(count <= TENSORS, "%d tensors; at most %d", count, TENSORS);
    memcpy(&n, file, size < 8 ? 0 : 8);
    if (size < 8 || n > 1 << 16 || n > size - 8)
        return WRONG("is no safetensors file, or was cut off: it has %zu bytes",
                     size);
    r.end = data = file + 8 + n;
    behind = *data;
    *data = '\0';
    why = take_pairs(&r, meta, pairs);
    if (why == NULL && t)
        why = take_tensors(&r, t, count, size - 8 - n, to);
    *data = behind;
    for (int i = 0; why == NULL && t && i < count; i++)
        memcpy(w + t[i].at, data + to[i] - 4 * t[i].count, 4 * t[i].count);
    return why;
}
