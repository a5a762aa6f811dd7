/* heap.c: memory that kernels allocate and free themselves. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom/cuda_runtime_api.h"
#include "loom/heap.h"
#include "loom/loom_int.h"

struct head {
    struct head *before; /* in a checked program */
    size_t bytes;
    uint64_t unused, word;
};
static const uint64_t TAKEN = UINT64_C(0x6c6f6f6d68656170),
                      FREED = UINT64_C(0x6c6f6f6d66726565);
static size_t most = 8 << 20, used; /* (atomic) */
static struct head *last;

void *_Znwm(size_t bytes) __attribute__((weak)); /* operator new */
void _ZdlPv(void *p) __attribute__((weak));      /* operator delete */

void loom_heap_limit(size_t bytes)
{
    __atomic_store_n(&most, bytes, __ATOMIC_RELAXED);
}

static struct loom_area area_of(struct head *h)
{
    char *p = (char *)(h + 1);

    return (struct loom_area){.low = p,
                              .high = p + h->bytes,
                              .start = p,
                              .bytes = h->bytes,
                              .kind = LOOM_DEVICE,
                              .live = 1};
}

/* allocate in a kernel */
void *loom_heap_malloc(size_t bytes)
{
    struct head *h = NULL;

    if (!loom_current)
        return malloc(bytes);
    loom_current->inside++;
    if (bytes <= __atomic_load_n(&most, __ATOMIC_RELAXED) &&
        __atomic_add_fetch(&used, bytes, __ATOMIC_RELAXED) <=
            __atomic_load_n(&most, __ATOMIC_RELAXED))
        h = malloc(sizeof *h + (bytes ? bytes : 1));
    if (h) {
        h->word = TAKEN;
        h->bytes = bytes;
        memset(h + 1, 0xff, bytes);
        if (loom_hooks && loom_hooks->alloc) {
            struct loom_area a = area_of(h);

            loom_hooks->alloc(&a);
            h->before = last; /* one OS thread has the baton */
            last = h;
        }
    } else if (bytes <= most) {
        __atomic_sub_fetch(&used, bytes, __ATOMIC_RELAXED);
    }
    loom_current->inside--;
    return h ? h + 1 : NULL;
}

/* free in a kernel or on the host */
/* Whether p is the heap's; a block of the C library has a head, too. */
static int is_ours(void *p)
{
    uint64_t word;

    memcpy(&word, (char *)p - sizeof word, sizeof word);
    return word == TAKEN || word == FREED;
}

static void release(struct head *h)
{
    loom_current->inside++;
    if (h->word == FREED)
        loom_fail((struct loom_site){NULL, 0}, cudaErrorLaunchFailure,
                  "frees memory of the device's heap that was freed before");
    __atomic_sub_fetch(&used, h->bytes, __ATOMIC_RELAXED);
    h->word = FREED;
    if (loom_hooks && loom_hooks->release) {
        struct loom_area a = area_of(h);

        loom_hooks->release(&a);
    } else {
        free(h);
    }
    loom_current->inside--;
}

static void give_back(void *p, void (*host)(void *))
{
    if (!p)
        return;
    if (loom_current) {
        loom_current->fault = (uintptr_t)__builtin_return_address(0) - 1;
        if (!is_ours(p))
            loom_fail((struct loom_site){NULL, 0}, cudaErrorLaunchFailure,
                      "frees memory that no kernel has allocated");
        release((struct head *)p - 1);
    } else if (is_ours(p)) {
        loom_say(
            "the host frees memory that a kernel allocated: a kernel must");
    } else {
        host(p);
    }
}

/* describe and name the heap */
int loom_heap_describe(const void *p, char *text, size_t size)
{
    for (const struct head *h = last; h; h = h->before) {
        ptrdiff_t at = (const char *)p - (const char *)(h + 1);
        ptrdiff_t end = (ptrdiff_t)h->bytes;

        if (at < -16 || at >= end + 16)
            continue;
        snprintf(text, size,
                 "%td bytes %s a block of %zu bytes that a kernel"
                 " has allocated%s",
                 at < 0     ? -at
                 : at < end ? at
                            : at - end,
                 at < 0     ? "before"
                 : at < end ? "into"
                            : "past the end of",
                 h->bytes, h->word == FREED ? " and freed" : "");
        return 1;
    }
    return 0;
}

void loom_heap_free(void *p)
{
    give_back(p, free);
}

void *loom_heap_new(size_t bytes)
{
    return loom_current || !_Znwm ? loom_heap_malloc(bytes) : _Znwm(bytes);
}

void loom_heap_delete(void *p)
{
    give_back(p, _ZdlPv ? _ZdlPv : free);
}

/* The forms for arrays, and with a size; one name for each, as objcopy wants. */
void *loom_heap_news(size_t bytes)
{
    return loom_heap_new(bytes);
}

void loom_heap_deletes(void *p)
{
    loom_heap_delete(p);
}

void loom_heap_delete_sized(void *p, size_t bytes)
{
    (void)bytes;
    loom_heap_delete(p);
}

void loom_heap_deletes_sized(void *p, size_t bytes)
{
    (void)bytes;
    loom_heap_delete(p);
}
