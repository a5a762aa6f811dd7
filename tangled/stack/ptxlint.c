/* ptxlint.c: count the instructions of PTX text by class, for each kernel.
   Usage: ptxlint [FILE]   (without FILE: standard input)
   Malformed text is refused with its line number, exit 1. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* keep the text and the place in it */
static const char *file = "standard input";
static char *text;   /* the whole text, with a '\0' at its end */
static size_t at;    /* where we are */
static int line = 1; /* of which the first is 1 */

static void refuse(int where, const char *what, const char *which)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s%s\n", file, where, what, which);
    exit(1);
}

static void step(void)
{
    if (text[at++] == '\n')
        line++;
}
static int opens_scope(const char *s)
{
    return *s == '\0' || strstr(s, ".entry") || strstr(s, ".func") ||
           strncmp(s, ".section", 8) == 0;
}

static int is_label(const char *s)
{
    size_t n = strlen(s);

    while (n > 0 && s[n - 1] == ' ')
        n--;
    return n > 0 && (isalpha((unsigned char)*s) || strchr("$_%", *s)) &&
           strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                     "0123456789_$%") == n;
}

/* skip blanks and comments */
static void skip_blanks(void)
{
    int start;

    for (;;) {
        if (isspace((unsigned char)text[at])) {
            step();
        } else if (strncmp(text + at, "//", 2) == 0) {
            while (text[at] && text[at] != '\n')
                step();
        } else if (strncmp(text + at, "/*", 2) == 0) {
            for (start = line; strncmp(text + at, "*/", 2) != 0; step())
                if (!text[at])
                    refuse(start, "a comment without an end: add */", "");
            at += 2;
        } else {
            return;
        }
    }
}

/* read a statement */
enum { STATEMENT = 4096 };
static char statement[STATEMENT]; /* the last one, without blanks around it */
static int began;                 /* the line it began in */

static int ends_with_line(const char *s)
{
    static const char *const words[] = {".version", ".target", ".address_size",
                                        ".file", ".loc"};
    size_t i, n;

    for (i = 0; i < sizeof words / sizeof words[0]; i++) {
        n = strlen(words[i]);
        if (strncmp(s, words[i], n) == 0 && isspace((unsigned char)s[n]))
            return 1;
    }
    return 0;
}

/* collect a statement */
static char next_statement(void)
{
    size_t n = 0;
    int depth = 0;
    char c, *blank;

    skip_blanks();
    began = line;
    blank = ends_with_line(text + at) ? "\n" : "";
    while ((c = text[at]) != '\0') {
        /* end the statement here if it ends */
        statement[n] = '\0';
        if (*blank && c == '\n')
            break;
        if (!*blank && depth == 0 &&
            (c == ';' || c == '}' || (c == '{' && opens_scope(statement)) ||
             (c == ':' && is_label(statement) && text[at + 1] != ':'))) {
            step();
            break;
        }
        depth += (c == '{') - (c == '}');
        if (depth < 0)
            refuse(line, "a } without its {: take it out", "");
        if (n < STATEMENT - 1)
            statement[n++] = isspace((unsigned char)c) ? ' ' : c;
        step();
        if (isspace((unsigned char)c) && !*blank)
            skip_blanks();
    }
    statement[n] = '\0';
    return c;
}

/* sort instructions into classes */
static int is_word(const char *name, const char *word)
{
    size_t n = strlen(word);

    return strncmp(name, word, n) == 0 && (name[n] == '.' || name[n] == '\0');
}

/* Is the last word a floating-point type (.f32, .f16x2, .bf16 …)? */
static int is_float(const char *name)
{
    const char *type = strrchr(name, '.');

    return type && (type[1] == 'f' || strncmp(type, ".bf", 3) == 0);
}

/* name the memory of a load or store */
/* "ld.global" for ld.global.v4.f32; without a memory's name the address is
   generic, and only the hardware knows which memory it points to. */
