/* drawings.h: digits drawn with characters. C11 and C++17. */
#ifndef TOUR_DRAWINGS_H
#define TOUR_DRAWINGS_H

/* begin declarations of C functions */
#ifdef __cplusplus
extern "C" {
#endif

enum { DRAWN = 10, FRAME = 2, PAPER = DRAWN + 2 * FRAME };

/* Row `row` of a picture of PAPER x PAPER bytes from a line of DRAWN characters
   or fewer: # is ink, + is half, a dot or a blank leaves the paper alone. */
void draw_line(unsigned char *picture, int row, const char *line);

/* The drawing of a digit on a clean picture. */
void draw_digit(unsigned char *picture, int digit);

/* end declarations of C functions */
#ifdef __cplusplus
}
#endif

#endif
