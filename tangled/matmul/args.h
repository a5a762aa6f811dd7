/* args.h: what a product can be asked for. C11 and C++17. */
#ifndef MATMUL_ARGS_H
#define MATMUL_ARGS_H

#include "tour/check.h"

/* check the arguments of a product */
/* A matrix of rows x cols, stored as it is ('N') or transposed ('T'), with ld
   numbers from row to row. Stops the program if that cannot be. */
static inline void matmul_check(const char *name, char t, int rows, int cols,
                                int ld)
{
    int stored = t == 'N' ? cols : rows;

    CHECK(t == 'N' || t == 'T', "matmul: %s is 'N' or 'T', not '%c'", name, t);
    CHECK(rows >= 0 && cols >= 0, "matmul: %s has %d x %d numbers", name, rows,
          cols);
    CHECK(ld >= stored, "matmul: a row of %s has %d numbers, but its ld is %d",
          name, stored, ld);
}

#endif
