#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "mnist/safetensors.h"
#include "mnist/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error safetensors keeps numbers little-endian, and this machine does not
#endif

enum { HEADER_MOST = 1 << 20 };

/* describe a tensor in the header */
static size_t st_bytes(const struct st_tensor *t)
{
    size_t n = sizeof(float);

    for (int i = 0; i < t->rank; i++)
        n *= (size_t)t->shape[i];
    return n;
}

static void head_tensor(FILE *head, const struct st_tensor *t, size_t begin)
{
    fprintf(head, ",\"%s\":{\"dtype\":\"F32\",\"shape\":[", t->name);
    for (int i = 0; i < t->rank; i++)
        fprintf(head, "%s%d", i > 0 ? "," : "", t->shape[i]);
    fprintf(head, "],\"data_offsets\":[%zu,%zu]}", begin, begin + st_bytes(t));
}

/* put the parts of a safetensors file */
static int st_put(const char *path, const char *head, size_t n,
                  const struct st_tensor *t, int count, struct fault *why)
{
    struct file_new *f = file_begin(path, why);
    unsigned char length[8];
    int bad;

    if (f == NULL)
        return -1;
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)((uint64_t)n >> (8 * i));
    bad = file_put(f, length, sizeof length, why) != 0 ||
          file_put(f, head, n, why) != 0;
    for (int i = 0; i < count && !bad; i++)
        bad = file_put(f, t[i].data, st_bytes(&t[i]), why) != 0;
    return bad ? file_abandon(f) : file_commit(f, why);
}

int st_write(const char *path, const struct st_tensor *t, int count,
             const struct st_pair *meta, int pairs, struct fault *why)
{
    char *text = NULL;
    size_t size, at = 0;
    FILE *head = open_memstream(&text, &size);
    int bad;

    if (head == NULL)
        return fault_say(why, "%s: no memory for its header", path);
    fputs("{\"__metadata__\":{", head);
    for (int i = 0; i < pairs; i++)
        fprintf(head, "%s\"%s\":\"%s\"", i > 0 ? "," : "", meta[i].key,
                meta[i].value);
    fputc('}', head);
    for (int i = 0; i < count; at += st_bytes(&t[i++]))
        head_tensor(head, &t[i], at);
    fprintf(head, "}%*s", (int)((15 - ftell(head) % 8) % 8), ""); /* 8 n */
    bad = fclose(head) != 0
              ? fault_say(why, "%s: no memory for its header", path)
              : st_put(path, text, size, t, count, why);
    free(text);
    return bad;
}

/* hold what a header says */
enum { ENTRIES_MOST = 1000, RANK_MOST = 8 };

struct numbers {
    int count;
    uint64_t value[RANK_MOST];
};

struct st_entry {
    const char *name;
    int seen; /* a bit for each of the three fields */
    struct numbers shape;
    uint64_t begin, end; /* bytes behind the header */
};

struct st_head {
    int count, pairs, metas;
    struct st_entry entry[ENTRIES_MOST];
    const char *key[ENTRIES_MOST], *value[ENTRIES_MOST];
    char *text; /* all names, keys and values, a 0 behind each */
};

struct json {
    const char *at, *end, *begin, *name;
    char *text; /* where the next string goes */
    struct fault *why;
};

static int json_fail(const struct json *j, const char *what)
{
    return fault_say(j->why, "%s: byte %zu: %s", j->name,
                     8 + (size_t)(j->at - j->begin), what);
}

static void json_space(struct json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' ||
                              *j->at == '\n' || *j->at == '\r'))
        j->at++;
}

/* Takes the character c if it is the next. */
static int json_if(struct json *j, char c)
{
    json_space(j);
    return j->at < j->end && *j->at == c ? j->at++, 1 : 0;
}

/* read a list of JSON */
static int json_take(struct json *j, char c)
{
    char what[] = "a ? is wanted here";

    what[2] = c;
    return json_if(j, c) ? 0 : json_fail(j, what);
}

static int json_list(struct json *j, const char *ends,
                     int (*item)(struct json *, void *), void *to)
{
    if (json_take(j, ends[0]) != 0)
        return -1;
    if (json_if(j, ends[1]))
        return 0;
    do {
        if (item(j, to) != 0)
            return -1;
    } while (json_if(j, ','));
    return json_take(j, ends[1]);
}

static int json_string(struct json *j, const char **s)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

    *s = j->text;
    if (json_take(j, '"') != 0)
        return -1;
    while (j->at < j->end && *j->at != '"') {
        char c = *j->at++;

        if ((unsigned char)c < ' ')
            return json_fail(j, "a control character in a string");
        if (c == '\\') {
            char e = j->at < j->end ? *j->at++ : '\0';
            const char *p = e != '\0' ? strchr(from, e) : NULL;

            if (p == NULL)
                return json_fail(j, "an escape that is not read here");
            c = to[p - from];
        }
        *j->text++ = c;
    }
    *j->text++ = '\0';
    return json_take(j, '"');
}

