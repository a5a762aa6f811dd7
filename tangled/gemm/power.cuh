/* power.cuh: the power and the clock of the GPU while it repeats a call. */
#ifndef GEMM_POWER_CUH
#define GEMM_POWER_CUH

#ifndef __LOOM__
#include <dlfcn.h>
#endif

#include "measure/bench.h"

#ifdef __LOOM__
static inline void power_rows(const struct bench_case *, int)
{
}
#else

/* ask NVML */
enum { NVML_SM = 1 }; /* NVML_CLOCK_SM */

static struct {
    void *device;
    int (*energy)(void *device, unsigned long long *mj);
    int (*clock)(void *device, int which, unsigned *mhz);
} nvml;

/* 1 if NVML can be asked about the current device. */
static inline int nvml_open(void)
{
    void *lib = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    char bus[32];
    int device;
    int (*init)(void);
    int (*find)(const char *bus, void **device);

    if (nvml.device)
        return 1;
    if (!lib)
        return 0;
    *(void **)&init = dlsym(lib, "nvmlInit_v2");
    *(void **)&find = dlsym(lib, "nvmlDeviceGetHandleByPciBusId_v2");
    *(void **)&nvml.energy = dlsym(lib, "nvmlDeviceGetTotalEnergyConsumption");
    *(void **)&nvml.clock = dlsym(lib, "nvmlDeviceGetClockInfo");
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, device));
    if (!init || !find || !nvml.energy || !nvml.clock || init() != 0 ||
        find(bus, &nvml.device) != 0)
        nvml.device = NULL;
    return nvml.device != NULL;
}

/* Rows watt and load_mhz: of calls that follow one another for 1.5 s. */
static inline void power_rows(const struct bench_case *c, int sets)
{
    int calls = (int)(1e5 / bench_us(c)) + 1, times = 15;
    struct timespec begin, end;
    unsigned long long mj, more;
    double seconds, mhz = 0;
    unsigned now;

    CUDA_CHECK(cudaDeviceSynchronize());
    if (!nvml_open() || nvml.energy(nvml.device, &mj) != 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < calls; i++)
            c->launch(c->work, c->how, i % sets);
        if (nvml.clock(nvml.device, NVML_SM, &now) != 0)
            now = 0;
        mhz += (double)now / times;
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    CHECK(nvml.energy(nvml.device, &more) == 0, "NVML counts no energy now");
    seconds = (double)(end.tv_sec - begin.tv_sec) +
              1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    bench_row(c->variant, c->size, "watt", 1e-3 * (double)(more - mj) / seconds,
              "W");
    bench_row(c->variant, c->size, "load_mhz", mhz, "MHz");
}
#endif
#endif
