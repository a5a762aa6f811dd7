/* args.h: the arguments of a program, [sizes] --seed N --help. C11, C++17. */
#ifndef TOUR_ARGS_H
#define TOUR_ARGS_H

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* describe one argument */
enum arg_kind { ARG_IS_SIZE, ARG_IS_NUMBER, ARG_IS_TEXT, ARG_IS_FLAG };

struct arg {
    enum arg_kind kind;
    const char *name; /* "n", found by its place, or "--data" */
    int64_t value;    /* the default; afterwards what was given */
    int64_t min, max; /* 0 <= min; a number outside is refused */
    const char *text; /* the same as value, for a text */
};

/* make a row of the table */
static inline struct arg arg_make(enum arg_kind kind, const char *name,
                                  int64_t value, int64_t min, int64_t max,
                                  const char *text)
{
    struct arg a = {kind, name, value, min, max, text};

    return a;
}

#define ARG_SIZE(name, value, min, max) \
    arg_make(ARG_IS_SIZE, name, value, min, max, NULL)
#define ARG_NUMBER(name, value, min, max) \
    arg_make(ARG_IS_NUMBER, name, value, min, max, NULL)
#define ARG_TEXT(name, text) arg_make(ARG_IS_TEXT, name, 0, 0, 0, text)
#define ARG_FLAG(name) arg_make(ARG_IS_FLAG, name, 0, 0, 1, NULL)
#define ARG_COUNT(args) ((int)(sizeof(args) / sizeof *(args)))

/* refuse an argument */
/* Prints "program: message" on stderr and exits 2. */
__attribute__((noreturn, format(printf, 2, 3))) static inline void
args_refuse(const char *program, const char *fmt, ...)
{
    va_list list;

    fprintf(stderr, "%s: ", program);
    va_start(list, fmt);
    vfprintf(stderr, fmt, list);
    va_end(list);
    fprintf(stderr, " (see %s --help)\n", program);
    exit(2);
}

/* read a whole number */
/* Reads decimal digits into *value. Returns what is wrong with s, or NULL. */
static inline const char *args_digits(const char *s, uint64_t *value)
{
    uint64_t v = 0;

    if (s[0] == '-' && s[1] >= '0' && s[1] <= '9')
        return "is negative";
    if (*s == '\0')
        return "is empty";
    for (; *s != '\0'; s++) {
        uint64_t digit = (uint64_t)(*s - '0');

        if (*s < '0' || *s > '9')
            return "is not a whole number in digits";
        if (v > (UINT64_MAX - digit) / 10)
            return "does not fit in 64 bits";
        v = 10 * v + digit;
    }
    *value = v;
    return NULL;
}
static inline uint64_t args_number(const char *program, const char *name,
                                   const char *s, uint64_t min, uint64_t max)
{
    uint64_t value = 0;
    const char *wrong = args_digits(s, &value);

    if (wrong == NULL && value < min)
        wrong = "is too small";
    if (wrong == NULL && value > max)
        wrong = "is too large";
    if (wrong != NULL)
        args_refuse(program,
                    "%s: '%s' %s; give one from %" PRIu64 " to %" PRIu64, name,
                    s, wrong, min, max);
    return value;
}

/* print the help */
static inline void args_help(const char *program, const char *about,
                             const struct arg *args, int count)
{
    printf("%s: %s\nusage: %s", program, about, program);
    for (int i = 0; i < count; i++)
        printf(args[i].kind == ARG_IS_TEXT     ? " [%s TEXT]"
               : args[i].kind == ARG_IS_NUMBER ? " [%s N]"
                                               : " [%s]",
               args[i].name);
    printf(" [--seed N] [--help]\n");
    for (int i = 0; i < count; i++)
        if (args[i].kind == ARG_IS_SIZE || args[i].kind == ARG_IS_NUMBER)
            printf("  %-10s %" PRId64 " to %" PRId64 ", else %" PRId64 "\n",
                   args[i].name, args[i].min, args[i].max, args[i].value);
    printf("  %-10s 0 to %" PRIu64 ", else 1\n", "--seed", UINT64_MAX);
}

/* find an option in the table */
/* The option called name, or NULL. The sizes have no name to be called by. */
static inline struct arg *args_option(struct arg *args, int count,
                                      const char *name)
{
    for (int i = 0; i < count; i++)
        if (args[i].kind != ARG_IS_SIZE && strcmp(args[i].name, name) == 0)
            return &args[i];
    return NULL;
}

/* The first size at or after *place, which moves behind it; NULL: no more. */
static inline struct arg *args_size(struct arg *args, int count, int *place)
{
    while (*place < count) {
        struct arg *a = &args[(*place)++];

        if (a->kind == ARG_IS_SIZE)
            return a;
    }
    return NULL;
}

/* take the value of an argument */
/* Stores the word s in *a, as a text or as a number in its range. */
static inline void args_take(const char *program, struct arg *a, const char *s)
{
    if (a->kind == ARG_IS_TEXT)
        a->text = s;
    else
        a->value = (int64_t)args_number(program, a->name, s, (uint64_t)a->min,
                                        (uint64_t)a->max);
}

/* read all arguments */
/* Reads argv into the table args[count] and returns the seed (1 unless given).
   Anything it does not understand is refused: message on stderr, exit 2. */
static inline uint64_t args_parse(int argc, char **argv, const char *about,
                                  struct arg *args, int count)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *program = slash ? slash + 1 : argc > 0 ? argv[0] : "program";
    uint64_t seed = 1;
    int place = 0;

    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;

        /* take one word, and the next if it belongs to it */
        struct arg *a = args_option(args, count, word);
        int is_seed = strcmp(word, "--seed") == 0;

        if (strcmp(word, "--help") == 0) {
            args_help(program, about, args, count);
            exit(0);
        }
        if (a != NULL && a->kind == ARG_IS_FLAG) {
            a->value = 1;
        } else if (a != NULL || is_seed) {
            if (next == NULL)
                args_refuse(program, "%s wants a value after it", word);
            if (is_seed)
                seed = args_number(program, word, next, 0, UINT64_MAX);
            else
                args_take(program, a, next);
            i++;
        } else {
            /* take a word that stands for itself */
            if (word[0] == '-' && (word[1] < '0' || word[1] > '9'))
                args_refuse(program, "there is no option %s", word);
            a = args_size(args, count, &place);
            if (a == NULL)
                args_refuse(program, "'%s' is one argument too many", word);
            else
                args_take(program, a, word);
        }
    }
    return seed;
}

#endif
