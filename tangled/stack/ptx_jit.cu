/* ptx_jit.cu: load PTX for compute capability 7.5 on the present GPU, first
   without a cached translation and then with; run it; and try what PTX for
   another architecture-specific target does. Needs a GPU. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stack/cuda_check.h"
#include "stack/ptx_axpy.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* read a clock */
static double milliseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* load a module and say how long it took */
static CUmodule load(const void *image, const char *what)
{
    CUmodule module;
    CUfunction f;
    double before = milliseconds();

    CU_CHECK(cuModuleLoadData(&module, image));
    CU_CHECK(cuModuleGetFunction(&f, module, "axpy")); /* may load late */
    printf("%-28s %8.2f ms\n", what, milliseconds() - before);
    return module;
}

/* tell what the loaded kernel was made from */
static CUfunction kernel_of(CUmodule module, int cc)
{
    CUfunction f;
    int binary, ptx;

    CU_CHECK(cuModuleGetFunction(&f, module, "axpy"));
    CU_CHECK(cuFuncGetAttribute(&binary, CU_FUNC_ATTRIBUTE_BINARY_VERSION, f));
    CU_CHECK(cuFuncGetAttribute(&ptx, CU_FUNC_ATTRIBUTE_PTX_VERSION, f));
    printf("machine code for sm_%d, made from PTX for compute_%d\n", binary,
           ptx);
    CHECK(ptx == 75, "the PTX of this program is for 7.5, not for %d", ptx);
    CHECK(binary == cc, "the device is %d, the code is for %d", cc, binary);
    return f;
}

/* run the loaded kernel and check it */
static void run_axpy(CUfunction f, int n, uint64_t seed)
{
    size_t bytes = (size_t)n * sizeof(float);
    float *x = (float *)check_alloc((size_t)n, sizeof *x);
    float *y = (float *)check_alloc((size_t)n, sizeof *y);
    float *got = (float *)check_alloc((size_t)n, sizeof *got), a = 3.0f;
    CUdeviceptr d_x, d_y;
    void *parameters[] = {&n, &a, &d_x, &d_y};

    rng_fill_small(x, (size_t)n, seed);
    rng_fill_small(y, (size_t)n, seed + 1);
    /* copy, launch and copy back through the driver */
    CU_CHECK(cuMemAlloc(&d_x, bytes));
    CU_CHECK(cuMemAlloc(&d_y, bytes));
    CU_CHECK(cuMemcpyHtoD(d_x, x, bytes));
    CU_CHECK(cuMemcpyHtoD(d_y, y, bytes));
    CU_CHECK(cuLaunchKernel(f, (unsigned)(n + 255) / 256, 1, 1, 256, 1, 1, 0,
                            NULL, parameters, NULL));
    CU_CHECK(cuMemcpyDtoH(got, d_y, bytes));
    CU_CHECK(cuMemFree(d_x));
    CU_CHECK(cuMemFree(d_y));
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
    CHECK_ARRAY(got, y, (size_t)n);
    printf("axpy of %d elements: all right\n", n);
    free(x);
    free(y);
    free(got);
}

/* try a target that is not ours */
static void try_foreign(int cc)
{
    const char *head = cc == 90 ? ".version 8.6\n.target sm_100a\n"
                                : ".version 8.0\n.target sm_90a\n";
    const char *body = strstr(ptx_axpy, ".address_size"), *name = "?";
    char text[sizeof ptx_axpy + 64];
    CUmodule module;
    CUresult status;

    snprintf(text, sizeof text, "%s%s", head, body);
    status = cuModuleLoadData(&module, text);
    cuGetErrorName(status, &name);
    printf("PTX for %s: %s\n", cc == 90 ? "sm_100a" : "sm_90a", name);
    CHECK(status != CUDA_SUCCESS,
          "PTX for another architecture-specific target was accepted");
}

/* start the driver on an empty cache */
/* Starts the driver and returns the compute capability (90 for 9.0). */
static int start_driver(char cache[])
{
    CUresult status;
    CUdevice device;
    CUcontext context;
    int major, minor;

    CHECK(mkdtemp(cache) != NULL, "cannot make the folder %s", cache);
    setenv("CUDA_CACHE_PATH", cache, 1);
    status = cuInit(0);
    if (status == CUDA_ERROR_NO_DEVICE || status == CUDA_ERROR_STUB_LIBRARY) {
        fprintf(stderr,
                "ptx_jit: this program needs a GPU, and there is none\n");
        rmdir(cache);
        exit(1);
    }
    CU_CHECK(status);
    /* take the first device */
    CU_CHECK(cuDeviceGet(&device, 0));
    CU_CHECK(cuDeviceGetAttribute(
        &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    CU_CHECK(cuDeviceGetAttribute(
        &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    CU_CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CU_CHECK(cuCtxSetCurrent(context));
    return 10 * major + minor;
}

/* load, run, load again and try */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 24)};
    uint64_t seed =
        args_parse(argc, argv, "load PTX and run it", args, ARG_COUNT(args));
    char cache[] = "/tmp/ptx_jit.XXXXXX", command[64];
    int cc = start_driver(cache);
    CUmodule first, second;

    CHECK(cc >= 75, "this PTX is for 7.5 and above, the device is %d", cc);
    first = load(ptx_axpy, "first load, compiled:");
    second = load(ptx_axpy, "second load, from the cache:");
    run_axpy(kernel_of(first, cc), (int)args[0].value, seed);
    run_axpy(kernel_of(second, cc), (int)args[0].value, seed);
    try_foreign(cc);
    CU_CHECK(cuModuleUnload(first));
    CU_CHECK(cuModuleUnload(second));
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    return system(command) != 0;
}
