/* draw: the figures of the chapter, from its own roots and transforms. */
#include <stdio.h>
#include <string.h>

#include "dft/key.h"
#include "dft/trial.h"
#include "tour/args.h"

#define INK "#1c1c1a"
#define MUTED "#6a6a64"
#define BLUE "#1d5fa8"
#define ORANGE "#a0430a"

/* open and close a drawing */
static void open_drawing(int height, const char *title)
{
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 %d\" "
           "width=\"720\" height=\"%d\" font-family=\"sans-serif\" "
           "font-size=\"14\" text-anchor=\"middle\" fill=\"" INK "\">\n"
           "<title>%s</title>\n",
           height, height, title);
}

static void line(double x, double y, double to_x, double to_y,
                 const char *color, double width)
{
    printf("<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" "
           "stroke-width=\"%g\"/>\n",
           x, y, to_x, to_y, color, width);
}

static void dot(double x, double y, double r, const char *color)
{
    printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" fill=\"%s\"/>\n", x, y, r,
           color);
}

static void text(double x, double y, const char *what)
{
    printf("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y, what);
}

/* draw stems */
/* n values from the line at y, `unit` high for 1, from x over `width`. */
static void stems(int n, const double *v, double x, double width, double y,
                  double unit, const char *color)
{
    double step = width / n;

    line(x, y, x + width, y, MUTED, 1);
    for (int j = 0; j < n; j++) {
        double at = x + (j + 0.5) * step;

        line(at, y, at, y - unit * v[j], color, step > 8 ? 3 : 1.5);
        if (step > 8)
            dot(at, y - unit * v[j], 4, color);
    }
}

/* sizes[k] = |X[k]| for the n real samples of v. */
static void spectrum(int n, const double *v, double *sizes)
{
    struct cplx *x = cplx_alloc((size_t)n), *X = cplx_alloc((size_t)n);

    for (int j = 0; j < n; j++)
        x[j].re = v[j];
    dft(n, -1, x, X);
    for (int k = 0; k < n; k++)
        sizes[k] = hypot(X[k].re, X[k].im);
    free(x), free(X);
}

/* draw the roots */
static void draw_roots(void)
{
    open_drawing(360, "Left, a circle with the eight eighth roots of unity, "
                      "w to the power 0 at the right, going on clockwise. "
                      "Right, eight rows of eight dials: in row k the hand "
                      "turns by k eighths from dial to dial.");
    printf(
        "<circle cx=\"160\" cy=\"180\" r=\"110\" fill=\"none\" stroke=\"" MUTED
        "\"/>\n");
    for (int i = 0; i < 8; i++) {
        struct cplx w = dft_root(-i, 8);
        char name[100];

        line(160, 180, 160 + 110 * w.re, 180 - 110 * w.im, BLUE, 2);
        dot(160 + 110 * w.re, 180 - 110 * w.im, 5, BLUE);
        snprintf(name, sizeof name,
                 "<tspan font-style=\"italic\">w</tspan><tspan dy=\"-6\" "
                 "font-size=\"11\">%d</tspan>",
                 i);
        text(160 + 134 * w.re, 185 - 134 * w.im, name);
    }
    for (int k = 0; k < 8; k++) {
        char name[16];

        snprintf(name, sizeof name, "%d", k);
        text(408 + 36 * k, 22, name);
        text(370, 55 + 38 * k, name);
        for (int j = 0; j < 8; j++) {
            struct cplx w = dft_root(-j * k, 8);
            double x = 408 + 36 * j, y = 50 + 38 * k;

            printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"15\" fill=\"none\" "
                   "stroke=\"" MUTED "\"/>\n",
                   x, y);
            line(x, y, x + 15 * w.re, y - 15 * w.im, BLUE, 2.5);
        }
    }
    text(534, 352, "sample j across, bin k down");
}

/* draw two cosines through the same samples */
static void curve(int periods, const char *color, const char *dash)
{
    printf("<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s d=\"", color,
           dash);
    for (int i = 0; i <= 200; i++)
        printf("%s%.1f %.1f", i ? "L" : "M", 40 + 3.2 * i,
               110 - 80 * dft_root((int64_t)periods * i, 200).re);
    printf("\"/>\n");
}

