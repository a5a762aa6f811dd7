/* zero: gradients that add up, by mistake and on purpose. */
#include "grad/tape.h"
#include "tour/check.h"

/* add the gradient of some points */
/* Of the sum of (w x - 1)^2 for x = first, ... last. */
static void add_gradient(struct tape *t, int first, int last)
{
    for (int x = first; x <= last; x++) {
        int y = tape_mul(t, 0, tape_leaf(t, x));

        y = tape_add(t, y, tape_leaf(t, -1));
        tape_backward(t, tape_mul(t, y, y));
        tape_forget(t, 1);
    }
}

int main(void)
{
    struct tape t = {NULL, 0, 0};
    double whole;

    tape_leaf(&t, 3);
    add_gradient(&t, 1, 8);
    whole = t.node[0].grad;
    add_gradient(&t, 1, 8);
    CHECK(t.node[0].grad == 2 * whole, "not cleared");
    tape_zero_grad(&t);
    add_gradient(&t, 1, 4);
    add_gradient(&t, 5, 8);
    CHECK(t.node[0].grad == whole, "two halves");
    tape_free(&t);
    return 0;
}