/* read a number of JSON */
static int json_number(struct json *j, void *to)
{
    struct numbers *n = to;
    uint64_t value = 0;
    const char *first;

    json_space(j);
    for (first = j->at; j->at < j->end && *j->at >= '0' && *j->at <= '9';) {
        value = 10 * value + (uint64_t)(*j->at++ - '0');
        if (value >> 53 != 0)
            return json_fail(j, "a number of 2^53 or more");
    }
    if (j->at == first || (*first == '0' && j->at - first > 1))
        return json_fail(j, "a whole number is wanted here");
    if (n->count == RANK_MOST)
        return json_fail(j, "too many numbers in a list");
    n->value[n->count++] = value;
    return 0;
}

static int head_field(struct json *j, void *to)
{
    static const char *const field[] = {"dtype", "shape", "data_offsets"};
    struct st_entry *e = to;
    struct numbers offset = {0};
    const char *name, *dtype;
    int which = 0;

    if (json_string(j, &name) != 0 || json_take(j, ':') != 0)
        return -1;
    while (which < 3 && strcmp(name, field[which]) != 0)
        which++;
    if (which == 3 || (e->seen & 1 << which) != 0)
        return json_fail(j, "not one of dtype, shape, data_offsets, each once");
    e->seen |= 1 << which;
    if (which == 0 && json_string(j, &dtype) != 0)
        return -1;
    if (which == 0)
        return strcmp(dtype, "F32") == 0 ? 0 : json_fail(j, "not F32");
    if (which == 1)
        return json_list(j, "[]", json_number, &e->shape);
    if (json_list(j, "[]", json_number, &offset) != 0)
        return -1;
    e->begin = offset.value[0];
    e->end = offset.value[1];
    return offset.count == 2 ? 0 : json_fail(j, "data_offsets are two numbers");
}

/* read the metadata */
static int head_pair(struct json *j, void *to)
{
    struct st_head *h = to;
    int n = h->pairs;

    if (n == ENTRIES_MOST)
        return json_fail(j, "more than 1000 pairs of metadata");
    if (json_string(j, &h->key[n]) != 0 || json_take(j, ':') != 0 ||
        json_string(j, &h->value[n]) != 0)
        return -1;
    for (int i = 0; i < n; i++)
        if (strcmp(h->key[i], h->key[n]) == 0)
            return json_fail(j, "this key was there before");
    h->pairs++;
    return 0;
}

static int head_member(struct json *j, void *to)
{
    struct st_head *h = to;
    struct st_entry *e = &h->entry[h->count];
    const char *name;

    if (json_string(j, &name) != 0 || json_take(j, ':') != 0)
        return -1;
    if (strcmp(name, "__metadata__") == 0)
        return h->metas++ ? json_fail(j, "__metadata__ a second time")
                          : json_list(j, "{}", head_pair, h);
    for (int i = 0; i < h->count; i++)
        if (strcmp(h->entry[i].name, name) == 0)
            return json_fail(j, "a tensor of this name was there before");
    if (h->count == ENTRIES_MOST)
        return json_fail(j, "more than 1000 tensors");
    e->name = name;
    h->count++;
    if (json_list(j, "{}", head_field, e) != 0)
        return -1;
    return e->seen == 7
               ? 0
               : json_fail(j, "dtype, shape or data_offsets is missing");
}

/* check that the bytes are shared out exactly */

