/* args.h: the arguments of a product of matrices. C11 and C++17. */
#ifndef MATMUL_ARGS_H
#define MATMUL_ARGS_H

#include "tour/check.h"

/* say how far apart elements are */
/* Element (i, j) of op(X) is x[i * row + j * col]. */
struct steps {
    size_t row, col;
};

static inline struct steps steps_of(char t, int ld)
{
    struct steps s = {t == 'N' ? (size_t)ld : 1, t == 'N' ? 1 : (size_t)ld};

    return s;
}

/* check the arguments of a product */
/* op(X) has rows x cols numbers; a row of X as stored is ld numbers from the
   next. Stops the program if that cannot be. */
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
