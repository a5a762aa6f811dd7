/* tanh: tanh and exp on the tape, checked by differences. */
#include "grad/gradcheck.h"
#include "grad/solutions/more.h"

static struct tape t;

static double f(void *work)
{
    const double *x = (const double *)work;
    int a, b, c, d;

    tape_forget(&t, 0);
    a = tape_leaf(&t, x[0]), b = tape_leaf(&t, x[1]);
    c = tape_tanh(&t, tape_mul(&t, a, b));
    d = tape_exp(&t, tape_add(&t, c, tape_tanh(&t, a)));
    d = tape_mul(&t, tape_mul(&t, c, d), tape_exp(&t, b));
    return t.node[d].value;
}

int main(void)
{
    double x[2] = {0.375, -1.25}, g[2];

    f(x);
    tape_backward(&t, t.count - 1);
    g[0] = t.node[0].grad, g[1] = t.node[1].grad;
    GRADCHECK("tanh and exp", gradcheck(f, x, x, 2, g), 1e-9);
    tape_free(&t);
    return 0;
}
