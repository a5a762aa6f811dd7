/* range.h: named stretches of a program, for a tracer and for a table. */
#ifndef MEASURE_RANGE_H
#define MEASURE_RANGE_H

#include <stdio.h>

#include "measure/clock.h"
#include "stack/cuda_check.h"
#include "tour/check.h"

#define RANGE_NVTX "nvtx3/nvToolsExt.h" /* may be missing */
#if !defined(__LOOM__) && __has_include(RANGE_NVTX)
#include RANGE_NVTX
#else /* no toolkit: the table alone */
#define nvtxRangePushA(name) ((void)(name))
#define nvtxRangePop() ((void)0)
#endif

/* open and close a range */
enum { RANGES = 100 };

static struct range {
    const char *name;
    double in, out; /* microseconds, the host's clock */
    cudaEvent_t begun, ended;
} ranges[RANGES];
static int ranges_count, range_is_open;

/* Opens a range; the name must live as long as the program. */
static inline void range_open(const char *name)
{
    struct range *r = &ranges[ranges_count];

    CHECK(ranges_count < RANGES, "more than %d ranges", RANGES);
    CHECK(!range_is_open, "%s is opened and %s still open", name, r[-1].name);
    ranges_count++;
    range_is_open = 1;
    nvtxRangePushA(name);
    r->name = name;
    CUDA_CHECK(cudaEventCreate(&r->begun));
    CUDA_CHECK(cudaEventCreate(&r->ended));
    CUDA_CHECK(cudaEventRecord(r->begun, 0));
    r->in = clock_us();
}

/* close a range */
static inline void range_close(void)
{
    struct range *r = &ranges[ranges_count - 1];

    CHECK(range_is_open, "a range is closed and none is open");
    range_is_open = 0;
    r->out = clock_us();
    CUDA_CHECK(cudaEventRecord(r->ended, 0));
    nvtxRangePop();
}

/* print the table of ranges */
/* Prints the microseconds of host and GPU in each range, in order. */
static inline void range_table(void)
{
    CHECK(!range_is_open, "%s is still open", ranges[ranges_count - 1].name);
    CUDA_CHECK(cudaDeviceSynchronize());
    printf("%-10s %12s %12s\n", "range", "host us", "GPU us");
    for (int i = 0; i < ranges_count; i++) {
        struct range *r = &ranges[i];
        float ms;

        CUDA_CHECK(cudaEventElapsedTime(&ms, r->begun, r->ended));
        printf("%-10s %12.1f %12.1f\n", r->name, r->out - r->in, 1e3 * ms);
    }
}

#endif
