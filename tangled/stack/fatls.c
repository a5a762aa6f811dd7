/* fatls.c: list what is in the fat binaries of a file, and what a device takes.
   Usage: fatls FILE [--for CC [--driver VERSION]]
   FILE: executable, object, library or .fatbin; CC: a device, such as 8.9;
   VERSION: newest CUDA its driver knows, such as 12.4 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack/compat.h"

/* describe an entry of a fat binary */
enum { MAGIC_BYTES = 4, CONTAINER_HEADER = 16, ENTRY_HEADER = 64 };
enum { KIND_PTX = 1, KIND_CUBIN = 2 };

/* Bits of the flags, as nvcc 12 and 13 set them. */
static const uint64_t FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000;
static const uint64_t FLAG_ARCH_SPECIFIC = 0x100000, FLAG_FAMILY = 0x200000;

struct entry {
    int kind;
    uint32_t header;          /* bytes before the image */
    uint64_t stored;          /* bytes of the image in the file */
    int major, minor;         /* for PTX: its version */
    int arch;                 /* 75, 90, 120 … */
    uint64_t flags, unpacked; /* unpacked: 0 when not compressed */
};

/* read numbers from bytes */
/* The `bytes` bytes at p as a number, lowest byte first. */
static uint64_t number(const unsigned char *p, int bytes)
{
    uint64_t v = 0;

    while (bytes-- > 0)
        v = v << 8 | p[bytes];
    return v;
}

/* read an entry */
/* Reads the entry at p, of which `left` bytes are in the container; returns
   what is wrong, or NULL. */
static const char *read_entry(const unsigned char *p, uint64_t left,
                              struct entry *e)
{
    if (left < ENTRY_HEADER)
        return "ends in the middle of an entry's header";
    /* read the fields of the header */
    e->kind = (int)number(p, 2);
    e->header = (uint32_t)number(p + 4, 4);
    e->stored = number(p + 8, 8);
    e->minor = (int)number(p + 24, 2);
    e->major = (int)number(p + 26, 2);
    e->arch = (int)number(p + 28, 4);
    e->flags = number(p + 40, 8);
    e->unpacked = e->flags & (FLAG_LZ4 | FLAG_ZSTD) ? number(p + 56, 8) : 0;
    if (e->header < ENTRY_HEADER || e->header > left)
        return "has an entry whose header has an impossible size";
    if (e->stored > left - e->header)
        return "has an entry that is longer than its container";
    return NULL;
}

/* say whether a device can use an entry */
static char suffix_of(const struct entry *e)
{
    return e->flags & FLAG_ARCH_SPECIFIC ? 'a'
           : e->flags & FLAG_FAMILY      ? 'f'
                                         : '\0';
}

static enum fit fit_of(const struct entry *e, int cc)
{
    return image_fits(e->kind == KIND_PTX, e->arch, suffix_of(e), cc);
}

/* Is it PTX that a driver for CUDA `driver` (13000; 0: not given) refuses? */
static int too_new(const struct entry *e, int driver)
{
    return e->kind == KIND_PTX && driver &&
           ptx_needs(10 * e->major + e->minor) > driver;
}

/* 0, or a number that is larger for the entry that a driver prefers. */
static int worth(const struct entry *e, int cc, int driver)
{
    int fit = fit_of(e, cc);

    return fit == FIT_NO || too_new(e, driver) ? 0 : 1000 * fit + e->arch;
}

/* say what becomes of an entry */
static const char *use_of(const struct entry *e, int cc, int driver, int taken)
{
    if (fit_of(e, cc) == FIT_NO)
        return "not for this device";
    if (too_new(e, driver))
        return "PTX too new for this driver";
    if (!taken)
        return "fits, not taken";
    return e->kind == KIND_PTX ? "taken, compiled at start-up"
                               : "taken, runs as it is";
}

/* list a container */
static void print_entry(int number, const struct entry *e, int cc, int driver,
                        int taken)
{
    char target[32], suffix = suffix_of(e);

    snprintf(target, sizeof target, "%s_%d%c",
             e->kind == KIND_PTX ? "compute" : "sm", e->arch, suffix);
    printf("  %d  %-6s %-13s version %d.%d  %" PRIu64 " bytes", number,
           e->kind == KIND_PTX     ? "PTX"
           : e->kind == KIND_CUBIN ? "cubin"
                                   : "other",
           target, e->major, e->minor, e->stored);
    if (e->unpacked)
        printf(", %" PRIu64 " unpacked", e->unpacked);
    if (cc)
        printf(": %s", use_of(e, cc, driver, number == taken));
    printf("\n");
}

