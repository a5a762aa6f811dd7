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
__attribute__((format(printf, 1, 2))) static const char *wrong(const char *fmt,
                                                               ...)
{
    static char sentence[600];
    va_list args;

    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    return sentence;
}

struct reader {
    const char *begin, *at; /* the header, which ends with a 0 */
};

static const char *wrong_here(const struct reader *r, const char *what)
{
    return wrong("byte %d: %s", 8 + (int)(r->at - r->begin), what);
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
            return wrong("its metadata lack \"%s\", so it is no checkpoint of "
                         "this trainer",
                         meta[i].key);
    return NULL;
}

/* take a tensor of a header */
enum { ST_MOST = 32 }; /* tensors that may be wanted */

struct place {
    uint64_t from, to; /* to 0: not yet */
};

static const char *take_tensor(struct reader *r, const struct tensor *t,
                               int count, struct place *place)
{
    char name[ST_TEXT], shape[ST_TEXT], from[20], to[20], want[ST_TEXT];
    int n = 0, i = 0;

    sscanf(r->at,
           ", \"%127[^\"\\]\" : { \"dtype\" : \"F32\" , \"shape\" : "
           "[ %127[0-9,] ] , \"data_offsets\" : [ %18[0-9] , %18[0-9] ] } %n",
           name, shape, from, to, &n);
    if (n == 0)
        return wrong_here(r, "a tensor with dtype F32, shape and data_offsets "
                             "is wanted here");
    while (i < count && strcmp(name, t[i].name) != 0)
        i++;
    if (i == count)
        return wrong("%s: a tensor that the model has not", name);
    if (place[i].to != 0)
        return wrong("%s: a tensor of this name was there before", name);
    if (strcmp(shape, st_shape(&t[i], want)) != 0)
        return wrong("%s is [%s]; the model's is [%s]", name, shape, want);
    place[i] = (struct place){strtoull(from, NULL, 10), strtoull(to, NULL, 10)};
    if (place[i].to - place[i].from != 4 * t[i].count)
        return wrong("%s: data_offsets are not as far apart as the shape says",
                     name);
    r->at += n;
    return NULL;
}

/* check that the bytes are shared out exactly */
static const char *check_bytes(const struct tensor *t, int count,
                               const struct place *place, uint64_t bytes)
{
    uint64_t at = 0;

    for (int i = 0; i < count; i++)
        if (place[i].to == 0)
            return wrong("has no tensor %s", t[i].name);
    for (int n = 0, i; n < count; n++, at = place[i].to) {
        for (i = 0; i < count && place[i].from != at;)
            i++;
        if (i == count)
            return wrong("no tensor begins at byte %" PRIu64, at);
    }
    if (at != bytes)
        return wrong("was cut off, or goes on: its tensors take %" PRIu64
                     " bytes; it has %" PRIu64,
                     at, bytes);
    return NULL;
}

/* take the header apart */
const char *st_decode(char *file, size_t size, const struct tensor *t,
                      int count, float *w, struct st_pair *meta, int pairs)
{
    struct reader r = {file + 8, file + 8};
    struct place place[ST_MOST] = {{0, 0}};
    const char *why;
    char *end, behind;
    uint64_t n;

    CHECK(count <= ST_MOST, "%d tensors; at most %d", count, ST_MOST);
    memcpy(&n, file, size < 8 ? 0 : 8);
    if (size < 8 || n > 1 << 16 || n > size - 8)
        return wrong("is no safetensors file, or was cut off: it has %zu bytes",
                     size);
    end = file + 8 + n;
    behind = *end;
    *end = '\0';
    why = take_pairs(&r, meta, pairs);
    while (why == NULL && t && *r.at == ',')
        why = take_tensor(&r, t, count, place);
    if (why == NULL && t &&
        (*r.at != '}' || r.at + 1 + strspn(r.at + 1, " ") != end))
        why = wrong_here(&r, "the header does not end here as it should");
    *end = behind;
    if (why == NULL && t)
        why = check_bytes(t, count, place, size - 8 - n);
    for (int i = 0; why == NULL && t && i < count; i++)
        memcpy(w + t[i].at, end + place[i].from, 4 * t[i].count);
    return why;
}
