/* probe_fft: what cuFFT must give, on Loom and on a GPU. */
#include <cufft.h>
#include <math.h>
#include <stdio.h>

#include "stack/cuda_check.h"
#include "tour/check.h"

/* check the result of a call of cuFFT */
#define FFT(call)                                      \
    do {                                               \
        cufftResult r = (call);                        \
        CHECK(r == CUFFT_SUCCESS, "%s: %d", #call, r); \
    } while (0)

/* try a wave */
static void try_wave(int n, int k, int batch)
{
    cufftComplex *h = (cufftComplex *)check_alloc((size_t)n * batch, sizeof *h);
    cufftComplex *d;
    size_t bytes = (size_t)n * batch * sizeof *h, work = 1;
    cufftHandle plan;

    k %= n;
    for (int i = 0; i < n * batch; i++) {
        h[i].x = (float)cos(2 * M_PI * k * (i % n) / n);
        h[i].y = (float)sin(2 * M_PI * k * (i % n) / n);
    }
    CUDA_CHECK(cudaMalloc(&d, bytes));
    CUDA_CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    FFT(cufftCreate(&plan));
    CHECK(cufftExecC2C(plan, d, d, CUFFT_FORWARD) == CUFFT_INVALID_PLAN,
          "a plan that was not made");
    FFT(cufftSetStream(plan, 0));
    FFT(cufftMakePlan1d(plan, n, CUFFT_C2C, batch, &work));
    FFT(cufftExecC2C(plan, d, d, CUFFT_FORWARD));
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n * batch; i++)
        CHECK(fabs(h[i].x - (i % n == k ? n : 0)) < 1e-4 * n &&
                  fabs(h[i].y) < 1e-4 * n,
              "line %d of %d points is %g,%g", i, n, h[i].x, h[i].y);
    FFT(cufftDestroy(plan));
    CHECK(cufftDestroy(plan) == CUFFT_INVALID_PLAN,
          "a plan is destroyed twice");
    CUDA_CHECK(cudaFree(d));
    free(h);
}

/* try a real signal in place */
static void try_real(int n)
{
    int row = 2 * (n / 2 + 1);
    float *h = (float *)check_alloc(3 * (size_t)row, sizeof *h), *d;
    size_t bytes = 3 * row * sizeof *h;
    cufftHandle there, back;

    for (int i = 0; i < 3 * row; i++)
        h[i] = (float)(i % 11);
    CUDA_CHECK(cudaMalloc(&d, bytes));
    CUDA_CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    FFT(cufftPlan2d(&there, 3, n, CUFFT_R2C));
    FFT(cufftPlan2d(&back, 3, n, CUFFT_C2R));
    FFT(cufftExecR2C(there, d, (cufftComplex *)d));
    FFT(cufftExecC2R(back, (cufftComplex *)d, d));
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3 * row; i++)
        CHECK(i % row >= n || fabs(h[i] - 3.0 * n * (i % 11)) < 1e-3 * n,
              "point %d of 3 x %d is %g", i, n, h[i]);
    FFT(cufftDestroy(there));
    FFT(cufftDestroy(back));
    CUDA_CHECK(cudaFree(d));
    free(h);
}

/* try signals that lie apart */
static void try_apart(void)
{
    enum { N = 12 };
    cufftDoubleComplex h[2 * N], *in, *out;
    size_t work;
    cufftHandle plan;
    int n = N;

    for (int i = 0; i < 2 * N; i++) {
        h[i].x = i / 2 == i % 2; /* an impulse at 0, and one at 1 */
        h[i].y = 0;
    }
    CUDA_CHECK(cudaMalloc(&in, sizeof h));
    CUDA_CHECK(cudaMalloc(&out, sizeof h));
    CUDA_CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    FFT(cufftCreate(&plan));
    FFT(cufftMakePlanMany(plan, 1, &n, &n, 2, 1, &n, 1, N, CUFFT_Z2Z, 2,
                          &work));
    FFT(cufftExecZ2Z(plan, in, out, CUFFT_FORWARD));
    CUDA_CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2 * N; i++)
        CHECK(fabs(h[i].x - cos(2 * M_PI * (i / N) * (i % N) / N)) < 1e-12,
              "signal %d, line %d: %g", i / N, i % N, h[i].x);
    FFT(cufftDestroy(plan));
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
}

/* try signals with gaps */
enum { MOST = 3, SIGNALS = 2 };

struct side {
    int n[MOST], embed[MOST], stride, dist, doubles; /* for each element */
};

