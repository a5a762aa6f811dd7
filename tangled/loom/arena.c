/* arena.c: device memory. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loom/arena.h"
#include "loom/cuda_runtime_api.h"
#include "loom/heap.h"
#include "loom/hooks.h"
#include "loom/loom.h"

/* hold the arena */
enum { GUARD = 1 << 20, CANARY = 0xa5, POISON = 0xff, FRONT = 256 };

static struct {
    pthread_mutex_t lock;
    char *base, *top, *end; /* reserved; never used so far */
    size_t page, used, limit;
    struct loom_area *area; /* in the order of their addresses */
    int n, room;
    int hidden; /* device memory is forbidden to the host now */
} arena = {.lock = PTHREAD_MUTEX_INITIALIZER, .hidden = 1};

/* reserve the arena */
static void reserve(void)
{
    size_t bytes = (size_t)1 << 41;

    loom_catch_signals();
    arena.page = (size_t)sysconf(_SC_PAGESIZE);
    arena.limit = arena.page * (size_t)sysconf(_SC_PHYS_PAGES);
    if (getenv("LOOM_MEMORY"))
        arena.limit = (size_t)loom_setting("LOOM_MEMORY",
                                           "a number of mebibytes", 1 << 30)
                      << 20;
    do {
        bytes /= 2;
        arena.base = mmap(NULL, bytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    } while (arena.base == MAP_FAILED && bytes > arena.page);
    arena.top = arena.base + GUARD;
    arena.end = arena.base + bytes;
}

static void enter(void)
{
    if (loom_in_kernel())
        loom_fail((struct loom_site){NULL, 0}, cudaErrorNotSupported,
                  "calls the runtime, which is the host's alone");
    pthread_mutex_lock(&arena.lock);
    if (!arena.base)
        reserve();
}

/* find the area of an address */
const struct loom_area *loom_find(const void *address)
{
    const char *p = address;
    int lo = 0, hi = arena.n;

    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (p < arena.area[mid].high + GUARD)
            hi = mid;
        else
            lo = mid + 1;
    }
    if (lo + 1 < arena.n && p >= arena.area[lo].high &&
        arena.area[lo + 1].low - p < p - arena.area[lo].high)
        lo++;
    if (lo == arena.n || p + GUARD < arena.area[lo].low)
        return NULL;
    return &arena.area[lo];
}

/* describe an address */
void loom_describe(const void *address, char *text, size_t size)
{
    const struct loom_area *a = loom_find(address);
    const char *p = address, *freed;
    size_t n = (size_t)snprintf(text, size, "0x%zx, ", (size_t)address);

    if (!a && loom_heap_describe(p, text + n, size - n))
        return;
    if (!a) {
        snprintf(text + n, size - n, "%s",
                 (uintptr_t)p < 65536 ? "near the null pointer"
                                      : "which is not device memory");
        return;
    }
    freed = a->live ? "" : "freed ";
    if (p < a->start)
        n += (size_t)snprintf(text + n, size - n, "%td bytes before",
                              a->start - p);
    else if (p < a->start + a->bytes)
        n += (size_t)snprintf(text + n, size - n, "byte %td of", p - a->start);
    else
        n += (size_t)snprintf(text + n, size - n, "%td bytes past the end of",
                              p - (a->start + a->bytes));
    n += (size_t)snprintf(text + n, size - n, " %s %sallocation of %zu bytes",
                          *freed ? "a" : "an", freed, a->bytes);
    if (a->file)
        snprintf(text + n, size - n, " made at %s:%d", a->file, a->line);
}

/* paint and check canaries */
static size_t front(const struct loom_area *a)
{
    return a->start - a->low < FRONT ? (size_t)(a->start - a->low) : FRONT;
}

static void paint(const struct loom_area *a)
{
    char *end = a->start + a->bytes;

    memset(a->start - front(a), CANARY, front(a));
    memset(end, CANARY, (size_t)(a->high - end));
}

/* The first byte of the canaries that was changed, or NULL. */
static const char *broken(const struct loom_area *a)
{
    for (const char *p = a->start - front(a); p < a->start; p++)
        if ((unsigned char)*p != CANARY)
            return p;
    for (const char *p = a->start + a->bytes; p < a->high; p++)
        if ((unsigned char)*p != CANARY)
            return p;
    return NULL;
}

