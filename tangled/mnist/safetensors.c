#include "mnist/safetensors.h"
#include "mnist/file.h"

#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error safetensors keeps numbers little-endian, and this machine does not
#endif

/* append to a header */
enum { HEADER_MOST = 1 << 20 };

__attribute__((format(printf, 2, 3))) static int head_add(char *head,
                                                          const char *fmt, ...)
{
    size_t used = strlen(head), room = HEADER_MOST - used;
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(head + used, room, fmt, args);
    va_end(args);
    return n < 0 || (size_t)n >= room;
}

/* Is this a text that needs no escape in JSON? */
static int head_plain(const char *s)
{
    for (; *s != '\0'; s++)
        if (*s < ' ' || *s > '~' || *s == '"' || *s == '\\')
            return 0;
    return 1;
}

/* describe a tensor in the header */
static size_t st_bytes(const struct st_tensor *t)
{
    size_t n = sizeof(float);

    for (int i = 0; i < t->rank; i++)
        n *= (size_t)t->shape[i];
    return n;
}

static int head_tensor(char *head, const struct st_tensor *t, size_t begin)
{
    int bad = !head_plain(t->name) ||
              head_add(head, ",\"%s\":{\"dtype\":\"F32\",\"shape\":[", t->name);

    for (int i = 0; i < t->rank; i++)
        bad |= head_add(head, "%s%d", i > 0 ? "," : "", t->shape[i]);
    return bad | head_add(head, "],\"data_offsets\":[%zu,%zu]}", begin,
                          begin + st_bytes(t));
}

static int head_meta(char *head, const struct st_pair *meta, int pairs)
{
    int bad = head_add(head, "{\"__metadata__\":{");

    for (int i = 0; i < pairs; i++)
        bad |= !head_plain(meta[i].key) || !head_plain(meta[i].value) ||
               head_add(head, "%s\"%s\":\"%s\"", i > 0 ? "," : "", meta[i].key,
                        meta[i].value);
    return bad | head_add(head, "}");
}

/* write a safetensors file */

/* put the parts of a safetensors file */
static int st_put(struct file_new *f, const char *head,
                  const struct st_tensor *t, int count, struct fault *why)
{
    unsigned char length[8];
    size_t n = strlen(head);
    int bad;

    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)((uint64_t)n >> (8 * i));
    bad = file_put(f, length, sizeof length, why) != 0 ||
          file_put(f, head, n, why) != 0;
    for (int i = 0; i < count && !bad; i++)
        bad = file_put(f, t[i].data, st_bytes(&t[i]), why) != 0;
    return bad ? -1 : 0;
}

int st_write(const char *path, const struct st_tensor *t, int count,
             const struct st_pair *meta, int pairs, struct fault *why)
{
    char *head = calloc(1, HEADER_MOST);
    int bad = head == NULL || head_meta(head, meta, pairs);
    struct file_new *f = NULL;
    size_t at = 0;

    for (int i = 0; i < count && !bad; i++) {
        bad = head_tensor(head, &t[i], at);
        at += st_bytes(&t[i]);
    }
    bad = bad || head_add(head, "}");
    while (!bad && strlen(head) % 8 != 0)
        bad = head_add(head, " ");
    if (bad)
        fault_say(why, "%s: its header cannot be made", path);
    else
        f = file_begin(path, why);
    if (f != NULL)
        bad = st_put(f, head, t, count, why) != 0 ? file_abandon(f)
                                                  : file_commit(f, why);
    free(head);
    return f == NULL || bad ? -1 : 0;
}

/* hold what a header says */
enum { ENTRIES_MOST = 1000, RANK_MOST = 8 };

struct st_entry {
    const char *name;
    int rank;
    uint64_t shape[RANK_MOST], begin, end; /* bytes behind the header */
};

struct st_head {
    int count, pairs, metas;
    struct st_entry entry[ENTRIES_MOST];
    const char *key[ENTRIES_MOST], *value[ENTRIES_MOST];
    char *text; /* all names, keys and values, a 0 behind each */
};