/* Where point i is in its signal; where it lies in memory. */
static void split(int rank, const int *n, int i, int *at)
{
    for (int d = rank; d-- > 0; i /= n[d])
        at[d] = i % n[d];
}
static int place(int rank, const struct side *s, int signal, int i)
{
    int at[MOST], row = 0;

    split(rank, s->n, i, at);
    for (int d = 0; d < rank; d++)
        row = row * s->embed[d] + at[d];
    return (signal * s->dist + row * s->stride) * s->doubles;
}

static int count_of(int rank, const int *n)
{
    int count = 1;

    for (int d = 0; d < rank; d++)
        count *= n[d];
    return count;
}
/* Point i of a signal; line k of its spectrum. */
static cufftDoubleComplex point(int real, int signal, int i)
{
    cufftDoubleComplex z;

    z.x = (i * i * 7 + i + 3 * signal) % 11;
    z.y = real ? 0 : (i * 5 + signal) % 7;
    return z;
}
static cufftDoubleComplex line(int rank, const int *n, int real, int signal,
                               const int *k)
{
    cufftDoubleComplex sum = {0, 0};
    int at[MOST];

    for (int i = 0; i < count_of(rank, n); i++) {
        cufftDoubleComplex z = point(real, signal, i);
        double angle = 0;

        split(rank, n, i, at);
        for (int d = 0; d < rank; d++)
            angle -= 2 * M_PI * at[d] * k[d] / n[d];
        sum.x += z.x * cos(angle) - z.y * sin(angle);
        sum.y += z.x * sin(angle) + z.y * cos(angle);
    }
    return sum;
}
static cufftResult transform(cufftHandle plan, cufftType type, double *in,
                             double *out, int direction)
{
    cufftDoubleComplex *to = (cufftDoubleComplex *)out;

    if (type == CUFFT_D2Z)
        return cufftExecD2Z(plan, in, to);
    if (type == CUFFT_Z2D)
        return cufftExecZ2D(plan, (cufftDoubleComplex *)in, out);
    return cufftExecZ2Z(plan, (cufftDoubleComplex *)in, to, direction);
}
static void try_gaps(int rank, int more, cufftType type, int direction)
{
    int real = type != CUFFT_Z2Z, from = direction == CUFFT_INVERSE;
    struct side s[2]; /* signals and spectra */
    double *h[2], *d[2];
    size_t bytes[2];
    int points[2], last;
    cufftHandle plan;

    for (int k = 0; k < 2; k++) {
        /* lay out a side */
        s[k].doubles = real && k == 0 ? 1 : 2;
        s[k].stride = s[k].dist = 2 + k;
        for (int i = 0; i < rank; i++) {
            s[k].n[i] = 3 + i + more;
            if (k == 1 && real && i == rank - 1)
                s[k].n[i] = s[k].n[i] / 2 + 1;
            s[k].embed[i] = s[k].n[i] + (k == 0 ? 1 + i : 3 - i);
            s[k].dist *= s[k].embed[i];
        }
        s[k].dist += 2;
        /* fill a side */
        points[k] = count_of(rank, s[k].n);
        last = place(rank, &s[k], SIGNALS - 1, points[k] - 1);
        bytes[k] = (last + s[k].doubles) * sizeof **h;
        h[k] = (double *)check_alloc(bytes[k], 1);
        for (int i = 0; i < SIGNALS * points[k]; i++) {
            int signal = i % SIGNALS, p = i / SIGNALS, at[MOST];
            cufftDoubleComplex z;

            split(rank, s[k].n, p, at);
            z = k == 0 ? point(real, signal, p)
                       : line(rank, s[0].n, real, signal, at);
            memcpy(h[k] + place(rank, &s[k], signal, p), &z,
                   s[k].doubles * sizeof **h);
        }
        CUDA_CHECK(cudaMalloc(&d[k], bytes[k]));
    }
    CUDA_CHECK(
        cudaMemcpy(d[from], h[from], bytes[from], cudaMemcpyHostToDevice));
    FFT(cufftPlanMany(&plan, rank, s[0].n, s[from].embed, s[from].stride,
                      s[from].dist, s[!from].embed, s[!from].stride,
                      s[!from].dist, type, SIGNALS));
    FFT(transform(plan, type, d[from], d[!from], direction));
    /* compare the other side */
    double *got = (double *)check_alloc(bytes[!from], 1);

    CUDA_CHECK(cudaMemcpy(got, d[!from], bytes[!from], cudaMemcpyDeviceToHost));
    for (int i = 0; i < SIGNALS * points[!from] * s[!from].doubles; i++) {
        int p = i / SIGNALS / s[!from].doubles;
        int at = place(rank, &s[!from], i % SIGNALS, p) +
                 i / SIGNALS % s[!from].doubles;
        double want = h[!from][at] * (from ? points[0] : 1);

        CHECK(fabs(got[at] - want) < 1e-9,
              "type %d, %d dimensions: point %d of signal %d is %g, not %g",
              type, rank, p, i % SIGNALS, got[at], want);
    }
    free(got);

/* say that a side is too short */
#ifdef __LOOM__
    CHECK(transform(plan, type, d[from] + s[from].doubles, d[!from],
                    direction) == CUFFT_EXEC_FAILED &&
              transform(plan, type, d[from], d[!from] + s[!from].doubles,
                        direction) == CUFFT_EXEC_FAILED,
          "type %d, %d dimensions, in a place that is too short", type, rank);
#endif
    FFT(cufftDestroy(plan));
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaFree(d[k]));
        free(h[k]);
    }
}

