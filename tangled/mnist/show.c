#define _POSIX_C_SOURCE 200809L /* stpcpy */
#include "mnist/show.h"
#include "mnist/synth.h"
#include "tour/args.h"

enum { INK = 128, WIDE = 26, ACROSS = 3 }; /* the lightest ink; columns */

static void show_row(const struct digits *d, int first, int count)
{
    static const char *const block[] = {" ", "▀", "▄", "█"};

    for (int r = 0; r < DIGIT_SIDE; r += 2) {
        char line[ACROSS * WIDE * 3 + 1], *to = line, *end = line;

        for (int i = 0; i < count * WIDE; i++) {
            const unsigned char *p = d->pixels + r * DIGIT_SIDE + 1 + i % WIDE +
                                     (size_t)(first + i / WIDE) * DIGIT_PIXELS;
            int which = (p[0] >= INK) + 2 * (p[DIGIT_SIDE] >= INK);

            to = stpcpy(to, block[which]);
            end = which ? to : end;
        }
        if (end > line)
            printf("%.*s\n", (int)(end - line), line);
    }
}

void show_digits(const struct digits *d, int first, int count,
                 char (*caption)[32])
{
    for (int i = 0; i < count; i++) {
        char text[32];
        int last = i % ACROSS == ACROSS - 1 || i == count - 1;

        if (i % ACROSS == 0)
            show_row(d, first + i, count - i < ACROSS ? count - i : ACROSS);
        snprintf(text, sizeof text, "#%d: %d", first + i, d->labels[first + i]);
        printf("%-*s%s", last ? 0 : WIDE, caption ? caption[i] : text,
               last ? "\n\n" : "");
    }
}

/* the command show */
int show_main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--data", NULL), ARG_TEXT("--part", "t10k"),
                         ARG_NUMBER("--first", 0, 0, 100000000),
                         ARG_NUMBER("--count", 10, 1, 1000)};
    struct digits d[2] = {{0, NULL, NULL}, {0, NULL, NULL}}, *of;
    int first, count, bad;
    struct fault why;
    char from[256];

    args_parse(argc, argv, "digits in the terminal", args, ARG_COUNT(args));
    of = &d[strcmp(args[1].text, "t10k") == 0];
    if (of == d && strcmp(args[1].text, "train") != 0)
        args_refuse(argv[0], "--part is train or t10k, not '%s'", args[1].text);
    first = (int)args[2].value;
    count = (int)args[3].value;
    bad =
        digits_open(args[0].text, 0, 0, &d[0], &d[1], from, sizeof from, &why);
    if (bad == 0 && count > of->count - first)
        bad = fault_say(&why,
                        "%s: there are %d in part %s; --first %d and "
                        "--count %d ask for more",
                        from, of->count, args[1].text, first, count);
    if (bad == 0)
        show_digits(of, first, count, NULL);
    else
        fprintf(stderr, "%s: %s\n", argv[0], why.text);
    digits_free(&d[0]);
    digits_free(&d[1]);
    return bad != 0;
}
