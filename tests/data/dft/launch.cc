/* launch.cc: what chapter 17 launches, how much memory its plans ask for, and which arrays
   overlap, without a device. parts.h is made of its headers by tests/dft.t, which turns
   k<<<g, b>>>(x) into (launched(g, b), k)(x); a kernel here says its name. */
#include "dft/dft.h"
#include "kernels/sizes.h"

#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()
#define cudaMemcpyHostToDevice 1
#define __device__
typedef int cudaStream_t;
typedef int cufftResult;
enum { CUFFT_SUCCESS };
struct float2 { float x, y; };
struct dim3 {
    unsigned x, y;
    dim3(unsigned x = 1, unsigned y = 1) : x(x), y(y) {}
};
static int said = 1;

static void launched(dim3 grid, unsigned block, size_t bytes = 0, int = 0)
{
    if (said)
        printf("%ux%u of %u, %zu: ", grid.x, grid.y, block, bytes);
}
struct kernel {
    const char *name;
    template <class... A> void operator()(int n, size_t count, A...) const
    {
        if (said)
            printf("%s %d %zu; ", name, n, count);
    }
    void operator()(int n, const float2 *, float2 *) const { printf("%s %d; ", name, n); }
};
static const kernel dft_write_matrix{"matrix"}, dft_by_angle{"angle"}, dft_by_table{"table"},
    goertzel_rows{"goertzel"};
static void matmul_tiled(char ta, char tb, int m, int n, int k, float alpha, const float *, int lda,
                         const float *, int ldb, float beta, float *, int ldc, cudaStream_t)
{
    if (said)
        printf("%c%c %dx%dx%d %g, %d %d, %g, %d; ", ta, tb, m, n, k, alpha, lda, ldb, beta, ldc);
}
static int cudaMalloc(void **p, size_t bytes)
{
    printf("room %zu; ", bytes);
    *p = check_alloc(bytes, 1);
    return 0;
}
#define cudaMemcpy(to, from, n, how) (printf("copy %zu; ", (size_t)(n)), memcpy(to, from, n))
#define cudaFree(p) free(p)

#include "parts.h"

enum way { ANGLE, TABLE, MATRIX, BACK, REAL, WAYS };

static void run(int how, const struct dft_plan *p, int batch, const float *x, float *y)
{
    const float2 *in = (const float2 *)x;
    float2 *out = (float2 *)y;

    if (how == ANGLE || how == TABLE)
        dft_by_bins(how == ANGLE ? DFT_BY_ANGLE : DFT_BY_TABLE, p, batch, in, out, 0);
    else if (how == MATRIX)
        dft_forward(p, batch, in, out, 0);
    else if (how == BACK)
        dft_inverse(p, batch, in, out, 0);
    else
        dft_real(p, batch, x, out, 0);
}

/* Which places of the output, from `from` floats before the input on, are refused? */
static void overlaps(const struct dft_plan *p, int batch)
{
    static float room[300];

    for (int how = 0; how < WAYS; how++) {
        int in = (how == REAL ? 1 : 2) * p->n * batch;
        int out = 2 * (how == REAL ? p->n / 2 + 1 : p->n) * batch, wrong = 0;

        for (int at = -out - 3; at <= in + 3; at++) {
            refused_times = 0, quietly = 1;
            REFUSED(run(how, p, batch, room + 100, room + 100 + at));
            wrong += refused_times != (batch > 0 && at > -out && at < in);
        }
        quietly = 0;
        printf("%d rows, %d: %d wrong\n", batch, how, wrong);
    }
}

/* The angle is off by three roundings of it, so roots are wrong by that times how far they are
   from 1, the near way. */
static void angles(int n)
{
    int wrong = 0;

    for (int r = 0; r < n; r++) {
        double turn = 6.283185307179586 * (2 * r > n ? r - n : r) / n, off = 1.8e-7 * fabs(turn);
        double c = cos(turn), s = -sin(turn);
        float2 w = root_by_angle(r, n);

        wrong += !(fabs(w.x - c) <= off * fabs(s) + 1.2e-7 * fabs(c) + off * off);
        wrong += !(fabs(w.y - s) <= off * fabs(c) + 1.2e-7 * fabs(s) + off * off);
    }
    printf("%d roots by angle: %d wrong\n", n, wrong);
}

static int calls;
static cufftResult called(cufftResult status)
{
    if (calls++) {
        printf("called twice\n");
        fflush(stdout);
        _Exit(1);
    }
    return status;
}

int main(void)
{
    static const int n[] = {1, 5, 256, 257, 512, 513};
    static float x[4 * 2 * 513], y[4 * 2 * 513];

    for (int i = 0; i < 6; i++) {
        struct dft_plan p = dft_plan_make(n[i]);

        printf("\n");
        for (int how = 0; how < WAYS; how++)
            for (int batch = 0; batch < 4; batch++)
                run(how, &p, batch, x, y);
        said = 0;
        for (int batch = 0; batch < 4 && n[i] == 5; batch++)
            overlaps(&p, batch);
        said = 1;
        run(MATRIX, &p, 0, NULL, NULL);
        dft_plan_free(&p);
        REFUSED(run(MATRIX, &p, 1, x, x + 2 * n[i]));
    }
    REFUSED(dft_plan_make(0));
    REFUSED(dft_plan_make(DFT_MOST + 1));
    for (int i = 0; i < 6; i++) {
        goertzel_batch(7, n[i], 1, NULL, x, y, 0);
        goertzel_batch(0, n[i], 3, NULL, x, y, 0);
    }
    goertzel_batch(7, 0, 1, NULL, x, y, 0);
    REFUSED(goertzel_batch(-1, 1, 1, NULL, x, y, 0));
    REFUSED(goertzel_batch(1, -1, 1, NULL, x, y, 0));
    REFUSED(goertzel_batch(1, 1, 0, NULL, x, y, 0));
    angles(1), angles(2), angles(7), angles(1024), angles(DFT_MOST);
    CUFFT_CHECK(called(CUFFT_SUCCESS));
    calls = 0;
    REFUSED(CUFFT_CHECK(called((cufftResult)1)));
    return 0;
}