/* look at the next character of JSON */
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
    if (j->at == j->end || *j->at != c)
        return 0;
    j->at++;
    return 1;
}

/* insist on a character of JSON */
static int json_take(struct json *j, char c)
{
    char what[] = "a ? is wanted here";

    what[2] = c;
    return json_if(j, c) ? 0 : json_fail(j, what);
}

/* read a string of JSON */
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

/* read numbers of JSON */
static int json_number(struct json *j, uint64_t *value)
{
    const char *first;

    json_space(j);
    *value = 0;
    for (first = j->at; j->at < j->end && *j->at >= '0' && *j->at <= '9';) {
        *value = 10 * *value + (uint64_t)(*j->at++ - '0');
        if (*value >> 53 != 0)
            return json_fail(j, "a number of 2^53 or more");
    }
    if (j->at == first || (*first == '0' && j->at - first > 1))
        return json_fail(j, "a whole number is wanted here");
    return 0;
}

/* read a list of numbers */
static int json_numbers(struct json *j, uint64_t *value, int most, int *count)
{
    *count = 0;
    if (json_take(j, '[') != 0)
        return -1;
    if (json_if(j, ']'))
        return 0;
    do {
        if (*count == most)
            return json_fail(j, "too many numbers in a list");
        if (json_number(j, &value[(*count)++]) != 0)
            return -1;
    } while (json_if(j, ','));
    return json_take(j, ']');
}

/* read the entry of a tensor */

/* read a field of an entry */
static int head_field(struct json *j, struct st_entry *e, int *seen)
{
    static const char *const field[] = {"dtype", "shape", "data_offsets"};
    const char *name, *dtype;
    uint64_t offset[2];
    int n, which = 0;

    if (json_string(j, &name) != 0 || json_take(j, ':') != 0)
        return -1;
    while (which < 3 && strcmp(name, field[which]) != 0)
        which++;
    if (which == 3 || (*seen & 1 << which) != 0)
        return json_fail(j, "not one of dtype, shape, data_offsets, each once");
    *seen |= 1 << which;
    if (which == 0 && json_string(j, &dtype) != 0)
        return -1;
    if (which == 0)
        return strcmp(dtype, "F32") == 0 ? 0 : json_fail(j, "not F32");
    if (which == 1)
        return json_numbers(j, e->shape, RANK_MOST, &e->rank);
    if (json_numbers(j, offset, 2, &n) != 0)
        return -1;
    e->begin = offset[0];
    e->end = offset[1];
    return n == 2 ? 0 : json_fail(j, "data_offsets are two numbers");
}

static int head_entry(struct json *j, struct st_entry *e)
{
    int seen = 0;

    if (json_take(j, '{') != 0)
        return -1;
    do {
        if (head_field(j, e, &seen) != 0)
            return -1;
    } while (json_if(j, ','));
    if (seen != 7)
        return json_fail(j, "dtype, shape or data_offsets is missing");
    return json_take(j, '}');
}

