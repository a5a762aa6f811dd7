#define _POSIX_C_SOURCE 200809L /* stpcpy */
#include "mnist/show.h"
#include "mnist/synth.h"
#include "tour/args.h"
#include "tour/check.h"

enum { INK = 128, WIDE = 80 }; /* the lightest ink; columns of a terminal */

/* find the ink of a digit */
struct box {
    int left, right, top, bottom; /* right and bottom are outside */
};

static struct box ink_box(const unsigned char *pixels)
{
    struct box b = {DIGIT_SIDE, 0, DIGIT_SIDE, 0};

    for (int i = 0; i < DIGIT_PIXELS; i++)
        if (pixels[i] >= INK) {
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

struct cell {
    const unsigned char *pixels;
    struct box box;
    char caption[64];
    int wide;
};

static struct cell cell_of(const struct digits *d, int which,
                           const char *caption)
{
    struct cell c;
    int wide;

    c.pixels = d->pixels + (size_t)which * DIGIT_PIXELS;
    c.box = ink_box(c.pixels);
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
static char *show_line(char *to, const struct cell *cell, int r)
{
    static const char *const block[] = {" ", "▀", "▄", "█"};

    for (int c = cell->box.left; c < cell->box.right; c++) {
        int top = cell->pixels[r * DIGIT_SIDE + c];
        int bottom = cell->pixels[(r + 1) * DIGIT_SIDE + c];

        to = stpcpy(to, block[(top >= INK) + 2 * (bottom >= INK)]);
    }
    for (int c = cell->box.right - cell->box.left; c < cell->wide + 3; c++)
        *to++ = ' ';
    return to;
}

static void show_cells(FILE *out, const struct cell *cell, int count)
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
            end = show_line(end, &cell[i], r);
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
                 const char *const *captions)
{
    struct cell *row = check_alloc((size_t)count, sizeof *row);
    int used = 0, n = 0;

    for (int i = 0; i < count; i++) {
        struct cell c = cell_of(d, which != NULL ? which[i] : i,
                                captions != NULL ? captions[i] : NULL);

        if (n > 0 && used + 3 + c.wide > WIDE) {
            show_cells(out, row, n);
            used = n = 0;
        }
        used += c.wide + (n > 0 ? 3 : 0);
        row[n++] = c;
    }
    if (n > 0)
        show_cells(out, row, n);
    free(row);
}

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
        show_digits(stdout, of, which, count, NULL);
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
