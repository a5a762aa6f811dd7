/* linked.cuh: the kernels of plans, which kernels.cu instantiates; the
   compiler reads this before the programs that are linked to it. */
#ifndef FFT_LINKED_CUH
#define FFT_LINKED_CUH

#include "fft/ahead.cuh"
#include "fft/inplace.cuh"
#include "fft/long.cuh"
#include "fft/mixed.cuh"
#include "fft/relay.cuh"

#ifdef FFT_MODULE
#define LINKED(...) \
    template __global__ void __VA_ARGS__(const __grid_constant__ struct fft_job)
#else
#define LINKED(...)                              \
    extern template __global__ void __VA_ARGS__( \
        const __grid_constant__ struct fft_job)
#endif
#define LINKED_ROWS(...)           \
    LINKED(fft_rows<__VA_ARGS__>); \
    LINKED(fft_rows_filter<__VA_ARGS__>)
#define LINKED_REAL(...)                \
    LINKED(fft_rows_real<__VA_ARGS__>); \
    LINKED(fft_rows_to_real<__VA_ARGS__>)
#define LINKED_WHOLE(...)                     \
    LINKED(fft_rows_real_whole<__VA_ARGS__>); \
    LINKED(fft_rows_to_real<__VA_ARGS__>)
#define LINKED_CLUSTER(...)           \
    LINKED(fft_cluster<__VA_ARGS__>); \
    LINKED(fft_cluster_filter<__VA_ARGS__>)

/* name lengths of rows */
/* A row of 64 or 128 numbers has 8 threads: two rows for half a warp, which
   should be half of the banks apart. */
typedef fft_tuned<fft_length<64, 8, 8, 8>, 2, 64 + 4> fft_64_rows;
typedef fft_tuned<fft_length<32, 16, 16, 8>, 4, 128 + 8> fft_128_rows;
typedef fft_length<4, 8, 8, 8, 8> fft_512_rows;
typedef fft_length<1, 16, 16, 16, 16, 2> fft_8192;
typedef fft_lanes<fft_length<1, 16, 16, 16, 16, 4>, 4> fft_16384_lanes;

/* name lengths of clusters */
typedef fft_length<32, 16, 16, 8> fft_128;
typedef fft_length<16, 16, 16, 16> fft_256;
typedef fft_length<32, 16, 16, 16> fft_256_wide;
typedef fft_length<16, 16, 16, 16, 2> fft_512;

/* declare the kernels of plans */
LINKED_ROWS(fft_64_rows);
LINKED_ROWS(fft_128_rows);
LINKED_ROWS(fft_512_rows);
LINKED_ROWS(fft_256);
LINKED_ROWS(fft_length<4, 16, 16, 16, 4>);
LINKED_ROWS(fft_length<2, 16, 16, 16, 8>);
LINKED_ROWS(fft_length<1, 16, 16, 16, 16>);
LINKED_ROWS(fft_512);
LINKED_ROWS(fft_length<8, 32, 32, 32>);
LINKED_ROWS(fft_length<4, 16, 16, 16, 8>);
LINKED_ROWS(fft_length<4, 16, 16, 16, 16>);
LINKED_ROWS(fft_8192);
LINKED(fft_rows_in_place<2, 32, 16, 16>);
LINKED(fft_rows_ahead<fft_16384_lanes, 8192>);
LINKED_WHOLE(fft_apart<fft_tuned<fft_length<32, 8, 8, 8>, 6, 69>>);
LINKED_WHOLE(fft_tuned<fft_512_rows, 6>);
LINKED_WHOLE(fft_apart<fft_tuned<fft_128_rows, 4, 137>>);
LINKED_WHOLE(fft_256);
LINKED_WHOLE(fft_length<4, 16, 16, 16, 4>);
LINKED_WHOLE(fft_length<2, 16, 16, 16, 8>);
LINKED_REAL(fft_length<1, 16, 16, 16, 16>);
LINKED_REAL(fft_8192);
LINKED(fft_mixed<0>);
LINKED(fft_mixed<1>);
LINKED(fft_rows_constant<3, 4, 10, 10, 10>);
LINKED(fft_rows_constant<1, 3, 5, 7, 12, 12>);
LINKED_CLUSTER(fft_128, fft_128, 4);
LINKED_CLUSTER(fft_256, fft_128, 8);
LINKED_CLUSTER(fft_256, fft_256, 16);
LINKED_CLUSTER(fft_512, fft_256_wide, 16);
LINKED(fft_relay<fft_128, fft_128, 1>);
LINKED(fft_relay<fft_256, fft_128, 0>);
LINKED(fft_relay<fft_256, fft_256, 1>);
LINKED(fft_relay<fft_512, fft_256_wide, 0>);
LINKED(fft_relay<fft_512, fft_512, 0>);
LINKED(fft_relay<fft_length<8, 16, 16, 16, 4>, fft_512, 0>);

#endif