/* read the metadata */
static int head_pair(struct json *j, struct st_head *h)
{
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

static int head_pairs(struct json *j, struct st_head *h)
{
    if (json_take(j, '{') != 0)
        return -1;
    if (json_if(j, '}'))
        return 0;
    do {
        if (head_pair(j, h) != 0)
            return -1;
    } while (json_if(j, ','));
    return json_take(j, '}');
}

/* read the header of a safetensors file */
static int head_member(struct json *j, struct st_head *h)
{
    const char *name;

    if (json_string(j, &name) != 0 || json_take(j, ':') != 0)
        return -1;
    if (strcmp(name, "__metadata__") == 0)
        return h->metas++ ? json_fail(j, "__metadata__ a second time")
                          : head_pairs(j, h);
    for (int i = 0; i < h->count; i++)
        if (strcmp(h->entry[i].name, name) == 0)
            return json_fail(j, "a tensor of this name was there before");
    if (h->count == ENTRIES_MOST)
        return json_fail(j, "more than 1000 tensors");
    h->entry[h->count].name = name;
    return head_entry(j, &h->entry[h->count++]);
}

/* read all members of the header */
static int head_read(struct json *j, struct st_head *h)
{
    if (j->at == j->end || *j->at != '{')
        return json_fail(j, "a { is wanted here");
    j->at++;
    if (!json_if(j, '}')) {
        do {
            if (head_member(j, h) != 0)
                return -1;
        } while (json_if(j, ','));
        if (json_take(j, '}') != 0)
            return -1;
    }
    json_space(j);
    return j->at == j->end ? 0 : json_fail(j, "text behind the header's }");
}

/* check that the bytes are shared out exactly */
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

    for (int i = 0; i < e->rank; i++)
        if (e->shape[i] == 0)
            return 0;
    for (int i = 0; i < e->rank; i++) {
        if (n > most / e->shape[i])
            return UINT64_MAX;
        n *= e->shape[i];
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
        unsigned long long begin = e->begin, end = e->end;

        if (e->begin != at)
            return fault_say(
                why,
                "%s: %.60s begins at byte %llu of the data, what is "
                "before it ends at %llu",
                name, e->name, begin, (unsigned long long)at);
        if (e->end > bytes)
            return fault_say(
                why,
                "%s: was cut off: %.60s ends at byte %llu of the data, "
                "and there are %llu",
                name, e->name, end, (unsigned long long)bytes);
        if (e->end < e->begin || e->end - e->begin != shape_bytes(e, bytes))
            return fault_say(
                why,
                "%s: %.60s has bytes %llu to %llu, which does not fit "
                "its shape",
                name, e->name, begin, end);
    }
    if (at == bytes)
        return 0;
    return fault_say(why, "%s: its tensors take %llu bytes; it has %llu", name,
                     (unsigned long long)at, (unsigned long long)bytes);
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
static int shapes_differ(const char *name, const struct st_entry *e,
                         const struct st_tensor *t, struct fault *why)
{
    char has[200] = "", wants[200] = "";
    size_t n = 0;

    for (int i = 0; i < e->rank; i++)
        n +=
            (size_t)snprintf(has + n, sizeof has - n, "%s%llu",
                             i > 0 ? "," : "", (unsigned long long)e->shape[i]);
    n = 0;
    for (int i = 0; i < t->rank; i++)
        n += (size_t)snprintf(wants + n, sizeof wants - n, "%s%d",
                              i > 0 ? "," : "", t->shape[i]);
    return fault_say(why, "%s: %s is [%s]; the model's is [%s]", name, t->name,
                     has, wants);
}

/* compare the tensors */
static int head_match(const struct st_head *h, const struct st_tensor *t,
                      int count, const char *name, struct fault *why)
{
    for (int i = 0; i < count; i++) {
        const struct st_entry *e = head_find(h, t[i].name);
        int k = 0;

        if (e == NULL)
            return fault_say(why, "%s: has no tensor %s", name, t[i].name);
        while (k < t[i].rank && k < e->rank &&
               e->shape[k] == (uint64_t)t[i].shape[k])
            k++;
        if (k < t[i].rank || e->rank != t[i].rank)
            return shapes_differ(name, e, &t[i], why);
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
                         "%zu bytes and says that its header has %llu",
                         name, size, (unsigned long long)n);
    h->text = malloc((size_t)n + 1);
    if (h->text == NULL)
        return fault_say(why, "%s: no memory to read it", name);
    j.begin = j.at = (const char *)file + 8;
    j.end = j.begin + n;
    j.name = name;
    j.text = h->text;
    j.why = why;
    if (head_read(&j, h) != 0)
        return -1;
    return head_bytes(h, size - 8 - n, name, why);
}

/* decode a safetensors file */
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
