/* ptx_mistakes: one mistake for each argument. Checked, Loom reports it. */
#include <stdio.h>
#include <string.h>

#include "loom/ptx.h"

/* make mistakes with copies */
/* Reads before it waits. */
__global__ void early(float *out, const float *in)
{
    __shared__ __align__(16) float s[128];

    ptx_cp_async<16>(s + 4 * threadIdx.x, in + 4 * threadIdx.x);
    ptx_cp_async_commit();
    out[threadIdx.x] = s[4 * threadIdx.x];
    ptx_cp_async_wait<0>();
    out[32 + threadIdx.x] = s[4 * threadIdx.x];
}

/* Each thread waits for its own copy and reads another's. */
__global__ void unshared(float *out, const float *in)
{
    __shared__ __align__(16) float s[256];

    ptx_cp_async<16>(s + 4 * threadIdx.x, in + 4 * threadIdx.x);
    ptx_cp_async_commit();
    __syncthreads();
    ptx_cp_async_wait<0>();
    out[threadIdx.x] = s[4 * (63 - threadIdx.x)];
}

static __device__ void begin_phase(uint64_t *bar, unsigned count)
{
    if (threadIdx.x == 0) {
        ptx_mbarrier_init(bar, count);
        ptx_fence_mbarrier_init();
    }
    __syncthreads();
}

/* Reads what a bulk copy brings without a look at its mbarrier. */
__global__ void bulk(float *out, const float *in)
{
    __shared__ __align__(16) float s[32];
    __shared__ uint64_t bar;

    begin_phase(&bar, 1);
    if (threadIdx.x == 0) {
        ptx_mbarrier_expect(&bar, 128);
        ptx_bulk_load(s, in, 128, &bar);
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
    ptx_mbarrier_wait(&bar, 0);
}

/* write what a copy reads */
/* Writes again what a bulk copy still reads. */
__global__ void source(float *out, const float *in)
{
    __shared__ __align__(16) float s[64];

    s[threadIdx.x] = in[threadIdx.x];
    ptx_fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx_bulk_store(out, s, 256);
        ptx_bulk_commit();
    }
    s[threadIdx.x] = 1;
    ptx_bulk_wait<0>();
}

/* forget copies */
/* Ends while a bulk copy reads its shared memory; while one comes. */
__global__ void unwaited(float *out, const float *)
{
    __shared__ __align__(16) float s[32];

    s[threadIdx.x] = 1;
    __syncwarp();
    ptx_fence_async();
    if (threadIdx.x == 0) {
        ptx_bulk_store(out, s, 128);
        ptx_bulk_commit();
    }
}

__global__ void lost(float *, const float *in)
{
    __shared__ __align__(16) float s[32];
    __shared__ uint64_t bar;

    begin_phase(&bar, 1);
    if (threadIdx.x == 0) {
        ptx_mbarrier_expect(&bar, 128);
        ptx_bulk_load(s, in, 128, &bar);
    }
}

/* 20 bytes are not a multiple of 16. */
__global__ void odd(float *out, const float *)
{
    __shared__ __align__(16) float s[32];

    if (threadIdx.x == 0)
        ptx_bulk_store(out, s, 20);
}

/* A box is stored where none may begin. */
__global__ void box_at(const __grid_constant__ CUtensorMap map, int at)
{
    __shared__ __align__(128) float s[8];

    if (threadIdx.x == 0)
        ptx_tensor_store<1>(&map, &at, s);
}

