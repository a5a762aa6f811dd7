/* card.cuh: the roof of the card at hand, computed from what it says. */
#ifndef MEASURE_CARD_CUH
#define MEASURE_CARD_CUH

#include "measure/bench.h"
#include "measure/roof.h"

/* The peaks of the current device. */
static inline struct roof roof_of_card(void)
{
#ifdef __LOOM__ /* Loom has no clocks; these are an H200's */
    return roof_of_data(3.201e6, 6016, 1.98e6, 132, 128);
#else
    int lanes = roof_lanes(bench_attribute(cudaDevAttrComputeCapabilityMajor),
                           bench_attribute(cudaDevAttrComputeCapabilityMinor));

    CHECK(lanes > 0, "this card's lanes are not in the table of roof.h");
    return roof_of_data(bench_attribute(cudaDevAttrMemoryClockRate),
                        bench_attribute(cudaDevAttrGlobalMemoryBusWidth),
                        bench_attribute(cudaDevAttrClockRate),
                        bench_attribute(cudaDevAttrMultiProcessorCount), lanes);
#endif
}

#endif
