/* probe_faults: makes the mistake that the command line names. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* set n elements */
__global__ void set(int n, float *y, float value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = value;
}

/* Launches enough threads for n elements, whatever y has. */
static void launch_set(int n, float *y)
{
    set<<<(n + 255) / 256, 256>>>(n, y, 1.0f);
}

/* fail in other ways */
__device__ int descend(int n)
{
    volatile int room[256];

    room[n & 255] = n;
    return n < 0 ? 0 : room[n & 255] + descend(n + 1) + room[0];
}

__global__ void recurse(int *out)
{
    *out = descend(0);
}

__global__ void insist(int limit)
{
    assert((int)threadIdx.x < limit);
}

__global__ void give_up(void)
{
    if (blockIdx.x == 1)
        __trap();
}

/* make mistakes in kernels */
static float *array(int n)
{
    float *y = NULL;

    if (cudaMalloc(&y, n * sizeof *y) != cudaSuccess)
        exit(3);
    return y;
}
static void past_guard(void)
{
    launch_set(1537, array(1536));
}

static void past_canary(void)
{
    launch_set(1001, array(1000));
}

static void before(void)
{
    launch_set(1024, array(1024) - 1);
}

static void freed(void)
{
    float *y = array(1024);

    cudaFree(y);
    launch_set(1024, y);
}

static void null(void)
{
    float *y = NULL;

    launch_set(1024, y);
}

/* make mistakes with pointers */
static void read_on_host(void)
{
    volatile float *y = array(1024);

    printf("y[3] = %g\n", y[3]);
}

static void free_twice(void)
{
    float *y = array(1024);

    cudaFree(y);
    printf("%s\n", cudaGetErrorName(cudaFree(y)));
}

static void free_inside(void)
{
    printf("%s\n", cudaGetErrorName(cudaFree(array(1024) + 1)));
}

static void copy_backwards(void)
{
    float host[4], *y = array(1024);

    printf("%s\n", cudaGetErrorName(cudaMemcpy(host, y, sizeof host,
                                               cudaMemcpyHostToDevice)));
}
static void copy_device(void)
{
    printf("%s\n", cudaGetErrorName(cudaMemcpy(array(1024), array(1024), 4096,
                                               cudaMemcpyHostToDevice)));
}

static void poison(void)
{
    unsigned int word = 0;

    cudaMemcpy(&word, array(1), sizeof word, cudaMemcpyDeviceToHost);
    printf("poison: 0x%x\n", word);
}
static void copy_too_much(void)
{
    static float host[2048];

    printf("%s\n", cudaGetErrorName(cudaMemcpy(array(1024), host, sizeof host,
                                               cudaMemcpyHostToDevice)));
}
static void stack(void)
{
    recurse<<<1, 1>>>((int *)array(1));
}
static void assertion(void)
{
    insist<<<2, 64>>>(32);
}
static void trap(void)
{
    give_up<<<4, 2>>>();
}

/* list the mistakes */
static const struct {
    const char *name;
    void (*make)(void);
} mistakes[] = {
    {"past_guard", past_guard},
    {"past_canary", past_canary},
    {"before", before},
    {"freed", freed},
    {"null", null},
    {"stack", stack},
    {"assertion", assertion},
    {"trap", trap},
    {"read_on_host", read_on_host},
    {"free_twice", free_twice},
    {"free_inside", free_inside},
    {"copy_backwards", copy_backwards},
    {"copy_too_much", copy_too_much},
    {"copy_device", copy_device},
    {"poison", poison},
};

/* make the mistake that was asked for */
int main(int argc, char **argv)
{
    int count = sizeof mistakes / sizeof mistakes[0];

    for (int i = 0; argc == 2 && i < count; i++)
        if (strcmp(argv[1], mistakes[i].name) == 0) {
            cudaError_t e;

            mistakes[i].make();
            printf("after the launch: %s\n",
                   cudaGetErrorName(cudaGetLastError()));
            e = cudaDeviceSynchronize();
            printf("after waiting: %s\n", cudaGetErrorName(e));
            if (e != cudaSuccess)
                printf("afterwards: %s, %s\n",
                       cudaGetErrorName(cudaGetLastError()),
                       cudaGetErrorName(cudaGetLastError()));
            return e != cudaSuccess;
        }
    fprintf(stderr, "probe_faults: say one mistake of these:");
    for (int i = 0; i < count; i++)
        fprintf(stderr, " %s", mistakes[i].name);
    fprintf(stderr, "\n");
    return 2;
}
