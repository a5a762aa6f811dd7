/* check_where.c: from an address in the program to a line and a column. */
#define _GNU_SOURCE
#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loom/inst.h"

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
        fprintf(stderr, "simt: the checker cannot read /proc/self/exe\n");
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

/* run the line programs */
static struct unit *units;
static struct line {
    uintptr_t address;
    int unit, file, line, column;
} * lines;
static int lines_n;

static void keep_row(const struct row *r, int unit)
{
    static int room;

    if (lines_n == room) {
        room = 2 * room + 4096;
        lines = realloc(lines, (size_t)room * sizeof *lines);
        if (!lines)
            abort();
    }
    lines[lines_n++] = (struct line){r->address, unit, (int)r->file,
                                     r->done ? 0 : r->line, r->column};
}
static void run_lines(struct bytes b)
{
    for (int n = 0; b.p + 15 < b.end; n++) {
        struct row start = {0, 1, 1, 0, 0}, r = start;

        units = realloc(units, (size_t)(n + 1) * sizeof *units);
        if (!units)
            abort();
        read_unit(&b, &units[n]);
        struct bytes p = units[n].program;
        while (units[n].version >= 2 && units[n].version <= 4 && p.p < p.end)
            if (execute(&units[n], &p, &r)) {
                keep_row(&r, n);
                r = r.done ? start : r;
            }
    }
}

/* search the line table */
static int by_address(const void *a, const void *b)
{
    const struct line *p = a, *q = b;

    if (p->address != q->address)
        return p->address < q->address ? -1 : 1;
    if (!p->line != !q->line)
        return p->line ? 1 : -1;
    return p < q ? -1 : 1;
}
/* Of n things of `size` bytes, in the order of the addresses that they begin
   with: the index of the last that is not behind x, or -1. */
static int last_at(const void *things, int n, size_t size, uintptr_t x)
{
    int lo = 0, hi = n;

    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (*(const uintptr_t *)((const char *)things + size * mid) <= x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo - 1;
}

static int search(uintptr_t pc, struct place *at)
{
    int i = last_at(lines, lines_n, sizeof *lines, pc);
    const struct line *l = &lines[i];

    if (i < 0 || !l->line)
        return 0;
    name_file(&units[l->unit], (unsigned)l->file, at);
    at->line = l->line;
    at->column = l->column;
    return 1;
}

/* ask addr2line for the caller of an inlined function */
int where_loom(const char *file)
{
    const char *dir = strstr(file, "loom/");

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

        if (!colon || where_loom(line))
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

/* Where the table says; the line may be one of Loom's headers. */
void where_line(uintptr_t pc, struct place *at)
{
    char cwd[256], *root = getcwd(cwd, sizeof cwd);
    size_t n = root ? strlen(root) : 0;

    if (!lines) {
        run_lines(find_section(".debug_line"));
        qsort(lines, (size_t)lines_n, sizeof *lines, by_address);
    }
    *at = (struct place){"?", 0, 0};
    search(pc - (uintptr_t)__executable_start, at);
    if (n && strncmp(at->file, root, n) == 0 && at->file[n] == '/')
        memmove(at->file, at->file + n + 1, strlen(at->file + n));
}

/* The same, or where the header's function was called. */
void where_is(uintptr_t pc, struct place *at)
{
    where_line(pc, at);
    if (at->line == 0 || where_loom(at->file))
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
    struct bytes b = find_section(".simt");

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
    return last_at(inst_variable[space], variables[space],
                   sizeof **inst_variable, offset);
}