/* inspect the canaries */
int loom_inspect(char *text, size_t size)
{
    for (int i = 0; i < arena.n; i++) {
        const struct loom_area *a = &arena.area[i];
        const char *p = a->live ? broken(a) : NULL;
        char where[400];

        if (!p)
            continue;
        loom_describe(p, where, sizeof where);
        snprintf(text, size, "some thread%s wrote to %s",
                 a->kind == LOOM_DEVICE ? "" : ", or the host before it,",
                 where);
        paint(a);
        return cudaErrorIllegalAddress;
    }
    return 0;
}

/* find room for an area */
/* Puts a into the table where bytes of pages and a guard fit; returns its
   index, or -1. */
static int place(struct loom_area a, size_t bytes)
{
    int i = arena.n;

    a.low = arena.top;
    if ((size_t)(arena.end - arena.top) < bytes + GUARD) {
        /* forget what was freed and look for a gap */
        int live = 0;

        for (i = 0; i < arena.n; i++)
            if (arena.area[i].live || arena.area[i].kept)
                arena.area[live++] = arena.area[i];
        arena.n = live;
        a.low = arena.base + GUARD;
        for (i = 0; i < arena.n; i++) {
            if ((size_t)(arena.area[i].low - a.low) >= bytes + GUARD)
                break;
            a.low = arena.area[i].high + GUARD;
        }
        if (i == arena.n && (size_t)(arena.end - a.low) < bytes + GUARD)
            return -1;
    } else {
        arena.top += bytes + GUARD;
    }
    if (arena.n == arena.room) {
        arena.room = 2 * arena.room + 64;
        arena.area = realloc(arena.area, (size_t)arena.room * sizeof a);
        if (!arena.area)
            abort();
    }
    memmove(&arena.area[i + 1], &arena.area[i],
            (size_t)(arena.n - i) * sizeof a);
    arena.n++;
    a.high = a.low + bytes;
    a.start = a.high - (a.bytes + 255) / 256 * 256;
    arena.area[i] = a;
    return i;
}

/* allocate */
void *loom_alloc(size_t bytes, enum loom_kind kind, const char *file, int line)
{
    struct loom_area a = {
        .bytes = bytes, .kind = kind, .live = 1, .file = file, .line = line};
    char *start = NULL;
    size_t span;
    int i = -1;

    enter();
    span = (bytes + arena.page - 1) / arena.page * arena.page;
    if (bytes <= arena.limit && span <= arena.limit - arena.used)
        i = place(a, span);
    if (i >= 0) {
        a = arena.area[i];
        mprotect(a.low, span, PROT_READ | PROT_WRITE);
        memset(a.start, POISON, bytes);
        paint(&a);
        arena.used += span;
        start = a.start;
        if (loom_hooks && loom_hooks->alloc)
            loom_hooks->alloc(&arena.area[i]);
        if (kind == LOOM_DEVICE && arena.hidden)
            mprotect(a.low, span, PROT_NONE);
    }
    pthread_mutex_unlock(&arena.lock);
    return start;
}

/* refuse to free */
static void refuse_pointer(const struct loom_area *a, const char *call,
                           const char *wrong, const char *where)
{
    if (loom_hooks && a && a->file)
        loom_report((struct loom_site){a->file, a->line},
                    "error: %s: the pointer %s\n  it is %s", call, wrong,
                    where);
    else
        loom_say("%s: the pointer %s\n  it is %s", call, wrong, where);
}

