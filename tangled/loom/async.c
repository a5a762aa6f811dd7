/* async.c: mbarriers, and bulk copies that arrive there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom/async.h"
#include "loom/block.h"
#include "loom/cluster.h"
#include "loom/cuda_runtime_api.h"
#include "loom/loom_int.h"
#include "loom/tensor_map.h"

/* describe mbarriers and copies */
/* Arrivals that the phase still waits for, those that each begins with, and bytes
   to come: 64 bits, as in CUDA, but in an order of our own. */
union mbarrier {
    uint64_t word;
    struct {
        uint64_t phase : 1, left : 20, count : 20;
        int64_t bytes : 22;
    };
};

struct transfer {
    struct transfer *next;
    void *bar, *to; /* bar NULL: a store, of a group of a thread */
    const void *from;
    size_t bytes, group;
    unsigned thread;
    int add, at[5];
    const struct loom_tensor_map *map; /* or NULL */
    struct loom_tensor_map copy; /* the thread that has asked may have ended */
    struct loom_site site;
};

struct loom_async { /* of a block */
    struct transfer *load, *store, **last_store;
    size_t groups[LOOM_BLOCK_SIZE]; /* that a thread has committed */
};

static struct loom_async *async_of(struct loom_sm *sm)
{
    if (!sm->async)
        sm->async = calloc(1, sizeof *sm->async);
    if (!sm->async)
        abort();
    if (!sm->async->last_store)
        sm->async->last_store = &sm->async->store;
    return sm->async;
}

static void touch(const void *p, size_t size, int how, struct loom_site site)
{
    if (loom_hooks && loom_hooks->access)
        loom_hooks->access(loom_current, p, size, how, site);
}

/* What follows one phase of a barrier is told by a key of its own. */
static void tell(const void *bar, unsigned phase, int how)
{
    struct loom_sm *of = loom_owner(loom_current, bar);

    if (loom_hooks && loom_hooks->order)
        loom_hooks->order(loom_current,
                          (void *)(((uintptr_t)bar + 1 + (phase & 1)) ^
                                   (of->block + 1) << 42),
                          how);
}

/* look at an mbarrier */
/* The barrier, after a look at it by this thread. */
static union mbarrier *look(void *bar, struct loom_site site)
{
    struct loom_sm *sm = loom_current;
    union mbarrier *b = bar;

    if ((uintptr_t)bar % 8 || !loom_owner(sm, bar))
        loom_fail(site, cudaErrorIllegalAddress,
                  "an mbarrier is 8 bytes of shared memory, at a multiple of"
                  " 8");
    touch(bar, 8, LOOM_READ | LOOM_STRONG, site);
    if (b->count == 0 || b->word == ~UINT64_C(0))
        loom_fail(site, cudaErrorLaunchFailure,
                  "here is no mbarrier: it was not initialized, or is no"
                  " longer one");
    return b;
}

/* Whether the phase is complete; then the next begins. */
static void turn(union mbarrier *b)
{
    loom_progress(loom_current);
    if (b->left || b->bytes)
        return;
    b->left = b->count;
    b->phase ^= 1;
}

void loom_mbarrier_init(void *bar, unsigned count, const char *file, int line)
{
    struct loom_site site = {file, line};
    union mbarrier *b = bar;

    if ((uintptr_t)bar % 8 || loom_owner(loom_current, bar) != loom_current)
        loom_fail(site, cudaErrorIllegalAddress,
                  "an mbarrier is 8 bytes of this block's shared memory, at a"
                  " multiple of 8");
    if (count < 1 || count > 0xfffff)
        loom_fail(site, cudaErrorLaunchFailure,
                  "an mbarrier counts 1 to 1048575 arrivals, not %u", count);
    touch(bar, 8, LOOM_WRITE, site);
    b->word = 0;
    b->left = b->count = count;
}

void loom_mbarrier_inval(void *bar, const char *file, int line)
{
    union mbarrier *b = look(bar, (struct loom_site){file, line});

    touch(bar, 8, LOOM_WRITE, (struct loom_site){file, line});
    b->word = ~UINT64_C(0);
}

