/* loader.cuh: batches are filled, copied and used, three at the same time. */
#ifndef ASYNC_LOADER_CUH
#define ASYNC_LOADER_CUH

#include <string.h>

#include "stack/cuda_check.h"
#include "tour/check.h"

/* describe the loader */
enum { LOADER_SLOTS = 2 };

struct loader_slot {
    void *host, *device;
    cudaEvent_t copied, used;
};

/* Brings batches of `bytes` to the device: one is used, the next is sent. */
struct loader {
    size_t bytes;
    /* writes batch number `batch` to `to`, on the host */
    void (*fill)(void *source, int batch, void *to);
    void *source;
    cudaStream_t copies;
    long long sent, taken, given; /* batches, since loader_open */
    struct loader_slot slot[LOADER_SLOTS];
};

/* open the loader */
static inline void loader_open(struct loader *l, size_t bytes,
                               void (*fill)(void *source, int batch, void *to),
                               void *source)
{
    memset(l, 0, sizeof *l);
    l->bytes = bytes;
    l->fill = fill;
    l->source = source;
    CUDA_CHECK(cudaStreamCreateWithFlags(&l->copies, cudaStreamNonBlocking));
    for (int k = 0; k < LOADER_SLOTS; k++) {
        struct loader_slot *b = &l->slot[k];

        CUDA_CHECK(cudaMallocHost((void **)&b->host, bytes));
        CUDA_CHECK(cudaMalloc((void **)&b->device, bytes));
        CUDA_CHECK(
            cudaEventCreateWithFlags(&b->copied, cudaEventDisableTiming));
        CUDA_CHECK(cudaEventCreateWithFlags(&b->used, cudaEventDisableTiming));
    }
}

/* send a batch */
/* Fills and sends a batch. At most LOADER_SLOTS may be under way. */
static inline void loader_send(struct loader *l, int batch)
{
    struct loader_slot *b = &l->slot[l->sent % LOADER_SLOTS];

    CHECK(l->sent - l->given < LOADER_SLOTS, "batch %d: %d are under way",
          batch, LOADER_SLOTS);
    CUDA_CHECK(cudaEventSynchronize(b->copied));
    l->fill(l->source, batch, b->host);
    CUDA_CHECK(cudaStreamWaitEvent(l->copies, b->used, 0));
    CUDA_CHECK(cudaMemcpyAsync(b->device, b->host, l->bytes,
                               cudaMemcpyHostToDevice, l->copies));
    CUDA_CHECK(cudaEventRecord(b->copied, l->copies));
    l->sent++;
}

/* take a batch and give it back */
/* The oldest batch that was sent and not taken; what is put into s from now
   on may read it. */
static inline const void *loader_take(struct loader *l, cudaStream_t s)
{
    struct loader_slot *b = &l->slot[l->taken % LOADER_SLOTS];

    CHECK(l->taken < l->sent, "no batch was sent");
    CUDA_CHECK(cudaStreamWaitEvent(s, b->copied, 0));
    l->taken++;
    return b->device;
}

/* What reads the oldest batch that was taken is in s by now. */
static inline void loader_give(struct loader *l, cudaStream_t s)
{
    CHECK(l->given < l->taken, "no batch was taken");
    CUDA_CHECK(cudaEventRecord(l->slot[l->given % LOADER_SLOTS].used, s));
    l->given++;
}

/* close the loader */
static inline void loader_close(struct loader *l)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int k = 0; k < LOADER_SLOTS; k++) {
        struct loader_slot *b = &l->slot[k];

        CUDA_CHECK(cudaEventDestroy(b->used));
        CUDA_CHECK(cudaEventDestroy(b->copied));
        CUDA_CHECK(cudaFree(b->device));
        CUDA_CHECK(cudaFreeHost(b->host));
    }
    CUDA_CHECK(cudaStreamDestroy(l->copies));
}

#endif
