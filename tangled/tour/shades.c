/* shades: draw the letters as an SVG picture, figures/tour_letters.svg */
#include "tour/args.h"
#include "tour/net.h"
#include "tour/letters.h"

#include <math.h>

enum { CELL = 8 };

/* draw one picture */
static void draw_picture(const struct net *nn, int digit)
{
    int left = 12 + digit % 5 * 62, top = 18 + digit / 5 * 78;

    printf("<text x=\"%d\" y=\"%d\" font-size=\"12\" "
           "fill=\"#1c1c1a\">%d</text>\n",
           left, top - 5, digit);
    printf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
           "fill=\"#fdfdfb\" stroke=\"#c8c8be\"/>\n",
           left, top, NET_SIDE * CELL, NET_SIDE * CELL);
    for (int i = 0; i < NET_CELLS; i++) {
        double weight = tensor_get(nn->w1, digit, i);

        printf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
               "fill=\"#1d5fa8\" fill-opacity=\"%.2f\"/>\n",
               left + i % NET_SIDE * CELL, top + i / NET_SIDE * CELL, CELL,
               CELL, pow(weight / 26, 1.5));
    }
}

int main(int argc, char **argv)
{
    struct net nn;

    args_parse(argc, argv, "draw the letters as an SVG picture", NULL, 0);
    net_thaw(&nn, frozen);
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 324 156\" "
           "width=\"540\" height=\"260\" font-family=\"sans-serif\">\n"
           "<title>Ten pictures of seven by seven cells, one for each digit "
           "from 0 to 9.</title>\n");
    for (int digit = 0; digit < NET_DIGITS; digit++)
        draw_picture(&nn, digit);
    printf("</svg>\n");
    net_free(&nn);
    return 0;
}