/* free */
int loom_release(void *p, enum loom_kind kind, const char *call)
{
    const char *wrong = NULL;
    char where[400];
    struct loom_area *a;

    enter();
    a = (struct loom_area *)loom_find(p);
    if (!a || a->start != p)
        wrong = "is not the beginning of an allocation";
    else if (!a->live)
        wrong = "was freed before";
    else if ((a->kind == LOOM_HOST) != (kind == LOOM_HOST))
        wrong = a->kind == LOOM_HOST ? "is host memory: use cudaFreeHost"
                                     : "is device memory: use cudaFree";
    if (wrong) {
        loom_describe(p, where, sizeof where);
        refuse_pointer(a, call, wrong, where);
    } else {
        /* give an area's pages back */
        if ((a->kind != LOOM_DEVICE || !arena.hidden) && broken(a)) {
            loom_describe(broken(a), where, sizeof where);
            loom_say("%s: the host or a kernel wrote to %s", call, where);
        }
        if (loom_hooks && loom_hooks->release)
            loom_hooks->release(a);
        a->live = 0;
        arena.used -= (size_t)(a->high - a->low);
        mmap(a->low, (size_t)(a->high - a->low), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
    pthread_mutex_unlock(&arena.lock);
    return wrong == NULL;
}

/* open and hide device memory */
static void protect(int access)
{
    for (int i = 0; i < arena.n; i++) {
        struct loom_area *a = &arena.area[i];

        if (a->live && a->kind == LOOM_DEVICE)
            mprotect(a->low, (size_t)(a->high - a->low), access);
    }
}

void loom_open(void)
{
    enter();
    if (arena.hidden)
        protect(PROT_READ | PROT_WRITE);
    arena.hidden = 0;
}

void loom_done(void)
{
    pthread_mutex_unlock(&arena.lock);
}
void loom_hide(void)
{
    int live = 0;

    if (loom_in_kernel())
        enter(); /* says that this is the host's alone */
    if (pthread_mutex_trylock(&arena.lock))
        return; /* somebody needs it, a kernel perhaps */
    for (int i = 0; i < arena.n; i++)
        live += arena.area[i].live;
    if (!arena.hidden && live <= 32 && arena.used <= (size_t)16 << 20) {
        protect(PROT_NONE);
        arena.hidden = 1;
    }
    pthread_mutex_unlock(&arena.lock);
}

void loom_memory(size_t *free, size_t *total)
{
    enter();
    *total = arena.limit;
    *free = arena.limit - arena.used;
    pthread_mutex_unlock(&arena.lock);
}

/* keep memory for graphs */
static void give_back(struct loom_area *a)
{
    if (loom_hooks && loom_hooks->release)
        loom_hooks->release(a);
    a->live = 0;
    arena.used -= (size_t)(a->high - a->low);
    mmap(a->low, (size_t)(a->high - a->low), PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void loom_keep(void *p)
{
    struct loom_area *a;

    enter();
    a = (struct loom_area *)loom_find(p);
    if (a->kept++ == 0 && a->live)
        give_back(a);
    pthread_mutex_unlock(&arena.lock);
}

void loom_unkeep(void *p)
{
    struct loom_area *a;

    enter();
    a = (struct loom_area *)loom_find(p);
    if (a && a->start == p && a->kept)
        a->kept--;
    pthread_mutex_unlock(&arena.lock);
}
int loom_revive(void *p)
{
    enum { MOST = 16 << 20 }; /* so that a large graph is not all poisoning */
    struct loom_area *a;
    int ok;

    enter();
    a = (struct loom_area *)loom_find(p);
    ok = a && a->start == p && a->kept && !a->live;
    if (ok) {
        mprotect(a->low, (size_t)(a->high - a->low), PROT_READ | PROT_WRITE);
        memset(a->start, POISON, a->bytes < MOST ? a->bytes : MOST);
        paint(a);
        a->live = 1;
        arena.used += (size_t)(a->high - a->low);
        if (loom_hooks && loom_hooks->alloc)
            loom_hooks->alloc(a);
        if (arena.hidden)
            mprotect(a->low, (size_t)(a->high - a->low), PROT_NONE);
    }
    pthread_mutex_unlock(&arena.lock);
    return ok;
}

int loom_alive(const void *p)
{
    const struct loom_area *a;
    int alive;

    enter();
    a = loom_find(p);
    alive = a && a->start == p && a->live;
    pthread_mutex_unlock(&arena.lock);
    return alive;
}

size_t loom_kept_bytes(void)
{
    size_t bytes = 0;

    enter();
    for (int i = 0; i < arena.n; i++)
        if (arena.area[i].live && arena.area[i].kept)
            bytes += arena.area[i].bytes;
    pthread_mutex_unlock(&arena.lock);
    return bytes;
}

/* let kernels use host memory */
void loom_register(const void *p, size_t bytes, int on)
{
    struct loom_area a = {.low = (char *)p,
                          .high = (char *)p + bytes,
                          .start = (char *)p,
                          .bytes = bytes,
                          .kind = LOOM_HOST,
                          .live = on};

    if (on && loom_hooks && loom_hooks->alloc)
        loom_hooks->alloc(&a);
    if (on)
        loom_written(p, bytes);
    if (!on && loom_hooks && loom_hooks->release)
        loom_hooks->release(&a);
}
