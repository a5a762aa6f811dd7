#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "mnist/safetensors.h"
#include "mnist/file.h"
#include "tour/check.h"

#include <inttypes.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error safetensors keeps numbers little-endian, and this machine does not
#endif

/* write the tensors with a header */
static size_t st_bytes(const struct st_tensor *t)
{
    size_t n = sizeof(float);

    for (int i = 0; i < t->rank; i++)
        n *= (size_t)t->shape[i];
    return n;
}

/* 2,3 for a shape of 2 x 3; returns text. */
static char *st_shape(const struct st_tensor *t, char text[ST_TEXT])
{
    int n = 0;

    for (int k = 0; k < t->rank; k++)
        n += sprintf(text + n, "%s%d", k > 0 ? "," : "", t->shape[k]);
    return text;
}

static void write_header(FILE *to, const struct st_tensor *t, int count,
                         const struct st_pair *meta, int pairs)
{
    char shape[ST_TEXT];
    size_t at = 0;

    fputs("{\"__metadata__\":{", to);
    for (int i = 0; i < pairs; i++)
        fprintf(to, "%s\"%s\":\"%s\"", i > 0 ? "," : "", meta[i].key,
                meta[i].value);
    fputc('}', to);
    for (int i = 0; i < count; at += st_bytes(&t[i++]))
        fprintf(to,
                ",\"%s\":{\"dtype\":\"F32\",\"shape\":[%s],"
                "\"data_offsets\":[%zu,%zu]}",
                t[i].name, st_shape(&t[i], shape), at, at + st_bytes(&t[i]));
    fprintf(to, "}%*s", (int)((15 - ftell(to) % 8) % 8), "");
}

int st_write(const char *path, const struct st_tensor *t, int count,
             const struct st_pair *meta, int pairs, struct fault *why)
{
    struct file_new *f = file_begin(path, why);
    char *text = NULL;
    size_t size;
    FILE *head = open_memstream(&text, &size);
    uint64_t n;
    int bad;

    if (head != NULL)
        write_header(head, t, count, meta, pairs);
    CHECK(head != NULL && fclose(head) == 0, "no memory for a header");
    n = size;
    bad = f == NULL || file_put(f, &n, sizeof n, why) != 0 ||
          file_put(f, text, size, why) != 0;
    free(text);
    for (int i = 0; i < count && !bad; i++)
        bad = file_put(f, t[i].data, st_bytes(&t[i]), why) != 0;
    return f == NULL ? -1 : bad ? file_abandon(f) : file_commit(f, why);
}

/* hold what a header says */
enum { ST_MOST = 32 }; /* tensors that may be wanted */

struct place {
    uint64_t from, to; /* to 0: not yet */
};

struct reader {
    const char *begin, *at; /* the header, which ends with a 0 */
    const char *name;       /* the file's */
    struct fault *why;
    struct place place[ST_MOST];
};

static int fail(const struct reader *r, const char *what)
{
    return fault_say(r->why, "%s: byte %zu: %s", r->name,
                     8 + (size_t)(r->at - r->begin), what);
}

/* take the metadata */
static int take_pairs(struct reader *r, struct st_pair *meta, int pairs)
{
    int n = 0;

    sscanf(r->at, "{ \"__metadata__\" : {%n", &n);
    r->at += n;
    for (char end = n ? ',' : '}'; end == ','; end = *r->at++) {
        char key[ST_TEXT], text[ST_TEXT];

        n = 0;
        sscanf(r->at, " \"%127[^\"\\]\" : \"%127[^\"\\]\" %n", key, text, &n);
        if (n == 0)
            return fail(r, "a pair of texts is wanted here");
        r->at += n;
        for (struct st_pair *p = meta; p < meta + pairs; p++)
            if (strcmp(key, p->key) == 0 && p->value[0] != '\0')
                return fail(r, "this key was there before");
            else if (strcmp(key, p->key) == 0)
                strcpy(p->value, text);
    }
    if (r->at == r->begin || r->at[-1] != '}')
        return fail(r, "metadata in { } are wanted here");
    for (int i = 0; i < pairs; i++)
        if (meta[i].value[0] == '\0')
            return fault_say(r->why,
                             "%s: its metadata lack \"%s\", so it is no "
                             "checkpoint of this trainer",
                             r->name, meta[i].key);
    return 0;
}

