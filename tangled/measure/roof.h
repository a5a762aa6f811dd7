/* roof.h: the floor under a time, and the roof over a rate. C11 and C++17. */
#ifndef MEASURE_ROOF_H
#define MEASURE_ROOF_H

#include "tour/check.h"

/* What a card can do: bytes and operations in a nanosecond. */
struct roof {
    double gbps, gflops; /* GB/s, GFLOP/s: both positive */
};

/* compute the floor of a time */
/* The least microseconds in which `bytes` can be moved and `flops` done. */
static inline double roof_floor(struct roof r, double bytes, double flops)
{
    double memory = bytes / (1e3 * r.gbps);
    double arithmetic = flops / (1e3 * r.gflops);

    CHECK(r.gbps > 0 && r.gflops > 0, "a roof of %g GB/s and %g GFLOP/s",
          r.gbps, r.gflops);
    return memory > arithmetic ? memory : arithmetic;
}

/* compute the roof of a rate */
/* The intensity, in operations per byte, at which both limits are met. */
static inline double roof_ridge(struct roof r)
{
    return r.gflops / r.gbps;
}

/* The most GFLOP/s that a kernel of this intensity can reach. */
static inline double roof_most(struct roof r, double intensity)
{
    double slope = r.gbps * intensity;

    return slope < r.gflops ? slope : r.gflops;
}

/* compute a card's roof from its data */
/* Float lanes of an SM, by compute capability; 0 for one not in the table.
   CUDA C++ Programming Guide, throughput of arithmetic instructions. */
static inline int roof_lanes(int major, int minor)
{
    switch (10 * major + minor) {
    case 75:
    case 80:
        return 64;
    case 86:
    case 87:
    case 89:
    case 90:
    case 100:
    case 103:
    case 120:
        return 128;
    }
    return 0;
}

/* Peaks of a card: clocks in kHz, bus in bits, two transfers a cycle. */
static inline struct roof roof_of_data(double memory_khz, int bus_bits,
                                       double core_khz, int sms, int lanes)
{
    struct roof r = {2 * memory_khz * bus_bits / 8 / 1e6,
                     2 * core_khz * sms * lanes / 1e6};

    return r;
}

#endif
