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

static void run(void *, int how, int)
{
    switch (how) {
    case 0:
        nothing<<<N / BLOCK, BLOCK>>>();
        break;
    case 1:
        add<<<N / BLOCK, BLOCK>>>(N, x, y);
        break;
    case 2:
        plain_add(N, x, y);
        break;
    case 3:
        wait<<<WAITERS / BLOCK, BLOCK>>>();
        break;
    default:
        exchange<<<WAITERS / BLOCK, BLOCK>>>(y);
    }
}

/* measure on the OS threads there are */
static void rows(const char *suffix)
{
    static const char *const kinds[] = {"empty", "vecadd", "loop", "barrier",
                                        "shuffle"};
    enum { CASES = sizeof kinds / sizeof *kinds };
    static char names[CASES][32];
    struct bench_case cases[CASES] = {};

    CUDA_CHECK(cudaMallocManaged(&x, N * sizeof *x));
    CUDA_CHECK(cudaMallocManaged(&y, N * sizeof *y));
    memset(x, 0, N * sizeof *x);
    memset(y, 0, N * sizeof *y);
    for (int k = 0; k < CASES; k++) {
        snprintf(names[k], sizeof names[k], "%s%s", kinds[k], suffix);
        cases[k] = {names[k], run, k};
        cases[k].by_host = 1; /* the loop is the host's: no graph holds it */
    }
    bench_measure(cases, CASES, 1);
    for (int k = 0; k < CASES; k++)
        bench_spread(names[k], N, "ns", stats_of(cases[k].us, cases[k].rounds),
                     1e3 / N, "ns");
}

/* measure twice */
#ifdef __LOOM__
static void call(const char *program, const char *suffix)
{
    char line[600];
    FILE *f;

    /* what is counted is told on stderr */
    snprintf(line, sizeof line, "'%s' '%s' 2>/dev/null", program, suffix);
    f = popen(line, "r");
    CHECK(f, "cannot start %s", program);
    while (fgets(line, sizeof line, f))
        if (strncmp(line, "chapter,", 8))
            fputs(line, stdout);
    CHECK(pclose(f) == 0, "%s '%s' failed", program, suffix);
}
#endif

int main(int argc, char **argv)
{
    bench_chapter = "loom";
    if (argc == 2) { /* called by itself: only rows */
        rows(argv[1]);
        return 0;
    }
    bench_begin("loom");
    rows("");
#ifdef __LOOM__
    setenv("LOOM_THREADS", "1", 1);
    call(argv[0], "_1");
    if (system("test -x build/inst/loom/bench") == 0) {
        call("build/inst/loom/bench", "_checked");
        setenv("LOOM_COUNT", "1", 1);
        call("build/inst/loom/bench", "_counted");
    }
#endif
    return 0;
}