static CUtensorMap map_of(float *x)
{
    const uint64_t size = 1024, stride = 0;
    const unsigned box = 8;
    CUtensorMap map;

    if (ptx_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, x, &size,
                       &stride, &box, CU_TENSOR_MAP_SWIZZLE_NONE,
                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        fprintf(stderr, "ptx_mistakes: no tensor map\n");
    return map;
}

/* make mistakes with mbarriers */
/* 32 of 33 arrive; at what is no longer a barrier; for the wrong phase. */
__global__ void missing(float *, const float *)
{
    __shared__ uint64_t bar;

    begin_phase(&bar, 33);
    if (threadIdx.x < 32)
        ptx_mbarrier_arrive(&bar);
    ptx_mbarrier_wait(&bar, 0);
}

__global__ void expired(float *, const float *)
{
    __shared__ uint64_t bar;

    begin_phase(&bar, 40);
    if (threadIdx.x == 0)
        ptx_mbarrier_inval(&bar);
    __syncthreads();
    ptx_mbarrier_arrive(&bar);
}

__global__ void parity(float *, const float *)
{
    __shared__ uint64_t bar;

    begin_phase(&bar, 32);
    ptx_mbarrier_arrive(&bar);
    ptx_mbarrier_wait(&bar, 0);
    ptx_mbarrier_arrive(&bar);
    ptx_mbarrier_wait(&bar, 0); /* 1 it should be */
}

/* use what is no mbarrier */
/* No initialization at all; one that the others do not wait for. */
__global__ void uninitialized(float *, const float *)
{
    __shared__ uint64_t bar;

    ptx_mbarrier_arrive(&bar);
}

__global__ void unmet(float *, const float *)
{
    __shared__ uint64_t bar;

    if (threadIdx.x == 0)
        ptx_mbarrier_init(&bar, 64);
    __syncwarp();
    ptx_mbarrier_arrive(&bar);
    ptx_mbarrier_wait(&bar, 0);
}

/* Lane 31 has returned. */
__global__ void lanes(float *out, const float *)
{
    unsigned a[4] = {0, 0, 0, 0}, b[2] = {0, 0};
    float c[4] = {0, 0, 0, 0};

    if (threadIdx.x == 31)
        return;
    ptx_mma_bf16(c, a, b, c);
    *out = c[0];
}

/* make mistakes in clusters */
/* Tells the next block a number, which reads it without a barrier in between. */
__global__ void __cluster_dims__(4, 1, 1) stale(float *out, const float *in)
{
    __shared__ float told;
    unsigned next = (ptx_cluster_rank() + 1) % 4;

    told = 0;
    ptx_cluster_sync();
    if (threadIdx.x == 0)
        *ptx_map(&told, next) = in[next];
    out[32 * blockIdx.x + threadIdx.x] = told;
    ptx_cluster_sync();
}

/* Does not wait until the next block runs. */
__global__ void __cluster_dims__(4, 1, 1) before(float *out, const float *in)
{
    __shared__ float told;

    if (threadIdx.x == 0)
        *ptx_map(&told, (ptx_cluster_rank() + 1) % 4) = in[0];
    ptx_cluster_sync();
    *out = told;
}

/* Ends while the others read. */
__global__ void __cluster_dims__(4, 1, 1) after(float *out, const float *in)
{
    __shared__ float told;

    if (threadIdx.x == 0)
        told = in[0];
    ptx_cluster_sync();
    *out = *ptx_map(&told, 3 - ptx_cluster_rank());
}

/* Half of block 2 does not come to the barrier, and does not return. */
__global__ void __cluster_dims__(4, 1, 1) apart(float *, const float *)
{
    __shared__ uint64_t bar;

    begin_phase(&bar, 1);
    if (blockIdx.x == 2 && threadIdx.x >= 32)
        ptx_mbarrier_wait(&bar, 0);
    ptx_cluster_sync();
}

/* One block fails before the others have begun. */
__global__ void __cluster_dims__(4, 1, 1) early_end(float *, const float *)
{
    __trap();
}

/* There is no block 4. */
__global__ void __cluster_dims__(4, 1, 1) far_away(float *out, const float *)
{
    __shared__ float told;

    told = 1;
    ptx_cluster_sync();
    out[blockIdx.x] = *ptx_map(&told, ptx_cluster_rank() + 1);
    ptx_cluster_sync();
}

/* make mistakes in warpgroups */
enum { RIGHT, PEEK, TAKEN, UNFENCED, UNLIKE, DROPPED, RUINED, PART };

__global__ void __launch_bounds__(128) warpgroup(float *out, int mistake)
{
    __shared__ __align__(1024) char s[2 * 64 * 128];
    uint64_t a, b;
    float d[32];

    for (int i = threadIdx.x; i < 2 * 64 * 128; i += 128)
        s[i] = 0;
    for (int i = 0; i < 32; i++)
        d[i] = 1;
    ptx_fence_async();
    __syncthreads();
    a = ptx_matrix(s, 16, 1024, CU_TENSOR_MAP_SWIZZLE_128B);
    b = ptx_matrix(s + 64 * 128, 16, 1024, CU_TENSOR_MAP_SWIZZLE_128B);
    if (mistake != UNFENCED)
        ptx_wgmma_fence();
    ptx_wgmma<64, 0, 0>(d, a, mistake == UNLIKE ? b + threadIdx.x / 64 : b, 1);
    ptx_wgmma_commit();
    if (mistake == PEEK)
        out[threadIdx.x] = d[0] - 1;
    if (mistake == TAKEN)
        d[3] = 2;
    if (mistake == RUINED)
        s[threadIdx.x * 64] = 1;
    if (mistake == PART && threadIdx.x < 32)
        ptx_barrier<3>(64);
    if (mistake != DROPPED)
        ptx_wgmma_wait<0>();
    if (mistake != PEEK)
        out[threadIdx.x] = d[0] - 1;
}

/* Makes the mistake of this name: 1 if there is one. */
static int make_mistake_in_warpgroup(const char *name, float *out)
{
    const char *names[] = {"right",  "peek",    "taken",  "unfenced",
                           "unlike", "dropped", "ruined", "part"};

    for (int i = 0; i < 8; i++)
        if (!strcmp(name, names[i])) {
            float got;

            warpgroup<<<1, 128>>>(out, i);
            if (cudaMemcpy(&got, out, 4, cudaMemcpyDefault) == cudaSuccess)
                printf("%s: 1 - 1 is %g\n", name, got);
            return 1;
        }
    return 0;
}

/* say what a mistake has left */
/* How many elements are NaN; the others, each times its place. */
static int say_what_is_left(const float *out)
{
    float got[1024];
    double sum = 0;
    int none = 0;

    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost))
        return 1;
    for (int i = 0; i < 1024; i++)
        if (got[i] == got[i])
            sum += (i + 1) * (double)got[i];
        else
            none++;
    printf("left: %d and %.0f\n", none, sum);
    return 0;
}

