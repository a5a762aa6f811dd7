/* bias_tanh: a forward and a backward kernel, checked in two steps. */
#include "grad/bias_tanh.cuh"
#include "grad/gradcheck.h"
#include "reduce/bound.h"
#include "reduce/unchanged.h"
#include "tour/args.h"

/* check the derivation in double */
struct problem { /* the sum of dy tanh(x + b), over n rows of c columns */
    int n, c;
    double *x, *b, *dy;
};

static double weighted(void *work)
{
    const struct problem *p = (const struct problem *)work;
    double sum = 0;

    for (int k = 0; k < p->n * p->c; k++)
        sum += p->dy[k] * tanh(p->x[k] + p->b[k % p->c]);
    return sum;
}

/* dx and db of the problem by the derivation; y = tanh(x + b) or what is said
   to be it. */
static void go_back(const struct problem *p, const double *y, double *dx,
                    double *db)
{
    for (int j = 0; j < p->c; j++)
        db[j] = 0;
    for (int k = 0; k < p->n * p->c; k++) {
        dx[k] = p->dy[k] * (1 - y[k] * y[k]);
        db[k % p->c] += dx[k];
    }
}

/* compare the kernels with the derivation */
static void compare(const struct problem *p, const float *y, const float *dx,
                    const float *db, const double *want_dx,
                    const double *want_db)
{
    double u = BOUND_FLOAT, height = p->n / BT_SIDE + BT_SIDE + 1;

    for (int k = 0; k < p->n * p->c; k++) {
        double z = p->x[k] + p->b[k % p->c], t = tanh(z);

        CHECK_NEAR(y[k], t,
                   bound_up(u * fabs(z) + bound_ulps(2, u) * fabs(t) + 1e-15),
                   "y: two roundings and tanhf");
        CHECK_NEAR(dx[k], want_dx[k], bound_up(3 * u * fabs(p->dy[k])),
                   "dx: three roundings");
    }
    for (int j = 0; j < p->c; j++) {
        double sum = 0;

        for (int i = 0; i < p->n; i++)
            sum += fabs(p->dy[i * p->c + j]);
        CHECK_NEAR(db[j], want_db[j],
                   bound_sum(p->n, height, u, sum) + bound_up(3 * u * sum),
                   "db: a sum of rounded terms");
    }
}

/* run both kernels */
/* in: x, b, dy; out: y, dx, db and a number that nobody may write. */
static void run(int n, int c, const float *in, float *out)
{
    size_t size = (size_t)n * c, ins = 2 * size + c, outs = ins + 1;
    float *x, *b, *y;

    CUDA_CHECK(cudaMalloc((void **)&x, (ins + 1) * sizeof *x));
    CUDA_CHECK(cudaMalloc((void **)&y, outs * sizeof *y));
    CUDA_CHECK(cudaMemcpy(x, in, ins * sizeof *x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(y, 0xff, outs * sizeof *y));
    b = x + size;
    bias_tanh_flat_run(n, c, x, b, y);
    bias_tanh_backward_run(n, c, y, b + c, y + size, y + 2 * size);
    CUDA_CHECK(cudaMemcpy(out, y, outs * sizeof *y, cudaMemcpyDeviceToHost));
    CHECK(isnan(out[outs - 1]), "a kernel wrote behind db");
    /* go forward down the columns and compare */
    for (int each = 1; each <= 8; each += 7) {
        float *again = (float *)check_alloc(outs, sizeof *again);

        CUDA_CHECK(cudaMemset(y, 0xff, outs * sizeof *y));
        bias_tanh_forward_run(n, c, x, b, y, each);
        CUDA_CHECK(
            cudaMemcpy(again, y, outs * sizeof *y, cudaMemcpyDeviceToHost));
        CHECK_ARRAY(again, out, size);
        CHECK(isnan(again[size]), "a kernel wrote behind y");
        free(again);
    }
    check_unchanged(ins, in, x);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 37, 0, 1 << 14),
                         ARG_SIZE("c", 65, 0, 1 << 14)};
    uint64_t seed = args_parse(argc, argv, "tanh(x + b) and back", args, 2);
    int n = (int)args[0].value, c = (int)args[1].value;
    size_t size = (size_t)n * c, ins = 2 * size + c;
    float *in = (float *)check_alloc(2 * ins + 1, sizeof *in), *out = in + ins;
    double *work = (double *)check_alloc(2 * ins + size, sizeof *work);
    struct problem p = {n, c, work, work + size, work + size + c};

    for (size_t k = 0; k < ins; k++)
        p.x[k] = in[k] = 4 * rng_float(&seed) - 2;
    run(n, c, in, out);
    /* check the derivation and the kernels */
    double *y = work + ins, *dx = y + size, *db = dx + size;

    for (size_t k = 0; k < size; k++)
        y[k] = tanh(p.x[k] + p.b[k % (unsigned)c]);
    go_back(&p, y, dx, db);
    if (size > 0 && size <= 4096) {
        GRADCHECK("dx", gradcheck(weighted, &p, p.x, size, dx), 1e-6);
        GRADCHECK("db", gradcheck(weighted, &p, p.b, (size_t)c, db), 1e-6);
    }
    for (size_t k = 0; k < size; k++)
        y[k] = out[k];
    go_back(&p, y, dx, db);
    compare(&p, out, out + size, out + 2 * size, dx, db);
    printf("ok: %d x %d, forwards and backwards\n", n, c);
    free(in);
    free(work);
    return 0;
}
