/* parts.cc: instructions per cycle out of the times of warps, chains and chases, stays and
   the room for them, a flag between lanes, the cases of a warp; what is launched and with how
   much memory: one thread after the other and without a device. parts.h is made of the
   chapter's files by tests/simt.t, which turns k<<<g, b>>>(x) into (launched(g, b), each(k))(x). */
#include "kernels/sizes.h"
#include "measure/stats.h"
#include "tour/rng.h"

#define __LOOM__
#define __global__ static
#define __device__
#define __host__
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()

static struct { unsigned x, y, z; } threadIdx, blockIdx, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
static unsigned on = 3; /* SMs */
static unsigned long long ticks;
static unsigned loom_smid(void) { return blockIdx.x % on; }
static unsigned long long loom_globaltimer(void) { return ticks += 10; }
static long long clock64(void) { return (long long)(ticks += 10); }
static void __syncthreads(void) {}

static void launched(unsigned grid, unsigned block, size_t shared = 0)
{
    gridDim.x = grid, blockDim.x = block;
    printf("%ux%u %zu; ", grid, block, shared);
}
template <class... P> struct every {
    void (*kernel)(P...);
    template <class... A> void operator()(A... a) const
    {
        for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
                kernel(a...);
        threadIdx.x = blockIdx.x = 0, gridDim.x = blockDim.x = 1;
    }
};
template <class... P> static every<P...> each(void (*kernel)(P...)) { return {kernel}; }
static int cudaMalloc(void **p, size_t bytes)
{
    printf("room %zu; ", bytes);
    *p = check_alloc(bytes, 1);
    return 0;
}
#define cudaMemcpy(to, from, n, how) memcpy(to, from, n)
#define cudaMemset(p, v, n) memset(p, v, n)
#define cudaFree(p) free(p)
struct cudaDeviceProp {
    int maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
    size_t reservedSharedMemPerBlock, sharedMemPerMultiprocessor;
};
static struct cudaDeviceProp card = {2048, 32, 1024, 233472};
static int cudaGetDeviceProperties(struct cudaDeviceProp *p, int) { return *p = card, 0; }
static void add_grid(int n, const float *x, const float *y, float *z)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        z[i] = x[i] + y[i];
}
struct walk;
static void run_walk(void *work, int paths, int);
#define WARP_ALL 0xffffffffu
struct float4 { float x, y, z, w; };
/* What another lane has is said to be this lane's and its distance or number. */
static float __shfl_xor_sync(unsigned, float x, int by) { return x + by; }
static float __shfl_up_sync(unsigned, float x, int by) { return x + by; }
static int __shfl_sync(unsigned, int x, int from) { return x + from; }
static int __ffs(int v) { return __builtin_ffs(v); }
static unsigned asked; /* of a flag, which is raised at the third question */
static int atomicAdd(int *p, int v)
{
    int old = *p;

    *p += v + (++asked == 3);
    return old;
}
static void atomicExch(int *p, int v) { *p = v; }

#include "simt/where.cuh"
#include "parts.h"

static void run_walk(void *work, int paths, int)
{
    struct walk *w = (struct walk *)work;

    walk_reference(w->n, w->group, paths, w->turns, w->d_data);
}

static void shown(const struct shift *s, int count, int want)
{
    REFUSED(printf("%g ", ipc_of(s, count, want, 12)));
}

static void shifts(void)
{
    /* three warps on SM 1 from 100 to 160, two on SM 3 from 5 to 9, one on SM 0, three on
       the last from 1000 to 1004, three on SM 7 that take no time */
    struct shift s[13] = {};
    static const int at[12][3] = {{1, 110, 150}, {1, 120, 160}, {1, 100, 140}, {3, 5, 7}, {3, 6, 9}, {0, 1, 4},
                                  {SM_MOST - 1, 1001, 1002}, {SM_MOST - 1, 1000, 1001}, {SM_MOST - 1, 1002, 1004},
                                  {7, 9, 9}, {7, 9, 9}, {7, 9, 9}};
    struct shift beyond[1] = {}, later[2] = {{40, 50, 1}, {30, 45, 1}}; /* a span of before is forgotten */

    for (int i = 0; i < 12; i++) {
        s[i].sm = (unsigned)at[i][0];
        s[i].start = at[i][1];
        s[i].end = at[i][2];
    }
    s[12].sm = 3, s[12].end = 1 << 20;
    for (int want = 0; want < 5; want++)
        shown(s, 12, want);
    shown(s, 5, 2);
    shown(s, 3, 3);
    shown(s, 0, 1);
    shown(later, 1, 1);
    shown(later, 2, 2);
    beyond[0].sm = SM_MOST;
    shown(beyond, 1, 1);
    printf("\n%d;", SM_MOST);
    for (int i = 0; i < 9; i++)
        printf(" %g %g %g", chains_reference(0, 1, 0.5f, 1, i), chains_reference(1, 2, 0.5f, 1, i),
               chains_reference(3, 4, 0.25f, 2, i));
    printf("\n");
}

