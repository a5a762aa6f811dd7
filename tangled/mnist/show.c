#define _POSIX_C_SOURCE 200809L /* fileno, stpcpy */
#include "mnist/show.h"
#include "tour/args.h"
#include "tour/check.h"

#include <sys/ioctl.h>
#include <unistd.h>

/* find out what the terminal can show */
static int show_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (int i = 0; i < 3; i++) {
        const char *v = getenv(names[i]);

        if (v != NULL && *v != '\0')
            return strstr(v, "UTF-8") != NULL || strstr(v, "utf8") != NULL ||
                   strstr(v, "utf-8") != NULL;
    }
    return 0;
}

static int show_columns(FILE *out)
{
    const char *set = getenv("COLUMNS");
    struct winsize size;

    if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 &&
        size.ws_col > 0)
        return size.ws_col;
    return set != NULL && atoi(set) > 0 ? atoi(set) : 80;
}

/* find the ink of a digit */
struct box {
    int left, right, top, bottom; /* right and bottom are outside */
};

/* Where the shades of at least `seen` are. */
static struct box ink_box(const unsigned char *pixels, int seen)
{
    struct box b = {DIGIT_SIDE, 0, DIGIT_SIDE, 0};

    for (int i = 0; i < DIGIT_PIXELS; i++)
        if (pixels[i] >= seen) {
            int r = i / DIGIT_SIDE, c = i % DIGIT_SIDE;

            b.left = c < b.left ? c : b.left;
            b.right = c >= b.right ? c + 1 : b.right;
            b.top = r < b.top ? r : b.top;
            b.bottom = r >= b.bottom ? r + 1 : b.bottom;
        }
    if (b.right == 0) /* a blank picture */
        b.left = b.top = 0;
    return b;
}

/* prepare a cell */
struct cell {
    const unsigned char *pixels;
    struct box box;
    char caption[64];
    int wide;
};

static struct cell cell_of(const struct digits *d, int which,
                           const char *caption, int utf8)
{
    struct cell c;
    int wide;

    c.pixels = d->pixels + (size_t)which * DIGIT_PIXELS;
    c.box = ink_box(c.pixels, utf8 ? 128 : 29); /* what is printed */
    if (caption != NULL)
        snprintf(c.caption, sizeof c.caption, "%s", caption);
    else
        snprintf(c.caption, sizeof c.caption, "#%d: %d", which,
                 d->labels[which]);
    wide = (int)strlen(c.caption);
    c.wide = c.box.right - c.box.left;
    c.wide = wide > c.wide ? wide : c.wide;
    return c;
}

/* print a line of a cell */
/* Appends rows r and r + 1 of a cell to a line; returns the line's end. */
static char *show_line(char *to, const struct cell *cell, int r, int utf8)
{
    static const char *const block[] = {" ", "▀", "▄", "█"};
    static const char ramp[] = " .:-=+*#%@";

    for (int c = cell->box.left; c < cell->box.right; c++) {
        int top = cell->pixels[r * DIGIT_SIDE + c];
        int bottom = cell->pixels[(r + 1) * DIGIT_SIDE + c];

        if (utf8)
            to = stpcpy(to, block[(top >= 128) + 2 * (bottom >= 128)]);
        else
            *to++ = ramp[(top + bottom) * 9 / 510];
    }
    for (int c = cell->box.right - cell->box.left; c < cell->wide + 3; c++)
        *to++ = ' ';
    return to;
}

/* print cells side by side */
static void show_cells(FILE *out, const struct cell *cell, int count, int utf8)
{
    char *line = check_alloc((size_t)count, 3 * sizeof *cell), *end;
    int top = DIGIT_SIDE, bottom = 0;

    for (int i = 0; i < count; i++) {
        top = cell[i].box.top < top ? cell[i].box.top : top;
        bottom = cell[i].box.bottom > bottom ? cell[i].box.bottom : bottom;
    }
    for (int r = top & ~1; r < bottom; r += 2) {
        end = line;
        for (int i = 0; i < count; i++)
            end = show_line(end, &cell[i], r, utf8);
        while (end > line && end[-1] == ' ')
            end--;
        fprintf(out, "%.*s\n", (int)(end - line), line);
    }
    for (int i = 0; i < count; i++)
        fprintf(out, "%-*s", i + 1 < count ? cell[i].wide + 3 : 0,
                cell[i].caption);
    fputs("\n\n", out);
    free(line);
}

/* show the digits that were asked for */
void show_digits(FILE *out, const struct digits *d, const int *which, int count,
                 const char *const *captions, int columns)
{
    struct cell *row = check_alloc((size_t)count, sizeof *row);
    int used = 0, n = 0, utf8 = show_utf8();

    columns = columns > 0 ? columns : show_columns(out);
    for (int i = 0; i < count; i++) {
        struct cell c = cell_of(d, which != NULL ? which[i] : i,
                                captions != NULL ? captions[i] : NULL, utf8);

        if (n > 0 && used + 3 + c.wide > columns) {
            show_cells(out, row, n, utf8);
            used = n = 0;
        }
        used += c.wide + (n > 0 ? 3 : 0);
        row[n++] = c;
    }
    if (n > 0)
        show_cells(out, row, n, utf8);
    free(row);
}

/* run the command show */
static int show_part(const char *data, const char *part, int first, int count,
                     struct fault *why)
{
    struct digits d[2], *of = &d[strcmp(part, "t10k") == 0];
    int bad, *which = check_alloc((size_t)count, sizeof *which);
    char from[256];

    bad = digits_open(data, 0, 0, &d[0], &d[1], from, sizeof from, why);
    if (bad == 0 && count > of->count - first)
        bad = fault_say(why,
                        "%s: there are %d in part %s; --first %d and "
                        "--count %d ask for more",
                        from, of->count, part, first, count);
    for (int i = 0; i < count; i++)
        which[i] = first + i;
    if (bad == 0)
        show_digits(stdout, of, which, count, NULL, 0);
    digits_free(&d[0]);
    digits_free(&d[1]);
    free(which);
    return bad;
}

/* read the arguments of show */
int show_main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--data", NULL), ARG_TEXT("--part", "t10k"),
                         ARG_NUMBER("--first", 0, 0, 100000000),
                         ARG_NUMBER("--count", 10, 1, 1000)};
    struct fault why;
    const char *part;

    args_parse(argc, argv, "digits in the terminal", args, ARG_COUNT(args));
    part = args[1].text;
    if (strcmp(part, "train") != 0 && strcmp(part, "t10k") != 0)
        args_refuse(argv[0], "--part is train or t10k, not '%s'", part);
    if (show_part(args[0].text, part, (int)args[2].value, (int)args[3].value,
                  &why) == 0)
        return 0;
    fprintf(stderr, "%s: %s\n", argv[0], why.text);
    return 1;
}
