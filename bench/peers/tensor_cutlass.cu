/* tensor_cutlass: CUTLASS's kernels beside cuBLAS's and ours. Chapter 15.
   It ran on an H200 on 2026-11-27 with CUTLASS 4.7.0 and the cuBLAS 13.1 of
   CUDA 13.0, 6 s on the card: bench/results/h200/tensor-cutlass.csv.
   Needs CUTLASS 4 (its include/ and tools/util/include/) and sm_90a. sgemm's
   kernels are compiled by themselves, without SGEMM_LINKED:

   nvcc -std=c++17 -O3 -DNDEBUG -arch=sm_90a -default-stream per-thread \
       -Itangled -c -o kernels.o tangled/gemm/kernels.cu
   nvcc -std=c++17 -O3 -DNDEBUG --expt-relaxed-constexpr -arch=sm_90a \
       -default-stream per-thread -DSGEMM_LINKED -Itangled \
       -I$CUTLASS/include -I$CUTLASS/tools/util/include -o tensor_cutlass \
       bench/peers/tensor_cutlass.cu kernels.o -lcublas -lcublasLt -lcuda

   (Where there is no driver, -lcuda wants -L with the toolkit's lib64/stubs.)
   NDEBUG is needed: with an assertion in them its wgmma kernels are slow. */
#include <cutlass/cutlass.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/device/gemm.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>
#include <cutlass/version.h>

/* CuTe makes this an error and leaves it so. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define shape gemm_shape /* CuTe has one, too */
#include "gemm/product.cuh"
#include "tensor/measured.cuh"
#include "tensor/rungs.cuh"

#define CUTLASS_OK(call)                                                       \
    do {                                                                       \
        cutlass::Status status_ = (call);                                      \
        CHECK(status_ == cutlass::Status::kSuccess, "CUTLASS: %s",             \
              cutlass::cutlassGetStatusString(status_));                       \
    } while (0)

static char *place; /* a workspace */
enum { PLACE = 64 << 20 };

/* Floats, by the plain units, row-major: what CUTLASS takes unless told. */
typedef cutlass::layout::RowMajor rows;
typedef cutlass::gemm::device::Gemm<float, rows, float, rows, float, rows> plain;

/* The tile that cuBLAS's kernel of that name has. */
typedef cutlass::gemm::device::Gemm<
    float, rows, float, rows, float, rows, float, cutlass::arch::OpClassSimt,
    cutlass::arch::Sm80, cutlass::gemm::GemmShape<256, 128, 8>,
    cutlass::gemm::GemmShape<64, 64, 8>, cutlass::gemm::GemmShape<1, 1, 1>,
    cutlass::epilogue::thread::LinearCombination<float, 1, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<8>, 4>
    large;

template <class G>
static void by_plain(const float *a, const float *b, float *c, int n)
{
    G gemm;

    CUTLASS_OK(gemm({{n, n, n}, {a, n}, {b, n}, {c, n}, {c, n}, {1, 0}},
                    place, cudaStreamPerThread));
}

/* bf16 by wgmma, as its builder makes it. */
template <class TILE, class CLUSTER, class LOOP, class END>
struct built {
    typedef cutlass::bfloat16_t half;
    typedef typename cutlass::epilogue::collective::CollectiveBuilder<
        cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, TILE, CLUSTER,
        cutlass::epilogue::collective::EpilogueTileAuto, float, float, half,
        rows, 8, half, rows, 8, END>::CollectiveOp end;
    typedef typename cutlass::gemm::collective::CollectiveBuilder<
        cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, half, rows, 8,
        half, rows, 8, float, TILE, CLUSTER,
        cutlass::gemm::collective::StageCountAutoCarveout<(int)sizeof(
            typename end::SharedStorage)>,
        LOOP>::CollectiveOp loop;
    typedef cutlass::gemm::kernel::GemmUniversal<
        cute::Shape<int, int, int, int>, loop, end>
        kernel;
    typedef cutlass::gemm::device::GemmUniversalAdapter<kernel> gemm;
};

using cute::_1;
using cute::_128;
using cute::_2;
using cute::_256;
using cute::_64;
typedef cutlass::gemm::KernelTmaWarpSpecializedCooperative together;
typedef cutlass::gemm::KernelTmaWarpSpecializedPingpong in_turn;
typedef cutlass::epilogue::TmaWarpSpecializedCooperative end_together;
typedef cutlass::epilogue::TmaWarpSpecialized end_in_turn;

template <class B>
static void by_built(RUNG_TAKES)
{
    typedef typename B::gemm G;
    typedef typename B::kernel K;
    static struct cutlass::KernelHardwareInfo card;
    G gemm;

    if (!card.sm_count) {
        card.device_id = 0;
        card.sm_count = ladder.h.sms;
    }
    typename G::Arguments args = {
        cutlass::gemm::GemmUniversalMode::kGemm,
        {m, n, k, 1},
        {(const cutlass::bfloat16_t *)a,
         cutlass::make_cute_packed_stride(typename K::StrideA{}, {m, k, 1}),
         (const cutlass::bfloat16_t *)b,
         cutlass::make_cute_packed_stride(typename K::StrideB{}, {n, k, 1})},
        {{alpha, beta},
         (const cutlass::bfloat16_t *)c,
         cutlass::make_cute_packed_stride(typename K::StrideC{}, {m, n, 1}),
         (cutlass::bfloat16_t *)c,
         cutlass::make_cute_packed_stride(typename K::StrideD{}, {m, n, 1})},
        card};
    CHECK(G::get_workspace_size(args) <= PLACE, "CUTLASS wants more room");
    CUTLASS_OK(gemm.initialize(args, place, stream));
    CUTLASS_OK(gemm.run(stream));
    (void)ta, (void)tb, (void)lda, (void)ldb, (void)ldc;
}

