/* where: in which memory do things live? */
#include "tour/args.h"
#include "tour/check.h"

/* find the region of an address */
/* The name of the memory region in which address p lies. */
static void region_of(const void *p, char name[64])
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4400], path[4100];
    uintptr_t from, to;

    CHECK(maps != NULL, "no /proc/self/maps: this program is for Linux");
    strcpy(name, "nowhere");
    while (fgets(line, sizeof line, maps)) {
        strcpy(path, "a region without a name");
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %4099[^\n]",
                   &from, &to, path) >= 2 &&
            (uintptr_t)p >= from && (uintptr_t)p < to)
            snprintf(name, 64, "%.63s",
                     strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
    }
    fclose(maps);
}

static void show(const char *what, const void *p, const char *want)
{
    char name[64];

    region_of(p, name);
    printf("%-20s %s\n", what, name);
    CHECK(want == NULL || strcmp(name, want) == 0, "%s: in %s, want %s", what,
          name, want);
}

static int initialised = 1;

/* show where five things live */
int main(int argc, char **argv)
{
    int local = 0;
    void *small = malloc(100), *large = malloc(64 << 20);

    args_parse(argc, argv, "show in which memory things live", NULL, 0);
    CHECK(small != NULL && large != NULL, "no memory");
    show("the function main", (const void *)(uintptr_t)main, "where");
    show("a global variable", &initialised, "where");
    show("a local variable", &local, "[stack]");
    show("100 bytes, malloc", small, NULL);
    show("64 MiB, malloc", large, NULL);
    free(large);
    free(small);
    return 0;
}
