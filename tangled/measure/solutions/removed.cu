/* removed: a loop without use is no loop. */
#include "measure/bench.h"
#include "measure/card.cuh"
#include "kernels/launch.h"

/* take steps and keep or forget the result */
#ifdef __SIMT__
enum { STEPS = 10, BLOCKS = 4 };
#else
enum { STEPS = 4096, BLOCKS = 132 * 8 };
#endif
enum { THREADS = BLOCKS * 256 };

template <int KEEP>
__global__ void steps(float a, float b, float *out)
{
    float v = threadIdx.x;

    for (int s = 0; s < STEPS; s++)
        v = fmaf(v, a, b);
    if (KEEP && v == 12345.678f) /* never, but who knows? */
        *out = v;
}

/* time the two kernels */
template <int KEEP>
static void run_steps(void *work, int set)
{
    (void)set;
    steps<KEEP><<<BLOCKS, 256>>>(0.999f, 0.001f, (float *)work);
    CUDA_LAUNCH_CHECK();
}

static void time_both(double *us)
{
    float *d;
    struct bench_case c[2];

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof *d));
    memset(c, 0, sizeof c);
    c[0].variant = "forget";
    c[0].launch = run_steps<0>;
    c[1].variant = "keep";
    c[1].launch = run_steps<1>;
    c[0].work = c[1].work = d;
    bench_measure(c, 2, 2);
    for (int k = 0; k < 2; k++)
        us[k] = stats_of(c[k].us, c[k].rounds).median;
    CUDA_CHECK(cudaFree(d));
}

int main(void)
{
    double us[2], floor = roof_floor(roof_of_card(), 0, 2.0 * STEPS * THREADS);

    time_both(us);
#ifndef __SIMT__
    CHECK(us[0] < floor, "%g us is not under the floor of %g us", us[0], floor);
#endif
    CHECK(us[1] >= floor, "%g us is under the floor of %g us", us[1], floor);
    printf("ok: the kernel that keeps its result is above the floor\n");
    return 0;
}
