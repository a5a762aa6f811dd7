/* check_where.c: from an address in the program to a line and a column. */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/inst.h"

/* find lines in the source */

/* read bytes of the line table */
struct bytes {
    const unsigned char *p, *end;
};

static uint64_t fixed(struct bytes *b, int n)
{
    uint64_t v = 0;

    for (int i = 0; i < n && b->p < b->end; i++)
        v |= (uint64_t)*b->p++ << 8 * i;
    return v;
}

/* seven bits a byte, the lowest first; sign: extend the last one's bit 6 */
static int64_t leb(struct bytes *b, int sign)
{
    uint64_t v = 0;
    int shift = 0, byte = 0x80;

    while (byte & 0x80 && b->p < b->end) {
        byte = *b->p++;
        v |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    }
    if (sign && byte & 0x40 && shift < 64)
        v |= ~(uint64_t)0 << shift;
    return (int64_t)v;
}

/* find the line table in the program */
static struct bytes find_section(const char *name)
{
    struct bytes none = {NULL, NULL};
    int fd = open("/proc/self/exe", O_RDONLY);
    struct stat s;
    unsigned char *map;

    if (fd < 0 || fstat(fd, &s))
        return none;
    map = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (map == MAP_FAILED)
        return none;
    Elf64_Ehdr *e = (Elf64_Ehdr *)map;
    Elf64_Shdr *h = (Elf64_Shdr *)(map + e->e_shoff);
    const char *names = (char *)map + h[e->e_shstrndx].sh_offset;

    for (int i = 0; i < e->e_shnum; i++)
        if (strcmp(names + h[i].sh_name, name) == 0 &&
            !(h[i].sh_flags & SHF_COMPRESSED))
            return (struct bytes){map + h[i].sh_offset,
                                  map + h[i].sh_offset + h[i].sh_size};
    return none;
}

/* read the header of a unit */
struct unit {
    struct bytes dirs, program; /* the names; the opcodes */
    int version, step, line_base, line_range, opcode_base;
    unsigned char operands[256]; /* of each standard opcode */
};

static void read_unit(struct bytes *b, struct unit *u)
{
    uint64_t length = fixed(b, 4);

    u->program.end = b->p + length < b->end ? b->p + length : b->end;
    u->version = (int)fixed(b, 2);
    length = fixed(b, 4);
    u->program.p = b->p + length;
    u->step = (int)fixed(b, 1);
    if (u->version >= 4)
        fixed(b, 1); /* operations in one instruction */
    fixed(b, 1);     /* whether a line begins a statement */
    u->line_base = (int8_t)fixed(b, 1);
    u->line_range = (int)fixed(b, 1);
    u->opcode_base = (int)fixed(b, 1);
    for (int i = 1; i < u->opcode_base; i++)
        u->operands[i] = (unsigned char)fixed(b, 1);
    u->dirs = (struct bytes){b->p, u->program.p};
    b->p = u->program.end;
}

/* name a file of a unit */
static const char *text(struct bytes *b)
{
    const char *s = (const char *)b->p;

    b->p += strlen(s) + 1;
    return s;
}

static void name_file(const struct unit *u, unsigned file, struct place *at)
{
    struct bytes b = u->dirs, dirs = b;
    const char *name = "", *dir = "";
    int64_t in = 0;

    while (*text(&b))
        ;
    for (unsigned i = 0; i < file && *(name = text(&b)); i++) {
        in = leb(&b, 0);
        leb(&b, 0), leb(&b, 0); /* when it was changed, how long it is */
    }
    for (int i = 0; i < in; i++)
        dir = text(&dirs);
    snprintf(at->file, sizeof at->file, "%s%s%s", *name == '/' ? "" : dir,
             *dir && *name != '/' ? "/" : "", name);
}

/* execute an extended opcode */
struct row {
    uintptr_t address;
    unsigned file;
    int line, column, done; /* done: the sequence ends here */
};

static int extended(struct bytes *b, struct row *r)
{
    const unsigned char *end = b->p + 1;
    uint64_t length = (uint64_t)leb(b, 0);
    int op;

    end = b->p + length;
    op = (int)fixed(b, 1);
    r->done = op == 1;
    if (op == 2)
        r->address = fixed(b, 8);
    b->p = end;
    return r->done;
}

