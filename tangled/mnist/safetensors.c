#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "mnist/safetensors.h"
#include "mnist/file.h"
#include "tour/check.h"

#include <inttypes.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error safetensors keeps numbers little-endian, and this machine does not
#endif

enum { HEADER_MOST = 1 << 20 };

/* write the tensors with a header */
static size_t st_bytes(const struct st_tensor *t)
{
    size_t n = sizeof(float);

    for (int i = 0; i < t->rank; i++)
        n *= (size_t)t->shape[i];
    return n;
}

static void write_header(FILE *to, const struct st_tensor *t, int count,
                         const struct st_pair *meta, int pairs)
{
    size_t at = 0;

    fputs("{\"__metadata__\":{", to);
    for (int i = 0; i < pairs; i++)
        fprintf(to, "%s\"%s\":\"%s\"", i > 0 ? "," : "", meta[i].key,
                meta[i].value);
    fputc('}', to);
    for (int i = 0; i < count; at += st_bytes(&t[i++])) {
        fprintf(to, ",\"%s\":{\"dtype\":\"F32\",\"shape\":[", t[i].name);
        for (int k = 0; k < t[i].rank; k++)
            fprintf(to, "%s%d", k > 0 ? "," : "", t[i].shape[k]);
        fprintf(to, "],\"data_offsets\":[%zu,%zu]}", at, at + st_bytes(&t[i]));
    }
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

struct text {
    const char *at;
    size_t len;
};

struct numbers {
    int count;
    uint64_t value[ST_RANK];
};

struct reader {
    const char *begin, *at, *end; /* the header */
    const char *name;             /* the file's */
    struct fault *why;
    const struct st_tensor *t; /* what is wanted ... */
    struct st_pair *meta;
    int count, pairs;
    uint64_t from[ST_MOST], to[ST_MOST]; /* ... and where; to 0: not yet */
    int metas, seen;                     /* a bit for each field of a tensor */
    struct numbers shape, place, *list;  /* of this tensor; the one to fill */
};

static int fail(const struct reader *r, const char *what)
{
    return fault_say(r->why, "%s: byte %zu: %s", r->name,
                     8 + (size_t)(r->at - r->begin), what);
}

static int is(struct text s, const char *what)
{
    return s.len == strlen(what) && memcmp(s.at, what, s.len) == 0;
}

/* read a list of JSON */
static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && memchr(" \t\n\r", *r->at, 4))
        r->at++;
}

/* Takes the character c if it is the next. */
static int next_is(struct reader *r, char c)
{
    skip_blanks(r);
    return r->at < r->end && *r->at == c ? r->at++, 1 : 0;
}

static int take(struct reader *r, char c)
{
    char what[] = "a ? is wanted here";

    what[2] = c;
    return next_is(r, c) ? 0 : fail(r, what);
}

static int list(struct reader *r, const char *ends,
                int (*item)(struct reader *r))
{
    if (take(r, ends[0]) != 0)
        return -1;
    if (next_is(r, ends[1]))
        return 0;
    do {
        if (item(r) != 0)
            return -1;
    } while (next_is(r, ','));
    return take(r, ends[1]);
}

static int string(struct reader *r, struct text *s)
{
    if (take(r, '"') != 0)
        return -1;
    for (s->at = r->at; r->at < r->end && *r->at != '"'; r->at++) {
        if (*r->at == '\\' && r->at + 1 < r->end)
            r->at++;
        if ((unsigned char)*r->at < ' ')
            return fail(r, "a control character in a string");
    }
    s->len = (size_t)(r->at - s->at);
    return take(r, '"');
}

/* read a number of JSON */
static int number(struct reader *r)
{
    int zero = next_is(r, '0'); /* then no digit follows */
    const char *first;
    uint64_t value = 0;

    for (first = r->at; r->at < r->end && *r->at >= '0' && *r->at <= '9';) {
        value = 10 * value + (uint64_t)(*r->at++ - '0');
        if (value >> 53 != 0)
            return fail(r, "a number of 2^53 or more");
    }
    if (zero == (r->at > first))
        return fail(r, "a whole number is wanted here");
    if (r->list->count == ST_RANK)
        return fail(r, "too many numbers in a list");
    r->list->value[r->list->count++] = value;
    return 0;
}

/* read the fields of a tensor and the metadata */
static int field(struct reader *r)
{
    static const char *const names[] = {"dtype", "shape", "data_offsets"};
    struct text s;
    int which = 0;

    if (string(r, &s) != 0 || take(r, ':') != 0)
        return -1;
    while (which < 3 && !is(s, names[which]))
        which++;
    if (which == 3 || (r->seen & 1 << which) != 0)
        return fail(r, "not one of dtype, shape, data_offsets, each once");
    r->seen |= 1 << which;
    if (which == 0)
        return string(r, &s) != 0 ? -1 : is(s, "F32") ? 0 : fail(r, "not F32");
    r->list = which == 1 ? &r->shape : &r->place;
    r->list->count = 0;
    return list(r, "[]", number);
}

