/* gemm: products of every kind by sgemm and by each of its kernels, beside the
   reference. */
#include "gemm/kept.cuh"
#include "gemm/sgemm.cuh"
#include "matmul/trial.cuh"

static struct sgemm handle;

/* multiply by one kernel */
template <int KERNEL, int WHOLE, int PARTS>
static void by_plan(char ta, char tb, int m, int n, int k, float alpha,
                    const float *a, int lda, const float *b, int ldb,
                    float beta, float *c, int ldc, cudaStream_t stream)
{
    struct plan plan = {KERNEL, WHOLE, PARTS, 0};
    struct sgemm h = handle;

    if (KERNEL >= 0 && k <= sgemm_kernels[KERNEL].k)
        h.sums = NULL; /* what has one step is not divided */
    if (m > 0 && n > 0 &&
        (KERNEL >= 0 ? !sgemm_kernels[KERNEL].bulk ||
                           (handle.bulk && k > 0 && alpha != 0)
         : KERNEL == BY_FEW   ? m <= SHORT || n <= SHORT
         : KERNEL == BY_SHORT ? k <= SHORT_SUM
                              : m * n <= 600))
        sgemm_by(&h, plan, ta, tb, m, n, alpha == 0 ? 0 : k, alpha, a, lda, b,
                 ldb, beta, c, ldc, stream);
    else
        take_kept(m, n, c, ldc);
}

static void by_sgemm(char ta, char tb, int m, int n, int k, float alpha,
                     const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream)
{
    sgemm(&handle, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
          stream);
    keep(m, n, c, ldc);
}

/* list a way for each kernel */
/* Each has some of its products in parts, and some have a tile whole. */
static const struct way ways[] = {{"sgemm", by_sgemm},
                                  {"few", by_plan<BY_FEW, 0, 1>},
                                  {"few_parts", by_plan<BY_FEW, 0, 3>},
                                  {"short", by_plan<BY_SHORT, 0, 1>},
                                  {"dots", by_plan<BY_DOTS, 0, 1>},
                                  {"128x128", by_plan<0, 0, 1>},
                                  {"128x64_3", by_plan<1, 1, 2>},
                                  {"64x128", by_plan<2, 0, 1>},
                                  {"128x64", by_plan<3, 0, 3>},
                                  {"64x64", by_plan<4, 1, 5>},
                                  {"64x32", by_plan<5, 0, 1>},
                                  {"32x32", by_plan<6, 2, 2>},
                                  {"16x128", by_plan<7, 0, 1>},
                                  {"128x16", by_plan<8, 0, 4>},
                                  {"bulk128x128", by_plan<9, 0, 1>},
                                  {"bulk128x256", by_plan<10, 0, 3>},
                                  {"bulk64x128", by_plan<11, 1, 2>},
                                  {"bulk64x64", by_plan<12, 0, 2>},
                                  {NULL, NULL}};

int main(int argc, char **argv)
{
    int status;

    handle = sgemm_make();
    status = try_ways(argc, argv, ways);
    sgemm_free(&handle);
    return status;
}
