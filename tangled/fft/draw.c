/* draw: the figures of the chapter, by its own index arithmetic. */
#include <stdio.h>
#include <string.h>

#include "fft/fft.h"
#include "tour/args.h"

#define INK "#1c1c1a"
#define MUTED "#6a6a64"
#define BLUE "#1d5fa8"
#define ORANGE "#a0430a"

/* draw lines and words */
static void open_drawing(int height, const char *title)
{
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 %d\" "
           "width=\"720\" height=\"%d\" font-family=\"sans-serif\" "
           "font-size=\"14\" text-anchor=\"middle\" fill=\"" INK "\">\n"
           "<title>%s</title>\n",
           height, height, title);
}

static void line(double x, double y, double to_x, double to_y,
                 const char *color)
{
    printf("<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" "
           "stroke-width=\"1.5\"/>\n",
           x, y, to_x, to_y, color);
}

static void word(double x, double y, const char *what)
{
    printf("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y, what);
}

static void number(double x, double y, int n)
{
    printf("<text x=\"%.1f\" y=\"%.1f\">%d</text>\n", x, y, n);
}

/* draw butterflies */
enum { DRAWN = 8, RISE = 30 };

/* Numbers a and b of a level become numbers to and to_b of the next. */
static void pair(double x, int level, int a, int b, int to, int to_b)
{
    double left = x + 90 * level, right = left + 90;
    double ya = 60 + RISE * a, yb = 60 + RISE * b;
    double y = 60 + RISE * to, z = 60 + RISE * to_b;
    const char *color = a == 0 ? ORANGE : BLUE;

    line(left, ya, right, y, color);
    line(left, yb, right, y, color);
    line(left, ya, right, z, color);
    line(left, yb, right, z, color);
}

static void draw_butterflies(void)
{
    const int n = DRAWN;
    struct cplx x[DRAWN];
    int level = 0, last = 1;

    open_drawing(330, "Two times three levels of four butterflies for eight "
                      "numbers. Left, in place: partners are 1, 2 and 4 "
                      "apart, and the input stands in bit-reversed order. "
                      "Right, in order: partners are always 4 apart, and "
                      "input and output are in order.");
    word(170, 22, "in place");
    word(545, 22, "in order");
    /* find the bit-reversed order */
    for (int i = 0, r = 0; i < n; i++) {
        x[r].re = i;
        /* add one to a reversed number */
        for (int bit = n / 2; (r ^= bit) < bit && bit > 0; bit /= 2)
            ;
    }
    for (int i = 0; i < n; i++) {
        number(20, 65 + RISE * i, (int)x[i].re);
        number(325, 65 + RISE * i, i);
        number(395, 65 + RISE * i, i);
        number(700, 65 + RISE * i, i);
    }
    /* visit every pair */
    for (int half = 1; half < n; half *= 2)
        for (int i = 0; i < n; i += 2 * half)
            for (int k = 0; k < half; k++) {
                level += half != last;
                last = half;
                pair(36, level, i + k, i + k + half, i + k, i + k + half);
            }
    for (int half = 1, at_level = 0; half < n; half *= 2, at_level++)
        for (int j = 0; j < n / 2; j++) {
            /* find where a pair goes */
            int k = j % half, at = 2 * (j - k) + k;
            pair(411, at_level, j, j + n / 2, at, at + half);
        }
}

/* draw the four steps */
/* A grid of 8 x 8 numbers in four blocks, by columns and then by rows. */
static void draw_steps(void)
{
    static const char *const colors[] = {"#1d5fa8", "#a0430a", "#2f6b2f",
                                         "#6a6a64"};

    open_drawing(300, "Two grids of eight by eight numbers. In the left one "
                      "every two neighboring columns have a color, in the "
                      "right one every two neighboring rows: the colors are "
                      "four blocks. Between them an arrow: the exchange.");
    for (int side = 0; side < 2; side++)
        for (int a = 0; a < 8; a++)
            for (int b = 0; b < 8; b++)
                printf("<rect x=\"%d\" y=\"%d\" width=\"24\" height=\"24\" "
                       "fill=\"%s\"/>\n",
                       60 + 380 * side + 27 * b, 40 + 27 * a,
                       colors[(side ? a : b) / 2]);
    word(167, 24, "1. columns, then 2. a turn");
    word(547, 24, "4. rows");
    line(300, 146, 416, 146, INK);
    line(404, 138, 416, 146, INK);
    line(404, 154, 416, 146, INK);
    word(358, 132, "3. exchange");
    word(167, 286, "number b + 8 a of the input");
    word(547, 286, "row a holds bins a + 8 k");
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--figure", "butterflies")};

    args_parse(argc, argv, "draw a figure: butterflies or steps", args,
               ARG_COUNT(args));
    if (!strcmp(args[0].text, "butterflies"))
        draw_butterflies();
    else if (!strcmp(args[0].text, "steps"))
        draw_steps();
    else
        args_refuse("draw",
                    "there is no figure '%s'; there are butterflies "
                    "and steps",
                    args[0].text);
    printf("</svg>\n");
    return 0;
}
