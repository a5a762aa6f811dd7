#define _POSIX_C_SOURCE 200809L /* fsync, fileno */
#include "mnist/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* look at a file before opening it */
/* The size of a regular file, or -1. */
static long file_size(const char *path, struct fault *why)
{
    struct stat about;

    if (stat(path, &about) != 0)
        return fault_say(why, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return fault_say(why, "%s: is a folder; a file is wanted", path);
    if (!S_ISREG(about.st_mode))
        return fault_say(why, "%s: is no regular file", path);
    if (about.st_size == 0)
        return fault_say(why, "%s: is empty", path);
    if (about.st_size > FILE_LARGEST)
        return fault_say(why, "%s: has %lld bytes; more than 2^30 are not read",
                         path, (long long)about.st_size);
    return (long)about.st_size;
}

int file_read(const char *path, unsigned char **bytes, size_t *size,
              struct fault *why)
{
    long n = file_size(path, why);
    FILE *file = n < 0 ? NULL : fopen(path, "rb");
    size_t got;
    int more;

    *bytes = NULL;
    if (n < 0)
        return -1;
    if (file == NULL)
        return fault_say(why, "%s: %s", path, strerror(errno));
    *size = (size_t)n;
    *bytes = malloc(*size);
    got = *bytes != NULL ? fread(*bytes, 1, *size, file) : 0;
    more = fgetc(file) != EOF;
    fclose(file);
    if (got == *size && !more)
        return 0;
    fault_say(why,
              *bytes == NULL ? "%s: no memory for its %zu bytes"
                             : "%s: cannot be read as the %zu bytes it had",
              path, *size);
    free(*bytes);
    *bytes = NULL;
    return -1;
}

/* replace a whole file */
struct file_new {
    FILE *file;
    char path[4096], fresh[4096 + 16];
};

/* begin a new file */
struct file_new *file_begin(const char *path, struct fault *why)
{
    struct file_new *f = calloc(1, sizeof *f);
    struct stat about;
    int n = f == NULL ? 0 : snprintf(f->path, sizeof f->path, "%s", path);

    if (f == NULL) {
        fault_say(why, "%.500s: no memory to write it", path);
        return NULL;
    }
    signal(SIGXFSZ, SIG_IGN);
    snprintf(f->fresh, sizeof f->fresh, "%s.new", f->path);
    if (n == 0 || n >= (int)sizeof f->path)
        fault_say(why, "'%.80s': no name for a file: it has %d bytes", path, n);
    else if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        fault_say(why, "%s: is there and is no regular file; it stays", path);
    else if ((f->file = fopen(f->fresh, "wb")) == NULL)
        fault_say(why, "%s: cannot be written: %s", f->fresh, strerror(errno));
    else
        return f;
    free(f);
    return NULL;
}

static int file_cannot(const struct file_new *f, struct fault *why)
{
    return fault_say(why, "%s: cannot be written: %s; %s stays as it was",
                     f->fresh, strerror(errno), f->path);
}

int file_put(struct file_new *f, const void *bytes, size_t n, struct fault *why)
{
    return fwrite(bytes, 1, n, f->file) == n ? 0 : file_cannot(f, why);
}

int file_abandon(struct file_new *f)
{
    fclose(f->file);
    unlink(f->fresh);
    free(f);
    return -1;
}

/* write a folder to the disk */
#include <libgen.h> /* dirname */

static void folder_sync(const char *path)
{
    char copy[4096];
    int fd;

    snprintf(copy, sizeof copy, "%s", path);
    fd = open(dirname(copy), O_RDONLY);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* put the new file in its place */
int file_commit(struct file_new *f, struct fault *why)
{
    if (fflush(f->file) != 0 || fsync(fileno(f->file)) != 0 ||
        rename(f->fresh, f->path) != 0) {
        file_cannot(f, why);
        return file_abandon(f);
    }
    folder_sync(f->path);
    fclose(f->file);
    free(f);
    return 0;
}

int file_try(const char *path, struct fault *why)
{
    struct file_new *f = file_begin(path, why);

    return f == NULL ? -1 : (file_abandon(f), 0);
}
