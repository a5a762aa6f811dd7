#include "mnist/safetensors.h"
#include "mnist/file.h"

#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error safetensors keeps numbers little-endian, and this machine does not
#endif

/* write the header of a safetensors file */
enum { HEADER_MOST = 1 << 20 };

/* Appends to the header, or fails when it would be too long. */
static int head_add(char *head, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static int head_add(char *head, const char *fmt, ...)
{
    size_t used = strlen(head), room = HEADER_MOST - used;
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(head + used, room, fmt, args);
    va_end(args);
    return n < 0 || (size_t)n >= room ? -1 : 0;
}

/* Text that needs no escape in JSON. */
static int head_plain(const char *s)
{
    for (; *s != '\0'; s++)
        if (*s < ' ' || *s > '~' || *s == '"' || *s == '\\')
            return 0;
    return 1;
}

static uint64_t st_numbers(const struct st_tensor *t)
{
    uint64_t n = 1;

    for (int i = 0; i < t->rank; i++)
        n *= (uint64_t)t->shape[i];
    return n;
}

static int head_tensor(char *head, const struct st_tensor *t, uint64_t begin)
{
    int bad = !head_plain(t->name) ||
              head_add(head, "\"%s\":{\"dtype\":\"F32\",\"shape\":[", t->name);

    for (int i = 0; i < t->rank; i++)
        bad |= head_add(head, "%s%d", i > 0 ? "," : "", t->shape[i]);
    return bad | head_add(head, "],\"data_offsets\":[%llu,%llu]}",
                          (unsigned long long)begin,
                          (unsigned long long)(begin + 4 * st_numbers(t)));
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
static int st_put(struct file_new *f, const char *head,
                  const struct st_tensor *t, int count, struct fault *why)
{
    unsigned char length[8];
    size_t n = strlen(head);

    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)((uint64_t)n >> (8 * i));
    if (file_put(f, length, sizeof length, why) != 0 ||
        file_put(f, head, n, why) != 0)
        return -1;
    for (int i = 0; i < count; i++)
        if (file_put(f, t[i].data, 4 * st_numbers(&t[i]), why) != 0)
            return -1;
    return 0;
}

int st_write(const char *path, const struct st_tensor *t, int count,
             const struct st_pair *meta, int pairs, struct fault *why)
{
    char *head = calloc(1, HEADER_MOST);
    uint64_t at = 0;
    struct file_new *f;
    int bad = head == NULL || head_meta(head, meta, pairs);

    for (int i = 0; i < count && !bad; i++) {
        bad = head_add(head, ",") | head_tensor(head, &t[i], at);
        at += 4 * st_numbers(&t[i]);
    }
    while (!bad && strlen(head) % 8 != 7) /* then } makes it whole */
        bad = head_add(head, " ");
    /* close the header and write it all */
    bad = bad || head_add(head, "}");
    f = bad ? NULL : file_begin(path, why);
    if (bad)
        fault_say(why, "%s: its header cannot be made", path);
    if (f != NULL && st_put(f, head, t, count, why) != 0)
        bad = file_abandon(f);
    else if (f != NULL)
        bad = file_commit(f, why);
    free(head);
    return f == NULL || bad ? -1 : 0;
}

/* hold what a header says */
enum { ENTRIES_MOST = 1000, RANK_MOST = 8 };

struct st_entry {
    const char *name;
    int rank;
    uint64_t shape[RANK_MOST], begin, end; /* of its bytes, from the header */
};

struct st_head {
    int count, pairs, metas;
    struct st_entry entry[ENTRIES_MOST];
    const char *key[ENTRIES_MOST], *value[ENTRIES_MOST];
    char *text; /* all names, keys and values, each with a 0 behind it */
};

/* read the words of JSON */
struct json {
    const char *at, *end, *begin, *name;
    char *text; /* where the next string goes */
    struct fault *why;
};

static int json_fail(const struct json *j, const char *wanted)
{
    return fault_say(j->why, "%s: byte %zu: %s", j->name,
                     8 + (size_t)(j->at - j->begin), wanted);
}

static void json_space(struct json *j)
{
    while (j->at < j->end && strchr(" \t\r\n", *j->at) != NULL && *j->at)
        j->at++;
}

/* Takes the character c, if it is the next. */
static int json_if(struct json *j, char c)
{
    json_space(j);
    if (j->at == j->end || *j->at != c)
        return 0;
    j->at++;
    return 1;
}

static int json_take(struct json *j, char c)
{
    char wanted[] = "a ? is wanted here";

    wanted[2] = c;
    return json_if(j, c) ? 0 : json_fail(j, wanted);
}

static int json_string(struct json *j, const char **s)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

    *s = j->text;
    if (json_take(j, '"') != 0)
        return -1;
    while (j->at < j->end && *j->at != '"') {
        const char *e;
        char c = *j->at++;

        if ((unsigned char)c < ' ')
            return json_fail(j, "a control character in a string");
        if (c == '\\') {
            e = j->at < j->end && *j->at ? strchr(from, *j->at) : NULL;
            if (e == NULL)
                return json_fail(j, "an escape that is not read here");
            c = to[e - from];
            j->at++;
        }
        *j->text++ = c;
    }
    *j->text++ = '\0';
    return json_take(j, '"');
}

