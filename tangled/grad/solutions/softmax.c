/* softmax: its Jacobian, and a product with it, against the tape. */
#include "grad/solutions/more.h"
#include "tour/check.h"

enum { N = 7 };

int main(void)
{
    struct tape t = {NULL, 0, 0};
    double product[N] = {0}, v[N], dot = 0;
    int y[N], sum;

    for (int i = 0; i < N; i++) {
        v[i] = i - 2.5;
        tape_leaf(&t, 0.75 * i * v[i] - 2);
    }
    sum = tape_leaf(&t, 0);
    for (int i = 0; i < N; i++)
        sum = tape_add(&t, sum, y[i] = tape_exp(&t, i));
    sum = tape_inverse(&t, sum);
    for (int i = 0; i < N; i++) {
        y[i] = tape_mul(&t, y[i], sum);
        dot += v[i] * t.node[y[i]].value;
    }
    /* compare rows of the Jacobian of softmax */
    for (int i = 0; i < N; i++) {
        double yi = t.node[y[i]].value;

        tape_zero_grad(&t);
        tape_backward(&t, y[i]);
        for (int j = 0; j < N; j++) {
            CHECK_NEAR(t.node[j].grad, yi * ((i == j) - t.node[y[j]].value),
                       1e-15, "a few roundings of numbers below 1");
            product[j] += v[i] * t.node[j].grad;
        }
    }
    for (int j = 0; j < N; j++)
        CHECK_NEAR(t.node[y[j]].value * (v[j] - dot), product[j], 1e-14,
                   "a sum of seven terms below 5");
    tape_free(&t);
    return 0;
}
