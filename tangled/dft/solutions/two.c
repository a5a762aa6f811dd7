/* two: the transforms of two real signals by one complex transform. */
#include "dft/trial.h"
#include "tour/args.h"

/* take two spectra apart */
static struct cplx first_of_two(int n, int k, const struct cplx *Z)
{
    struct cplx p = Z[k], q = Z[(n - k) % n];
    struct cplx a = {(p.re + q.re) / 2, (p.im - q.im) / 2};

    return a;
}

static struct cplx second_of_two(int n, int k, const struct cplx *Z)
{
    struct cplx p = Z[k], q = Z[(n - k) % n];
    struct cplx b = {(p.im + q.im) / 2, (q.re - p.re) / 2};

    return b;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 45, 0, 1024)};
    uint64_t seed =
        args_parse(argc, argv, "two for one", args, ARG_COUNT(args));
    int n = (int)args[0].value;
    struct cplx *a = cplx_random(n, seed), *b = cplx_random(n, seed + 1);
    struct cplx *z = cplx_alloc(n), *Z = cplx_alloc(n), *A = cplx_alloc(n);
    double near;

    for (int j = 0; j < n; j++) {
        a[j].im = b[j].im = 0;
        z[j].re = a[j].re;
        z[j].im = b[j].re;
    }
    /* compare both with transforms of their own */
    near = 2 * dft_near(n, z);
    dft(n, -1, z, Z);
    dft(n, -1, a, A);
    for (int k = 0; k < n; k++)
        check_cplx("first", n, k, first_of_two(n, k, Z), A[k], near);
    dft(n, -1, b, A);
    for (int k = 0; k < n; k++)
        check_cplx("second", n, k, second_of_two(n, k, Z), A[k], near);
    printf("ok: two real signals of %d by one transform\n", n);
    free(a), free(b), free(z), free(Z), free(A);
    return 0;
}