/* arrive at an mbarrier */
void loom_mbarrier_expect(void *bar, int bytes, const char *file, int line)
{
    struct loom_site site = {file, line};
    union mbarrier *b = look(bar, site);
    long all = (long)b->bytes + bytes;

    if (all < -0xfffff || all > 0xfffff)
        loom_fail(site, cudaErrorLaunchFailure,
                  "an mbarrier waits for at most 1048575 bytes");
    b->bytes = all;
    if (bytes < 0)
        turn(b);
}

uint64_t loom_mbarrier_arrive(void *bar, unsigned count, unsigned bytes,
                              int drop, const char *file, int line)
{
    struct loom_site site = {file, line};
    union mbarrier *b = look(bar, site);
    uint64_t phase = b->phase;
    int was;

    if (bytes)
        loom_mbarrier_expect(bar, (int)bytes, file, line);
    if (count > b->left)
        loom_fail(site, cudaErrorLaunchFailure,
                  "%u arrive at an mbarrier that waits for %u more of %u:"
                  " initialize it with as many as arrive in a phase",
                  count, (unsigned)b->left, (unsigned)b->count);
    tell(bar, (unsigned)phase, LOOM_RELEASE);
    was = loom_current->inside;
    loom_come_in(loom_current); /* nobody else may arrive in between */
    b->left -= count;
    if (drop)
        b->count -= count;
    turn(b);
    loom_current->inside = was;
    return phase;
}

/* wait at an mbarrier */
static void carry_to(struct loom_sm *of, void *bar);

int loom_mbarrier_try(void *bar, unsigned parity, const char *file, int line)
{
    struct loom_sm *sm = loom_current;
    struct loom_site site = {file, line};
    union mbarrier *b;

    loom_come_in(sm);
    b = look(bar, site);
    if (b->phase == (parity & 1))
        carry_to(loom_owner(sm, bar), bar);
    if (b->phase == (parity & 1)) {
        sm->inside = 0;
        sm->site[sm->thread] = site;
        loom_yield(sm);
        return 0;
    }
    tell(bar, parity, LOOM_ACQUIRE);
    sm->inside = 0;
    return 1;
}

void loom_mbarrier_wait(void *bar, unsigned parity, const char *file, int line)
{
    struct loom_sm *sm = loom_current;
    union mbarrier *b;

    loom_come_in(sm);
    b = look(bar, (struct loom_site){file, line});
    for (;;) {
        if (b->phase == (parity & 1))
            carry_to(loom_owner(sm, bar), bar);
        if (b->phase != (parity & 1))
            break;
        loom_wait_for(sm, bar, file, line);
    }
    tell(bar, parity, LOOM_ACQUIRE);
    sm->inside = 0;
}

/* What an mbarrier lacks, for who reports a deadlock. */
void loom_tell_missing(const void *bar, char *text, size_t size)
{
    const union mbarrier *b = bar;

    snprintf(text, size,
             "for a phase of an mbarrier (it lacks %u of %u arrivals and %ld"
             " bytes)",
             (unsigned)b->left, (unsigned)b->count, (long)b->bytes);
}

