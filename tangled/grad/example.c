/* example: the graph of e = (a b + a)^2 and its derivatives. */
#include <stdio.h>

#include "grad/tape.h"
#include "tour/check.h"

/* write the example on a tape */
static int example(struct tape *t)
{
    int a = tape_leaf(t, 2), b = tape_leaf(t, -3);
    int c = tape_mul(t, a, b), d = tape_add(t, c, a);

    return tape_mul(t, d, d);
}

/* see what a larger error does */
static void enlarge(struct tape *t, int e)
{
    double value[5], grad[5];
    int factor, larger;

    for (int i = 0; i <= e; i++) {
        value[i] = t->node[i].value;
        grad[i] = t->node[i].grad;
    }
    factor = tape_leaf(t, 1000);
    larger = tape_mul(t, e, factor);
    tape_zero_grad(t);
    tape_backward(t, larger);
    for (int i = 0; i <= e; i++)
        CHECK(t->node[i].value == value[i] && t->node[i].grad == 1000 * grad[i],
              "node %d: value %g, grad %g", i, t->node[i].value,
              t->node[i].grad);
    printf("ok: with 1000 e, all gradients are 1000 times as large, and no "
           "value changed\n");
}

int main(void)
{
    static const char *is[] = {"a", "b", "a b", "a b + a", "(a b + a)^2"};
    struct tape t = {NULL, 0, 0};
    int e = example(&t);
    double from_a[5];

    tape_backward(&t, e);
    tape_forward(&t, 0, from_a);
    printf("node  value   grad  from a\n");
    for (int i = 0; i < t.count; i++)
        printf("%4d  %5g  %5g  %6g  %s\n", i, t.node[i].value, t.node[i].grad,
               from_a[i], is[i]);
    enlarge(&t, e);
    tape_free(&t);
    return 0;
}