/* One dimension of tiles, clusters and roles for each size. */
static const struct {
    const char *name;
    rung_run run;
} timed16[] = {
    {"library", by_library16},
    {"bgemm", by_bgemm},
    {"cutlass_128x256x2",
     by_built<built<cute::Shape<_128, _256, _64>, cute::Shape<_2, _1, _1>,
                    together, end_together>>},
    {"cutlass_128x128x2",
     by_built<built<cute::Shape<_128, _128, _64>, cute::Shape<_2, _1, _1>,
                    together, end_together>>},
    {"cutlass_64x128_in_turn",
     by_built<built<cute::Shape<_64, _128, _64>, cute::Shape<_1, _1, _1>,
                    in_turn, end_in_turn>>},
    {"cutlass_64x256_in_turn",
     by_built<built<cute::Shape<_64, _256, _64>, cute::Shape<_1, _1, _1>,
                    in_turn, end_in_turn>>},
    {"cutlass_auto",
     by_built<built<cute::Shape<_128, _128, _64>, cute::Shape<_1, _1, _1>,
                    cutlass::gemm::collective::KernelScheduleAuto,
                    cutlass::epilogue::collective::EpilogueScheduleAuto>>}};

enum { TIMED16 = sizeof timed16 / sizeof *timed16 };

static void run16(void *, int how, int set)
{
    measured_run(timed16[how].run, set);
}

static void measure16(int n)
{
    struct bench b = {NULL, n, 0, 2.0 * n * n * n};
    struct bench_case table[TIMED16];

    measured_open(n);
    for (int r = 0; r < TIMED16; r++) {
        table[r] = {timed16[r].name, run16, r};
        table[r].rounds = n > 4096 ? 9 : 0;
    }
    b.sets = measured.sets;
    b.check = n <= 4096 ? measured_check : NULL;
    b.peer[0] = {"library", "of_cublas"};
    bench_run(table, TIMED16, &b);
    CUDA_CHECK(cudaFree(measured.x));
}

/* Floats. */
enum { LIBRARY, OWN, PLAIN, LARGE, KINDS };

static void run32(void *, int how, int set)
{
    float *a = work.x + (work.a + work.b + work.c) * set, *b = a + work.a;
    float *c = b + work.b, one = 1, zero = 0;
    int n = work.s.n;

    if (how == LIBRARY)
        CUBLAS_CHECK(cublasSgemm(ladder.blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n,
                                 &one, b, n, a, n, &zero, c, n));
    else if (how == OWN)
        sgemm(&work.h, 'N', 'N', n, n, n, 1, a, n, b, n, 0, c, n,
              cudaStreamPerThread);
    else if (how == PLAIN)
        by_plain<plain>(a, b, c, n);
    else
        by_plain<large>(a, b, c, n);
}

static void measure32(int n)
{
    struct bench b = {NULL, n, 0, 2.0 * n * n * n};
    struct bench_case table[KINDS] = {{"library32", run32, LIBRARY},
                                      {"sgemm", run32, OWN},
                                      {"cutlass32", run32, PLAIN},
                                      {"cutlass32_256x128", run32, LARGE}};

    shape_open({'N', 'N', n, n, n});
    for (int r = 0; r < KINDS; r++)
        table[r].rounds = n > 4096 ? 7 : n > 2048 ? 11 : 0;
    b.sets = work.sets;
    b.check = n <= 4096 ? shape_check : NULL;
    b.peer[0] = {"library32", "of_cublas"};
    bench_run(table, KINDS, &b);
    CUDA_CHECK(cudaFree(work.x));
}

int main(void)
{
    void *own;

    ladder.h = bgemm_make();
    work.h = sgemm_make();
    CUDA_CHECK(cudaMalloc((void **)&place, PLACE));
    CUDA_CHECK(cudaMalloc(&own, PLACE));
    CUBLAS_CHECK(cublasCreate(&ladder.blas));
    CUBLAS_CHECK(cublasSetStream(ladder.blas, cudaStreamPerThread));
    CUBLAS_CHECK(cublasSetWorkspace(ladder.blas, own, PLACE));
    bench_begin("tensor");
    bench_library("cuBLAS", matmul_library_version(ladder.blas));
    bench_library("CUTLASS", CUTLASS_MAJOR * 10000 + CUTLASS_MINOR * 100 +
                                 CUTLASS_PATCH);
    bgemm_try(&ladder.h);
    for (int n = 512; n <= 8192; n *= 2)
        measure16(n);
    for (int n = 512; n <= 8192; n *= 2)
        measure32(n);
    return 0;
}
