/* fake.c: a library that answers what a test of stackinfo wants, by -D:
   CUDA=12040 libcuda; CUDART=12080 libcudart; NVML="550.54.14"; NVRTC=12 for
   12.3; PROPERTY=cublasGetProperty for 12.3.4; CUDNN=90100; NCCL=22809;
   STATUS=n makes them answer with error n; CRASH dies when it is opened. */
#include <signal.h>
#include <stddef.h>
#include <string.h>

#ifndef STATUS
#define STATUS 0
#endif

#ifdef CUDA
int cuDriverGetVersion(int *v) { return *v = CUDA, STATUS; }
int cuInit(unsigned flags) { return (void)flags, 0; }
int cuDeviceGetCount(int *n) { return *n = 1, 0; }
int cuDeviceGetName(char *s, int n, int d)
{
    return (void)d, strncpy(s, "Fake GPU", (size_t)n), 0;
}
int cuDeviceGetAttribute(int *v, int a, int d)
{
    return (void)d, *v = a == 75 ? 8 : 6, 0;
}
#endif
#ifdef CUDART
int cudaRuntimeGetVersion(int *v) { return *v = CUDART, STATUS; }
#endif
#ifdef NVML
int nvmlInit_v2(void) { return STATUS; }
int nvmlSystemGetDriverVersion(char *s, unsigned n)
{
    return strncpy(s, NVML, n), 0;
}
#endif
#ifdef NVRTC
int nvrtcVersion(int *a, int *b) { return *a = NVRTC, *b = 3, STATUS; }
#endif
#ifdef PROPERTY
int PROPERTY(int which, int *v)
{
    return *v = which == 0 ? 12 : which == 1 ? 3 : 4, STATUS;
}
#endif
#ifdef CUDNN
size_t cudnnGetVersion(void) { return CUDNN; }
#endif
#ifdef NCCL
int ncclGetVersion(int *v) { return *v = NCCL, STATUS; }
#endif
#ifdef CRASH
__attribute__((constructor)) static void crash(void) { raise(SIGSEGV); }
#endif
