/* parts.cc: chapter 7's instruments on a device that is made up, whose kernels take the time
   that is asked for: what is launched, how often, and every number that comes out of it. The
   gallery's part is made by tests/measure.t, and the launches', walks' and flights' in more.h;
   cuda_runtime.h is an empty file there. */
#include <functional>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vector>

#define STACK_CUDA_CHECK_H
#define __LOOM__
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()

/* The device: a launch takes the host `host` microseconds and the device `cost`. */
static double now = 1000, busy, host = 2, cost = 50;
static int launches;

static void advance(void)
{
    now += host;
    busy = (busy > now ? busy : now) + cost;
    launches++;
}

static int fake_clock(struct timespec *t)
{
    t->tv_sec = (time_t)(now / 1e6);
    t->tv_nsec = (long)llround((now - 1e6 * (double)t->tv_sec) * 1e3);
    return 0;
}
#define clock_gettime(which, t) fake_clock(t)

typedef struct { double at; } *cudaEvent_t;
typedef void *cudaGraphExec_t, *cudaStream_t;
enum cudaDeviceAttr { cudaDevAttrL2CacheSize = 1, cudaDevAttrClockRate, cudaDevAttrMemoryClockRate };
struct cudaDeviceProp { int multiProcessorCount, major, minor; char name[9]; };
static int cudaEventCreate(cudaEvent_t *e)
{
    *e = (cudaEvent_t)calloc(1, sizeof **e);
    return 0;
}
static int cudaEventDestroy(cudaEvent_t e) { free(e); return 0; }
static int cudaEventRecord(cudaEvent_t e, int)
{
    e->at = busy > now ? busy : now;
    return 0;
}
static int cudaDeviceSynchronize(void)
{
    now = busy > now ? busy : now;
    return 0;
}
static int cudaEventSynchronize(cudaEvent_t) { return cudaDeviceSynchronize(); }
static int cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b)
{
    *ms = (float)((b->at - a->at) / 1e3);
    return 0;
}
static int cudaDeviceGetAttribute(int *v, enum cudaDeviceAttr which, int)
{
    *v = which == cudaDevAttrL2CacheSize ? 1000 : 1000000 * which + 500;
    return 0;
}
static int cudaGetDeviceProperties(struct cudaDeviceProp *p, int)
{
    struct cudaDeviceProp here = {132, 9, 0, "H200"};

    *p = here;
    return 0;
}
static int cudaDriverGetVersion(int *v) { return *v = 12040; }
static int cudaRuntimeGetVersion(int *v) { return *v = 13010; }
#define cudaGetDevice(d) (*(d) = 0)
#define cudaGetLastError() 0
#define cudaGraphLaunch(g, s) 0
#define cudaGraphExecDestroy(g) 0
static FILE *opened(const char *command)
{
    printf("popen: %s\n", command);
    return NULL;
}
#define popen(command, mode) opened(command)

#include "measure/bench.h"
#include "measure/range.h"
#include "measure/roof.h"
#include "measure/watch.h"

#define pclose(f) fclose(f)
static size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }
static const char *place; /* of the first set */
static uint64_t told;

static void tell(long long v)
{
    told = rng_mix(told + (uint64_t)v);
}
static void add_grid(int n, const float *x, const float *y, const float *z)
{
    tell(n), tell((char *)x - place), tell((char *)y - place), tell((char *)z - place);
    advance();
}
static void launch_grid(size_t n, int block, const float *x, const float *y, const float *z)
{
    tell(block);
    add_grid((int)n, x, y, z);
}
template <class G, class T> static void launched(G grid, T block) { tell(grid), tell(block); }
static float *random_floats(size_t n, uint64_t seed)
{
    float *p = (float *)check_alloc(n, sizeof *p);

    printf("%zu floats of seed %d\n", n, (int)seed);
    place = (const char *)p;
    return p;
}

#include "parts.h" /* the gallery */

/* Launches in a stream or, when it is captured, in a graph. */
static std::vector<std::function<void()>> recorded;
static int capturing;

