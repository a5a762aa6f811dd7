/* draw: the figures of the chapter, by its own index arithmetic. */
#include <stdio.h>
#include <string.h>

#include "fft/fft.h"
#include "tour/args.h"

#define INK "#1c1c1a"
#define MUTED "#6a6a64"
#define BLUE "#1d5fa8"
#define ORANGE "#a0430a"
#define GREEN "#3b7a12"
#define PURPLE "#7a3e9d"
#define RULE "#c8c8be"
#define PAPER "#fdfdfb"

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

static void box(int x, int y, int width, int height, const char *color)
{
    printf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
           "fill=\"%s\"/>\n",
           x, y, width, height, color);
}

/* A number on a box, or a word at the left. */
static void label(int x, int y, int n)
{
    printf("<text x=\"%d\" y=\"%d\" fill=\"" PAPER "\">%d</text>\n", x, y, n);
}

static void say(int x, int y, const char *what)
{
    printf("<text x=\"%d\" y=\"%d\" text-anchor=\"start\">%s</text>\n", x, y,
           what);
}

static const char *const colors[] = {BLUE, ORANGE, GREEN, PURPLE};

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
    open_drawing(300, "Two grids of eight by eight numbers. In the left one "
                      "every two neighboring columns have a color, in the "
                      "right one every two neighboring rows: the colors are "
                      "four blocks. Between them an arrow: the exchange.");
    for (int side = 0; side < 2; side++)
        for (int a = 0; a < 8; a++)
            for (int b = 0; b < 8; b++)
                box(60 + 380 * side + 27 * b, 40 + 27 * a, 24, 24,
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

/* draw an exchange */
static void row_of_places(int y, const char *what, int home, int ns)
{
    const int threads = 16, radix = 4;

    say(60, y - 8, what);
    for (int i = 0; i < threads * radix; i++)
        box(60 + 38 * (i % 16), y + 26 * (i / 16), 35, 23, RULE);
    for (int j = 0; j < radix; j++)
        for (int q = 0; q < radix; q++) {
            int at = (j - j % ns) * radix + j % ns + q * ns;
            int i = home ? j + q * threads : at;
            int x = 60 + 38 * (i % 16), top = y + 26 * (i / 16);

            box(x, top, 35, 23, colors[j]);
            label(x + 17, top + 17, j);
        }
}

static void draw_exchange(void)
{
    open_drawing(430, "Three times a row of 64 places, written as four lines "
                      "of 16. Four threads have colors. At home a thread has "
                      "one column of four places. After the first pass it "
                      "writes to four neighboring places, after the second "
                      "to four places that are four apart.");
    row_of_places(34, "home: read before every pass, and at the end", 1, 1);
    row_of_places(178, "written after the first pass", 0, 1);
    row_of_places(322, "written after the second pass", 0, 4);
}

/* draw a relay */
static void draw_relay(void)
{
    const int rows = 6, lag = 2, slots = 4, wide = 66;

    open_drawing(304, "Eight rounds from left to right. Columns of transforms "
                      "0 to 5 are made in rounds 0 to 5, their rows in "
                      "rounds 2 to 7. Below, four slots of a ring: slot 0 "
                      "holds transform 0 in rounds 0 to 2 and transform 4 in "
                      "rounds 4 to 6, and so on.");
    for (int round = 0; round < rows + lag; round++) {
        number(180 + wide * round + wide / 2.0, 24, round);
        for (int half = 0; half < 2; half++) {
            int t = half ? round - lag : round;

            if (t < 0 || t >= rows)
                continue;
            box(182 + wide * round, 40 + 36 * half, wide - 4, 28,
                colors[t % 4]);
            label(180 + wide * round + wide / 2, 59 + 36 * half, t);
        }
    }
    for (int t = 0; t < rows; t++) {
        int y = 150 + 36 * (t % slots);

        box(182 + wide * t, y, (lag + 1) * wide - 4, 28, colors[t % 4]);
        label(180 + wide * t + (lag + 1) * wide / 2, y + 19, t);
    }
    say(20, 24, "round of tickets");
    say(20, 59, "columns of");
    say(20, 95, "rows of");
    for (int slot = 0; slot < slots; slot++) {
        say(20, 169 + 36 * slot, "slot");
        number(64, 169 + 36 * slot, slot);
        say(74, 169 + 36 * slot, "holds");
    }
}

/* draw overlapping pieces */
static void draw_overlap(void)
{
    const int length = 10, taps = 3, step = length - taps + 1, pieces = 3;
    const int n = length + (pieces - 1) * step, wide = 25;

    open_drawing(284, "A signal of 26 numbers. Three pieces of ten numbers "
                      "overlap by two. Of each piece's result the first two "
                      "numbers, gray, have wrapped and are dropped; the other "
                      "eight follow those of the piece before without a gap.");
    say(30, 26, "signal");
    for (int i = 0; i < n; i++)
        box(32 + wide * i, 36, wide - 3, 22, MUTED);
    say(30, 92, "pieces of 10, and what is kept of each");
    for (int p = 0; p < pieces; p++)
        for (int i = 0; i < length; i++)
            box(32 + wide * (p * step + i), 102 + 34 * p, wide - 3, 22,
                i < taps - 1 ? RULE : colors[p]);
    say(30, 236, "result");
    for (int i = taps - 1; i < n; i++)
        box(32 + wide * i, 246, wide - 3, 22, colors[(i - taps + 1) / step]);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*draw)(void);
    } figures[] = {{"butterflies", draw_butterflies},
                   {"steps", draw_steps},
                   {"exchange", draw_exchange},
                   {"relay", draw_relay},
                   {"overlap", draw_overlap}};
    struct arg args[] = {ARG_TEXT("--figure", "butterflies")};

    args_parse(argc, argv, "draw a figure of the chapter", args,
               ARG_COUNT(args));
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (!strcmp(args[0].text, figures[i].name)) {
            figures[i].draw();
            printf("</svg>\n");
            return 0;
        }
    args_refuse("draw",
                "there is no figure '%s'; there are butterflies, steps, "
                "exchange, relay and overlap",
                args[0].text);
}
