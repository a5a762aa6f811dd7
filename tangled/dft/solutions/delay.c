/* delay: how much later does the second microphone hear the sound? */
#include "dft/trial.h"
#include "tour/args.h"

/* find a delay from two spectra */
static int delay(int n, const struct cplx *x, const struct cplx *y)
{
    struct cplx *X = cplx_alloc(n), *Y = cplx_alloc(n), *c = cplx_alloc(n);
    int best = 0;

    dft(n, -1, x, X);
    dft(n, -1, y, Y);
    for (int k = 0; k < n; k++) {
        X[k].im = -X[k].im;
        Y[k] = cplx_mul(Y[k], X[k]);
    }
    dft(n, 1, Y, c);
    for (int j = 1; j < n; j++)
        if (c[j].re > c[best].re)
            best = j;
    free(X), free(Y), free(c);
    return best;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 120, 1, 1024),
                         ARG_SIZE("delay", 37, 0, 1023)};
    uint64_t seed =
        args_parse(argc, argv, "find a delay", args, ARG_COUNT(args));
    int n = (int)args[0].value, m = (int)args[1].value % n;
    struct cplx *x = cplx_random(n, seed), *late = cplx_alloc(n);
    int found;

    for (int j = 0; j < n; j++)
        late[(j + m) % n] = x[j];
    found = delay(n, x, late);
    CHECK(found == m, "the delay is %d, not %d", m, found);
    printf("ok: %d samples late\n", found);
    free(x), free(late);
    return 0;
}
