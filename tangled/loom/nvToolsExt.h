/* nvToolsExt.h: marks for a profiler, which do nothing. C11 and C++17. */
#ifndef LOOM_NVTOOLSEXT_H
#define LOOM_NVTOOLSEXT_H

#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE sizeof(nvtxEventAttributes_t)
enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII };
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
    } message;
} nvtxEventAttributes_t;

#define LOOM_NVTX(T, name, parameter) \
    static inline T name(parameter p) \
    {                                 \
        (void)p;                      \
        return (T)0;                  \
    }
LOOM_NVTX(int, nvtxRangePushA, const char *)
LOOM_NVTX(int, nvtxRangePush, const char *)
LOOM_NVTX(int, nvtxRangePushEx, const nvtxEventAttributes_t *)
LOOM_NVTX(nvtxRangeId_t, nvtxRangeStartA, const char *)
LOOM_NVTX(nvtxRangeId_t, nvtxRangeStartEx, const nvtxEventAttributes_t *)
LOOM_NVTX(void, nvtxRangeEnd, nvtxRangeId_t)
LOOM_NVTX(void, nvtxMarkA, const char *)
LOOM_NVTX(void, nvtxMark, const char *)
#undef LOOM_NVTX
static inline int nvtxRangePop(void)
{
    return 0;
}
static inline void nvtxNameOsThreadA(uint32_t thread, const char *name)
{
    (void)thread, (void)name;
}
#endif
