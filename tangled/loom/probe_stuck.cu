/* probe_stuck: threads that wait in vain, in the way that is asked for. */
#include <cooperative_groups.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

__device__ int zero;

/* wait in vain */
__global__ void diverge(void)
{
    __syncthreads();
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
}

/* The last of all is at the right one. */
__global__ void middle(void)
{
    if (threadIdx.x % 32 == 7)
        __syncthreads();
    else
        __syncthreads();
}

__global__ void starve(void)
{
    if (threadIdx.x < 40)
        __syncthreads();
    else
        __shfl_sync(0xffffffffu, 1, 0);
}

__global__ void upper(void)
{
    if (threadIdx.z < 32 || threadIdx.z >= 48)
        __syncthreads();
    else
        __shfl_sync(0xffffffffu, 1, 0);
}

__global__ void mix(void)
{
    if (threadIdx.x < 16)
        __ballot_sync(0xffffffffu, 1);
    else
        __shfl_sync(0xffffffffu, 1, 0);
}

__global__ void outside(void)
{
    __syncwarp(0x0000ffffu);
}

/* spin in vain */
__global__ void spin_atomic(void)
{
    while (atomicAdd(&zero, 0) == 0) {
    }
}

__global__ void spin_volatile(void)
{
    while (*(volatile int *)&zero == 0) {
    }
}

__global__ void watch_clock(void)
{
    while (clock64() >= 0) {
    }
}

__global__ void idle(void)
{
    unsigned x = 1;

    while (x % 1000 != 0) /* x stays odd */
        x = 5 * x + 2;
    zero = (int)x;
}

__global__ void sleep_on(void)
{
#ifdef __LOOM__ /* no GPU's thread can sleep */
    sem_t never;

    sem_init(&never, 0, 0);
    while (sem_wait(&never)) {
    }
#endif
}

__global__ void grid_wait(void)
{
    cooperative_groups::this_grid().sync();
}

/* The second tile has half of its warps. */
__global__ void ragged(void)
{
    using namespace cooperative_groups;

    tiled_partition<64>(this_thread_block()).sync();
}

__global__ void some_leave(void)
{
    if (blockIdx.x != 1)
        cooperative_groups::this_grid().sync();
}

/* get stuck as asked */
static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

int main(int argc, char **argv)
{
    const char *how = argc == 2 ? argv[1] : "";
    void *none[1] = {NULL};

    if (is(how, "diverge"))
        diverge<<<2, 64>>>();
    else if (is(how, "middle"))
        middle<<<2, 64>>>();
    else if (is(how, "starve"))
        starve<<<2, 64>>>();
    else if (is(how, "upper"))
        upper<<<2, dim3(1, 1, 64)>>>();
    else if (is(how, "mix"))
        mix<<<2, 64>>>();
    else if (is(how, "outside"))
        outside<<<2, 64>>>();
    /* get stuck in a larger way */
    else if (is(how, "atomic"))
        spin_atomic<<<3, 64>>>();
    else if (is(how, "volatile"))
        spin_volatile<<<3, 64>>>();
    else if (is(how, "clock"))
        watch_clock<<<3, 64>>>();
    else if (is(how, "idle"))
        idle<<<3, 64>>>();
    else if (is(how, "asleep"))
        sleep_on<<<1, 1>>>();
    else if (is(how, "grid"))
        grid_wait<<<2, 64>>>();
    else if (is(how, "ragged"))
        ragged<<<1, 96>>>();
    else if (is(how, "leave"))
        cudaLaunchCooperativeKernel((void *)some_leave, dim3(3), dim3(64),
                                    none);
    else if (is(how, "shared"))
        diverge<<<2, 64, 60000>>>();
    else if (is(how, "many"))
        cudaLaunchCooperativeKernel((void *)grid_wait, dim3(90000), dim3(64),
                                    none);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return cudaGetLastError() != cudaSuccess;
}