/* try each way to a plan */
static cufftHandle plan_of(int rank, int way)
{
    const cufftType z = CUFFT_Z2Z;
    int n[] = {3, 4, 5}, batch = rank == 1 ? 2 : 1;
    cufftHandle plan;
    size_t work;

    if (way == 0) {
        FFT(rank == 1   ? cufftPlan1d(&plan, 3, z, batch)
            : rank == 2 ? cufftPlan2d(&plan, 3, 4, z)
                        : cufftPlan3d(&plan, 3, 4, 5, z));
    } else if (way == 1) {
        FFT(cufftPlanMany(&plan, rank, n, NULL, 1, 0, NULL, 1, 0, z, batch));
    } else {
        FFT(cufftCreate(&plan));
        FFT(way == 2 ? cufftMakePlanMany(plan, rank, n, NULL, 1, 0, NULL, 1, 0,
                                         z, batch, &work)
            : rank == 1 ? cufftMakePlan1d(plan, 3, z, batch, &work)
            : rank == 2 ? cufftMakePlan2d(plan, 3, 4, z, &work)
                        : cufftMakePlan3d(plan, 3, 4, 5, z, &work));
    }
    return plan;
}

static void try_plan(int rank, int way)
{
    const int n[] = {3, 4, 5}, points = count_of(rank, n);
    const int signals = rank == 1 ? 2 : 1;
    cufftHandle plan = plan_of(rank, way);
    cufftDoubleComplex h[60], *d;
    int k[MOST];

    for (int i = 0; i < signals * points; i++)
        h[i] = point(0, i / points, i % points);
    CUDA_CHECK(cudaMalloc(&d, sizeof h));
    CUDA_CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    FFT(cufftExecZ2Z(plan, d, d, CUFFT_FORWARD));
    CUDA_CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < signals * points; i++) {
        cufftDoubleComplex want;

        split(rank, n, i % points, k);
        want = line(rank, n, 0, i / points, k);
        CHECK(fabs(h[i].x - want.x) < 1e-9 && fabs(h[i].y - want.y) < 1e-9,
              "%d dimensions, way %d: line %d is %g,%g", rank, way, i, h[i].x,
              h[i].y);
    }
    FFT(cufftDestroy(plan));
    CUDA_CHECK(cudaFree(d));
}

