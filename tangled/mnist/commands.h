/* commands.h: the program mnist, with whatever paths there are. C11, C++17. */
#ifndef MNIST_COMMANDS_H
#define MNIST_COMMANDS_H

#include "mnist/train.h"

C_FUNCTIONS
/* main, for these paths; the last is NULL. Returns the exit code. */
int mnist_main(int argc, char **argv, const struct path *const *all);
C_FUNCTIONS_END

#endif
