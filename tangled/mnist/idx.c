#include "mnist/idx.h"
#include "mnist/file.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#if IDX_ZLIB
#include <zlib.h>
#endif

/* check what an IDX file says it is */
static int idx_magic(const unsigned char *b, size_t size, const char *name,
                     int dims, struct fault *why)
{
    const char *kind = dims == IDX_PICTURES ? "pictures" : "labels";

    if (size < 4)
        return fault_say(why, "%s: ends after %zu bytes, inside its header",
                         name, size);
    if (b[0] != 0 || b[1] != 0)
        return fault_say(why,
                         "%s: begins with %02x %02x %02x %02x, so it is no "
                         "IDX file; %s begin with 00 00 08 %02x",
                         name, b[0], b[1], b[2], b[3], kind, dims);
    if (b[2] != 8)
        return fault_say(why,
                         "%s: byte 2 says that its elements are of type "
                         "%#04x; bytes, type 0x08, are wanted",
                         name, b[2]);
    if (b[3] != dims)
        return fault_say(why, "%s: byte 3 says %d dimensions; %s have %d", name,
                         b[3], kind, dims);
    return 0;
}

static uint32_t big_endian(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 |
           (uint32_t)b[3];
}

static int idx_sizes(const unsigned char *b, size_t size, const char *name,
                     int dims, uint32_t n[3], struct fault *why)
{
    size_t head = 4 + 4 * (size_t)dims;
    uint64_t want;

    if (size < head)
        return fault_say(why, "%s: ends after %zu bytes, inside its header",
                         name, size);
    for (int i = 0; i < dims; i++)
        n[i] = big_endian(b + 4 + 4 * i);
    if (n[0] - 1 >= INT_MAX || n[1] - 1 >= 4096 || n[2] - 1 >= 4096)
        return fault_say(why,
                         "%s: its header says %u items of %u x %u bytes; 1 "
                         "to %d items of up to 4096 x 4096 are read",
                         name, n[0], n[1], n[2], INT_MAX);
    want = head + (uint64_t)n[0] * n[1] * n[2];
    /* compare the size with what was promised */
    if (size != want)
        return fault_say(
            why,
            "%s: %s: it has %zu bytes, and its header, %u items of "
            "%u x %u, makes them %llu",
            name, size < want ? "was cut off" : "goes on too long", size, n[0],
            n[1], n[2], (unsigned long long)want);
    return 0;
}

/* take an IDX file */
static int idx_take(const unsigned char *b, size_t size, const char *name,
                    int dims, struct idx *set, struct fault *why)
{
    uint32_t n[3] = {0, 1, 1};
    size_t head = 4 + 4 * (size_t)dims;

    if (idx_magic(b, size, name, dims, why) != 0 ||
        idx_sizes(b, size, name, dims, n, why) != 0)
        return -1;
    set->data = malloc(size - head);
    if (set->data == NULL)
        return fault_say(why, "%s: no memory for its %zu bytes", name, size);
    memcpy(set->data, b + head, size - head);
    set->count = (int)n[0];
    set->rows = (int)n[1];
    set->cols = (int)n[2];
    return 0;
}

/* unpack what gzip packed */
#if IDX_ZLIB

/* say why a stream cannot be unpacked */
static void idx_unpack_why(const z_stream *z, int status, const char *name,
                           size_t size, struct fault *why)
{
    size_t at = size - z->avail_in;

    if (status == Z_STREAM_END)
        fault_say(why, "%s: goes on after byte %zu, where what was packed ends",
                  name, at);
    else if (status == Z_BUF_ERROR)
        fault_say(why, "%s: was cut off: it ends after %zu packed bytes", name,
                  size);
    else if (status == Z_MEM_ERROR)
        fault_say(why, "%s: no memory for the %zu bytes in it, or for more",
                  name, (size_t)z->total_out);
    else
        fault_say(why, "%s: is damaged near byte %zu (%s)", name, at,
                  z->msg != NULL ? z->msg : "it is no gzip file");
}

