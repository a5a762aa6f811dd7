/* kernels.h: chapter 18's kernels, for a test of its planner: each says its name and of how
   many blocks an SM should have room. */
#define KERNEL(NAME, LEAST) \
    static void NAME(const struct fft_job) { printf(#NAME "(%d)", LEAST); }

KERNEL(fft_each, 0) KERNEL(fft_widen, 0) KERNEL(fft_narrow, 0)
KERNEL(fft_mirror, 0) KERNEL(fft_split, 0) KERNEL(fft_join, 0)
template <class L> KERNEL(fft_rows, L::LEAST)
template <class L> KERNEL(fft_rows_filter, (L::LEAST + 1) / 2)
template <class L> KERNEL(fft_rows_real, L::LEAST)
template <class L> KERNEL(fft_rows_real_whole, L::LEAST)
template <class L> KERNEL(fft_rows_to_real, L::LEAST)
template <int LEAST, int, int, int> KERNEL(fft_rows_in_place, LEAST)
template <class L, int> KERNEL(fft_rows_ahead, L::LEAST)
template <int, int LEAST, int...> KERNEL(fft_rows_constant, LEAST)
template <int> KERNEL(fft_mixed, 1)
template <class A, class B, int> KERNEL(fft_cluster, 768 / A::THREADS)
template <class A, class B, int> KERNEL(fft_cluster_filter, 512 / A::THREADS)
template <class A, class B, int> KERNEL(fft_relay, A::LEAST)