static int json_number(struct json *j, uint64_t *value)
{
    const char *first;

    json_space(j);
    first = j->at;
    *value = 0;
    while (j->at < j->end && *j->at >= '0' && *j->at <= '9') {
        *value = 10 * *value + (uint64_t)(*j->at++ - '0');
        if (*value >> 53 != 0)
            return json_fail(j, "a number of 2^53 or more");
    }
    if (j->at == first || (*first == '0' && j->at - first > 1))
        return json_fail(j, "a whole number is wanted here");
    return 0;
}

/* [1,2,3] with at most `most` numbers. */
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

/* read the header of a safetensors file */

/* read the entry of a tensor */
static int head_field(struct json *j, struct st_entry *e, int *seen)
{
    static const char *const field[] = {"dtype", "shape", "data_offsets"};
    const char *name, *dtype;
    uint64_t offset[2];
    int n = 2, which = 0;

    if (json_string(j, &name) != 0 || json_take(j, ':') != 0)
        return -1;
    while (which < 3 && strcmp(name, field[which]) != 0)
        which++;
    if (which == 3 || *seen & 1 << which)
        return json_fail(j, "dtype, shape and data_offsets, each once, are "
                            "wanted here");
    *seen |= 1 << which;
    if (which == 1)
        return json_numbers(j, e->shape, RANK_MOST, &e->rank);
    if (which == 0 && json_string(j, &dtype) != 0)
        return -1;
    if (which == 0)
        return strcmp(dtype, "F32") == 0
                   ? 0
                   : json_fail(j, "a dtype that is not F32");
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
static int head_pairs(struct json *j, struct st_head *h)
{
    if (json_take(j, '{') != 0)
        return -1;
    if (json_if(j, '}'))
        return 0;
    do {
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
    } while (json_if(j, ','));
    return json_take(j, '}');
}

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

/* The tensors, in order of their bytes, cover `bytes` with no gap. */
static int head_bytes(struct st_head *h, uint64_t bytes, const char *name,
                      struct fault *why)
{
    uint64_t at = 0;

    qsort(h->entry, (size_t)h->count, sizeof *h->entry, by_place);
    for (int i = 0; i < h->count; i++) {
        const struct st_entry *e = &h->entry[i];
        uint64_t want = 4;

        for (int k = 0; k < e->rank; k++)
            want = e->shape[k] == 0             ? 0
                   : want > bytes / e->shape[k] ? UINT64_MAX
                                                : want * e->shape[k];
        /* check one tensor's bytes */
        if (e->begin != at)
            return fault_say(why,
                             "%s: %.60s begins at byte %llu of the data; what is "
                             "before it ends at %llu",
                             name, e->name, (unsigned long long)e->begin,
                             (unsigned long long)at);
        if (e->end > bytes)
            return fault_say(why,
                             "%s: %.60s ends at byte %llu of the data, of which "
                             "there are %llu: the file was cut off",
                             name, e->name, (unsigned long long)e->end,
                             (unsigned long long)bytes);
        if (e->end < e->begin || e->end - e->begin != want)
            return fault_say(why,
                             "%s: %.60s has bytes %llu to %llu, which does not "
                             "fit its shape",
                             name, e->name, (unsigned long long)e->begin,
                             (unsigned long long)e->end);
        at = e->end;
    }
    if (at != bytes)
        return fault_say(why,
                         "%s: its tensors take %llu bytes and it has %llu "
                         "after its header",
                         name, (unsigned long long)at,
                         (unsigned long long)bytes);
    return 0;
}

/* say how two shapes differ */
static int match_say(const char *name, const struct st_entry *e,
                     const struct st_tensor *t, struct fault *why)
{
    char has[200] = "", want[200] = "";

    for (int i = 0; i < e->rank; i++)
        snprintf(has + strlen(has), sizeof has - strlen(has), "%s%llu",
                 i > 0 ? "," : "", (unsigned long long)e->shape[i]);
    for (int i = 0; i < t->rank; i++)
        snprintf(want + strlen(want), sizeof want - strlen(want), "%s%d",
                 i > 0 ? "," : "", t->shape[i]);
    return fault_say(why,
                     "%s: %s is [%s]; the model's is [%s]: it was saved "
                     "with another width",
                     name, t->name, has, want);
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
            return match_say(name, e, &t[i], why);
    }
    if (h->count > count)
        return fault_say(why, "%s: has %d tensors; the model has %d", name,
                         h->count, count);
    return 0;
}

