/* clock.h: the host's clock. C11 and C++17. */
#ifndef MEASURE_CLOCK_H
#define MEASURE_CLOCK_H

#include <time.h>

/* Microseconds since some moment; never goes back. */
static inline double clock_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

#endif