template <class K, class... A> static void queued(K *kernel, A... a)
{
    auto run = [=] { tell(sizeof...(a)), kernel(a...); };

    if (capturing)
        recorded.push_back(run);
    else
        advance(), run();
}
typedef int cudaGraph_t;
enum { cudaStreamCaptureModeGlobal, cudaMemcpyDeviceToHost };
#undef cudaGraphLaunch
#undef cudaGraphExecDestroy
#define cudaGraphLaunch(g, s) replay()
#define cudaGraphExecDestroy(g) recorded.clear()
#define cudaStreamBeginCapture(s, how) (capturing = 1)
#define cudaStreamEndCapture(s, g) (capturing = 0)
#define cudaGraphInstantiate(ready, g, how) (*(ready) = &recorded)
#define cudaGraphDestroy(g) 0
#define cudaStreamCreate(s) (*(s) = NULL)
#define cudaStreamDestroy(s) 0
#define cudaStreamSynchronize(s) cudaDeviceSynchronize()
#define cudaMalloc(p, n) (*(p) = check_alloc(n, 1))
#define cudaMemset(p, v, n) memset(p, v, n)
#define cudaMemcpy(to, from, n, how) memcpy(to, from, n)
#define cudaFree(p) free(p)
static int cudaMemcpy2D(void *to, size_t pitch, const void *from, size_t far, size_t width, size_t rows, int)
{
    for (size_t r = 0; r < rows; r++)
        memcpy((char *)to + r * pitch, (const char *)from + r * far, width);
    return 0;
}
static void replay(void)
{
    advance();
    for (auto &run : recorded)
        run();
}

/* Kernels that read, one thread after the other. */
#define __global__ static
#define __device__
static struct { unsigned x; } threadIdx, blockIdx, blockDim = {1}, gridDim = {1};
struct float4 { float x, y, z, w; };
typedef unsigned uint4;
typedef void (*flight_launcher)(int blocks, int block, int turns, const void *x, unsigned *out);
template <class T, int LOADS>
static void launch_flight(int, int, int, const void *, unsigned *) { printf("%d loads; ", LOADS); }
#include "more.h"

static void starts(void)
{
    for (int n = 1; n < 100; n *= 5)
        for (int how = 0; how < 3; how++) {
            now = 1000, busy = 0, cost = 5, host = 2, told = launches = 0;
            struct launch_times t = time_launches(how == 1 ? queue_laden : queue_tiny, how == 2, n);

            printf("%d: %.6g to %.6g, %.6g to %.6g, %.6g, %d %016llx; ", n, t.host.median, t.host.max,
                   t.done.median, t.done.max, t.make, launches, (unsigned long long)told);
        }
    printf("\n");
}

static void walks(void)
{
    float4 x[40], y[40];
    float sums[40];
    int wrong = 0;

    for (int i = 0; i < 40; i++)
        x[i] = {1.f * i, 2.f * i, 1.f, i + .5f};
    for (unsigned grid = 1; grid < 5; grid++)
        for (unsigned block = 1; block < 4; block++)
            for (size_t n = 0; n <= 40; n++) {
                memset(y, 0, sizeof y), memset(sums, 0, sizeof sums);
                gridDim.x = grid, blockDim.x = block;
                for (blockIdx.x = 0; blockIdx.x < grid; blockIdx.x++)
                    for (threadIdx.x = 0; threadIdx.x < block; threadIdx.x++) {
                        walk_ahead(n, 3, 2, 1, x, y);
                        read_all(n, x, sums);
                        read_all(n, x, NULL);
                    }
                for (unsigned i = 0; i < 40; i++) {
                    float4 v = i < n ? float4{8 * x[i].x + 7, 8 * x[i].y + 7, 8 * x[i].z + 7, 8 * x[i].w + 7} : float4{};
                    float sum = 0;

                    for (size_t k = i / block * 4 * block + i % block, far = k + 4 * block; k < far && k < n; k += block)
                        sum += x[k].x + x[k].y + (x[k].z + x[k].w);
                    wrong += memcmp(&v, &y[i], sizeof v) != 0;
                    wrong += sums[i] != (i < grid * block ? sum : 0);
                }
            }
    printf("%d walks wrong\n", wrong);
    for (int k = 0; k < FLIGHT_KINDS; k++) {
        printf("%s %d %d ", flight_kinds[k].name, flight_kinds[k].bytes, flight_kinds[k].each);
        flight_kinds[k].launch(1, 1, 1, x, NULL);
    }
    struct roof r = roof_of_card();
    printf("%.9g %.9g\n", r.gbps, r.gflops);
}