static int pair(struct reader *r)
{
    struct text key, value;

    if (string(r, &key) != 0 || take(r, ':') != 0 || string(r, &value) != 0)
        return -1;
    for (struct st_pair *p = r->meta; p < r->meta + r->pairs; p++) {
        if (!is(key, p->key))
            continue;
        if (p->value[0] != '\0')
            return fail(r, "this key was there before");
        if (value.len >= sizeof p->value)
            return fail(r, "this value is too long");
        memcpy(p->value, value.at, value.len);
    }
    return 0;
}

/* match a tensor with the model's */
static const char *shape_text(int count, const uint64_t *n, char *text)
{
    size_t at = 0;

    text[0] = '\0';
    for (int i = 0; i < count; i++)
        at += (size_t)sprintf(text + at, "%s%" PRIu64, i > 0 ? "," : "", n[i]);
    return text;
}

static int match(struct reader *r, int i)
{
    const struct st_tensor *t = &r->t[i];
    const uint64_t *place = r->place.value;
    uint64_t wants[ST_RANK] = {0};
    char a[100], b[100];

    for (int k = 0; k < t->rank; k++)
        wants[k] = (uint64_t)t->shape[k];
    if (r->to[i] != 0)
        return fail(r, "a tensor of this name was there before");
    if (r->shape.count != t->rank ||
        memcmp(wants, r->shape.value, sizeof *wants * (size_t)t->rank) != 0)
        return fault_say(r->why, "%s: %s is [%s]; the model's is [%s]", r->name,
                         t->name, shape_text(r->shape.count, r->shape.value, a),
                         shape_text(t->rank, wants, b));
    if (place[1] < place[0] || place[1] - place[0] != st_bytes(t))
        return fail(r, "data_offsets are not as far apart as the shape says");
    r->from[i] = place[0];
    r->to[i] = place[1];
    return 0;
}

static int member(struct reader *r)
{
    struct text name;
    int i = 0;

    if (string(r, &name) != 0 || take(r, ':') != 0)
        return -1;
    if (is(name, "__metadata__"))
        return r->metas++ ? fail(r, "__metadata__ a second time")
                          : list(r, "{}", pair);
    while (i < r->count && !is(name, r->t[i].name))
        i++;
    if (i == r->count)
        return fail(r, "a tensor that the model has not");
    r->seen = 0;
    if (list(r, "{}", field) != 0)
        return -1;
    if (r->seen != 7 || r->place.count != 2)
        return fail(r, "a tensor has dtype, shape and two data_offsets");
    return r->count < 0 ? 0 : match(r, i);
}

/* check that the bytes are shared out exactly */
static int check_bytes(const struct reader *r, uint64_t bytes)
{
    uint64_t at = 0;

    for (int i = 0; i < r->count; i++)
        if (r->to[i] == 0)
            return fault_say(r->why, "%s: has no tensor %s", r->name,
                             r->t[i].name);
    for (int n = 0, i; n < r->count; n++, at = r->to[i]) {
        for (i = 0; i < r->count && r->from[i] != at;)
            i++;
        if (i == r->count)
            return fault_say(r->why, "%s: no tensor begins at byte %" PRIu64,
                             r->name, at);
    }
    return r->count < 0 || at == bytes
               ? 0
               : fault_say(r->why,
                           "%s: was cut off, or goes on: its tensors take "
                           "%" PRIu64 " bytes; it has %" PRIu64,
                           r->name, at, bytes);
}

/* take the header apart */
static int read_header(struct reader *r, const unsigned char *file, size_t size)
{
    uint64_t n = 0;

    for (int i = 0; i < 8 && size >= 8; i++)
        n |= (uint64_t)file[i] << (8 * i);
    if (size < 8 || n > HEADER_MOST || n > size - 8)
        return fault_say(r->why,
                         "%s: is no safetensors file, or was cut off: it has "
                         "%zu bytes and says that its header has %" PRIu64,
                         r->name, size, n);
    r->begin = r->at = (const char *)file + 8;
    r->end = r->begin + n;
    if (n == 0 || *r->at != '{')
        return fail(r, "a { is wanted here");
    if (list(r, "{}", member) != 0)
        return -1;
    skip_blanks(r);
    if (r->at != r->end)
        return fail(r, "text behind the header's }");
    for (int i = 0; i < r->pairs; i++)
        if (r->meta[i].value[0] == '\0')
            return fault_say(r->why,
                             "%s: its metadata lack \"%s\", so it is no "
                             "checkpoint of this trainer",
                             r->name, r->meta[i].key);
    return check_bytes(r, size - 8 - n);
}

int st_decode(const unsigned char *file, size_t size, const char *name,
              const struct st_tensor *t, int count, struct st_pair *meta,
              int pairs, struct fault *why)
{
    struct reader r = {.name = name,
                       .why = why,
                       .t = t,
                       .meta = meta,
                       .count = count,
                       .pairs = pairs};

    CHECK(count <= ST_MOST, "%d tensors; at most %d", count, ST_MOST);
    if (read_header(&r, file, size) != 0)
        return -1;
    for (int i = 0; i < count; i++)
        memcpy(t[i].data, r.end + r.from[i], st_bytes(&t[i]));
    return 0;
}
