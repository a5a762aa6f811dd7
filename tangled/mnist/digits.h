/* digits.h: pictures of digits with their labels. C11 and C++17. */
#ifndef MNIST_DIGITS_H
#define MNIST_DIGITS_H

#include "mnist/fault.h"

#include <stddef.h>
#include <stdint.h>

C_FUNCTIONS
enum { DIGIT_SIDE = 28, DIGIT_PIXELS = 784, DIGIT_KINDS = 10 };

/* hold digits and their labels */
struct digits {
    int count;
    unsigned char *pixels; /* count x 28 x 28, row-major; 255 is ink */
    unsigned char *labels; /* count, each 0 to 9 */
};

/* declare what is done with digits */
/* Both files of the training or the test digits of a folder. What is no such
   pair ends the program with a sentence. */
void digits_load(const char *dir, int test, struct digits *d);
void digits_save(const char *dir, int test, const struct digits *d);
void digits_free(struct digits *d);

/* Digits order[first], order[first + 1], ... as numbers from 0 to 1, count rows
   of 784, and their labels. Without an order (NULL): first, first + 1, ... */
void digits_batch(const struct digits *d, const int *order, int first,
                  int count, float *x, int *labels);

/* A number that changes when any pixel or label does. */
uint64_t digits_mark(const struct digits *d);
C_FUNCTIONS_END

#endif
