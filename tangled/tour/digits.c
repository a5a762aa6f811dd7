/* digits: read handwritten digits with five hundred letters */
#include "tour/args.h"
#include "tour/check.h"
#include "tour/drawings.h"
#include "tour/net.h"

#include <errno.h>

/* freeze ten pictures */
#include "tour/letters.h"

/* print a row of cells */
static void print_cells(const struct tensor *x, int column, int row)
{
    for (int c = 0; c < NET_SIDE; c++) {
        int ink = (int)tensor_get(x, row * NET_SIDE + c, column);

        putchar(ink == 0 ? '.' : '0' + ink);
    }
}

/* print all pictures and their answers */
static void print_pictures(const struct tensor *x, const struct tensor *scores)
{
    for (int first = 0; first < NET_DIGITS; first += 5) {
        for (int row = 0; row < NET_SIDE; row++)
            for (int d = first; d < first + 5; d++) {
                print_cells(x, d, row);
                printf("%s", d < first + 4 ? "   " : "\n");
            }
        for (int d = first; d < first + 5; d++)
            printf("is a %d%s", net_answer(scores, d),
                   d < first + 4 ? "    " : "\n\n");
    }
}

/* read the drawings of the book */
static void read_drawings(const struct net *nn)
{
    struct tensor *x = tensor_new(NET_INPUTS, NET_DIGITS), *scores;
    unsigned char picture[PAPER * PAPER];

    for (int d = 0; d < NET_DIGITS; d++) {
        draw_digit(picture, d);
        net_pool(x, d, picture, PAPER);
    }
    scores = net_scores(nn, x);
    print_pictures(x, scores);
    for (int d = 0; d < NET_DIGITS; d++)
        CHECK(net_answer(scores, d) == d, "the drawing of a %d is taken for %d",
              d, net_answer(scores, d));
    printf("all %d drawings are classified correctly\n", NET_DIGITS);
    tensor_destroy(scores);
    tensor_destroy(x);
}

/* print the scores of one drawing */
static void print_scores(const struct tensor *x, const struct tensor *scores)
{
    int best = net_answer(scores, 0);

    for (int row = 0; row < NET_SIDE; row++) {
        print_cells(x, 0, row);
        putchar('\n');
    }
    for (int d = 0; d < NET_DIGITS; d++) {
        int points = (int)tensor_get(scores, d, 0);

        printf("%d %5d ", d, points);
        for (int p = 0; p < points; p += 100)
            putchar('#');
        printf("%s\n", d == best ? " <- the answer" : "");
    }
}

/* read a drawing from a file */
static void read_drawing(const struct net *nn, const char *path)
{
    unsigned char picture[PAPER * PAPER] = {0};
    struct tensor *x = tensor_new(NET_INPUTS, 1), *scores;
    FILE *file = fopen(path, "r");
    char line[256];

    CHECK(file != NULL, "%s: %s", path, strerror(errno));
    for (int row = 0; row < DRAWN && fgets(line, sizeof line, file); row++)
        draw_line(picture, row, line);
    fclose(file);
    net_pool(x, 0, picture, PAPER);
    scores = net_scores(nn, x);
    print_scores(x, scores);
    tensor_destroy(scores);
    tensor_destroy(x);
}

/* choose what to read */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 1, 1000000),
                         ARG_TEXT("--data", ""), ARG_TEXT("--drawing", "")};
    const char *data, *drawing;
    int n, right;
    struct net nn;

    args_parse(argc, argv, "read handwritten digits", args, ARG_COUNT(args));
    n = (int)args[0].value;
    data = args[1].text;
    drawing = args[2].text;
    net_thaw(&nn, frozen);
    if (data[0] != '\0') {
        right = net_mark(&nn, data, n);
        printf("%d of %d pictures are classified correctly\n", right, n);
    } else if (drawing[0] != '\0')
        read_drawing(&nn, drawing);
    else
        read_drawings(&nn);
    net_free(&nn);
    return 0;
}
