/* check_conv: the gradients of a convolution, by differences. */
#include "conv/reference_d.h"
#include "conv/shapes.h"
#include "grad/gradcheck.h"
#include "tour/args.h"

/* take a convolution for a loss */

/* weight the outputs of a convolution */
struct filtered { /* the sum of dy times the convolution of x with w */
    struct conv v;
    double *x, *w, *y, *dy;
};

static double filtered_loss(void *work)
{
    const struct filtered *f = (const struct filtered *)work;
    double sum = 0;

    conv_forward(&f->v, f->x, f->w, f->y);
    for (size_t i = 0; i < conv_y(&f->v); i++)
        sum += f->dy[i] * f->y[i];
    return sum;
}

static double *draw(size_t n, uint64_t *seed)
{
    double *x = (double *)check_alloc(n, sizeof *x);

    for (size_t i = 0; i < n; i++)
        x[i] = 2.0 * rng_float(seed) - 1;
    return x;
}

/* check both gradients of a convolution */
/* How far off the gradients of v are with the step h. */
static double check_conv(struct conv v, double h, uint64_t seed)
{
    struct filtered f = {v, draw(conv_x(&v), &seed), draw(conv_w(&v), &seed),
                         draw(conv_y(&v), &seed), draw(conv_y(&v), &seed)};
    double *dx = draw(conv_x(&v), &seed), *dw = draw(conv_w(&v), &seed);
    struct gradcheck x, w;

    /* compare both gradients with differences */
    conv_input_gradient(&v, f.dy, f.w, dx);
    conv_filter_gradient(&v, f.x, f.dy, dw);
    x = gradcheck_some(filtered_loss, &f, f.x, conv_x(&v), dx, h, 40, seed);
    w = gradcheck_some(filtered_loss, &f, f.w, conv_w(&v), dw, h, 40, seed);
    GRADCHECK("the image", x, h < 1 ? 1e-6 : 1e-12);
    GRADCHECK("the filters", w, h < 1 ? 1e-6 : 1e-12);
    free(f.x);
    free(f.w);
    free(f.y);
    free(f.dy);
    free(dx);
    free(dw);
    return fmax(x.error, w.error);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("shapes", 100, 1, 100000)};
    uint64_t seed = args_parse(argc, argv, "convolutions", args, 1);
    double usual = 0, whole = 0;

    for (int k = 0; k < (int)args[0].value; k++) {
        struct conv v = conv_random(&seed);

        usual = fmax(usual, check_conv(v, GRADCHECK_STEP, seed));
        whole = fmax(whole, check_conv(v, 1, seed));
    }
    printf("ok: %d shapes, off by %.0e at most; with a step of 1, by %.0e\n",
           (int)args[0].value, usual, whole);
    return 0;
}
