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

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* make a mistake */
static float *array(int n)
{
    float *y = NULL;

    if (cudaMalloc(&y, n * sizeof *y) != cudaSuccess)
        exit(3);
    return y;
}

static void in_kernel(const char *mistake)
{
    float *y = is(mistake, "null") ? NULL : array(1024);

    if (is(mistake, "past_guard"))
        launch_set(1537, array(1536));
    else if (is(mistake, "past_canary"))
        launch_set(1001, array(1000));
    else if (is(mistake, "freed"))
        cudaFree(y);
    if (is(mistake, "before") || is(mistake, "freed") || is(mistake, "null"))
        launch_set(1024, is(mistake, "before") ? y - 1 : y);
    else if (is(mistake, "stack"))
        recurse<<<1, 1>>>((int *)y);
    else if (is(mistake, "assertion"))
        insist<<<2, 64>>>(32);
    else if (is(mistake, "trap"))
        give_up<<<4, 2>>>();
}
static void on_host(const char *mistake)
{
    static float host[2048];
    volatile float *y = array(1024);
    float *z = array(1024);
    unsigned int word = 0;
    cudaError_t e = cudaSuccess;

    if (is(mistake, "read_on_host"))
        printf("y[3] = %g\n", y[3]);
    else if (is(mistake, "free_twice") && cudaFree(z) == cudaSuccess)
        e = cudaFree(z);
    else if (is(mistake, "free_inside"))
        e = cudaFree(z + 1);
    else if (is(mistake, "copy_backwards"))
        e = cudaMemcpy(host, z, 16, cudaMemcpyHostToDevice);
    else if (is(mistake, "copy_too_much"))
        e = cudaMemcpy(z, host, sizeof host, cudaMemcpyHostToDevice);
    else if (is(mistake, "copy_device"))
        e = cudaMemcpy(z, (float *)y, 4096, cudaMemcpyHostToDevice);
    printf("%s\n", cudaGetErrorName(e));
    if (is(mistake, "poison")) {
        cudaMemcpy(&word, z, sizeof word, cudaMemcpyDeviceToHost);
        printf("poison: 0x%x\n", word);
    }
}

/* make the mistake that was asked for */
int main(int argc, char **argv)
{
    static const char names[] =
        " past_guard past_canary before freed null stack assertion trap"
        " read_on_host free_twice free_inside copy_backwards copy_too_much"
        " copy_device poison ";
    char name[40];
    cudaError_t e;

    snprintf(name, sizeof name, " %s ", argc == 2 ? argv[1] : "?");
    if (!strstr(names, name)) {
        fprintf(stderr, "probe_faults: say one mistake of these:%s\n", names);
        return 2;
    }
    in_kernel(argv[1]);
    if (cudaPeekAtLastError() == cudaSuccess &&
        strstr(names, name) >= strstr(names, " read_on"))
        on_host(argv[1]);
    printf("after the launch: %s\n", cudaGetErrorName(cudaGetLastError()));
    e = cudaDeviceSynchronize();
    printf("after waiting: %s\n", cudaGetErrorName(e));
    if (e != cudaSuccess)
        printf("afterwards: %s, %s\n", cudaGetErrorName(cudaGetLastError()),
               cudaGetErrorName(cudaGetLastError()));
    return e != cudaSuccess;
}
