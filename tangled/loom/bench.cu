/* bench: what a thread costs on Loom, on one OS thread and on all. */
#include <stdio.h>
#include <string.h>

#include "measure/bench.h"

enum { N = 1 << 20, BLOCK = 256 };

/* do nothing, and add */
__global__ void nothing(void)
{
}

__global__ void add(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] += x[i];
}

static void plain_add(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

/* wait, and exchange */
enum { TIMES = 256, WAITERS = N / TIMES };

__global__ void wait(void)
{
    for (int i = 0; i < TIMES; i++)
        __syncthreads();
}

__global__ void exchange(float *y)
{
    float v = (float)threadIdx.x;

    for (int i = 0; i < TIMES; i++)
        v = __shfl_xor_sync(0xffffffffu, v, 1 + (i & 15));
    y[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

/* call what is measured */
static float *x, *y;

static void launch_nothing(void *, int)
{
    nothing<<<N / BLOCK, BLOCK>>>();
}

static void launch_add(void *, int)
{
    add<<<N / BLOCK, BLOCK>>>(N, x, y);
}

static void launch_wait(void *, int)
{
    wait<<<WAITERS / BLOCK, BLOCK>>>();
}

static void launch_exchange(void *, int)
{
    exchange<<<WAITERS / BLOCK, BLOCK>>>(y);
}

static void run_plain(void *, int)
{
    plain_add(N, x, y);
}

/* measure on the OS threads there are */
static void rows(const char *suffix)
{
    enum { CASES = 5 };
    bench_case cases[CASES] = {};
    const char *names[] = {"empty", "vecadd", "loop", "barrier", "shuffle"};
    void (*calls[])(void *, int) = {launch_nothing, launch_add, run_plain,
                                    launch_wait, launch_exchange};
    char name[32];

    CUDA_CHECK(cudaMallocManaged(&x, N * sizeof *x));
    CUDA_CHECK(cudaMallocManaged(&y, N * sizeof *y));
    memset(x, 0, N * sizeof *x);
    memset(y, 0, N * sizeof *y);
    for (int k = 0; k < CASES; k++) {
        cases[k].variant = names[k];
        cases[k].launch = calls[k];
    }
    bench_measure(cases, CASES, 1);
    for (int k = 0; k < CASES; k++) {
        struct stats s = stats_of(cases[k].us, cases[k].rounds);

        snprintf(name, sizeof name, "%s%s", names[k], suffix);
        bench_row(name, N, "ns", 1e3 * s.median / N, "ns");
    }
}

/* measure twice */
static void call(const char *program, const char *suffix)
{
    char command[600];

    snprintf(command, sizeof command, "'%s' '%s'", program, suffix);
    if (system(command) != 0)
        exit(1);
}

int main(int argc, char **argv)
{
    bench_chapter = "loom";
    if (argc == 2) { /* called by itself: only rows */
        rows(argv[1]);
        return 0;
    }
    bench_begin("loom");
    fflush(stdout);
    call(argv[0], "");
#ifdef __LOOM__
    setenv("LOOM_THREADS", "1", 1);
    call(argv[0], "_1");
    if (system("test -x build/inst/loom/bench") == 0)
        call("build/inst/loom/bench", "_checked");
#endif
    return 0;
}
