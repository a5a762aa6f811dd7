/* show.h: digits in a terminal. C11 and C++17. */
#ifndef MNIST_SHOW_H
#define MNIST_SHOW_H

#include "mnist/digits.h"

#include <stdio.h>

C_FUNCTIONS
/* Prints digits which[0..count) (NULL: the first count), as many side by side
   as fit 80 columns, each over its caption (NULL: its number and label). */
void show_digits(FILE *out, const struct digits *d, const int *which, int count,
                 const char *const *captions);

/* The command `mnist show`; returns its exit code. */
int show_main(int argc, char **argv);
C_FUNCTIONS_END

#endif