int main(int argc, char **argv)
{
    auto is = [&](const char *name) {
        return argc > 1 && !strcmp(argv[1], name);
    };
    float *out, *in, some[1024];

    for (int i = 0; i < 1024; i++)
        some[i] = (float)(i + 1);
    cudaMalloc((void **)&out, 4096);
    cudaMalloc((void **)&in, 4096);
    cudaMemcpy(in, some, 4096, cudaMemcpyHostToDevice);
    cudaMemset(out, 64, 4096); /* a number, which nobody else writes */
    /* make one mistake */
    if (is("early"))
        early<<<1, 32>>>(out, in);
    else if (is("unshared"))
        unshared<<<1, 64>>>(out, in);
    else if (is("bulk"))
        bulk<<<1, 32>>>(out, in);
    else if (is("source"))
        source<<<1, 64>>>(out, in);
    else if (is("unwaited"))
        unwaited<<<1, 32>>>(out, in);
    else if (is("lost"))
        lost<<<1, 32>>>(out, in);
    else if (is("odd"))
        odd<<<1, 32>>>(out, in);
    else if (is("slanted") || is("behind"))
        box_at<<<1, 32>>>(map_of(out), is("slanted") ? 1 : -4);
    else if (is("missing"))
        missing<<<1, 64>>>(out, in);
    else if (is("expired"))
        expired<<<1, 64>>>(out, in);
    else if (is("parity"))
        parity<<<1, 32>>>(out, in);
    else if (is("uninitialized"))
        uninitialized<<<1, 32>>>(out, in);
    else if (is("unmet"))
        unmet<<<1, 64>>>(out, in);
    else if (is("lanes"))
        lanes<<<1, 32>>>(out, in);
    else if (is("stale"))
        stale<<<4, 32>>>(out, in);
    else if (is("before"))
        before<<<4, 32>>>(out, in);
    else if (is("after"))
        after<<<4, 32>>>(out, in);
    else if (is("apart"))
        apart<<<4, 64>>>(out, in);
    else if (is("early_end"))
        early_end<<<4, 32>>>(out, in);
    else if (is("far_away"))
        far_away<<<4, 32>>>(out, in);
    else if (argc > 1 && !make_mistake_in_warpgroup(argv[1], out))
        return fprintf(stderr, "ptx_mistakes: no mistake has this name\n"), 1;
    return cudaDeviceSynchronize() != cudaSuccess || say_what_is_left(out);
}
