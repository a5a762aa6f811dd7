/* linear: the three products of a linear layer, tested by their adjointness. */
#include "matmul/matmul.cuh"
#include "matmul/trial.cuh"

/* sum the products of two matrices */
static double inner(const struct matrix *p, struct matrix *q)
{
    size_t bytes = p->count * sizeof(float);
    float *h = (float *)check_alloc(bytes, 1);
    double sum = 0;

    CUDA_CHECK(cudaMemcpy(h, p->d, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(q->h, q->d, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->cols; j++)
            sum +=
                (double)h[(size_t)i * p->ld + j] * q->h[(size_t)i * q->ld + j];
    free(h);
    return sum;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("batch", 37, 0, 1024),
                         ARG_SIZE("in", 50, 0, 1024),
                         ARG_SIZE("out", 10, 0, 1024)};
    uint64_t seed =
        args_parse(argc, argv, "a linear layer", args, ARG_COUNT(args));
    int b = (int)args[0].value, i = (int)args[1].value, o = (int)args[2].value;
    struct matrix x = matrix_make('N', b, i, 0, SMALL, seed);
    struct matrix w = matrix_make('N', o, i, 0, SMALL, seed + 1);
    struct matrix dy = matrix_make('N', b, o, 0, SMALL, seed + 2);
    struct matrix y = matrix_make('N', b, o, 0, NANS, 0);
    struct matrix dx = matrix_make('N', b, i, 0, NANS, 0);
    struct matrix dw = matrix_make('N', o, i, 0, NANS, 0);

    /* multiply three times and compare */
    matmul_tiled('N', 'T', b, o, i, 1, x.d, x.ld, w.d, w.ld, 0, y.d, y.ld, 0);
    matmul_tiled('N', 'N', b, i, o, 1, dy.d, dy.ld, w.d, w.ld, 0, dx.d, dx.ld,
                 0);
    matmul_tiled('T', 'N', o, i, b, 1, dy.d, dy.ld, x.d, x.ld, 0, dw.d, dw.ld,
                 0);
    CHECK(inner(&dy, &y) == inner(&dx, &x), "dx is no adjoint");
    CHECK(inner(&dy, &y) == inner(&dw, &w), "dw is no adjoint");
    printf("ok: three ways to the same %g\n", inner(&dy, &y));
    return 0;
}
