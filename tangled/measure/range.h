/* range.h: named stretches of a program, for a tracer and for a table. */
#ifndef MEASURE_RANGE_H
#define MEASURE_RANGE_H

#include <stdio.h>

#include "measure/clock.h"
#include "stack/cuda_check.h"
#include "tour/check.h"

#define RANGE_NVTX "nvtx3/nvToolsExt.h" /* the toolkit's, which may be missing */
#if !defined(__SIMT__) && __has_include(RANGE_NVTX)
#include RANGE_NVTX
#else /* no toolkit: the table alone */
#define nvtxRangePushA(name) ((void)(name))
#define nvtxRangePop() ((void)0)
#endif

/* remember ranges */
enum { RANGES = 1000, RANGES_OPEN = 16 };

static struct range {
    const char *name;
    double in, out; /* microseconds, the host's clock */
    cudaEvent_t begun, ended;
} ranges[RANGES];
static int ranges_count, ranges_open[RANGES_OPEN], ranges_depth;

/* open a range */
/* Opens a range; the name must live as long as the program. */
static inline void range_push(const char *name)
{
    struct range *r = &ranges[ranges_count];

    CHECK(ranges_count < RANGES, "more than %d ranges", RANGES);
    CHECK(ranges_depth < RANGES_OPEN, "more than %d open ranges", RANGES_OPEN);
    ranges_open[ranges_depth++] = ranges_count++;
    nvtxRangePushA(name);
    r->name = name;
    CUDA_CHECK(cudaEventCreate(&r->begun));
    CUDA_CHECK(cudaEventCreate(&r->ended));
    CUDA_CHECK(cudaEventRecord(r->begun, 0));
    r->in = clock_us();
}

/* close a range */
/* Closes the range that was opened last. */
static inline void range_pop(void)
{
    struct range *r;

    CHECK(ranges_depth > 0, "a range is closed and none is open");
    r = &ranges[ranges_open[--ranges_depth]];
    r->out = clock_us();
    CUDA_CHECK(cudaEventRecord(r->ended, 0));
    nvtxRangePop();
}

/* print the table of ranges */
/* Prints visits and microseconds of each name, in the order of first visits. */
static inline void range_table(void)
{
    CHECK(ranges_depth == 0, "%d ranges are still open", ranges_depth);
    CUDA_CHECK(cudaDeviceSynchronize());
    printf("%-12s %6s %12s %12s\n", "range", "visits", "host us", "GPU us");
    for (int i = 0; i < ranges_count; i++) {
        double host = 0, gpu = 0;
        int visits = 0, seen = 0;

        for (int j = 0; j < ranges_count; j++) {
            /* add a visit to the same name */
            float ms;

            if (strcmp(ranges[i].name, ranges[j].name) != 0)
                continue;
            seen += j < i;
            visits++;
            host += ranges[j].out - ranges[j].in;
            CUDA_CHECK(
                cudaEventElapsedTime(&ms, ranges[j].begun, ranges[j].ended));
            gpu += 1e3 * ms;
        }
        if (!seen)
            printf("%-12s %6d %12.1f %12.1f\n", ranges[i].name, visits, host,
                   gpu);
    }
}

#endif
