/* devquery.cu: what each device says of itself, and what each number is
   needed for. Builds with CUDA 12 and 13. */
#include <stdio.h>

#include "stack/cuda_check.h"
#include "tour/args.h"
#include "tour/check.h"

/* list the questions */
struct question {
    enum cudaDeviceAttr attribute;
    int divide; /* the answer is divided by this before it is printed */
    const char *what, *unit, *why;
};

static const struct question questions[] = {
    {cudaDevAttrMultiProcessorCount, 1, "SMs", "",
     "share the blocks (chapter 4)"},
    {cudaDevAttrWarpSize, 1, "warp", "threads",
     "share an instruction (chapter 4)"},
    {cudaDevAttrMaxThreadsPerBlock, 1, "block, at most", "threads",
     "no launch above it (chapter 3)"},
    {cudaDevAttrMaxThreadsPerMultiProcessor, 1, "SM, at most", "threads",
     "occupancy (chapter 7)"},
    {cudaDevAttrMaxRegistersPerMultiprocessor, 1, "SM", "registers",
     "occupancy (chapter 7)"},
    /* list the questions about memory */
    {cudaDevAttrMaxSharedMemoryPerBlock, 1024, "shared memory, block", "KiB",
     "tiles (chapter 6)"},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, 1024, "the same, opt-in", "KiB",
     "larger tiles (chapter 14)"},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 1024, "shared memory, SM",
     "KiB", "occupancy (chapter 7)"},
    {cudaDevAttrL2CacheSize, 1024, "L2 cache", "KiB",
     "how much to rotate past when measuring (chapter 7)"},
    {cudaDevAttrGlobalMemoryBusWidth, 1, "memory bus", "bits",
     "peak bandwidth (chapter 6)"},
    {cudaDevAttrMemoryClockRate, 1000, "memory clock", "MHz",
     "peak bandwidth (chapter 6)"},
    {cudaDevAttrClockRate, 1000, "SM clock", "MHz",
     "peak arithmetic (chapter 7)"},
    {cudaDevAttrAsyncEngineCount, 1, "copy engines", "",
     "copies beside kernels (chapter 11)"},
    {cudaDevAttrCooperativeLaunch, 1, "cooperative launch", "",
     "a barrier of the whole grid (chapter 8)"},
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* ask one question */
/* The answer, or -1 when this device does not know the question. */
static int answer(enum cudaDeviceAttr attribute, int device)
{
    int value = -1;

    if (cudaDeviceGetAttribute(&value, attribute, device) != cudaSuccess) {
        (void)cudaGetLastError(); /* or the next check would find it */
        return -1;
    }
    return value;
}

static void print_answer(const struct question *q, int device)
{
    int value = answer(q->attribute, device);

    if (value < 0)
        printf("  %-22s %8s %-10s %s\n", q->what, "-", q->unit, q->why);
    else
        printf("  %-22s %8d %-10s %s\n", q->what, value / q->divide, q->unit,
               q->why);
}

/* look up the lanes of an SM */
/* FP32 lanes of one SM, or 0 when this book does not know the device. */
static int lanes_per_sm(int major, int minor)
{
    int cc = 10 * major + minor;

    if (cc == 70 || cc == 75 || cc == 80)
        return 64;
    return cc >= 86 && cc <= 121 ? 128 : 0;
}

/* work out the two peaks */
static void print_peaks(int device, int major, int minor)
{
    double bus = answer(cudaDevAttrGlobalMemoryBusWidth, device);
    double memory = answer(cudaDevAttrMemoryClockRate, device); /* kHz */
    double clock = answer(cudaDevAttrClockRate, device);        /* kHz */
    double sms = answer(cudaDevAttrMultiProcessorCount, device);
    int lanes = lanes_per_sm(major, minor);

    if (bus > 0 && memory > 0)
        printf("  %-22s %8.0f %s\n", "peak bandwidth", 2e-6 * memory * bus / 8,
               "GB/s");
    if (lanes > 0 && clock > 0 && sms > 0)
        printf("  %-22s %8.1f %s\n", "peak FP32", 2e-9 * sms * lanes * clock,
               "TFLOP/s");
}

/* check that the answers fit together */
static void check_answers(const struct cudaDeviceProp *p, int device)
{
    int block = answer(cudaDevAttrMaxThreadsPerBlock, device);
    int sm = answer(cudaDevAttrMaxThreadsPerMultiProcessor, device);

    CHECK(p->multiProcessorCount ==
              answer(cudaDevAttrMultiProcessorCount, device),
          "the structure and the attribute differ in the number of SMs");
    CHECK(p->warpSize == answer(cudaDevAttrWarpSize, device),
          "the structure and the attribute differ in the warp's size");
    CHECK(p->multiProcessorCount > 0 && p->warpSize == 32,
          "%d SMs with warps of %d", p->multiProcessorCount, p->warpSize);
    CHECK(block > 0 && block % p->warpSize == 0 && (sm < 0 || block <= sm),
          "a block of %d threads on an SM of %d", block, sm);
    CHECK(p->totalGlobalMem > 0, "a device without memory");
}

/* ask every device every question */
int main(int argc, char **argv)
{
    struct cudaDeviceProp p;
    int count = 0, driver = 0, runtime = 0;

    args_parse(argc, argv, "what each device says of itself", NULL, 0);
    CUDA_CHECK(cudaGetDeviceCount(&count));
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    printf("driver for CUDA %d.%d, runtime %d.%d, %d device%s\n", driver / 1000,
           driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10, count,
           count == 1 ? "" : "s");
    for (int d = 0; d < count; d++) {
        CUDA_CHECK(cudaGetDeviceProperties(&p, d));
        printf("device %d: %s, compute capability %d.%d, %.1f GiB\n", d, p.name,
               p.major, p.minor, (double)p.totalGlobalMem / (1 << 30));
        for (int i = 0; i < QUESTIONS; i++)
            print_answer(&questions[i], d);
        print_peaks(d, p.major, p.minor);
        check_answers(&p, d);
    }
    CHECK(count > 0, "no device");
    return 0;
}
