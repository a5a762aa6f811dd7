/* host: FFTW beside the programs of fft.h, on the processor, as CSV. */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "dft/trial.h"
#include "fft/fft.h"
#include "measure/clock.h"
#include "measure/stats.h"
#include "tour/args.h"

enum { ROUNDS = 9, SAMPLE_US = 2000, PLAN_SECONDS = 3 };

/* print what the host measured */
static void row(const char *variant, int n, const char *metric, double value,
                const char *unit)
{
    printf("fft-host,%s,%d,%s,%.6g,%s\n", variant, n, metric, value, unit);
}

static void note(const char *key, const char *variable)
{
    const char *value = getenv(variable);

    printf("# %s: %s\n", key, value && *value ? value : "unknown");
}

static void begin(void)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[200], name[200] = "unknown";

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %199[^\n]", name) == 1)
            break;
    if (f)
        fclose(f);
    printf("# chapter: fft-host\n# gpu: none is used\n# host: %s\n", name);
    note("date", "BENCH_DATE");
    note("commit", "BENCH_COMMIT");
    note("tangled", "BENCH_TANGLED");
    printf("# library: %s\n", fftw_version);
    printf("chapter,variant,size,metric,value,unit\n");
}

/* compare with FFTW */
static void compare(int n)
{
    struct cplx *x = cplx_alloc(n), *y = cplx_alloc(n), *want = cplx_alloc(n);
    struct cplx *samples = cplx_random(n, 5 + n);
    fftw_plan p = fftw_plan_dft_1d(n, (fftw_complex *)x, (fftw_complex *)y,
                                   FFTW_FORWARD, FFTW_ESTIMATE);
    double off = 0, all = 0, may = BOUND_DOUBLE * (16 + 8 * log2(n));

    memcpy(x, samples, n * sizeof *x);
    fftw_execute(p);
    fft_any(n, -1, samples, want);
    for (int k = 0; k < n; k++) {
        off += pow(y[k].re - want[k].re, 2) + pow(y[k].im - want[k].im, 2);
        all += pow(want[k].re, 2) + pow(want[k].im, 2);
    }
    CHECK(sqrt(off) <= may * sqrt(all),
          "FFTW's transform of %d points is off by %.3g of its size; %.3g are "
          "allowed",
          n, sqrt(off / all), may);
    fftw_destroy_plan(p);
    free(x), free(y), free(want), free(samples);
}

/* time FFTW and the programs of the chapter */
static const char *const names[] = {"halves", "any", "fftw"};

static double sample(int how, int n, int repeat, fftw_plan p,
                     const struct cplx *x, struct cplx *y)
{
    double start = clock_us();

    for (int i = 0; i < repeat; i++)
        if (how == 0)
            fft_halves(n, -1, 1, x, y);
        else if (how == 1)
            fft_any(n, -1, x, y);
        else
            fftw_execute(p);
    return (clock_us() - start) / repeat;
}

/* One transform of n points in double, on one processor. */
static void time_one(int n, int small)
{
    struct cplx *x = cplx_alloc(n), *y = cplx_alloc(n);
    struct cplx *samples = cplx_random(n, 3);
    double us[3][ROUNDS], median[3];
    int repeat[3], rounds = small ? 1 : ROUNDS;
    fftw_plan p;

    fftw_set_timelimit(PLAN_SECONDS);
    p = fftw_plan_dft_1d(n, (fftw_complex *)x, (fftw_complex *)y, FFTW_FORWARD,
                         small ? FFTW_ESTIMATE : FFTW_MEASURE);
    memcpy(x, samples, n * sizeof *x); /* planning has written to both */
    for (int how = 0; how < 3; how++)
        repeat[how] =
            small ? 1 : 1 + (int)(SAMPLE_US / sample(how, n, 2, p, x, y));
    for (int i = 0; i < rounds; i++)
        for (int how = 0; how < 3; how++)
            us[how][i] = sample(how, n, repeat[how], p, x, y);
    for (int how = 0; how < 3; how++) {
        struct stats s = stats_of(us[how], rounds);

        median[how] = s.median;
        row(names[how], n, "us", s.median, "µs");
        row(names[how], n, "us_q1", s.q1, "µs");
        row(names[how], n, "us_q3", s.q3, "µs");
    }
    for (int how = 0; how < 3; how++)
        row(names[how], n, "of_fftw", 100 * median[2] / median[how], "%");
    fftw_destroy_plan(p);
    free(x), free(y), free(samples);
}

/* time rows on all processors */
static double busy_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* Rows of n points in float by so many threads. */
static void time_rows(int n, int small, int threads)
{
    size_t count = small ? 1 << 12 : 1 << 24;
    int rounds = small ? 1 : ROUNDS, rows = (int)(count / n);
    fftwf_complex *x = fftwf_alloc_complex(count);
    fftwf_complex *y = fftwf_alloc_complex(count);
    const char *name = threads == 1 ? "rows_by_one" : "rows_by_all";
    double us[ROUNDS], busy, start;
    uint64_t seed = 9;
    fftwf_plan p;
    struct stats s;

    CHECK(x && y, "no room for %zu numbers", count);
    fftwf_set_timelimit(PLAN_SECONDS);
    fftwf_plan_with_nthreads(threads);
    p = fftwf_plan_many_dft(1, &n, rows, x, NULL, 1, n, y, NULL, 1, n,
                            FFTW_FORWARD, small ? FFTW_ESTIMATE : FFTW_MEASURE);
    for (size_t i = 0; i < count; i++) {
        x[i][0] = 2 * rng_float(&seed) - 1;
        x[i][1] = 2 * rng_float(&seed) - 1;
    }
    fftwf_execute(p);
    busy = busy_us(), start = clock_us();
    for (int i = 0; i < rounds; i++) {
        us[i] = clock_us();
        fftwf_execute(p);
        us[i] = clock_us() - us[i];
    }
    busy = (busy_us() - busy) / (clock_us() - start);
    s = stats_of(us, rounds);
    row(name, n, "us", s.median, "µs");
    row(name, n, "us_q1", s.q1, "µs");
    row(name, n, "us_q3", s.q3, "µs");
    row(name, n, "gbps", 16e-3 * (double)count / s.median, "GB/s");
    row(name, n, "threads", threads, "");
    row(name, n, "cores", busy, "");
    fftwf_destroy_plan(p);
    fftwf_free(x), fftwf_free(y);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--small"),
                         ARG_NUMBER("--threads", 0, 0, 1024)};
    static const int lengths[] = {64, 256, 1024, 65536};
    int small, threads;

    args_parse(argc, argv, "FFTW beside fft.h", args, ARG_COUNT(args));
    small = (int)args[0].value;
    threads = (int)args[1].value;
    if (threads == 0)
        threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int n = 1; n <= 64; n++)
        compare(n);
    begin();
    for (int i = 0; i < (small ? 1 : ARG_COUNT(lengths)); i++) {
        compare(lengths[i]);
        time_one(lengths[i], small);
    }
    CHECK(fftwf_init_threads(), "FFTW has no threads");
    for (int i = 0; i < (small ? 1 : ARG_COUNT(lengths)); i++) {
        time_rows(lengths[i], small, 1);
        time_rows(lengths[i], small, threads);
    }
    return 0;
}