/* Chains and chases, and where a chase may go: through the whole table. */
static void rates(void)
{
    static const int many[] = {1, 2, 32, 33, 34, 64};
    static int next[TABLE];
    int wrong = 0;

    for (int k = 0; k < 3; k++)
        for (int warps : many)
            if (latencies[k].count || warps == 34) /* a table takes its time */
                printf("%s %d: %g\n", latencies[k].name, warps, rate(latencies[k].count, 3, warps, 7 * k + 1));
    printf("%g\n", rate(0, 1, 2, 3000));
    (launched(TABLE / 128, 128), each(fill_table))(next);
    for (int i = 0; i < TABLE; i++)
        wrong += next[i] != (i + 32 * 1031) % TABLE;
    printf("%d ints, %d wrong\n", TABLE, wrong);
}

static void stays(void)
{
    static const struct stay s[] = {{0, 10, 1, 0}, {5, 15, 1, 0}, {10, 20, 1, 0}, {0, 20, 2, 0}, {5, 6, 2, 0},
                                    {5, 6, 2, 0}, {6, 6, 1, 0}};
    static const int threads[] = {1, 32, 33, 64, 96, 256, 257, 1024};
    static const size_t shared[] = {0, 1, 6272, 7296, 49152, 232448, 232449};
    struct stay h[7];

    for (int n = 0; n < 8; n++)
        printf("%d ", most_together(s, n));
    for (int b = 0; b < 11; b++)
        printf("%d", portions(b));
    printf("\n");
    ticks = 0;
    stay_all(7, 33, 99, 30, h);
    for (int b = 0; b < 7; b++)
        printf("%llu-%llu on %u; ", h[b].start, h[b].end, h[b].sm);
    on = SM_MOST, blockIdx.x = 0;
    REFUSED(stay_all(2, 1, 0, 30, h));
    REFUSED(stay_all(2, 1, 0, 3, h)); /* too short to come to 2 */
    printf("\n");
    for (int t = 0; t < 8; t++) {
        for (int k = 0; k < 7; k++)
            printf("%d ", room(threads[t], shared[k]));
        card.reservedSharedMemPerBlock = 0;
        printf("%d, ", room(threads[t], 0));
        card.reservedSharedMemPerBlock = 1024;
    }
    printf("\n");
}

/* What each lane of four warps leaves behind. */
static void handed(void)
{
    int flags[4], got[4];

    gridDim.x = 2, blockDim.x = 64;
    for (blockIdx.x = 0; blockIdx.x < 2; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < 64; threadIdx.x++) {
            memset(flags, 0, sizeof flags), memset(got, 0, sizeof got), asked = 0;
            hand_over(flags, got);
            for (int w = 0; w < 4; w++)
                if (asked && !w || flags[w] || got[w])
                    printf("%u.%u: %u, warp %d %d %d; ", blockIdx.x, threadIdx.x, asked, w, flags[w], got[w]);
        }
    printf("\n");
    threadIdx.x = blockIdx.x = 0, gridDim.x = blockDim.x = 1;
}

/* What a lane makes of what it hears. */
static void heard(void)
{
    float x[16] = {1, 2, 3, 4, 5, 6, 7, 8}, sums[2];

    blockDim.x = 32, blockDim.y = blockDim.z = 1;
    for (threadIdx.x = 0; threadIdx.x < 32; threadIdx.x += threadIdx.x < 5 ? 1 : 13) {
        sums[0] = sums[1] = -1;
        sum_rows_eight(2, 8, x, sums);
        printf("%g %g %g, %g %g; ", warp_sum(1), warp_max(1), warp_scan(1), sums[0], sums[1]);
    }
    threadIdx.x = 0, blockDim.x = 1;
    printf("%d %d %d\n", sum_over(WARP_ALL, 1), sum_over(0, 1), sum_over(0x80000101u, 1));
}

static void wrong_rows(int rows, int cols, const float *x, float *sums)
{
    rows_reference(rows, cols, x, sums);
    sums[rows] = 1;
}
static void wrong_row(int rows, int cols, const float *x, float *sums)
{
    rows_reference(rows, cols, x, sums);
    sums[rows - 1] += 1;
}

int main(void)
{
    struct walk w = {5, 2, 3, NULL};

    shifts();
    rates();
    stays();
    handed();
    heard();
    for (int choice = 0; choice < CHOICES; choice++) {
        for (int i = 0; i < 300; i += i < 64 ? 1 : 32)
            printf("%d", choose_case(choice, i, 7));
        printf(" ");
    }
    printf("%d %d %d\n", CASES, CHOICES, WARPS);
    for (int n = 0; n < 600; n = n < 254 ? 254 : n < 258 ? n + 1 : 2 * n)
        check_guard(n, 3);
    printf("\n");
    for (int rows = 0; rows < 4; rows++)
        check_rows(rows_reference, rows, 5, 1);
    REFUSED(check_rows(wrong_rows, 3, 5, 1));
    REFUSED(check_rows(wrong_row, 3, 5, 1));
    check_walk(w, 3, 1);
    printf("\n");
    return 0;
}
