/* ties: three rules for ties in a max-pool, behind a ReLU. */
#include <stdio.h>
#include <string.h>

#include "layers/reference_d.h"
#include "tour/check.h"
#include "tour/rng.h"

enum { SIDE = 64, N = SIDE * SIDE, WINDOWS = N / 4 };

/* share the gradient by a rule */
/* Returns how many windows have a tie. */
static int share(int rule, const double *y, const double *top, const double *dy,
                 double *dx)
{
    int tied = 0;

    memset(dx, 0, N * sizeof *dx);
    for (int i = 0; i < WINDOWS; i++) {
        int at = i / (SIDE / 2) * 2 * SIDE + i % (SIDE / 2) * 2, equal[4];
        int count = 0;

        for (int k = 0; k < 4; k++)
            if (y[at + k / 2 * SIDE + k % 2] == top[i])
                equal[count++] = at + k / 2 * SIDE + k % 2;
        tied += count > 1;
        if (rule < 2)
            dx[equal[rule ? count - 1 : 0]] = dy[i];
        for (int k = 0; rule == 2 && k < count; k++)
            dx[equal[k]] = dy[i] / count;
    }
    return tied;
}

int main(void)
{
    static double input[N], x[N], y[N], top[WINDOWS], dy[WINDOWS], dx[3][N];
    static unsigned char which[WINDOWS];
    uint64_t seed = 1;
    int tied;

    /* fill a plane and its gradients */
    for (int i = 0; i < N; i++)
        input[i] = x[i] = rng_float(&seed) - 0.5;
    for (int i = 0; i < WINDOWS; i++)
        dy[i] = rng_float(&seed) + 0.5;
    relu_forward(N, x, y);
    maxpool_forward(1, SIDE, SIDE, y, top, which);
    /* compare the rules with the layer */
    for (int rule = 0; rule < 3; rule++) {
        tied = share(rule, y, top, dy, dx[rule]);
        relu_backward(N, y, dx[rule], dx[rule]);
    }
    maxpool_backward(1, SIDE, SIDE, dy, which, x);
    relu_backward(N, y, x, x);
    for (int rule = 0; rule < 3; rule++)
        CHECK(memcmp(dx[rule], x, sizeof x) == 0, "rule %d differs", rule);
    /* pool before the ReLU */
    memcpy(dx[0], x, sizeof x); /* the layer's gradient */
    maxpool_forward(1, SIDE, SIDE, input, y, which);
    relu_forward(WINDOWS, y, y);
    CHECK(memcmp(y, top, sizeof top) == 0, "the results of both orders differ");
    relu_backward(WINDOWS, y, dy, top);
    maxpool_backward(1, SIDE, SIDE, top, which, x);
    for (int i = 0; i < N; i++)
        CHECK(x[i] == dx[0][i], "the gradients of both orders differ");
    CHECK(tied > WINDOWS / 24 && tied < WINDOWS / 12, "%d tied windows", tied);
    printf("ok: %d of %d tied, no gradient differs\n", tied, WINDOWS);
    return 0;
}