/* refuse plans */
static void refuse_plans(void)
{
#ifdef __LOOM__
    const cufftType z = CUFFT_Z2Z, none = (cufftType)0;
    int n[] = {3, 4, 5, 6}, no[] = {3, 4, 0};
    cufftHandle plan, gone;
    size_t work = 7;

    FFT(cufftPlan1d(&plan, 3, z, 1));
    FFT(cufftCreate(&gone));
    FFT(cufftDestroy(gone));
    for (int i = 0; i < 3; i++) {
        int a = i != 0, b = i != 1, c = i != 2;
        cufftHandle p;

        CHECK(cufftPlan3d(&p, a, b, c, z) == CUFFT_INVALID_SIZE &&
                  cufftEstimate3d(a, b, c, z, &work) == CUFFT_INVALID_SIZE &&
                  (i > 1 ||
                   (cufftPlan2d(&p, a, b, z) == CUFFT_INVALID_SIZE &&
                    cufftEstimate2d(a, b, z, &work) == CUFFT_INVALID_SIZE &&
                    cufftEstimate1d(a, z, b, &work) == CUFFT_INVALID_SIZE &&
                    cufftPlan1d(&p, a, z, b) == CUFFT_INVALID_SIZE)),
              "side %d is 0", i);
    }
    /* refuse plans one by one */
    cufftHandle p;
    const struct {
        cufftResult got, want;
    } call[] = {
        {cufftPlanMany(&p, 0, n, NULL, 1, 0, NULL, 1, 0, z, 1),
         CUFFT_INVALID_SIZE},
        {cufftPlanMany(&p, 4, n, NULL, 1, 0, NULL, 1, 0, z, 1),
         CUFFT_INVALID_SIZE},
        {cufftPlanMany(&p, 3, n, NULL, 1, 0, NULL, 1, 0, z, 0),
         CUFFT_INVALID_SIZE},
        {cufftPlanMany(&p, 3, no, NULL, 1, 0, NULL, 1, 0, z, 1),
         CUFFT_INVALID_SIZE},
        {cufftPlanMany(&p, 1, NULL, NULL, 1, 0, NULL, 1, 0, z, 1),
         CUFFT_INVALID_VALUE},
        {cufftPlanMany(&p, 1, n, n, 1, 3, NULL, 1, 0, z, 1),
         CUFFT_INVALID_VALUE},
        {cufftPlanMany(&p, 1, n, NULL, 1, 0, n, 1, 3, z, 1),
         CUFFT_INVALID_VALUE},
        {cufftPlanMany(&p, 1, n, n, 0, 3, n, 1, 3, z, 1), CUFFT_INVALID_VALUE},
        {cufftPlanMany(&p, 1, n, n, 1, 3, n, 0, 3, z, 1), CUFFT_INVALID_VALUE},
        {cufftPlan1d(&p, 3, none, 1), CUFFT_INVALID_TYPE},
        {cufftEstimate1d(3, none, 1, &work), CUFFT_INVALID_TYPE},
        {cufftCreate(NULL), CUFFT_INVALID_VALUE},
        {cufftMakePlan1d(plan, 3, z, 1, &work), CUFFT_INVALID_PLAN}, /* made */
        {cufftMakePlan1d(gone, 3, z, 1, &work), CUFFT_INVALID_PLAN},
        {cufftMakePlan1d(-1, 3, z, 1, &work), CUFFT_INVALID_PLAN},
        {cufftMakePlan1d(1024, 3, z, 1, &work), CUFFT_INVALID_PLAN},
        {cufftSetStream(gone, 0), CUFFT_INVALID_PLAN},
        {cufftSetAutoAllocation(gone, 1), CUFFT_INVALID_PLAN},
        {cufftSetWorkArea(gone, NULL), CUFFT_INVALID_PLAN},
        {cufftGetSize(gone, &work), CUFFT_INVALID_PLAN},
        {cufftExecC2C(plan, NULL, NULL, CUFFT_FORWARD), CUFFT_INVALID_PLAN},
        {cufftExecZ2Z(plan, NULL, NULL, 0), CUFFT_INVALID_VALUE},
        {cufftSetAutoAllocation(plan, 1), CUFFT_SUCCESS},
        {cufftSetWorkArea(plan, NULL), CUFFT_SUCCESS},
        {cufftEstimate1d(3, z, 1, &work), CUFFT_SUCCESS},
        {cufftGetSize(plan, &work), CUFFT_SUCCESS}};

    for (size_t i = 0; i < sizeof call / sizeof *call; i++)
        CHECK(call[i].got == call[i].want, "call %zu gives %d, not %d", i,
              call[i].got, call[i].want);
    CHECK(work == 0, "memory for work: %zu", work);
    /* fill the table of plans */
    cufftHandle many[1024];
    int made = 0;

    while (made < 1024 && cufftPlan1d(&many[made], 3, z, 1) == CUFFT_SUCCESS)
        made++;
    CHECK(made == 1023, "%d plans, and one before them", made);
    while (made > 0)
        FFT(cufftDestroy(many[--made]));
    FFT(cufftDestroy(plan));
#endif
}

int main(void)
{
    cufftHandle plan;

    for (int n = 1; n < 70; n += 3)
        try_wave(n, n % 5, 4);
    for (int n = 1; n < 40; n++)
        try_real(n);
    try_apart();
    for (int rank = 1; rank <= MOST; rank++)
        for (int more = 0; more < 2; more++) {
            try_gaps(rank, more, CUFFT_Z2Z, CUFFT_FORWARD);
            try_gaps(rank, more, CUFFT_Z2Z, CUFFT_INVERSE);
            try_gaps(rank, more, CUFFT_D2Z, CUFFT_FORWARD);
            try_gaps(rank, more, CUFFT_Z2D, CUFFT_INVERSE);
        }
    for (int rank = 1; rank <= MOST; rank++)
        for (int way = 0; way < 4; way++)
            try_plan(rank, way);
    CHECK(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE,
          "a transform of no points");
    refuse_plans();
    printf("ok: transforms forward, back, in place and apart\n");
}
