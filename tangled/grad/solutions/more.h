/* more.h: more operations for a tape. */
#include <math.h>

#include "grad/tape.h"

static inline int tape_tanh(struct tape *t, int a)
{
    double y = tanh(tape_value(t, a));

    return tape_node(t, y, 1, a, 1 - y * y, 0, 0);
}

static inline int tape_exp(struct tape *t, int a)
{
    double y = exp(tape_value(t, a));

    return tape_node(t, y, 1, a, y, 0, 0);
}

static inline int tape_inverse(struct tape *t, int a)
{
    double y = 1 / tape_value(t, a);

    return tape_node(t, y, 1, a, -y * y, 0, 0);
}
