#define _POSIX_C_SOURCE 200809L /* fsync, fileno */
#include "mnist/file.h"
#include "tour/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* look at a file before opening it */
char *file_read(const char *path, size_t *size)
{
    struct stat about = {0};
    FILE *file;
    char *bytes;

    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        stop("%s: is no regular file", path);
    file = fopen(path, "rb");
    if (file == NULL)
        stop("%s: %s", path, strerror(errno));
    if (about.st_size < 1 || about.st_size > 1 << 30)
        stop("%s: has %lld bytes; 1 to 2^30 are read", path,
             (long long)about.st_size);
    *size = (size_t)about.st_size;
    bytes = check_alloc(*size + 1, 1);
    if (fread(bytes, 1, *size, file) != *size || fgetc(file) != EOF)
        stop("%s: cannot be read as the %zu bytes it had", path, *size);
    fclose(file);
    return bytes;
}

/* begin a new file */
static const char *fresh_of(const char *path)
{
    static char fresh[4096];
    int n = snprintf(fresh, sizeof fresh, "%s.new", path);

    if (*path == '\0' || n >= (int)sizeof fresh)
        stop("'%.80s': no name for a file", path);
    return fresh;
}

FILE *file_begin(const char *path)
{
    const char *fresh = fresh_of(path);
    struct stat about;
    FILE *file;

    signal(SIGXFSZ, SIG_IGN);
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        stop("%s: is there and is no regular file; it stays", path);
    file = fopen(fresh, "wb");
    if (file == NULL)
        stop("%s: cannot be written: %s", fresh, strerror(errno));
    return file;
}

/* write a folder to the disk */
#include <libgen.h> /* dirname */

static void folder_sync(const char *path)
{
    char copy[4096];
    int fd;

    snprintf(copy, sizeof copy, "%s", path);
    fd = open(dirname(copy), O_RDONLY);
    fsync(fd); /* may fail, and fails if fd is -1 */
    close(fd);
}

/* put the new file in its place */
void file_commit(FILE *file, const char *path)
{
    const char *fresh = fresh_of(path);

    if (fflush(file) != 0 || ferror(file) || fsync(fileno(file)) != 0 ||
        rename(fresh, path) != 0) {
        int why = errno;

        unlink(fresh);
        stop("%s: cannot be written: %s; %s stays as it was", fresh,
             strerror(why), path);
    }
    folder_sync(path);
    fclose(file);
}

void file_try(const char *path)
{
    fclose(file_begin(path));
    unlink(fresh_of(path));
}
