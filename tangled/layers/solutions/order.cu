/* order: ReLU before a max-pool and behind it. */
#include <stdio.h>

#include "layers/maxpool.cuh"
#include "layers/relu.cuh"
#include "layers/trial.cuh"

int main(void)
{
    const int planes = 6, side = 14;
    struct trial t = {1, 0, {}};
    size_t n = (size_t)planes * side * side;
    struct array *x = trial_in(&t, n, 0), *dy = trial_in(&t, n / 4, 0);
    struct array *a = trial_out(&t, n, 4), *da = trial_out(&t, n, 4);
    struct array *y[2], *dx[2], *which = trial_out(&t, n / 4, 1), *db;
    unsigned char *at = (unsigned char *)which->d;

    /* make room for both orders */
    for (int k = 0; k < 2; k++) {
        y[k] = trial_out(&t, n / 4, 4);
        dx[k] = trial_out(&t, n, 4);
    }
    db = trial_out(&t, n / 4, 4);
    /* run both orders */
    relu_forward_run(n, x->d, a->d, 0);
    maxpool_forward_run(planes, side, side, a->d, y[0]->d, at, 0);
    maxpool_backward_run(planes, side, side, dy->d, at, da->d, 0);
    relu_backward_run(n, a->d, da->d, dx[0]->d, 0);
    maxpool_forward_run(planes, side, side, x->d, y[1]->d, at, 0);
    relu_forward_run(n / 4, y[1]->d, y[1]->d, 0);
    relu_backward_run(n / 4, y[1]->d, dy->d, db->d, 0);
    maxpool_backward_run(planes, side, side, db->d, at, dx[1]->d, 0);
    trial_fetch(&t, 0);
    for (size_t i = 0; i < n; i++)
        CHECK(y[0]->h[i / 4] == y[1]->h[i / 4] && dx[0]->h[i] == dx[1]->h[i],
              "number %zu differs", i);
    trial_free(&t);
    printf("ok: both orders give the same, forward and back\n");
    return 0;
}
