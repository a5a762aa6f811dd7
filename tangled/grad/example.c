/* example: the graph of e = (a b + a)^2 and its derivatives. */
#include <stdio.h>

#include "grad/tape.h"
#include "tour/args.h"
#include "tour/check.h"

/* write the example down */
static int example(struct tape *t)
{
    int a = tape_leaf(t, 2), b = tape_leaf(t, -3);
    int c = tape_mul(t, a, b), d = tape_add(t, c, a);

    return tape_mul(t, d, d);
}

int main(int argc, char **argv)
{
    static const char *is[] = {"a", "b", "a b", "a b + a", "(a b + a)^2"};
    struct tape t = {NULL, 0, 0}, large = {NULL, 0, 0};
    int e = example(&t), larger = example(&large);
    double from_a[5];

    args_parse(argc, argv, "derivatives of (a b + a)^2", NULL, 0);
    /* sweep both tapes and print the first */
    larger = tape_mul(&large, larger, tape_leaf(&large, 1000));
    tape_backward(&t, e);
    tape_backward(&large, larger);
    tape_forward(&t, 0, from_a);
    printf("node  value   grad  from a\n");
    for (int i = 0; i <= e; i++) {
        struct node n = t.node[i], l = large.node[i];

        printf("%4d  %5g  %5g  %6g  %s\n", i, n.value, n.grad, from_a[i],
               is[i]);
        CHECK(l.value == n.value && l.grad == 1000 * n.grad,
              "node %d: value %g, grad %g", i, l.value, l.grad);
    }
    CHECK(from_a[e] == t.node[0].grad, "de/da is %g forwards", from_a[e]);
    printf("ok: 1000 times the error, the same values, 1000 times the grads\n");
    tape_free(&t);
    tape_free(&large);
    return 0;
}