/* take a tensor of a header */
static int take_tensor(struct reader *r, const struct st_tensor *t, int count)
{
    char name[ST_TEXT], shape[ST_TEXT], from[20], to[20], want[ST_TEXT];
    struct place *p;
    int n = 0, i = 0;

    sscanf(r->at,
           ", \"%127[^\"\\]\" : { \"dtype\" : \"F32\" , \"shape\" : "
           "[ %127[0-9,] ] , \"data_offsets\" : [ %18[0-9] , %18[0-9] ] } %n",
           name, shape, from, to, &n);
    if (n == 0)
        return fail(r, "a tensor with dtype F32, shape and data_offsets is "
                       "wanted here");
    while (i < count && strcmp(name, t[i].name) != 0)
        i++;
    if (i == count)
        return fail(r, "a tensor that the model has not");
    p = &r->place[i];
    if (p->to != 0)
        return fail(r, "a tensor of this name was there before");
    if (strcmp(shape, st_shape(&t[i], want)) != 0)
        return fault_say(r->why, "%s: %s is [%s]; the model's is [%s]", r->name,
                         name, shape, want);
    *p = (struct place){strtoull(from, NULL, 10), strtoull(to, NULL, 10)};
    if (p->to - p->from != st_bytes(&t[i]))
        return fail(r, "data_offsets are not as far apart as the shape says");
    r->at += n;
    return 0;
}

/* check that the bytes are shared out exactly */
static int check_bytes(const struct reader *r, const struct st_tensor *t,
                       int count, uint64_t bytes)
{
    uint64_t at = 0;

    for (int i = 0; i < count; i++)
        if (r->place[i].to == 0)
            return fault_say(r->why, "%s: has no tensor %s", r->name,
                             t[i].name);
    for (int n = 0, i; n < count; n++, at = r->place[i].to) {
        for (i = 0; i < count && r->place[i].from != at;)
            i++;
        if (i == count)
            return fault_say(r->why, "%s: no tensor begins at byte %" PRIu64,
                             r->name, at);
    }
    if (at == bytes)
        return 0;
    return fault_say(r->why,
                     "%s: was cut off, or goes on: its tensors take %" PRIu64
                     " bytes; it has %" PRIu64,
                     r->name, at, bytes);
}

/* take the header apart */
static int take_header(struct reader *r, const char *end,
                       const struct st_tensor *t, int count,
                       struct st_pair *meta, int pairs)
{
    if (take_pairs(r, meta, pairs) != 0)
        return -1;
    while (count >= 0 && *r->at == ',')
        if (take_tensor(r, t, count) != 0)
            return -1;
    if (count >= 0 &&
        (*r->at != '}' || r->at + 1 + strspn(r->at + 1, " ") != end))
        return fail(r, "the header does not end here as it should");
    return 0;
}

int st_decode(const unsigned char *file, size_t size, const char *name,
              const struct st_tensor *t, int count, struct st_pair *meta,
              int pairs, struct fault *why)
{
    static char head[1 << 16];
    struct reader r = {.begin = head, .at = head, .name = name, .why = why};
    uint64_t n;

    CHECK(count <= ST_MOST, "%d tensors; at most %d", count, ST_MOST);
    memcpy(&n, file, size < 8 ? 0 : 8);
    if (size < 8 || n >= sizeof head || n > size - 8)
        return fault_say(why,
                         "%s: is no safetensors file, or was cut off: it has "
                         "%zu bytes",
                         name, size);
    memcpy(head, file + 8, n);
    head[n] = '\0';
    if (take_header(&r, head + n, t, count, meta, pairs) != 0 ||
        (count >= 0 && check_bytes(&r, t, count, size - 8 - n) != 0))
        return -1;
    for (int i = 0; i < count; i++)
        memcpy(t[i].data, file + 8 + n + r.place[i].from, st_bytes(&t[i]));
    return 0;
}