/* execute a standard opcode */
static int standard(const struct unit *u, struct bytes *b, struct row *r,
                    int op)
{
    switch (op) {
    case 2:
        r->address += (uintptr_t)(leb(b, 0) * u->step);
        break;
    case 3:
        r->line += (int)leb(b, 1);
        break;
    case 4:
        r->file = (unsigned)leb(b, 0);
        break;
    case 5:
        r->column = (int)leb(b, 0);
        break;
    case 8:
        r->address +=
            (uintptr_t)((255 - u->opcode_base) / u->line_range * u->step);
        break;
    case 9:
        r->address += fixed(b, 2);
        break;
    default:
        for (int i = 0; i < u->operands[op]; i++)
            leb(b, 0);
    }
    return op == 1;
}

/* execute one opcode of a line program */
/* Returns 1 when the opcode adds a row to the table. */
static int execute(const struct unit *u, struct bytes *b, struct row *r)
{
    int op = (int)fixed(b, 1), adjusted = op - u->opcode_base;

    if (op == 0)
        return extended(b, r);
    if (adjusted >= 0) {
        r->address += (uintptr_t)(adjusted / u->line_range * u->step);
        r->line += u->line_base + adjusted % u->line_range;
        return 1;
    }
    return standard(u, b, r, op);
}

/* search the line table */
static int search(struct bytes b, uintptr_t pc, struct place *at)
{
    while (b.p + 15 < b.end) {
        struct unit u;
        struct row start = {0, 1, 1, 0, 0}, last = start, r = start;

        read_unit(&b, &u);
        if (u.version < 2 || u.version > 4)
            continue;
        while (u.program.p < u.program.end) {
            if (!execute(&u, &u.program, &r))
                continue;
            if (last.address && last.address <= pc && pc < r.address) {
                name_file(&u, last.file, at);
                at->line = last.line;
                at->column = last.column;
                return 1;
            }
            last = r = r.done ? start : r;
        }
    }
    return 0;
}

/* ask addr2line for the caller of an inlined function */
int where_machine(const char *file)
{
    const char *dir = strstr(file, "machine/");

    return dir && !strchr(dir + 8, '/') && strstr(dir, ".h");
}

static void ask(uintptr_t pc, struct place *at)
{
    char command[120], line[400];
    FILE *f;

    snprintf(command, sizeof command, "addr2line -i -e /proc/%d/exe %#lx",
             (int)getpid(), (unsigned long)pc);
    f = popen(command, "r");
    while (f && fgets(line, sizeof line, f)) {
        char *colon = strrchr(line, ':');

        if (!colon || where_machine(line))
            continue;
        snprintf(at->file, sizeof at->file, "%.*s", (int)(colon - line), line);
        at->line = atoi(colon + 1);
        at->column = 0;
        break;
    }
    if (f)
        pclose(f);
}

/* find a place in the source */
extern char __executable_start[];

/* Where the table says; the line may be one of the machine's headers. */
void where_line(uintptr_t pc, struct place *at)
{
    static struct bytes table;
    char cwd[256], *root = getcwd(cwd, sizeof cwd);
    size_t n = root ? strlen(root) : 0;

    if (!table.p)
        table = find_section(".debug_line");
    *at = (struct place){"?", 0, 0};
    pc -= (uintptr_t)__executable_start;
    if (table.p)
        search(table, pc, at);
    if (n && strncmp(at->file, root, n) == 0 && at->file[n] == '/')
        memmove(at->file, at->file + n + 1, strlen(at->file + n));
}

/* The same, or where the header's function was called. */
void where_is(uintptr_t pc, struct place *at)
{
    where_line(pc, at);
    if (at->line == 0 || where_machine(at->file))
        ask(pc - (uintptr_t)__executable_start, at);
}

/* find the place of a site */
const struct place *site_place(unsigned site)
{
    struct site *s = &inst_site[site];

    if (s->at.line < 0)
        where_is(s->pc, &s->at);
    return &s->at;
}