/* put tensors in the order of their bytes */
static int by_place(const void *a, const void *b)
{
    const struct st_entry *x = a, *y = b;

    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* find the bytes of a shape */
/* The bytes of floats of this shape; UINT64_MAX when there are more than most. */
static uint64_t shape_bytes(const struct st_entry *e, uint64_t most)
{
    uint64_t n = sizeof(float);

    for (int i = 0; i < e->shape.count; i++)
        if (e->shape.value[i] == 0)
            return 0;
    for (int i = 0; i < e->shape.count; i++) {
        if (n > most / e->shape.value[i])
            return UINT64_MAX;
        n *= e->shape.value[i];
    }
    return n;
}

static int head_bytes(struct st_head *h, uint64_t bytes, const char *name,
                      struct fault *why)
{
    uint64_t at = 0;

    qsort(h->entry, (size_t)h->count, sizeof *h->entry, by_place);
    for (int i = 0; i < h->count; at = h->entry[i++].end) {
        const struct st_entry *e = &h->entry[i];

        /* check the bytes of one tensor */
        const char *what = "is not as long as its shape says";

        if (e->begin != at)
            what = "does not begin where the last one ended";
        else if (e->end > bytes)
            what = "was cut off";
        if (e->begin != at || e->end > bytes || e->end < e->begin ||
            e->end - e->begin != shape_bytes(e, bytes))
            return fault_say(why,
                             "%s: bytes %" PRIu64 " to %" PRIu64 " of %" PRIu64
                             ": %.60s %s",
                             name, e->begin, e->end, bytes, e->name, what);
    }
    if (at == bytes)
        return 0;
    return fault_say(why,
                     "%s: its tensors take %" PRIu64 " bytes; it has %" PRIu64,
                     name, at, bytes);
}

/* match the file with what is wanted */
static const struct st_entry *head_find(const struct st_head *h,
                                        const char *name)
{
    for (int i = 0; i < h->count; i++)
        if (strcmp(h->entry[i].name, name) == 0)
            return &h->entry[i];
    return NULL;
}

/* say how two shapes differ */
static const char *shape_text(const struct numbers *n, char *text)
{
    size_t at = 0;

    text[0] = '\0';
    for (int i = 0; i < n->count; i++)
        at += (size_t)sprintf(text + at, "%s%" PRIu64, i > 0 ? "," : "",
                              n->value[i]);
    return text;
}

static int shapes_differ(const char *name, const struct st_entry *e,
                         const struct numbers *wants, struct fault *why)
{
    char a[200], b[200];

    return fault_say(why, "%s: %s is [%s]; the model's is [%s]", name, e->name,
                     shape_text(&e->shape, a), shape_text(wants, b));
}

/* compare the tensors */
static int head_match(const struct st_head *h, const struct st_tensor *t,
                      int count, const char *name, struct fault *why)
{
    for (int i = 0; i < count; i++) {
        const struct st_entry *e = head_find(h, t[i].name);
        struct numbers wants = {t[i].rank, {0}};

        if (e == NULL)
            return fault_say(why, "%s: has no tensor %s", name, t[i].name);
        for (int k = 0; k < t[i].rank; k++)
            wants.value[k] = (uint64_t)t[i].shape[k];
        if (wants.count != e->shape.count ||
            memcmp(wants.value, e->shape.value, sizeof wants.value) != 0)
            return shapes_differ(name, e, &wants, why);
    }
    if (h->count == count)
        return 0;
    return fault_say(why, "%s: has %d tensors; the model has %d", name,
                     h->count, count);
}

/* find metadata */
static int head_values(const struct st_head *h, struct st_pair *meta, int pairs,
                       const char *name, struct fault *why)
{
    for (int i = 0; i < pairs; i++) {
        int k = 0;

        while (k < h->pairs && strcmp(h->key[k], meta[i].key) != 0)
            k++;
        if (k == h->pairs)
            return fault_say(why,
                             "%s: its metadata lack \"%s\", so it is no "
                             "checkpoint of this trainer",
                             name, meta[i].key);
        if (strlen(h->value[k]) >= sizeof meta[i].value)
            return fault_say(why, "%s: its metadata \"%s\" is too long", name,
                             meta[i].key);
        strcpy(meta[i].value, h->value[k]);
    }
    return 0;
}

/* take the header apart */
static int head_take(const unsigned char *file, size_t size, const char *name,
                     struct st_head *h, struct fault *why)
{
    struct json j = {0};
    uint64_t n = 0;

    for (int i = 0; i < 8 && size >= 8; i++)
        n |= (uint64_t)file[i] << (8 * i);
    if (size < 8 || n > HEADER_MOST || n > size - 8)
        return fault_say(why,
                         "%s: is no safetensors file, or was cut off: it has "
                         "%zu bytes and says that its header has %" PRIu64,
                         name, size, n);
    h->text = malloc((size_t)n + 1);
    if (h->text == NULL)
        return fault_say(why, "%s: no memory to read it", name);
    j.begin = j.at = (const char *)file + 8;
    j.end = j.begin + n;
    j.name = name;
    j.text = h->text;
    j.why = why;
    if (n == 0 || *j.at != '{')
        return json_fail(&j, "a { is wanted here");
    if (json_list(&j, "{}", head_member, h) != 0)
        return -1;
    json_space(&j);
    if (j.at != j.end)
        return json_fail(&j, "text behind the header's }");
    return head_bytes(h, size - 8 - n, name, why);
}

int st_decode(const unsigned char *file, size_t size, const char *name,
              const struct st_tensor *t, int count, struct st_pair *meta,
              int pairs, struct fault *why)
{
    struct st_head *h = calloc(1, sizeof *h);
    int bad = h == NULL ? fault_say(why, "%s: no memory to read it", name)
                        : head_take(file, size, name, h, why);

    if (bad == 0 && count >= 0)
        bad = head_match(h, t, count, name, why);
    if (bad == 0)
        bad = head_values(h, meta, pairs, name, why);
    for (int i = 0; i < count && bad == 0; i++) {
        const struct st_entry *e = head_find(h, t[i].name);
        uint64_t all = h->entry[h->count - 1].end; /* the last byte's */

        if (e->end > e->begin)
            memcpy(t[i].data, file + size - all + e->begin,
                   (size_t)(e->end - e->begin));
    }
    if (h != NULL)
        free(h->text);
    free(h);
    return bad;
}