/* choose an entry */
/* The number of the entry that is taken, the first being 1; 0: none. */
static int choose(const unsigned char *p, uint64_t size, int cc, int driver)
{
    int n = 0, taken = 0, most = 0;
    struct entry e;

    for (uint64_t at = 0; at < size && !read_entry(p + at, size - at, &e);
         at += e.header + e.stored) {
        n++;
        if (worth(&e, cc, driver) > most) {
            most = worth(&e, cc, driver);
            taken = n;
        }
    }
    return taken;
}

/* walk through a container */
/* Lists the container at p; `left` bytes of the file are there. Returns its
   whole size, or 0 after saying on stderr what is wrong. */
static uint64_t list_container(const char *file, const unsigned char *p,
                               uint64_t left, int cc, int driver)
{
    uint64_t size = number(p + 8, 8), at = 0;
    const char *wrong = NULL;
    struct entry e;
    int n = 0, taken = 0;

    if (size > left - CONTAINER_HEADER)
        wrong = "claims more bytes than the file has: was it cut short?";
    else
        taken = choose(p + CONTAINER_HEADER, size, cc, driver);
    for (; !wrong && at < size; at += e.header + e.stored)
        if (!(wrong = read_entry(p + CONTAINER_HEADER + at, size - at, &e)))
            print_entry(++n, &e, cc, driver, taken);
    if (wrong)
        fprintf(stderr, "fatls: %s: a container %s\n", file, wrong);
    else if (n == 0)
        printf("  empty\n");
    return wrong ? 0 : CONTAINER_HEADER + size;
}

/* read a whole file */
static void *read_file(const char *name, uint64_t *size)
{
    FILE *f = fopen(name, "rb");
    unsigned char *b = NULL;
    size_t room = 0, n = 0, got = 1;

    while (f && got > 0) {
        if (n == room && !(b = realloc(b, room = 2 * room + 65536)))
            break;
        got = fread(b + n, 1, room - n, f);
        n += got;
    }
    if (!f || !b || ferror(f)) {
        fprintf(stderr, "fatls: ");
        perror(name);
        exit(1);
    }
    fclose(f);
    *size = n;
    return b;
}

/* read the arguments of fatls */
static void read_arguments(int argc, char **argv, int *cc, int *driver)
{
    int help = argc == 2 && strcmp(argv[1], "--help") == 0;
    int major, minor, i, end;

    for (i = 2; i + 1 < argc; i += 2) {
        end = 0;
        if (sscanf(argv[i + 1], "%3d.%1d%n", &major, &minor, &end) != 2 ||
            argv[i + 1][end] != '\0' || major < 1 || minor < 0)
            break;
        if (strcmp(argv[i], "--for") == 0)
            *cc = 10 * major + minor;
        else if (strcmp(argv[i], "--driver") == 0)
            *driver = 1000 * major + 10 * minor;
        else
            break;
    }
    if (help || argc < 2 || i != argc || (*driver && !*cc)) {
        fprintf(help ? stdout : stderr,
                "usage: fatls FILE [--for 8.9 [--driver 12.4]]\n"
                "  lists the images in a file; --for and --driver say which of "
                "them\n  a device of 8.9 with a driver for 12.4 takes\n");
        exit(help ? 0 : 2);
    }
}

/* look for containers */
int main(int argc, char **argv)
{
    static const unsigned char start[8] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    uint64_t size = 0, at = 0, used;
    int cc = 0, driver = 0, n = 0, whole = 1;
    unsigned char *b;

    read_arguments(argc, argv, &cc, &driver);
    b = read_file(argv[1], &size);
    while (whole && at + CONTAINER_HEADER <= size) {
        if (memcmp(b + at, start, sizeof start) != 0) {
            at += 8;
            continue;
        }
        printf("container %d\n", ++n);
        used = list_container(argv[1], b + at, size - at, cc, driver);
        whole = used != 0;
        at += (used + 7) / 8 * 8;
    }
    if (n == 0)
        printf("%s: no fat binary: not built by nvcc, or built without device "
               "code\n",
               argv[1]);
    free(b);
    return !whole;
}