/* Which of five threads is looked at: of it alone a wrong word is refused. */
static void flights(void)
{
    enum { THREADS = 5, TURNS = 3 };

    for (int k = 0; k < FLIGHT_KINDS; k++) {
        const struct flight_kind *f = &flight_kinds[k];
        unsigned x[TURNS * 16 * THREADS], out[THREADS] = {}, w = f->each / 4;
        uint64_t state = k;

        for (int i = 0; i < TURNS * f->bytes / 4 * THREADS; i++) {
            x[i] = (unsigned)rng_below(&state, 1u << 31);
            out[i / w % THREADS] ^= x[i];
        }
        printf("%s:", f->name);
        for (size_t first = 0; first <= THREADS; first++)
            for (size_t step = 1; step < 4; step++) {
                printf(" ");
                for (int wrong = 0; wrong <= THREADS; wrong++) {
                    unsigned told[THREADS + 1] = {};
                    int before = refused_times;

                    memcpy(told, out, sizeof out);
                    told[wrong] ^= 1u << 9 * k;
                    quietly = 1;
                    REFUSED(check_flight(f, THREADS, TURNS, x, told, first, step));
                    quietly = 0;
                    printf("%d", refused_times - before);
                }
            }
        printf("\n");
    }
}

static int first_slow;
static void launch(void *work, int how, int set)
{
    tell(how), tell(set);
    cost = ((const double *)work)[how];
    if (first_slow)
        cost *= launches < 3 ? 10 : 1 + launches % 97 / 128.;
    host = 0.25 + how % 3 * 3;
    advance();
}
static void prepare(void *work, int how, int set)
{
    tell(-1), tell(how), tell(set);
    now += 7;
}
static void checked(const struct bench_case *c)
{
    printf("check %s %lld %g %g\n", c->variant, c->size, c->bytes, c->flops);
}

static void sets(void)
{
    for (int bytes = 1; bytes < 5000; bytes += bytes < 4 ? 1 : bytes / 3)
        printf("%d %d; ", bytes, bench_sets(bytes));
    printf("%d %d %d %d\n", bench_sets(999), bench_sets(1000), bench_sets(2000), bench_sets(2001));
}

