/* mistakes: one kernel for each thing that the checker finds.
   Usage: mistakes NAME        without a name, lists them
          mistakes NAME left   says what the mistake leaves in memory, too */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cooperative_groups.h>

/* leave the bounds */
__global__ void differ(int n, float *d, const float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        d[i] = y[i + 1] - y[i]; /* the last one has no neighbor */
}

__global__ void turn_dynamic(float *y)
{
    extern __shared__ float buffer[];

    buffer[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

__global__ void shift(float *y)
{
    __shared__ float row[32], other[32];

    row[threadIdx.x] = other[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = row[threadIdx.x + 1] + other[threadIdx.x];
}

/* leave the bounds by a pointer */
__device__ float last(const float *row, int n)
{
    return row[n];
}

__global__ void tail(float *y, int n)
{
    __shared__ float row[32];

    row[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = last(row, n);
}

__device__ float weight[16];

__global__ void weigh(float *y)
{
    y[threadIdx.x] *= weight[threadIdx.x + 1]; /* 16 threads */
}

/* race in a warp */
__global__ void sum_lanes(float *y)
{
    __shared__ float part[32];
    int lane = threadIdx.x;

    part[lane] = y[lane];
    __syncwarp();
    for (int d = 16; d > 0; d /= 2)
        if (lane < d)
            part[lane] += part[lane + d];
    y[lane] = part[0];
}

__global__ void sum_volatile(float *y)
{
    __shared__ float part[32];
    volatile float *p = part;
    int lane = threadIdx.x;

    p[lane] = y[lane];
    for (int d = 16; d > 0; d /= 2)
        if (lane < d)
            p[lane] += p[lane + d];
    y[lane] = p[0];
}

/* race in a warp that meets */
__global__ void turn_by_vote(float *y, int sync)
{
    int lane = threadIdx.x;

    y[lane] = (float)lane;
    if (sync)
        __syncwarp();
    else
        __ballot_sync(~0u, 1);
    y[32 + lane] = y[31 - lane];
}

/* Three lanes read; two or all meet; one of these writes. */
__global__ void three(unsigned mask, float *y)
{
    int lane = threadIdx.x;

    y[1 + lane] = y[0];
    if (lane == 1)
        return;
    __syncwarp(mask);
    if (lane == 0)
        y[0] = 7;
}

/* Two lanes write the same; a third, which has met one of them, reads. */
__global__ void alike(float *y)
{
    int lane = threadIdx.x;

    if (lane < 2)
        y[0] = 7;
    if (lane == 0)
        return;
    __syncwarp(6);
    if (lane == 2)
        y[1] = y[0];
}

/* write one word from all lanes */
struct large {
    float of[16];
};

__global__ void take(float *y, struct large l)
{
    y[threadIdx.x] = l.of[threadIdx.x % 16];
}

__global__ void agree(float *y, float by)
{
    float v = y[threadIdx.x];

    __syncwarp();
    y[0] = v + by * (float)threadIdx.x;
}

/* Then the cluster meets, or the grid, and another block writes there. */
__global__ void __cluster_dims__(4, 1, 1) agree_and_meet(float *y)
{
    __shared__ float told;
    auto cluster = cooperative_groups::this_cluster();

    told = 1;
    cluster.sync();
    if (threadIdx.x == 0)
        *cluster.map_shared_rank(&told, (blockIdx.x + 1) % 4) = 2;
    cluster.sync();
    y[32 * blockIdx.x + threadIdx.x] = told;
}

__global__ void agree_and_meet_all(float *y)
{
    y[blockIdx.x] = 1;
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0)
        y[(blockIdx.x + 1) % gridDim.x] = 2;
}

/* race in a block */
__global__ void turn(float *y)
{
    __shared__ float row[256];
    int t = threadIdx.x;

    row[t] = y[t];
    y[t] = row[255 - t];
}

/* move a row on with a barrier too few */
__global__ void move_on(float *y)
{
    __shared__ float row[64];
    int t = threadIdx.x;

    row[t] = y[t];
    for (int k = 0; k < 3; k++) {
        float next;

        __syncthreads();
        next = row[(t + 1) % 64];
        row[t] = next; /* some still read */
    }
    y[t] = row[t];
}

/* race between blocks */
__global__ void smooth(float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float left = i > 0 ? y[i - 1] : 0;

    __syncthreads();
    y[i] = (left + y[i]) / 2;
}

/* add up in the last block without a fence */
__global__ void add_up(float *part, int *ticket, float *total)
{
    __shared__ int last;

    if (threadIdx.x == 0) {
        part[blockIdx.x] = 1;
        last = atomicAdd(ticket, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned int i = 0; i < gridDim.x; i++)
            *total += part[i];
}
__device__ float part[8 * 64];

__device__ void add_parts(int fence, int *ticket, float *total)
{
    __shared__ int last;

    if (threadIdx.x == 63) {
        if (fence)
            __threadfence();
        last = atomicAdd(ticket, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; last && i < 8 * 64; i += 64)
        atomicAdd(total, part[i]);
}

/* before: what comes between the writes and the ticket, besides its fence */
__global__ void sum_parts(int before, int *ticket, float *total)
{
    part[blockIdx.x * 64 + threadIdx.x] = 1;
    if (before == 2 || (before == 3 && threadIdx.x == 0))
        __threadfence();
    if (before)
        __syncthreads();
    add_parts(before != 3, ticket, total);
}
__global__ void sum_warps(int sync, int *ticket, float *total)
{
    int turn = 0;

    part[blockIdx.x * 64 + threadIdx.x] = 1;
    if (sync)
        __syncwarp();
    if (threadIdx.x % 32 == 0) {
        __threadfence();
        turn = atomicAdd(ticket, 1);
    }
    turn = __shfl_sync(0xffffffffu, turn, 0);
    if (sync)
        __syncwarp();
    for (int i = (int)threadIdx.x % 32; turn == 15 && i < 8 * 64; i += 32)
        atomicAdd(total, part[i]);
}

__device__ int written[8];

__global__ void sum_counted(int *ticket, float *total)
{
    __shared__ int last;

    part[blockIdx.x * 32 + threadIdx.x] = 1;
    atomicAdd(&written[blockIdx.x], 1);
    if (threadIdx.x == 0) {
        while (atomicAdd(&written[blockIdx.x], 0) < 32)
            ;
        __threadfence();
        last = atomicAdd(ticket, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; last && i < 8 * 32; i += 32)
        atomicAdd(total, part[i]);
}
__global__ void read_and_change(unsigned silent, int *ticket, float *y)
{
    if (threadIdx.x > 0)
        return;
    y[1 + blockIdx.x] = y[0];
    if (blockIdx.x != silent) {
        __threadfence();
        atomicAdd(ticket, 1);
    }
    if (blockIdx.x == 0) {
        while (atomicAdd(ticket, 0) < (int)gridDim.x - (silent < gridDim.x))
            ;
        __threadfence();
        y[0] = 2;
    }
}

__global__ void write_behind(int *ticket, float *y)
{
    if (threadIdx.x > 0)
        return;
    if (blockIdx.x == 0) {
        y[2] = y[0];
        atomicAdd(ticket, 1);
    } else {
        while (atomicAdd(ticket, 0) == 0)
            ;
        for (int i = (int)gridDim.x - 1; i >= 0; i--)
            y[i] = 2;
    }
}

__global__ void say_found(int *found)
{
    if (threadIdx.x == 0)
        *found = 1;
}

/* hand over without a fence */
__global__ void hand_over(float *data, volatile int *flag, int *first,
                          int release, int acquire)
{
    if (atomicAdd(first, 1) == 0) {
        data[0] = 42;
        if (release)
            __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        if (acquire)
            __threadfence();
        data[1] = data[0];
    }
}

/* ask lanes that have gone */
__global__ void sum_some(int n, float *y)
{
    int lane = threadIdx.x;
    float v;

    if (lane >= n)
        return;
    v = y[lane];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (lane == 0)
        y[0] = v;
}

/* read what nobody has written */
__global__ void add_to(float *sum, const float *y)
{
    sum[threadIdx.x] += y[threadIdx.x];
}

__global__ void blur(float *y)
{
    __shared__ float row[66];
    int t = threadIdx.x;

    row[t + 1] = y[t];
    __syncthreads();
    y[t] = (row[t] + row[t + 1] + row[t + 2]) / 3;
}

__device__ __noinline__ float2 both(float v)
{
    return make_float2(v, -v);
}

struct point {
    float x, y;

    point() = default;
    __device__ point(float v) : x(v), y(v)
    {
    }
};

__global__ void put_point(float *y)
{
    __shared__ point at, path[2];

    if (threadIdx.x == 0)
        at.x = path[1].x = y[0];
    __syncthreads();
    y[threadIdx.x] = at.x + path[1].x;
}

__global__ void put_both(int step, float2 *to, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    to[i * step] = both(y[i]);
    y[i] = to[i * step].y;
}

/* follow a wrong pointer */
__global__ void copy(float *to, const float *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void copy_fours(float4 *to, const float *from)
{
    to[threadIdx.x] = *(const float4 *)(from + 4 * threadIdx.x + 1);
}

__global__ void copy_doubles(double *to, const float *from)
{
    to[threadIdx.x] = *(const double *)(from + 2 * threadIdx.x + 1);
}

/* list the mistakes to be found */
static float *y, *unset, host[64];
static int *zero;

static void meet_all(void)
{
    void *args[] = {&y};

    cudaLaunchCooperativeKernel((void *)agree_and_meet_all, dim3(4), dim3(32),
                                args, 0, 0);
}

static void agree_on_zero(void)
{
    cudaMemset(y, 0, 32 * sizeof *y);
    agree<<<1, 32>>>(y, 0);
}

/* Only some of the sums were forgotten. */
static void add_to_unset(void)
{
    cudaMemset(unset, 0, 60 * sizeof *unset);
    add_to<<<1, 64>>>(unset, y);
}

static float *freed(void)
{
    cudaFree(y);
    return y;
}

/* forget to wait */
__global__ void add_one(int n, int *x)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < (unsigned)n)
        x[i]++;
}

__global__ void answer(volatile int *asked, int *x, volatile int *answered)
{
    while (*asked == 0)
        continue;
    __threadfence_system();
    x[1] = x[0] + 1;
    __threadfence_system();
    *answered = 1;
}

enum { FEW = 100 };
static int *seen; /* pinned: the host and kernels may touch it */
static cudaStream_t one, two;

static void open_streams(unsigned flags)
{
    cudaMallocHost(&seen, FEW * sizeof *seen);
    memset(seen, 0, FEW * sizeof *seen);
    cudaStreamCreateWithFlags(&one, flags);
    cudaStreamCreateWithFlags(&two, flags);
    cudaDeviceSynchronize(); /* main has set `zero` in the legacy stream */
}

/* The host looks at what a kernel writes. */
static void look_at_kernel(int wait)
{
    open_streams(cudaStreamDefault);
    add_one<<<1, FEW, 0, one>>>(FEW, seen);
    while (wait && cudaStreamQuery(one) == cudaErrorNotReady)
        continue;
    printf("%d\n", seen[7]);
}

/* It changes what is being copied. */
static void change_copy(int wait)
{
    cudaEvent_t copied;

    open_streams(cudaStreamNonBlocking);
    cudaEventCreate(&copied);
    cudaMemcpyAsync(zero, seen, 8, cudaMemcpyHostToDevice, one);
    cudaEventRecord(copied, one);
    if (wait)
        cudaEventSynchronize(copied);
    seen[1] = 5;
}
/* The host looks at what is being copied. */
static void look_at_copy(int wait)
{
    open_streams(cudaStreamDefault);
    cudaMemcpyAsync(seen, zero, 8, cudaMemcpyDeviceToHost, one);
    if (wait)
        cudaStreamSynchronize(one);
    printf("%d\n", seen[1]);
}

/* A stream uses what another one makes; an event may stand between. */
static void use_other(int wait)
{
    cudaEvent_t made;

    open_streams(cudaStreamDefault);
    cudaEventCreate(&made);
    add_one<<<1, 2, 0, one>>>(2, zero);
    cudaEventRecord(made, one);
    if (wait == 2) /* it may be done by then, and nobody has asked */
        usleep(500000);
    if (wait)
        cudaStreamWaitEvent(two, made, 0);
    add_one<<<1, 2, 0, two>>>(2, zero);
}

/* The legacy stream orders those that block, and no others. */
static void trust_legacy(unsigned flags)
{
    open_streams(flags);
    add_one<<<1, 2, 0, one>>>(2, zero);
    add_one<<<1, 2>>>(2, zero);
    add_one<<<1, 2, 0, two>>>(2, zero);
}

/* A function of the host tells the host, in a way that nobody sees. */
static volatile int told;

static void be_told(void)
{
    open_streams(cudaStreamDefault);
    add_one<<<1, FEW, 0, one>>>(FEW, seen);
    cudaLaunchHostFunc(
        one, [](void *) { told = 1; }, NULL);
    while (!told)
        usleep(1000);
    printf("%d\n", seen[7]);
}

static void ask(void)
{
    volatile int *flags;

    open_streams(cudaStreamDefault);
    flags = seen + 8;
    answer<<<1, 1, 0, one>>>(flags, seen, flags + 1);
    seen[0] = 41;
    flags[0] = 1;
    while (flags[1] == 0)
        continue;
    printf("%d\n", seen[1]);
}
static const struct mistake {
    const char *name;
    void (*make)(void);
} mistakes[] = {
    {"bounds", [] { differ<<<2, 128>>>(256, unset, y); }},
    {"bounds_dynamic", [] { turn_dynamic<<<1, 128, 128>>>(y); }},
    {"bounds_static", [] { shift<<<1, 32>>>(y); }},
    {"bounds_pointer", [] { tail<<<1, 32>>>(y, 40); }},
    {"bounds_variable", [] { weigh<<<1, 16>>>(y); }},
    {"race_warp", [] { sum_lanes<<<1, 32>>>(y); }},
    {"race_volatile", [] { sum_volatile<<<1, 32>>>(y); }},
    {"race_lanes", [] { agree<<<1, 32>>>(y, 1); }},
    {"vote", [] { turn_by_vote<<<1, 32>>>(y, 0); }},
    {"no_vote", [] { turn_by_vote<<<1, 32>>>(y, 1); }},
    {"three", [] { three<<<1, 3>>>(5, y); }},
    {"alike", [] { alike<<<1, 3>>>(y); }},
    {"met", [] { three<<<1, 3>>>(7, y); }},
    {"agree", agree_on_zero},
    {"meet", [] { agree_and_meet<<<4, 32>>>(y); }},
    {"meet_all", meet_all},
    {"by_value", [] { take<<<1, 32>>>(y, large()); }},
    {"object", [] { put_point<<<1, 64>>>(y); }},
    {"by_call", [] { put_both<<<2, 8>>>(1, (float2 *)unset, y); }},
    {"race_call", [] { put_both<<<2, 8>>>(0, (float2 *)unset, y); }},
    {"race_block", [] { turn<<<1, 256>>>(y); }},
    {"race_again", [] { move_on<<<1, 64>>>(y); }},
    {"race_blocks", [] { smooth<<<4, 64>>>(y); }},
    {"no_barrier", [] { sum_parts<<<8, 64>>>(0, zero, y); }},
    {"barrier", [] { sum_parts<<<8, 64>>>(1, zero, y); }},
    {"fence_each", [] { sum_parts<<<8, 64>>>(2, zero, y); }},
    {"one_fence", [] { sum_parts<<<8, 64>>>(3, zero, y); }},
    {"counted", [] { sum_counted<<<8, 32>>>(zero, y); }},
    {"no_syncwarp", [] { sum_warps<<<8, 64>>>(0, zero, y); }},
    {"syncwarp", [] { sum_warps<<<8, 64>>>(1, zero, y); }},
    {"one_read", [] { read_and_change<<<8, 32>>>(5, zero, y); }},
    {"all_reads", [] { read_and_change<<<8, 32>>>(8, zero, y); }},
    {"own_read", [] { read_and_change<<<2, 32>>>(0, zero, y); }},
    {"write_behind", [] { write_behind<<<2, 32>>>(zero, y); }},
    {"benign", [] { say_found<<<8, 64>>>(zero); }},
    {"no_fence", [] { add_up<<<8, 32>>>(unset, zero, y); }},
    {"no_release", [] { hand_over<<<2, 1>>>(y, zero, zero + 1, 0, 1); }},
    {"no_acquire", [] { hand_over<<<2, 1>>>(y, zero, zero + 1, 1, 0); }},
    {"fences", [] { hand_over<<<2, 1>>>(y, zero, zero + 1, 1, 1); }},
    {"inactive", [] { sum_some<<<1, 32>>>(20, y); }},
    {"unset_global", add_to_unset},
    {"unset_shared", [] { blur<<<1, 64>>>(y); }},
    {"misaligned", [] { copy_doubles<<<1, 32>>>((double *)unset, y); }},
    {"misaligned_4", [] { copy_fours<<<1, 32>>>((float4 *)unset, y); }},
    /* list the mistakes of the host */
    {"freed", [] { copy<<<1, 64>>>(unset, freed()); }},
    {"twice", [] { cudaFree(freed()); }},
    {"host_heap", [] { copy<<<1, 64>>>(unset, (float *)calloc(64, 4)); }},
    {"host_static", [] { copy<<<1, 64>>>(unset, host); }},
    {"device_pointer", [] { y[0] = 1; }},
    {"device_variable", [] { weight[0] = 1; }},
    {"look_early", [] { look_at_kernel(0); }},
    {"look_later", [] { look_at_kernel(1); }},
    {"look_at_copy", [] { look_at_copy(0); }},
    {"look_behind_copy", [] { look_at_copy(1); }},
    {"change_copy", [] { change_copy(0); }},
    {"change_later", [] { change_copy(1); }},
    {"two_streams", [] { use_other(0); }},
    {"event", [] { use_other(1); }},
    {"event_later", [] { use_other(2); }},
    {"apart", [] { trust_legacy(cudaStreamNonBlocking); }},
    {"legacy", [] { trust_legacy(cudaStreamDefault); }},
    {"flags", [] { ask(); }},
    {"told", [] { be_told(); }},
};

/* say what a mistake leaves */
static int say_what_is_left(void)
{
    float *from[] = {y, unset}, got[256];
    int tickets[2];

    for (float *p : from) {
        double sum = 0;
        int none = 0;

        if (cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost))
            return 1;
        for (int i = 0; i < 256; i++)
            if (got[i] == got[i])
                sum += (i + 1) * (double)got[i];
            else
                none++;
        printf("left: %d and %.2f\n", none, sum);
    }
    if (cudaMemcpy(tickets, zero, sizeof tickets, cudaMemcpyDeviceToHost))
        return 1;
    printf("left: %d, %d\n", tickets[0], tickets[1]);
    return 0;
}

/* make one mistake that was named */
int main(int argc, char **argv)
{
    float start[256];

    for (int i = 0; i < 256; i++)
        start[i] = (float)i;
    cudaMalloc(&y, 256 * sizeof *y);
    cudaMalloc(&unset, 256 * sizeof *unset);
    cudaMalloc(&zero, 2 * sizeof *zero);
    cudaMemcpy(y, start, sizeof start, cudaMemcpyHostToDevice);
    cudaMemset(zero, 0, 2 * sizeof *zero);
    for (const struct mistake &m : mistakes)
        if (argc == 1)
            printf("%s\n", m.name);
        else if (strcmp(argv[1], m.name) == 0) {
            m.make();
            if (cudaDeviceSynchronize())
                return 1;
            return argc > 2 && say_what_is_left();
        }
    return argc > 1;
}
