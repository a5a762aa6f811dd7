/* check_where.c: from an address in the program to a line or a variable. */
#define _GNU_SOURCE
#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loom/inst.h"

/* start addr2line */
static FILE *addr2line(void)
{
    static FILE *answers;
    char program[40];
    int end[2];

    if (answers || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end))
        return answers;
    snprintf(program, sizeof program, "/proc/%d/exe", (int)getpid());
    if (fork() == 0) {
        dup2(end[1], 0);
        dup2(end[1], 1);
        execlp("addr2line", "addr2line", "-aie", program, (char *)NULL);
        perror("loom: the checker needs addr2line");
        _exit(127);
    }
    close(end[1]);
    return answers = fdopen(end[0], "r");
}

/* find a place in the source */
extern char __executable_start[];

int where_loom(const char *file)
{
    const char *name = strrchr(file, '/');

    return name && name - file >= 4 && strncmp(name - 4, "loom", 4) == 0 &&
           strstr(name, ".h");
}
/* Reads the places of an address, up to the next address and its place. */
static void read_places(FILE *f, int outside, struct place *at)
{
    char text[sizeof at->file], *colon;

    while (fgets(text, sizeof text, f) && strncmp(text, "0x", 2)) {
        colon = strrchr(text, ':');
        if (!colon || (at->line && !(outside && where_loom(at->file))))
            continue;
        *colon = 0;
        snprintf(at->file, sizeof at->file, "%s",
                 strncmp(text, "./", 2) ? text : text + 2);
        at->line = atoi(colon + 1);
    }
    if (!fgets(text, sizeof text, f))
        at->line = 0;
}
/* Where the instruction stands or, if outside, where the function of Loom's
   headers that it belongs to was called. */
static void ask(uintptr_t pc, int outside, struct place *at)
{
    FILE *f = addr2line();
    char text[80];
    int n = snprintf(text, sizeof text, "%#lx\n0\n",
                     (unsigned long)(pc - (uintptr_t)__executable_start));

    *at = (struct place){"?", 0, 0};
    if (!f)
        return;
    flockfile(f);
    if (send(fileno(f), text, (size_t)n, MSG_NOSIGNAL) == n &&
        fgets(text, sizeof text, f))
        read_places(f, outside, at);
    funlockfile(f);
}
void where_line(uintptr_t pc, struct place *at)
{
    ask(pc, 0, at);
}

void where_is(uintptr_t pc, struct place *at)
{
    ask(pc, 1, at);
}

/* find the place of a site */
const struct place *site_place(unsigned site)
{
    struct site *s = &inst_site[site];

    if (s->at.line < 0)
        where_is(s->pc, &s->at);
    return &s->at;
}

/* find a section of the program */
static const Elf64_Ehdr *program(void)
{
    static void *map;
    int fd = map ? -1 : open("/proc/self/exe", O_RDONLY);
    struct stat s;

    if (fd >= 0 && fstat(fd, &s) == 0)
        map = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (!map || map == MAP_FAILED) {
        fprintf(stderr, "loom: the checker cannot read /proc/self/exe\n");
        exit(2);
    }
    return map;
}
static const Elf64_Shdr *section(int i)
{
    const Elf64_Ehdr *e = program();

    return (const Elf64_Shdr *)((const char *)e + e->e_shoff) + i;
}

static const char *section_name(int i)
{
    const Elf64_Ehdr *e = program();

    return (const char *)e + section(e->e_shstrndx)->sh_offset +
           section(i)->sh_name;
}
struct bytes {
    const unsigned char *p, *end;
};

static struct bytes find_section(const char *name)
{
    const Elf64_Ehdr *e = program();

    for (int i = 0; i < e->e_shnum; i++)
        if (strcmp(section_name(i), name) == 0 &&
            !(section(i)->sh_flags & SHF_COMPRESSED)) {
            const unsigned char *p =
                (const unsigned char *)e + section(i)->sh_offset;

            return (struct bytes){p, p + section(i)->sh_size};
        }
    return (struct bytes){NULL, NULL};
}