static void measured(int slow)
{
    static const double work[] = {0.4, 3, 500, 1500, 20000, 0.999, 1.5, 9};
    static const double twice[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct bench_case c[8] = {};
    struct bench b = {};

    first_slow = slow, launches = 0, told = 0;
    for (int k = 0; k < 8; k++) {
        c[k].variant = k % 4 == 1 ? "copy" : k % 4 == 2 ? "library" : "own";
        c[k].launch = launch;
        c[k].how = k;
        c[k].size = k / 4 ? 0 : 7;
        c[k].work = k == 5 ? (void *)twice : NULL;
        c[k].rounds = k == 2 ? 5 : k == 6 ? 30 : 0;
        c[k].prepare = k == 6 ? prepare : NULL;
        c[k].by_host = k == 7;
        c[k].bytes = k == 3 ? 1e6 : 0;
        c[k].flops = k == 4 ? 1e6 : 0;
    }
    b.work = (void *)work;
    b.size = 9;
    b.bytes = slow ? 0 : 5e5;
    b.flops = slow ? 0 : 3e5;
    b.sets = slow ? 0 : 3;
    b.check = slow ? NULL : checked;
    b.peer[0].variant = "copy", b.peer[0].metric = "of_copy";
    if (!slow)
        b.peer[1].variant = "library", b.peer[1].metric = "of_library";
    bench_call = 0;
    const struct bench_case *r = bench_run(c, 8, &b);
    for (int k = 0; k < 8; k++)
        printf("%d: call %.6g host %.6g rounds %d repeat %d us %.6g\n", k, r[k].call, r[k].host,
               r[k].rounds, r[k].repeat, bench_us(&r[k]));
    printf("%d launches, %d, %016llx\n", launches, bench_call, (unsigned long long)told);
}

static void groups(void)
{
    static const double call[] = {5, 19.5, 20, 20.5, 100, 199, 200, 201, 1000};

    for (int first = 0; first < 9; first++)
        for (int how = 0; how < 5; how++) {
            struct bench_case c[10] = {};

            for (int k = 0; k < 9; k++)
                c[k].call = call[k], c[k].host = how == 4 ? 100 : 1;
            c[9].call = call[first];
            c[9].by_host = how == 1;
            c[9].prepare = how == 2 ? prepare : NULL;
            bench_group(c + first, 10 - first);
            for (int k = first; k < 10; k++)
                printf("%d", c[k].in_graph);
            printf(" ");
        }
    printf("\n");
}

static void others(void)
{
    static const int lines[] = {0, 1, 2, 3, 4, 5, 199, 200, 201};
    double mhz, watt;

    for (int n : lines) {
        FILE *f = tmpfile();

        for (int i = 0; i < n; i++)
            fprintf(f, "%d, %d.5\n", 1000 + i * i, 100 + i);
        fprintf(f, "[N/A], 5\n");
        rewind(f);
        printf("%d looks", watch_end(n ? f : NULL, &mhz, &watt));
        printf(" %.6g %.6g; ", mhz, watt);
    }
    watch_begin(1.25);
    now = 1000, busy = 0, cost = 40, host = 3;
    range_open("first");
    advance();
    range_close();
    range_open("second");
    advance(), advance();
    range_close();
    range_table();
    for (int cc = 0; cc < 200; cc++)
        if (roof_lanes(cc / 10, cc % 10))
            printf("%d: %d, ", cc, roof_lanes(cc / 10, cc % 10));
    struct roof r = roof_of_data(3.201e6, 6016, 1.98e6, 132, 128);
    printf("%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", r.gbps, r.gflops, roof_ridge(r),
           roof_floor(r, 1e6, 1e6), roof_floor(r, 1, 1e6), roof_most(r, 1), roof_most(r, 100));
}

static void refusals(void)
{
    static const double work[] = {100, 100}, x[] = {1, 2, NAN}, zero[] = {1, 0};
    struct bench_case c[201] = {};
    struct bench b = {};
    struct roof flat = {1, 0}, thin = {0, 1};

    for (int k = 0; k < 201; k++)
        c[k].variant = "v", c[k].launch = launch, c[k].rounds = 1, c[k].work = (void *)work;
    b.size = 1;
    REFUSED(bench_sets(0));
    REFUSED(bench_measure(c, 0, 1));
    REFUSED(bench_measure(c, 1, 0));
    REFUSED(bench_run(c, 201, &b));
    c[0].rounds = -1;
    REFUSED(bench_measure(c, 1, 1));
    c[0].rounds = BENCH_ROUNDS + 1;
    REFUSED(bench_measure(c, 1, 1));
    REFUSED(bench_row("v", 1, "m", NAN, ""));
    REFUSED(stats_of(x, 0));
    REFUSED(stats_of(x, 3));
    REFUSED(stats_ratio(x, x, 0));
    REFUSED(stats_ratio(x, zero, 2));
    REFUSED(stats_quantile(x, 0, 0.5));
    REFUSED(stats_quantile(x, 2, -0.01));
    REFUSED(stats_quantile(x, 2, 1.01));
    REFUSED(roof_floor(flat, 1, 1));
    REFUSED(roof_floor(thin, 1, 1));
    printf("%g %g %g\n", stats_quantile(x, 2, 0), stats_quantile(x, 2, 1), stats_of(x, 1).median);
    REFUSED(range_close());
    range_open("open");
    REFUSED(range_table());
    REFUSED(range_open("twice"));
    range_close();
    while (ranges_count < 100)
        range_open("more"), range_close();
    REFUSED(range_open("too many"));
}

int main(void)
{
    sets();
    printf("%d rounds, %d us, at most %d calls, %d before, slow %d, short %d, long %d; room for %d\n", BENCH_ROUNDS,
           BENCH_SAMPLE_US, BENCH_REPEAT, BENCH_WARM, BENCH_SLOW_US, BENCH_SHORT_US, BENCH_LONG_US, BENCH_CASES);
    bench_begin("parts");
    bench_library("lib", 130201);
    measured(0);
    measured(1);
    groups();
    others();
    for (int i = 0; i < EXHIBITS; i++) {
        struct gallery g = gallery_new(i % 2 ? 10 : 4096 + 1, 5 + i); /* 26 sets, or 2 */

        now = 1000, busy = 0, cost = 50, host = i == 4 ? 80 : 2, told = launches = 0;
        double wrong = exhibits[i].time(&g);

        printf("%s %zu: %.9g", exhibits[i].name, exhibits[i].n, wrong);
        printf(", %d launches, %d sets, %016llx", launches, g.sets, (unsigned long long)told);
        now = 1000, busy = 0, launches = told = 0;
        double honest = time_honestly(&g);

        printf("; honestly %.9g, %d, %016llx\n", honest, launches, (unsigned long long)told);
        free(g.d);
    }
    starts();
    walks();
    flights();
    refusals();
    return 0;
}