/* Unpacks a gzip file into *out, which the caller frees. */
static int idx_unpack(const unsigned char *file, size_t size, const char *name,
                      unsigned char **out, size_t *got, struct fault *why)
{
    z_stream z = {0};
    int status = inflateInit2(&z, 16 + MAX_WBITS); /* 16: gzip, not zlib */

    *out = NULL;
    *got = 0;
    z.next_in = (unsigned char *)(uintptr_t)file; /* it is only read */
    z.avail_in = (uInt)size;
    /* inflate into memory that grows */
    for (size_t room = 1 << 15; status == Z_OK;) {
        if (*got == room || *out == NULL) {
            unsigned char *larger =
                room < FILE_LARGEST ? realloc(*out, room *= 2) : NULL;

            if (larger == NULL) {
                status = Z_MEM_ERROR;
                break;
            }
            *out = larger;
        }
        z.next_out = *out + *got;
        z.avail_out = (uInt)(room - *got);
        status = inflate(&z, Z_NO_FLUSH);
        *got = room - z.avail_out;
    }
    if (status != Z_STREAM_END || z.avail_in != 0) {
        idx_unpack_why(&z, status, name, size, why);
        free(*out);
        *out = NULL;
    }
    inflateEnd(&z);
    return *out == NULL ? -1 : 0;
}
#else

/* refuse a packed file */
static int idx_unpack(const unsigned char *file, size_t size, const char *name,
                      unsigned char **out, size_t *got, struct fault *why)
{
    (void)file;
    (void)size;
    *out = NULL;
    *got = 0;
    return fault_say(why,
                     "%s: is packed, and this program was built without "
                     "zlib; unpack it: gunzip %s",
                     name, name);
}
#endif

/* decode an IDX file */
int idx_decode(const unsigned char *file, size_t size, const char *name,
               int dims, struct idx *set, struct fault *why)
{
    unsigned char *plain;
    size_t got;
    int status;

    set->data = NULL;
    if (size < 2 || file[0] != 0x1f || file[1] != 0x8b)
        return idx_take(file, size, name, dims, set, why);
    if (idx_unpack(file, size, name, &plain, &got, why) != 0)
        return -1;
    status = idx_take(plain, got, name, dims, set, why);
    free(plain);
    return status;
}

int idx_load(const char *dir, const char *name, int dims, struct idx *set,
             struct fault *why)
{
    char path[4096];
    struct stat about;
    unsigned char *bytes;
    size_t size;
    int status, n = snprintf(path, sizeof path, "%s/%s", dir, name);

    set->data = NULL;
    if (n < 0 || n >= (int)sizeof path - 3)
        return fault_say(why, "the path of %s is too long", name);
    if (stat(dir, &about) != 0 || !S_ISDIR(about.st_mode))
        return fault_say(why, "%s: there is no such folder", dir);
    if (stat(path, &about) != 0)
        strcat(path, ".gz");
    if (stat(path, &about) != 0)
        return fault_say(why,
                         "%s: has neither %s nor %s.gz; `make data` "
                         "fetches MNIST into data/mnist",
                         dir, name, name);
    if (file_read(path, &bytes, &size, why) != 0)
        return -1;
    status = idx_decode(bytes, size, path, dims, set, why);
    free(bytes);
    return status;
}

/* save an IDX file */
int idx_save(const char *dir, const char *name, int dims, const struct idx *set,
             struct fault *why)
{
    unsigned char head[16] = {0, 0, 8, (unsigned char)dims};
    int size[3] = {set->count, set->rows, set->cols};
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s", dir, name);
    struct file_new *file;

    if (n < 0 || n >= (int)sizeof path)
        return fault_say(why, "the path of %s is too long", name);
    for (int i = 0; i < 12; i++)
        head[4 + i] = (unsigned char)(size[i / 4] >> (24 - 8 * (i % 4)));
    file = file_begin(path, why);
    if (file == NULL)
        return -1;
    if (file_put(file, head, 4 + 4 * (size_t)dims, why) != 0 ||
        file_put(file, set->data, (size_t)size[0] * size[1] * size[2], why))
        return file_abandon(file);
    return file_commit(file, why);
}