/* carry bytes */
/* Copies bytes that are in global memory, one row of a box or all there is. */
static void carry(const struct transfer *t, void *to, const void *from,
                  size_t bytes)
{
    const float *f = from;

    touch(from, bytes, LOOM_READ, t->site);
    if (!t->add) {
        touch(to, bytes, LOOM_WRITE, t->site);
        memmove(to, from, bytes);
        return;
    }
    for (size_t i = 0; i < bytes / 4; i++) {
        float *sum = (float *)to + i;

        touch(sum, 4, LOOM_UPDATE | LOOM_STRONG, t->site);
        for (float old = *sum, new = old + f[i]; !__atomic_compare_exchange(
                 sum, &old, &new, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
             new = old + f[i])
            continue;
    }
}

/* Within 128 bytes, 16 at a time change places with the number of the row. */
static char *swizzled(char *p, int swizzle)
{
    uintptr_t a = (uintptr_t)p;
    unsigned mask = swizzle == 3 ? 0x70 : swizzle == 2 ? 0x30 : 0x10;

    return swizzle ? (char *)(a ^ (a >> 3 & mask)) : p;
}

/* Fills what lies outside of the tensor. */
static void fill(const struct loom_tensor_map *m, char *to)
{
    unsigned char none[8] = {0};

    if (m->nan && m->element == 2)
        memcpy(none, "\xff\x7f", 2);
    else if (m->nan && m->element == 4)
        memcpy(none, "\xff\xff\xff\x7f", 4);
    else if (m->nan)
        memcpy(none, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
    memcpy(to, none, m->element);
}

/* carry a box */
/* One row of a box, whose other coordinates are known; a row at a time is one
   access for each 16 bytes of shared memory. */
static void carry_row(const struct transfer *t, char *global, int inside,
                      char *shared)
{
    const struct loom_tensor_map *m = t->map;
    uint64_t size = m->size[0], sixteen = 16 / m->element;

    if (!t->bar) /* the H200 stores 16 bytes at a time */
        size = (size + sixteen - 1) / sixteen * sixteen;
    for (unsigned i = 0; i < m->box[0]; i++) {
        int64_t x = (int64_t)t->at[0] + i;
        int here = inside && x >= 0 && (uint64_t)x < size;
        char *s = swizzled(shared + i * m->element, m->swizzle);
        char *g = global + x * m->element;

        if (t->bar && here) {
            memcpy(s, g, m->element);
        } else if (t->bar) {
            fill(m, s);
        } else if (here && t->add) {
            carry(t, g, s, m->element);
        } else if (here) {
            memcpy(g, s, m->element);
        }
    }
    /* tell the checker of a row */
    int64_t low = t->at[0] < 0 ? -(int64_t)t->at[0] : 0;
    int64_t high = (int64_t)size - t->at[0];

    high = high > m->box[0] ? m->box[0] : high;
    if (inside && low < high && !t->add)
        touch(global + (t->at[0] + low) * m->element,
              (size_t)(high - low) * m->element,
              t->bar ? LOOM_READ : LOOM_WRITE, t->site);
}

static void carry_box(const struct transfer *t)
{
    const struct loom_tensor_map *m = t->map;
    char *shared = (char *)(t->bar ? t->to : (void *)t->from);
    unsigned n[5], at[5] = {0}, d;
    size_t row = (size_t)m->box[0] * m->element;

    for (d = 0; d < 5; d++)
        n[d] = d < m->dims ? (m->box[d] + m->step[d] - 1u) / m->step[d] : 1;
    touch(shared, t->bytes, t->bar ? LOOM_WRITE : LOOM_READ, t->site);
    do {
        char *global = m->start;
        int inside = 1;

        for (d = 1; d < m->dims; d++) {
            int64_t x = (int64_t)t->at[d] + (int64_t)at[d] * m->step[d];

            inside &= x >= 0 && (uint64_t)x < m->size[d];
            global += x * (int64_t)m->stride[d];
        }
        carry_row(t, global, inside, shared);
        shared += row;
        for (d = 1; d < 5 && ++at[d] == n[d]; d++)
            at[d] = 0;
    } while (d < 5);
}

/* deliver */
static void deliver(struct transfer *t)
{
    if (t->map)
        carry_box(t);
    else
        carry(t, t->to, t->from, t->bytes);
}

/* What is on its way to a barrier of this block arrives. */
static void carry_to(struct loom_sm *of, void *bar)
{
    struct transfer **p = of->async ? &of->async->load : NULL, *t;

    loom_current->nudge = 0; /* nobody else may have a turn before it is done */
    while (p && (t = *p)) {
        union mbarrier *b = bar;

        if (t->bar != bar) {
            p = &t->next;
            continue;
        }
        *p = t->next;
        tell(bar, (unsigned)b->phase, LOOM_ACQUIRE);
        deliver(t);
        tell(bar, (unsigned)b->phase, LOOM_RELEASE);
        b->bytes -= (int64_t)t->bytes;
        turn(b);
        free(t);
    }
}

/* send to a barrier */
/* Sends something on its way to a barrier. */
static void send(struct transfer t, void *bar, void *to)
{
    struct loom_sm *of = loom_owner(loom_current, bar);
    struct loom_sm *at = loom_owner(loom_current, to);
    struct transfer *own = malloc(sizeof *own), **p;
    union mbarrier *b = look(bar, t.site);

    if (!own)
        abort();
    if (of != at)
        loom_fail(t.site, cudaErrorIllegalAddress,
                  "a bulk copy and its mbarrier are in the shared memory of"
                  " the same block");
    t.bar = bar;
    t.to = to;
    *own = t;
    own->map = t.map ? &own->copy : NULL;
    touch(to, t.bytes, LOOM_WRITE | LOOM_UNSET, t.site);
    if (!loom_hooks)
        memset(to, 0xff, t.bytes);
    tell(bar, (unsigned)b->phase, LOOM_RELEASE);
    loom_come_in(loom_current);
    for (p = &async_of(of)->load; *p; p = &(*p)->next)
        continue;
    *p = own;
    loom_progress(loom_current);
    loom_current->inside = 0;
}

/* send copies to several barriers */
static void send_all(struct transfer t, void *bar, void *to, unsigned blocks)
{
    unsigned n = loom_cluster_size();

    if (!blocks)
        send(t, bar, to);
    if (blocks >> n)
        loom_fail(t.site, cudaErrorIllegalAddress,
                  "a copy to the blocks 0x%x of a cluster of %u", blocks, n);
    for (unsigned r = 0; r < n; r++)
        if (blocks >> r & 1)
            send(t, loom_map(bar, r, t.site.file, t.site.line),
                 loom_map(to, r, t.site.file, t.site.line));
}

/* send copies to a barrier */
static void check_bulk(const void *to, const void *from, size_t bytes,
                       struct loom_site site)
{
    if (((uintptr_t)to | (uintptr_t)from | bytes) % 16)
        loom_fail(site, cudaErrorMisalignedAddress,
                  "a bulk copy has multiples of 16 bytes, at multiples of 16");
}

static struct transfer tensor_transfer(const void *map, int dims, const int *at,
                                       const void *shared,
                                       struct loom_site site)
{
    const struct loom_tensor_map *m = map;
    struct transfer t = {.map = m, .site = site};

    if (m->mark != LOOM_TENSOR_MAP)
        loom_fail(site, cudaErrorLaunchFailure,
                  "this is no tensor map: fill one with"
                  " cuTensorMapEncodeTiled");
    if (m->dims != dims)
        loom_fail(site, cudaErrorLaunchFailure,
                  "the tensor map has %d dimensions, this copy %d", m->dims,
                  dims);
    if ((uintptr_t)shared % 128 || !loom_owner(loom_current, shared))
        loom_fail(site, cudaErrorMisalignedAddress,
                  "a box is in shared memory, at a multiple of 128 bytes");
    if ((int64_t)at[0] * m->element % 16)
        loom_fail(site, cudaErrorIllegalInstruction,
                  "a box begins at a multiple of 16 bytes of a row, this one"
                  " at element %d of %d bytes",
                  at[0], m->element);
    t.copy = *m;
    t.bytes = m->element;
    for (int d = 0; d < dims; d++) {
        t.at[d] = at[d];
        t.bytes *= d ? (m->box[d] + m->step[d] - 1u) / m->step[d] : m->box[0];
    }
    return t;
}

void loom_bulk_load(void *to, const void *from, size_t bytes, void *bar,
                    unsigned blocks, const char *file, int line)
{
    struct transfer t = {.from = from, .bytes = bytes, .site = {file, line}};

    check_bulk(to, from, bytes, t.site);
    if (!loom_owner(loom_current, to))
        loom_fail(t.site, cudaErrorIllegalAddress,
                  "a bulk copy with an mbarrier goes to shared memory");
    if (bytes)
        send_all(t, bar, to, blocks);
}

void loom_tensor_load(void *to, const void *map, int dims, const int *at,
                      void *bar, unsigned blocks, const char *file, int line)
{
    send_all(tensor_transfer(map, dims, at, to, (struct loom_site){file, line}),
             bar, to, blocks);
}

/* send copies from shared memory */
static void store(struct transfer t)
{
    struct loom_async *a = async_of(loom_current);
    struct transfer *own = malloc(sizeof *own);

    if (!own)
        abort();
    loom_come_in(loom_current);
    *own = t;
    own->map = t.map ? &own->copy : NULL;
    own->thread = loom_current->thread;
    own->group = a->groups[own->thread];
    touch(t.from, t.bytes, LOOM_READ, t.site);
    *a->last_store = own;
    a->last_store = &own->next;
    loom_current->inside = 0;
}

void loom_bulk_store(void *to, const void *from, size_t bytes, int add,
                     const char *file, int line)
{
    struct transfer t = {.to = to,
                         .from = from,
                         .bytes = bytes,
                         .add = add,
                         .site = {file, line}};

    check_bulk(to, from, bytes, t.site);
    if (loom_owner(loom_current, from) != loom_current ||
        loom_owner(loom_current, to))
        loom_fail(t.site, cudaErrorIllegalAddress,
                  "this bulk copy goes from shared to global memory");
    store(t);
}

void loom_tensor_store(const void *map, int dims, const int *at,
                       const void *from, int add, const char *file, int line)
{
    struct transfer t =
        tensor_transfer(map, dims, at, from, (struct loom_site){file, line});

    t.from = from;
    t.add = add;
    for (int d = 0; d < dims; d++)
        if (at[d] < 0)
            loom_fail(t.site, cudaErrorIllegalInstruction,
                      "a box that is stored begins within the tensor, this one"
                      " at %d in dimension %d",
                      at[d], d);
    if (add && t.map->type != 7)
        loom_fail(t.site, cudaErrorLaunchFailure,
                  "Loom adds boxes of float32 only so far");
    store(t);
}

/* wait for copies from shared memory */
void loom_bulk_commit(void)
{
    async_of(loom_current)->groups[loom_current->thread]++;
}

void loom_bulk_wait(size_t groups)
{
    struct loom_sm *sm = loom_current;
    struct loom_async *a = async_of(sm);
    struct transfer **p = &a->store, *mine = NULL, **end = &mine, *t;

    loom_come_in(sm); /* others have copies in the same list */
    sm->nudge = 0;
    while ((t = *p))
        if (t->thread == sm->thread &&
            t->group + groups < a->groups[sm->thread]) {
            *p = t->next;
            *end = t;
            end = &t->next;
        } else {
            p = &t->next;
        }
    *end = NULL;
    a->last_store = p;
    while ((t = mine)) {
        mine = t->next;
        deliver(t);
        free(t);
    }
    sm->inside = 0;
}

/* end what is on its way */
/* Called at the end of a block: what is still on its way has lost its memory. */
void loom_drop_async(struct loom_sm *sm)
{
    struct loom_async *a = sm->async;
    struct transfer *lost = a->load ? a->load : a->store, *t;
    struct loom_site site = lost ? lost->site : (struct loom_site){NULL, 0};
    int load = a->load != NULL;

    while ((t = a->load)) {
        a->load = t->next;
        free(t);
    }
    while ((t = a->store)) {
        a->store = t->next;
        free(t);
    }
    a->last_store = &a->store;
    memset(a->groups, 0, sizeof a->groups);
    if (lost && !sm->abandoned &&
        !__atomic_load_n(&sm->job->error, __ATOMIC_RELAXED))
        loom_note(sm, site, cudaErrorLaunchFailure,
                  load ? "the block ends before this bulk copy has arrived:"
                         " nobody waits at its mbarrier"
                       : "the block ends before this bulk copy has read its"
                         " shared memory: wait for its group");
}

/* What this thread did before comes before the bulk copies that follow. In
   Loom it always does. */
void loom_fence_async(void)
{
}

void loom_copies_arrive(void *bar, int noinc, const char *file, int line)
{
    union mbarrier *b = look(bar, (struct loom_site){file, line});

    if (!noinc)
        b->left++;
    loom_commit_copies();
    loom_wait_for_copies(0);
    loom_mbarrier_arrive(bar, 1, 0, 0, file, line);
}
