/* flight.cuh: a chosen number of bytes on the way from memory. */
#ifndef MEASURE_FLIGHT_CUH
#define MEASURE_FLIGHT_CUH

#include "kernels/launch.h"

/* fold what was loaded into one word */
static __device__ inline unsigned fold(unsigned v)
{
    return v;
}

static __device__ inline unsigned fold(uint4 v)
{
    return v.x ^ v.y ^ v.z ^ v.w;
}

/* keep loads in flight */
/* out[t] = exclusive or of all words that thread t has loaded. The grid's
   threads read x[0 .. turns * LOADS * threads) once; nothing must be 0. */
template <class T, int LOADS>
__global__ void flight(int turns, unsigned nothing, const T *x, unsigned *out)
{
    size_t threads = gridDim.x * (size_t)blockDim.x;
    size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x, at = t;
    unsigned all = 0;

    for (int i = 0; i < turns; i++) {
        T v[LOADS];

        for (int k = 0; k < LOADS; k++)
            v[k] = x[at + k * threads];
        for (int k = 0; k < LOADS; k++)
            all ^= fold(v[k]);
        at += LOADS * threads + (all & nothing);
    }
    out[t] = all;
}

/* list the kinds of flight */
typedef void (*flight_launcher)(int blocks, int block, int turns, const void *x,
                                unsigned *out);

template <class T, int LOADS>
static void launch_flight(int blocks, int block, int turns, const void *x,
                          unsigned *out)
{
    flight<T, LOADS><<<blocks, block>>>(turns, 0, (const T *)x, out);
    CUDA_LAUNCH_CHECK();
}

static const struct flight_kind {
    const char *name;
    int bytes; /* that a thread has on the way */
    int each;  /* bytes of a load */
    flight_launcher launch;
} flight_kinds[] = {
    {"one_float", 4, 4, launch_flight<unsigned, 1>},
    {"four_floats", 16, 4, launch_flight<unsigned, 4>},
    {"one_vector", 16, 16, launch_flight<uint4, 1>},
    {"four_vectors", 64, 16, launch_flight<uint4, 4>},
};

enum { FLIGHT_KINDS = sizeof flight_kinds / sizeof *flight_kinds };

/* check threads of a flight */
/* Checks d_out[t] of the threads first, first + step, ... of a flight. */
static void check_flight(const struct flight_kind *kind, size_t threads,
                         int turns, const void *d_x, const unsigned *d_out,
                         size_t first, size_t step)
{
    size_t rows = (size_t)turns * (kind->bytes / kind->each);
    size_t words = rows * kind->each / 4;
    unsigned *column = (unsigned *)check_alloc(words, 4), got;

    for (size_t t = first; t < threads; t += step) {
        unsigned want = 0;

        CUDA_CHECK(cudaMemcpy2D(
            column, kind->each, (const char *)d_x + kind->each * t,
            kind->each * threads, kind->each, rows, cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < words; i++)
            want ^= column[i];
        CUDA_CHECK(cudaMemcpy(&got, d_out + t, 4, cudaMemcpyDeviceToHost));
        CHECK(got == want, "%s: thread %zu folded to %08x, not %08x",
              kind->name, t, got, want);
    }
    free(column);
}

#endif