/* find the plain name of a symbol */
/* The last word of a C++ symbol, each of which follows its length. */
static void plain_name(const char *symbol, char *name, size_t size)
{
    const char *word = symbol;
    size_t length = strcspn(symbol, ".");

    for (const char *s = symbol; symbol[0] == '_' && symbol[1] == 'Z' && *s;
         s++) {
        char *after;
        size_t n = isdigit((unsigned char)*s) ? strtoul(s, &after, 10) : 0;

        if (n && n <= strlen(after) && strchr("E_.", after[n]))
            word = after, length = n, s = after + n - 1;
    }
    snprintf(name, size, "%.*s", (int)length, word);
}
/* The function that a static variable stands in, or "". */
static void enclosing(const char *symbol, char *name, size_t size)
{
    char *s = (char *)symbol;

    *name = 0;
    if (strncmp(symbol, "_ZZ", 3))
        return;
    for (s += 3; *s == 'N' || *s == 'L'; s++)
        ;
    while (isdigit((unsigned char)*s)) {
        size_t n = strtoul(s, &s, 10);

        snprintf(name, size, "%.*s", (int)n, s);
        s += n < strlen(s) ? n : strlen(s);
    }
}

/* collect the variables */
struct variable *inst_variable[2];
static int variables[2];

/* What the rewriter has said of a name. */
int where_said(const char *name, size_t length)
{
    struct bytes b = find_section(".loom");

    for (; b.p < b.end; b.p += strlen((const char *)b.p) + 1) {
        const char *kind = (const char *)b.p, *space = strchr(kind, ' ');
        const char *word = space ? space + 1 : kind;

        if (strlen(word) == length && strncmp(word, name, length) == 0)
            return !space ? DEVICE : *kind == 'm' ? MANAGED : KERNEL;
    }
    return NOBODY;
}
static int owner(const Elf64_Sym *s, const char *symbol, const char *name)
{
    const char *in = section_name(s->st_shndx);
    int said = where_said(name, strlen(name));

    if (strncmp(symbol, "_ZGV", 4) == 0 || strncmp(symbol, "__gcov", 6) == 0)
        return GUARD;
    if (ELF64_ST_TYPE(s->st_info) == STT_TLS) /* Loom has some too */
        return strncmp(symbol, "_Z", 2) || !strncmp(name, "loom_", 5) ? NOBODY
                                                                      : DEVICE;
    if (said == DEVICE || said == MANAGED)
        return said;
    if ((strcmp(in, ".data") && strcmp(in, ".bss")) ||
        (strncmp(symbol, "_ZZ", 3) == 0 && strncmp(symbol, "_ZZ4main", 8)))
        return NOBODY;
    return HOST;
}

/* find a variable */
static int by_start(const void *a, const void *b)
{
    size_t p = ((const struct variable *)a)->start;
    size_t q = ((const struct variable *)b)->start;

    return p < q ? -1 : p > q;
}

static void collect(struct bytes table, struct bytes names)
{
    const Elf64_Sym *s = (const Elf64_Sym *)table.p;

    for (; (const unsigned char *)s < table.end; s++) {
        int type = ELF64_ST_TYPE(s->st_info), space = type == STT_TLS;
        const char *symbol = (const char *)names.p + s->st_name;
        struct variable *v;

        if ((type != STT_TLS && type != STT_OBJECT) || !s->st_size ||
            s->st_shndx >= SHN_LORESERVE || s->st_shndx == SHN_UNDEF)
            continue;
        v = &inst_variable[space][variables[space]++];
        v->start = s->st_value;
        v->bytes = s->st_size;
        plain_name(symbol, v->name, sizeof v->name);
        enclosing(symbol, v->within, sizeof v->within);
        v->owner = owner(s, symbol, v->name);
    }
}
int where_variables(int space)
{
    struct bytes table = find_section(".symtab");
    size_t n = (size_t)(table.end - table.p) / sizeof(Elf64_Sym) + 1;

    if (!inst_variable[0]) {
        for (int i = 0; i < 2; i++)
            if (!(inst_variable[i] = calloc(n, sizeof **inst_variable)))
                abort();
        collect(table, find_section(".strtab"));
        for (int i = 0; i < 2; i++)
            qsort(inst_variable[i], (size_t)variables[i],
                  sizeof **inst_variable, by_start);
    }
    return variables[space];
}
int where_variable(size_t offset, int space)
{
    int lo = 0, hi = variables[space];

    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (inst_variable[space][mid].start <= offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo - 1;
}
