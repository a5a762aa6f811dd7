#define _POSIX_C_SOURCE 200809L /* popen */
#include "tour/idx.h"
#include "tour/check.h"

#include <errno.h>
#include <limits.h>

/* say what is wrong with a file */
__attribute__((noreturn, format(printf, 1, 2))) static void
refuse(const char *fmt, ...)
{
    va_list args;

    fflush(stdout);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fprintf(stderr, "\n");
    exit(1);
}

/* open a file or a pipe */
struct source {
    FILE *file;
    int is_pipe;
    char path[4096];
};

static struct source idx_open(const char *dir, const char *name)
{
    struct source s = {NULL, 0, ""};
    char command[4200];
    int n = snprintf(s.path, sizeof s.path, "%s/%s", dir, name);

    if (n <= 0 || n >= (int)sizeof s.path - 3)
        refuse("the path %s is too long", dir);
    s.file = fopen(s.path, "rb");
    if (s.file != NULL)
        return s;
    /* try the compressed file */
    strcat(s.path, ".gz");
    s.file = fopen(s.path, "rb");
    if (s.file == NULL)
        refuse("%s/%s: %s, nor is there a %s.gz; `make data` gets them", dir,
               name, strerror(errno), name);
    fclose(s.file);
    if (strchr(s.path, '\'') != NULL)
        refuse("%s: a path without ' please", s.path);
    snprintf(command, sizeof command, "gzip -dc '%s'", s.path);
    s.file = popen(command, "r");
    if (s.file == NULL)
        refuse("gzip cannot be started: %s", strerror(errno));
    s.is_pipe = 1;
    return s;
}

/* read a big-endian number */
static uint32_t big_endian(const struct source *s)
{
    unsigned char b[4];

    if (fread(b, 1, sizeof b, s->file) != sizeof b)
        refuse("%s: ends inside its header", s->path);
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 |
           (uint32_t)b[3];
}

/* read an IDX file */
struct idx idx_read(const char *dir, const char *name)
{
    struct source s = idx_open(dir, name);
    struct idx set = {0, 1, 1, NULL};
    uint32_t magic = big_endian(&s), size[3] = {0, 1, 1};
    uint64_t bytes;

    if (magic != 0x801 && magic != 0x803)
        refuse("%s: begins with %#x; labels begin with 0x801, pictures with "
               "0x803",
               s.path, magic);
    for (uint32_t i = 0; i < (magic & 3); i++)
        size[i] = big_endian(&s);
    /* multiply the sizes without overflow */
    if (size[0] > INT_MAX || size[1] > 4096 || size[2] > 4096)
        refuse("%s: %u items of %u x %u bytes is more than this program can "
               "hold",
               s.path, size[0], size[1], size[2]);
    set.count = (int)size[0];
    set.rows = (int)size[1];
    set.cols = (int)size[2];
    bytes = (uint64_t)size[0] * size[1] * size[2];
    /* read the bytes and nothing else */
    set.data = check_alloc(bytes, 1);
    if (fread(set.data, 1, bytes, s.file) != bytes)
        refuse("%s: ends too early; its header promises %llu bytes", s.path,
               (unsigned long long)bytes);
    if (fgetc(s.file) != EOF)
        refuse("%s: goes on after the %llu bytes it promises", s.path,
               (unsigned long long)bytes);
    if ((s.is_pipe ? pclose(s.file) : fclose(s.file)) != 0)
        refuse("%s: cannot be read to its end", s.path);
    return set;
}

/* write an IDX file */
void idx_write(const char *dir, const char *name, const struct idx *set)
{
    int dims = set->rows == 1 && set->cols == 1 ? 1 : 3;
    uint32_t head[4] = {0x800u + (uint32_t)dims, (uint32_t)set->count,
                        (uint32_t)set->rows, (uint32_t)set->cols};
    size_t bytes = (size_t)set->count * set->rows * set->cols, done;
    char path[4096];
    FILE *file;
    int n = snprintf(path, sizeof path, "%s/%s", dir, name);

    if (n <= 0 || n >= (int)sizeof path)
        refuse("the path %s is too long", dir);
    file = fopen(path, "wb");
    if (file == NULL)
        refuse("%s: %s", path, strerror(errno));
    for (int i = 0; i <= dims; i++)
        for (int shift = 24; shift >= 0; shift -= 8)
            putc((int)(head[i] >> shift & 0xff), file);
    done = fwrite(set->data, 1, bytes, file);
    if (fclose(file) != 0 || done != bytes)
        refuse("%s: %s", path, strerror(errno));
}

void idx_free(struct idx *set)
{
    free(set->data);
    set->data = NULL;
}