static void draw_alias(void)
{
    open_drawing(220, "Two cosines, of one and of seven periods, cross at the "
                      "eight places where samples are taken.");
    line(40, 110, 680, 110, MUTED, 1);
    curve(7, ORANGE, " stroke-dasharray=\"5 4\"");
    curve(1, BLUE, "");
    for (int j = 0; j < 8; j++)
        dot(40 + 80 * j, 110 - 80 * dft_root(j, 8).re, 6, INK);
    text(360, 212, "blue: 1 period; orange: 7 periods; dots: 8 samples");
}

/* draw the sound of a key */
static void draw_key(void)
{
    double x[KEY_SAMPLES], sizes[KEY_SAMPLES];
    uint64_t seed = 5;
    int bins = KEY_SAMPLES / 2 + 1;

    key_sound(5, 0.3, &seed, x);
    spectrum(KEY_SAMPLES, x, sizes);
    open_drawing(230, "Left, 205 samples that go up and down without an order "
                      "that one could see. Right, the sizes of 103 bins: two "
                      "peaks, at 770 and 1336 hertz, and little else.");
    stems(KEY_SAMPLES, x, 20, 330, 105, 38, BLUE);
    text(185, 218, "205 samples, 1/8000 s apart");
    stems(bins, sizes, 380, 330, 180, 1.6, BLUE);
    for (int hertz = 0; hertz <= 4000; hertz += 1000) {
        double at = 380 + (hertz * 205.0 / 8000 + 0.5) * 330 / bins;
        char name[16];

        snprintf(name, sizeof name, hertz ? "%d" : "0", hertz);
        line(at, 180, at, 186, MUTED, 1);
        text(at > 690 ? 690 : at, 202, name);
    }
    text(545, 222, "Hz");
}

/* draw a signal and its spectrum */
enum { DRAWN = 32 };

static void draw_signal(void)
{
    double x[DRAWN], sizes[DRAWN];

    for (int j = 0; j < DRAWN; j++)
        x[j] = dft_root(3 * j, DRAWN).re + dft_root(8 * j, DRAWN).re / 2;
    spectrum(DRAWN, x, sizes);
    open_drawing(400, "Above, 32 samples of a cosine with 3 periods and half a "
                      "cosine with 8. Below, the sizes of the 32 bins: 16 in "
                      "bins 3 and 29, 8 in bins 8 and 24, and 0 elsewhere.");
    text(60, 18, "samples");
    stems(DRAWN, x, 40, 640, 110, 50, BLUE);
    text(60, 228, "bins");
    stems(DRAWN, sizes, 40, 640, 360, 7, ORANGE);
    for (int k = 0; k < DRAWN; k += 4) {
        char name[16];

        snprintf(name, sizeof name, "%d", k);
        text(50 + 20 * k, 384, name);
    }
    printf("<metadata id=\"drawn\">\n");
    for (int k = 0; k < DRAWN; k++)
        for (int j = 0; j < DRAWN; j++) {
            struct cplx w = dft_root(-j * k, DRAWN);

            /* adding 0 makes a -0 a 0 */
            printf("%.7g %.7g%s", round(w.re * 1e6) / 1e6 + 0,
                   round(w.im * 1e6) / 1e6 + 0, j == DRAWN - 1 ? "\n" : " ");
        }
    printf("</metadata>\n");
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--figure", "draw")};
    const char *which;

    args_parse(argc, argv, "draw a figure: roots, alias, key or draw", args,
               ARG_COUNT(args));
    which = args[0].text;
    if (!strcmp(which, "roots"))
        draw_roots();
    else if (!strcmp(which, "alias"))
        draw_alias();
    else if (!strcmp(which, "key"))
        draw_key();
    else if (!strcmp(which, "draw"))
        draw_signal();
    else
        args_refuse("draw",
                    "there is no figure '%s'; there are roots, alias, "
                    "key and draw",
                    which);
    printf("</svg>\n");
    return 0;
}