static int head_meta_find(const struct st_head *h, struct st_pair *meta,
                          int pairs, const char *name, struct fault *why)
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

/* read a safetensors file */

/* take the header apart */
static int head_take(const unsigned char *file, size_t size, const char *name,
                     struct st_head *h, const unsigned char **data,
                     struct fault *why)
{
    uint64_t n = 0;
    struct json j;

    if (size < 8)
        return fault_say(why,
                         "%s: has %zu bytes; a safetensors file begins "
                         "with 8 that give the length of its header",
                         name, size);
    for (int i = 0; i < 8; i++)
        n |= (uint64_t)file[i] << (8 * i);
    if (n > HEADER_MOST || n > size - 8)
        return fault_say(why,
                         "%s: its first 8 bytes say that the header has "
                         "%llu; the file has %zu more, and at most 2^20 "
                         "are read: it was cut off or is no safetensors",
                         name, (unsigned long long)n, size - 8);
    h->text = malloc((size_t)n + 1);
    if (h->text == NULL)
        return fault_say(why, "%s: no memory to read it", name);
    j.begin = j.at = (const char *)file + 8;
    j.end = j.begin + n;
    j.name = name;
    j.text = h->text;
    j.why = why;
    *data = file + 8 + n;
    return head_read(&j, h) != 0 ? -1 : head_bytes(h, size - 8 - n, name, why);
}

int st_decode(const unsigned char *file, size_t size, const char *name,
              const struct st_tensor *t, int count, struct st_pair *meta,
              int pairs, struct fault *why)
{
    struct st_head *h = calloc(1, sizeof *h);
    const unsigned char *data = NULL;
    int bad = h == NULL ? fault_say(why, "%s: no memory to read it", name)
                        : head_take(file, size, name, h, &data, why);

    if (bad == 0 && count >= 0)
        bad = head_match(h, t, count, name, why);
    if (bad == 0)
        bad = head_meta_find(h, meta, pairs, name, why);
    for (int i = 0; i < count && bad == 0; i++) {
        const struct st_entry *e = head_find(h, t[i].name);

        if (e->end > e->begin)
            memcpy(t[i].data, data + e->begin, (size_t)(e->end - e->begin));
    }
    if (h != NULL)
        free(h->text);
    free(h);
    return bad;
}

int st_read(const char *path, const struct st_tensor *t, int count,
            struct st_pair *meta, int pairs, struct fault *why)
{
    unsigned char *bytes;
    size_t size;
    int bad = file_read(path, &bytes, &size, why);

    if (bad == 0)
        bad = st_decode(bytes, size, path, t, count, meta, pairs, why);
    free(bytes);
    return bad;
}