static void name_memory(const char *name, char *class, size_t size)
{
    static const char *const spaces[] = {"global", "shared", "local", "param",
                                         "const"};
    const char *dot;
    size_t i;

    for (dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
        for (i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
            if (strncmp(dot + 1, spaces[i], strlen(spaces[i])) == 0) {
                snprintf(class, size, "%.2s.%s", name, spaces[i]);
                return;
            }
    snprintf(class, size, "%.2s.generic", name);
}

/* name the class of an instruction */
static void name_class(const char *name, char *class, size_t size)
{
    static const char *const same[] = {
        "fma",  "cvt", "cvta", "mov",   "setp", "bra", "bar",
        "shfl", "mma", "wmma", "wgmma", "call", "ret", "barrier"};
    static const char *const arithmetic[] = {"add", "sub", "mul", "mad",
                                             "div", "neg", "min", "max"};
    size_t i;

    snprintf(class, size, "%s", "other");
    for (i = 0; i < sizeof same / sizeof same[0]; i++)
        if (is_word(name, same[i]))
            snprintf(class, size, "%s", same[i]);
    for (i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++)
        if (is_word(name, arithmetic[i]))
            snprintf(class, size, "%s.%s", arithmetic[i],
                     is_float(name) ? "float" : "int");
    if (is_word(name, "ld") || is_word(name, "st"))
        name_memory(name, class, size);
    if (is_word(name, "atom") || is_word(name, "red"))
        snprintf(class, size, "%s", "atomic");
}

/* count the statements of a body */
enum { CLASSES = 64 };
static struct {
    char name[24];
    int count;
} classes[CLASSES];
static int class_count;

static void count(const char *name)
{
    char class[24];
    int i;

    name_class(name, class, sizeof class);
    for (i = 0; i < class_count && strcmp(classes[i].name, class) != 0; i++)
        ;
    if (i == class_count && class_count < CLASSES)
        snprintf(classes[class_count++].name, sizeof class, "%s", class);
    if (i < class_count)
        classes[i].count++;
}

/* count one instruction */
static void count_instruction(const char *s)
{
    char name[80];
    size_t n;

    if (*s == '@') {
        s += strcspn(s, " ");
        s += strspn(s, " ");
    }
    n = strcspn(s, " ");
    snprintf(name, sizeof name, "%.*s", (int)n, s);
    if (!islower((unsigned char)*name) ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.:L") !=
            strlen(name))
        refuse(began, "not an instruction: ", *name ? name : "(nothing)");
    count(name);
}

/* go through a body */
static void read_body(const char *kernel)
{
    int depth = 1, opened = began, i;
    char end;

    class_count = 0;
    memset(classes, 0, sizeof classes);
    while (depth > 0) {
        end = next_statement();
        if (end == '\0')
            refuse(opened, "a body without an end: add } for ", kernel);
        if (end == '}' && *statement)
            refuse(began, "no ; after: ", statement);
        depth += (end == '{') - (end == '}');
        if (end == ';' && *statement && *statement != '.')
            count_instruction(statement);
    }
    for (i = 0; i < class_count; i++)
        printf("%s %s %d\n", kernel, classes[i].name, classes[i].count);
}

/* read what stands outside of bodies */
static void read_name(char *name, size_t size)
{
    const char *s = strstr(statement, ".entry");
    size_t n;

    s = s ? s + 6 : strstr(statement, ".func") + 5;
    s += strspn(s, " ");
    if (*s == '(') {
        s += strcspn(s, ")");
        s += strspn(s, ") ");
    }
    n = strcspn(s, " (");
    if (n == 0)
        refuse(began, "a function without a name: ", statement);
    snprintf(name, size, "%.*s", (int)n, s);
}

/* read a directive or a body */
static int read_outside(void)
{
    char name[STATEMENT], end = next_statement();
    int function = strstr(statement, ".entry") || strstr(statement, ".func");

    if (end == '\0' && *statement)
        refuse(began, "the text ends within: ", statement);
    if (end == '}')
        refuse(began, "a } without its {: take it out", "");
    if (*statement && *statement != '.')
        refuse(began, "outside of every function: ", statement);
    if (end == '{' && function) {
        read_name(name, sizeof name);
        read_body(name);
    } else if (end == '{') {
        /* skip a section of debugging data */
        int start = began;

        while (text[at] && text[at] != '}')
            step();
        if (!text[at])
            refuse(start, "a section without an end: add }", "");
        step();
    }
    return end != '\0';
}

/* read the text and check its first lines */
static void read_all(FILE *f)
{
    size_t room = 0, n = 0, got = 1;

    while (got > 0) {
        if (n + 1 >= room && !(text = realloc(text, room = 2 * room + 65536)))
            refuse(line, "no memory for the text", "");
        got = fread(text + n, 1, room - n - 1, f);
        n += got;
    }
    if (ferror(f))
        refuse(line, "cannot be read", "");
    text[n] = '\0';
    if (strlen(text) != n)
        refuse(line, "holds a zero byte: this is no text (is it a cubin?)", "");
}

/* check the first lines and read the rest */
int main(int argc, char **argv)
{
    FILE *f = stdin;
    int major, minor;

    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
        fprintf(stderr, "usage: ptxlint [FILE]\n");
        return 2;
    }
    if (argc == 2 && !(f = fopen(file = argv[1], "r")))
        return perror(argv[1]), 1;
    read_all(f);
    next_statement();
    if (sscanf(statement, ".version %d.%d", &major, &minor) != 2)
        refuse(began, "not PTX: it must begin with .version", "");
    next_statement();
    if (strncmp(statement, ".target sm_", 11) != 0)
        refuse(began, "a line with .target sm_… must follow .version", "");
    while (read_outside())
        ;
    free(text);
    return 0;
}
