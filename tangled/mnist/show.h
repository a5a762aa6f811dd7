/* show.h: digits in a terminal. C11 and C++17. */
#ifndef MNIST_SHOW_H
#define MNIST_SHOW_H

#include "mnist/digits.h"

C_FUNCTIONS
/* Prints count digits from the first on, three side by side, each over its
   caption (NULL: their numbers and labels). */
void show_digits(const struct digits *d, int first, int count,
                 char (*caption)[32]);

/* The command `mnist show`; returns its exit code. */
int show_main(int argc, char **argv);
C_FUNCTIONS_END

#endif
