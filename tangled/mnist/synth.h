/* synth.h: digits that are drawn, where there are no written ones. C11, C++17.
 */
#ifndef MNIST_SYNTH_H
#define MNIST_SYNTH_H

#include "mnist/digits.h"

C_FUNCTIONS
/* Draws count digits; the same for equal seed and part (0: train, 1: test) on
   every machine. digits_free() them. Stops the program without memory. */
void synth_digits(int count, uint64_t seed, uint64_t part, struct digits *d);

/* Training and test digits from the folder `where`; if that is NULL, from
   MNIST_DIR; if that is not set, from data/mnist; if that is not there, or if
   `where` is "synth", the book's own. Only the first so many of each; 0: all
   (of our own 10000 and 2000). Returns a phrase that says which. */
const char *digits_open(const char *where, int most_train, int most_test,
                        struct digits *train, struct digits *test);

/* The command `mnist synth`; returns its exit code. */
int synth_main(int argc, char **argv);
C_FUNCTIONS_END

#endif
