/* block.c: the threads of a block as fibers, and their barriers. */

/* include what the block needs */
#define _GNU_SOURCE
#include <link.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "loom/async.h"
#include "loom/block.h"
#include "loom/cluster.h"
#include "loom/cuda_runtime_api.h"
#include "loom/loom_int.h"

__thread struct loom_sm *loom_current;
const struct loom_hooks *loom_hooks __attribute__((weak));
static void run_threads(void);
_Noreturn static void go_home(struct loom_sm *sm);
_Noreturn static void report_deadlock(struct loom_sm *sm);

/* find a stack for a thread */
enum { STACK = 128 << 10, GUARD = 64 << 10 };

/* Takes a free stack for the current thread and returns its top. */
static char *take_stack(struct loom_sm *sm)
{
    unsigned k = sm->spare[--sm->spares];
    char *low = sm->stacks + (size_t)k * STACK;

    if (k >= sm->guarded) {
        mprotect(low, GUARD, PROT_NONE); /* should it fail: none, then */
        sm->guarded = k + 1;
    }
    sm->stack_of[sm->thread] = (unsigned short)k;
    return low + STACK - (k % 128) * 64;
}

/* Whether the address is in the guard of a stack. */
int loom_overflowed(const struct loom_sm *sm, const void *address)
{
    size_t at = (size_t)((const char *)address - sm->stacks);

    return at < (size_t)LOOM_BLOCK_SIZE * STACK && at % STACK < GUARD;
}

/* choose whose turn it is */
static int first_of(unsigned w, uint32_t lanes)
{
    return (int)(w * 32) + __builtin_ctz(lanes);
}

static int begins(const struct loom_sm *sm, unsigned t)
{
    return sm->warp[t / 32].fresh >> t % 32 & 1;
}

/* draw whose turn it is */
/* A number below n that follows from the seed, the launch and the block. */
unsigned loom_luck(struct loom_sm *sm, unsigned n)
{
    return (unsigned)((loom_draw(sm->luck, sm->drawn++) >> 32) * n >> 32);
}

static int draw_turn(struct loom_sm *sm)
{
    unsigned w = sm->thread / 32, can[LOOM_WARPS], n = 0;
    uint32_t lanes = sm->warp[w].ready | sm->warp[w].fresh;

    if (!lanes || loom_luck(sm, 8) == 0) {
        for (unsigned i = 0; i < sm->warps; i++)
            if (sm->warp[i].ready | sm->warp[i].fresh)
                can[n++] = i;
        if (n == 0)
            return -1;
        w = can[loom_luck(sm, n)];
        lanes = sm->warp[w].ready | sm->warp[w].fresh;
    }
    for (n = loom_luck(sm, (unsigned)__builtin_popcount(lanes)); n > 0; n--)
        lanes &= lanes - 1;
    return first_of(w, lanes);
}

/* The number of a thread that can go on or begin, or -1. */
static int choose(struct loom_sm *sm)
{
    unsigned w = sm->thread / 32, n = sm->warps;
    int t = sm->shuffled ? draw_turn(sm) : -1;

    if (t >= 0)
        return t;
    if (++sm->turns < 10000) {
        if (sm->warp[w].ready)
            return first_of(w, sm->warp[w].ready);
        if (sm->warp[w].fresh)
            return first_of(w, sm->warp[w].fresh);
        if (sm->warp[w].at_mask && loom_tell_active(sm, w))
            return first_of(w, sm->warp[w].ready);
    }
    sm->turns = 0;
    /* choose among the other warps */
    for (unsigned i = w + 1; i < n; i++)
        if (sm->warp[i].ready)
            return first_of(i, sm->warp[i].ready);
    for (unsigned i = 0; i < w; i++)
        if (sm->warp[i].ready)
            return first_of(i, sm->warp[i].ready);
    for (unsigned i = 0; sm->fresh && i < n; i++)
        if (sm->warp[i].fresh)
            return first_of(i, sm->warp[i].fresh);
    if (sm->warp[w].ready)
        return first_of(w, sm->warp[w].ready);
    for (unsigned i = 0; i < n; i++)
        if (sm->warp[i].at_mask && loom_tell_active(sm, i))
            return first_of(i, sm->warp[i].ready);
    if (loom_look_again(sm))
        for (unsigned i = 0; i < n; i++)
            if (sm->warp[(w + 1 + i) % n].ready)
                return first_of((w + 1 + i) % n,
                                sm->warp[(w + 1 + i) % n].ready);
    return -1;
}

/* take a turn */
static void enter(struct loom_sm *sm, unsigned t)
{
    sm->thread = t;
    sm->now = &sm->warp[t / 32];
    threadIdx = sm->index[t];
    if (loom_hooks && loom_hooks->thread_switch)
        loom_hooks->thread_switch(sm, t);
}

/* Gives the turn to thread t; the fiber that had it is stored in *save. */
LOOM_TURNS static void hand_over(struct loom_sm *sm, void **save, unsigned t)
{
    void *to = sm->saved[t];

    enter(sm, t);
    if (begins(sm, t)) {
        sm->now->fresh &= ~(1u << t % 32);
        sm->fresh--;
        sm->stalled = 0;
        to = loom_fresh(take_stack(sm), run_threads);
    } else {
        sm->now->ready &= ~(1u << t % 32);
    }
    sm->inside = 0;
    loom_switch(save, to, sm->now->result[t % 32]);
}

/* wait for a turn */
void loom_chance(struct loom_sm *sm)
{
    unsigned what = loom_luck(sm, 16);
    int was = sm->inside;

    if (what > 1)
        return;
    loom_come_in(sm);
    if (what == 1 || !sm->shuffled) {
        loom_pass_baton(sm);
    } else {
        sm->warp[sm->thread / 32].ready |= 1u << sm->thread % 32;
        loom_wait(sm);
    }
    sm->inside = was;
}
enum { OFTEN = 1000 };

void loom_wait(struct loom_sm *sm)
{
    unsigned self = sm->thread;
    int t;

    if (sm->shuffled && loom_luck(sm, 16) == 0 &&
        (sm->job->passed_on < OFTEN || loom_luck(sm, 64) == 0))
        loom_pass_baton(sm);
    if (sm->job->expired > 1)
        loom_end_of_time(sm, self);
    t = choose(sm);
    sm->steps++;
    if (t < 0)
        report_deadlock(sm);
    if ((unsigned)t == self)
        sm->warp[self / 32].ready &= ~(1u << self % 32);
    else
        hand_over(sm, &sm->saved[self], (unsigned)t);
}

/* leave direct mode */
void loom_leave_direct(struct loom_sm *sm)
{
    unsigned t = sm->thread;

    sm->direct = 0;
    sm->now = &sm->warp[t / 32];
    sm->fast = !loom_hooks && !sm->shuffled;
    sm->ended = sm->shuffled ? 0 : t;
    sm->fresh = sm->threads - sm->ended - 1;
    for (unsigned i = 0; i < sm->warps; i++) {
        struct loom_warp *w = &sm->warp[i];
        unsigned low = i * 32, n = sm->threads - low;

        w->live = n < 32 ? (1u << n) - 1 : ~0u;
        if (sm->ended >= low + 32)
            w->live = 0;
        else if (sm->ended > low)
            w->live &= ~0u << (t - low);
        w->fresh = w->live & ~(t / 32 == i ? 1u << t % 32 : 0);
        w->ready = w->spinning = w->at_block = w->at_warp = w->at_mask = 0;
        w->epoch = w->patience = 0;
    }
    sm->spares = 0; /* stack 0 is in use: the first to begin gets 1 */
    for (unsigned i = sm->threads; i-- > 1;)
        sm->spare[sm->spares++] = (unsigned short)i;
    sm->stack_of[t] = 0;
}

/* release the threads at the barrier */
static void release(struct loom_sm *sm)
{
    if (sm->barrier_kind == LOOM_GRID) {
        if (loom_hooks && loom_hooks->order)
            loom_hooks->order(sm, sm->launch, 0); /* before others go on */
        loom_wait_for_grid(sm);
    }
    for (unsigned i = 0; i < sm->warps; i++) {
        sm->warp[i].ready |= sm->warp[i].at_block;
        sm->warp[i].at_block = 0;
    }
    sm->arrived = sm->stalled = 0;
    sm->epoch++;
    sm->barriers++;
    sm->result = sm->votes;
    sm->votes = 0;
    if (loom_hooks && loom_hooks->barrier)
        loom_hooks->barrier(sm, sm->barrier_site);
}

/* arrive at a barrier */
int loom_barrier_at(int kind, int vote, const char *file, int line, int column)
{
    struct loom_sm *sm = loom_current;
    struct loom_warp *w = &sm->warp[sm->thread / 32];

    loom_come_in(sm);
    if (sm->direct)
        loom_leave_direct(sm);
    /* compare this place with where the others wait */
    if (sm->arrived == 0) {
        sm->barrier_site = (struct loom_site){file, line};
        sm->barrier_column = column;
        sm->barrier_thread = sm->thread;
        sm->barrier_kind = kind;
    } else if (line != sm->barrier_site.line || column != sm->barrier_column ||
               kind != sm->barrier_kind ||
               (file != sm->barrier_site.file &&
                strcmp(file, sm->barrier_site.file) != 0)) {
        struct loom_index other = sm->index[sm->barrier_thread];

        char columns[2][24] = {"", ""};

        if (line == sm->barrier_site.line)
            for (int i = 0; i < 2; i++)
                snprintf(columns[i], sizeof columns[i], ", column %d",
                         i ? sm->barrier_column : column);
        loom_fail(
            (struct loom_site){file, line}, cudaErrorLaunchFailure,
            "divergent barrier: it is at %s:%d%s, while thread (%u,%u,%u) waits"
            " at %s:%d%s; all threads of a block must come to the same barrier",
            file, line, columns[0], other.x, other.y, other.z,
            sm->barrier_site.file, sm->barrier_site.line, columns[1]);
    }
    sm->votes += vote != 0;
    w->at_block |= 1u << sm->thread % 32;
    if (++sm->arrived + sm->ended == sm->threads) {
        release(sm);
        w->ready &= ~(1u << sm->thread % 32);
    } else {
        loom_wait(sm);
    }
    sm->inside = 0;
    return sm->result;
}

/* arrive quickly */
LOOM_TURNS void loom_syncthreads_at(const char *file, int line, int column)
{
    struct loom_sm *sm = loom_current;
    struct loom_warp *w = sm->now;
    unsigned t = sm->thread, next;
    uint32_t ready = w->ready;

    if (!sm->fast || !sm->arrived || !ready ||
        sm->arrived + sm->ended + 1 == sm->threads ||
        sm->barrier_kind != LOOM_BLOCK || line != sm->barrier_site.line ||
        column != sm->barrier_column || file != sm->barrier_site.file) {
        loom_barrier_at(LOOM_BLOCK, 0, file, line, column);
        return;
    }
    sm->arrived++;
    w->at_block |= 1u << t % 32;
    next = w->first + (unsigned)__builtin_ctz(ready);
    w->ready = ready & (ready - 1);
    sm->thread = next;
    threadIdx = sm->index[next];
    loom_switch(&sm->saved[t], sm->saved[next], w->result[next % 32]);
}
int loom_barrier(int kind, int vote, const char *file, int line)
{
    return loom_barrier_at(kind, vote, file, line, 0);
}

void loom_syncthreads(const char *file, int line)
{
    loom_syncthreads_at(file, line, 0);
}

/* count the threads that wait at the same place */
/* How many wait where t does; 0 when t has returned or is not the first. */
static unsigned waiting_here(const struct loom_sm *sm, unsigned t)
{
    const struct loom_site *a = &sm->site[t];
    unsigned same = 0;

    for (unsigned u = 0; u < sm->threads; u++) {
        const struct loom_site *b = &sm->site[u];

        if (sm->warp[u / 32].live >> u % 32 & 1 && a->line == b->line &&
            strcmp(a->file, b->file) == 0 && same++ == 0 && u != t)
            return 0;
    }
    return same;
}

/* report a deadlock */
/* What a thread looks for that only other threads can bring. */
static const char *missing(const struct loom_sm *sm, unsigned t, char *text,
                           size_t size)
{
    if (sm->waits[t] == sm->cluster)
        return "at a barrier of the cluster";
    if (loom_tell_part(sm, sm->waits[t], text, size))
        return text;
    loom_tell_missing(sm->waits[t], text, size);
    return text;
}

_Noreturn static void report_deadlock(struct loom_sm *sm)
{
    char text[800] = "", what[100];
    unsigned first = sm->threads; /* a thread that waits */
    size_t n = 0;

    for (unsigned t = 0; t < sm->threads; t++)
        if (sm->warp[t / 32].at_block >> t % 32 & 1)
            sm->site[t] = sm->barrier_site;
    for (unsigned t = 0; t < sm->threads && n < sizeof text - 1; t++) {
        const struct loom_warp *w = &sm->warp[t / 32];
        unsigned same = waiting_here(sm, t);

        if (same == 0)
            continue;
        if (n == 0)
            first = t;
        /* say how many wait where */
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "\n  %s:%d: %u thread%s, from (%u,%u,%u) on, wait%s %s",
            sm->site[t].file, sm->site[t].line, same, same > 1 ? "s" : "",
            sm->index[t].x, sm->index[t].y, sm->index[t].z, same > 1 ? "" : "s",
            w->at_block >> t % 32 & 1 ? "at a barrier of the block"
            : sm->waits[t]            ? missing(sm, t, what, sizeof what)
                                      : "for lanes of the warp");
    }
    loom_fail(sm->site[first], cudaErrorLaunchFailure,
              "deadlock: no thread can go on, and %u of %u have returned%s",
              sm->ended, sm->threads, text);
}

/* put off copies */
void loom_copy_later(void *to, const void *from, size_t size, size_t zeros,
                     const char *file, int line)
{
    struct loom_sm *sm = loom_current;
    unsigned t = sm->thread;
    struct loom_copy *c;

    if ((size != 4 && size != 8 && size != 16) || zeros > size ||
        ((uintptr_t)to | (uintptr_t)from) % size)
        loom_fail((struct loom_site){file, line}, cudaErrorMisalignedAddress,
                  "a copy that arrives later has 4, 8 or 16 bytes, at"
                  " multiples of as many");
    if (!sm->copies)
        sm->copies = calloc(1, sizeof *sm->copies);
    if (!sm->copies)
        abort();
    if ((c = sm->copies->spare[t]))
        sm->copies->spare[t] = c->next;
    else if (!(c = malloc(sizeof *c)))
        abort();
    *c = (struct loom_copy){.to = to, .from = from, .size = size};
    c->zeros = zeros;
    c->group = sm->copies->groups[t];
    c->site = (struct loom_site){file, line};
    if (sm->copies->first[t])
        sm->copies->last[t]->next = c;
    else
        sm->copies->first[t] = c;
    sm->copies->last[t] = c;
    if (loom_hooks && loom_hooks->access)
        loom_hooks->access(sm, to, size, LOOM_WRITE | LOOM_UNSET, c->site);
    memset(to, 0xff, size);
}
void loom_commit_copies(void)
{
    if (loom_current->copies)
        loom_current->copies->groups[loom_current->thread]++;
}

void loom_wait_for_copies(size_t groups)
{
    struct loom_copies *all = loom_current->copies;
    unsigned t = loom_current->thread;
    struct loom_copy *c;

    while (all && (c = all->first[t]) && c->group + groups < all->groups[t]) {
        if (loom_hooks && loom_hooks->access)
            loom_hooks->access(loom_current, c->to, c->size, LOOM_WRITE,
                               c->site);
        memcpy(c->to, c->from, c->size - c->zeros);
        memset((char *)c->to + c->size - c->zeros, 0, c->zeros);
        all->first[t] = c->next;
        c->next = all->spare[t];
        all->spare[t] = c;
    }
}

static void forget_copies(struct loom_sm *sm)
{
    struct loom_copies *all = sm->copies;

    for (unsigned t = 0; t < LOOM_BLOCK_SIZE; t++)
        if (all->first[t]) {
            all->last[t]->next = all->spare[t];
            all->spare[t] = all->first[t];
            all->first[t] = NULL;
        }
    memset(all->groups, 0, sizeof all->groups);
}

/* end a thread */
_Noreturn static void go_home(struct loom_sm *sm)
{
    loom_come_in(sm);
    loom_switch(&sm->never, sm->home, 0);
    abort(); /* nobody comes back here */
}

_Noreturn void loom_leave(struct loom_sm *sm)
{
    sm->abandoned = 1;
    go_home(sm);
}

static void end_thread(struct loom_sm *sm)
{
    struct loom_warp *w = &sm->warp[sm->thread / 32];

    w->live &= ~(1u << sm->thread % 32);
    sm->ended++;
    sm->steps++;
    sm->stalled = 0;
    if (sm->ended == sm->threads)
        go_home(sm);
    if (sm->arrived && sm->arrived + sm->ended == sm->threads)
        release(sm);
    if (w->at_warp)
        loom_recheck_warp(sm, sm->thread / 32);
}

/* run threads directly */
LOOM_TURNS static void run_directly(struct loom_sm *sm, void (*thread)(void *),
                                    void *args)
{
    for (unsigned i = 0, n = sm->threads;;) {
        thread(args);
        if (!sm->direct)
            return;
        if (++i == n)
            go_home(sm);
        sm->thread = i;
        threadIdx = sm->index[i];
    }
}

/* run threads */
static void run_threads(void)
{
    struct loom_sm *sm = loom_current;
    void (*thread)(void *) = sm->launch->thread;
    void *args = sm->launch->args;
    int t;

    if (sm->direct)
        run_directly(sm, thread, args);
    else
        thread(args);
    for (;;) {
        loom_come_in(sm);
        if (loom_hooks && loom_hooks->thread_end)
            loom_hooks->thread_end(sm, sm->thread);
        end_thread(sm);
        t = choose(sm);
        if (t < 0)
            report_deadlock(sm);
        if (!begins(sm, (unsigned)t))
            break;
        sm->stack_of[t] = sm->stack_of[sm->thread];
        sm->warp[t / 32].fresh &= ~(1u << t % 32);
        sm->fresh--;
        enter(sm, (unsigned)t);
        sm->inside = 0;
        thread(args);
    }
    sm->spare[sm->spares++] = sm->stack_of[sm->thread];
    hand_over(sm, &sm->never, (unsigned)t);
}

/* run a block */
LOOM_TURNS static void leave_home(struct loom_sm *sm, void *fiber)
{
    sm->inside = 0;
    loom_switch(&sm->home, fiber, 0);
}

int loom_block(struct loom_sm *sm, uint64_t b)
{
    const struct loom_launch *l = sm->launch;

    sm->block = b;
    blockIdx.x = (unsigned)(b % l->grid.x);
    blockIdx.y = (unsigned)(b / l->grid.x % l->grid.y);
    blockIdx.z = (unsigned)(b / l->grid.x / l->grid.y);
    sm->direct = 1;
    sm->fast = 0;
    sm->arrived = sm->epoch = sm->stalled = sm->turns = 0;
    sm->votes = sm->abandoned = 0;
    sm->fault = 0;
    if (l->shared)
        memset(sm->dynamic, 0xff, l->shared);
    if (sm->copies)
        forget_copies(sm);
    memset(sm->at_cluster, 0, sm->threads);
    sm->idle = 0;
    if (loom_hooks && loom_hooks->block_begin)
        loom_hooks->block_begin(sm);
    /* choose the first thread */
    sm->luck = sm->job->order ? loom_draw(sm->job->order, b) : 0;
    sm->drawn = 0;
    sm->shuffled = sm->luck && loom_luck(sm, 4) != 0;
    enter(sm, sm->shuffled ? loom_luck(sm, sm->threads) : 0);
    if (loom_hooks || sm->shuffled)
        loom_leave_direct(sm);
    leave_home(sm, loom_fresh(sm->stacks + STACK, run_threads));
    sm->inside = 1;
    if (sm->async)
        loom_drop_async(sm);
    if (sm->groups)
        loom_drop_groups(sm);
    if (sm->abandoned)
        memset(sm->waits, 0, sizeof sm->waits);
    if (loom_hooks && loom_hooks->block_end)
        loom_hooks->block_end(sm);
    sm->blocks_done++;
    return !sm->abandoned;
}

/* answer what kernels ask */
void loom_atomic(const void *p, size_t size, const char *file, int line)
{
    if (loom_current && loom_hooks && loom_hooks->atomic)
        loom_hooks->atomic(loom_current, p, size,
                           (struct loom_site){file, line});
}

void loom_fence(const char *file, int line)
{
    if (loom_current && loom_hooks && loom_hooks->fence)
        loom_hooks->fence(loom_current, (struct loom_site){file, line});
}

int loom_is_cooperative(void)
{
    return loom_current->launch->cooperative;
}

unsigned loom_number(void)
{
    return loom_current->number;
}

LOOM_TURNS unsigned long long loom_nanoseconds(void)
{
    struct loom_sm *sm = loom_current;
    struct timespec now;
    int of_kernel = sm && !sm->inside;

    /* A signal would find who looks only at the clock in the C library, or on
       the way there: a thread gives up its turn here, and is let alone. */
    if (of_kernel) {
        loom_come_in(sm);
        if (sm->job->expired) {
            sm->site[sm->thread] = (struct loom_site){NULL, 0};
            sm->pc[sm->thread] = (uintptr_t)__builtin_return_address(0);
            loom_yield(sm);
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (of_kernel)
        sm->inside = 0;
    return 1000000000ull * (unsigned)now.tv_sec + (unsigned)now.tv_nsec;
}

/* find the range of thread-locals */
/* Called for each object of the program; the first is the program itself. */
static int note_thread_locals(struct dl_phdr_info *object, size_t n, void *p)
{
    struct loom_sm *sm = p;

    (void)n;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_TLS) {
            sm->shared_low = object->dlpi_tls_data;
            sm->shared_high = sm->shared_low + object->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

/* prepare for a launch */
static unsigned made; /* so far (atomic) */

struct loom_sm *loom_new_sm(void)
{
    struct loom_sm *sm = calloc(1, sizeof *sm);

    if (!sm)
        abort();
    sm->stacks =
        mmap(NULL, (size_t)LOOM_BLOCK_SIZE * STACK, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (sm->stacks == MAP_FAILED) {
        fprintf(stderr, "loom: no memory for the stacks of another block;"
                        " more blocks wait for one another than fit\n");
        abort();
    }
    mprotect(sm->stacks, GUARD, PROT_NONE);
    sem_init(&sm->baton, 0, 0);
    sm->guarded = 1;
    sm->inside = 1;
    for (unsigned i = 0; i < LOOM_WARPS; i++)
        sm->warp[i].first = 32 * i;
    sm->number = __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    return sm;
}
void loom_prepare(struct loom_sm *sm, struct job *j)
{
    uint3 d = j->launch->block;
    unsigned t = 0;

    sm->job = j;
    sm->launch = j->launch;
    if (!sm->shared_low) /* of the checker: see "Shared memory" */
        dl_iterate_phdr(note_thread_locals, sm);
    sm->dynamic = loom_dynamic;
    sm->dynamic_bytes = j->launch->shared;
    memset(sm->told, 0, sizeof sm->told);
    blockDim = d;
    gridDim = j->launch->grid;
    if (memcmp(&d, &sm->shape, sizeof d) == 0)
        return;
    sm->shape = d;
    sm->threads = d.x * d.y * d.z;
    sm->warps = (sm->threads + 31) / 32;
    for (unsigned z = 0; z < d.z; z++)
        for (unsigned y = 0; y < d.y; y++)
            for (unsigned x = 0; x < d.x; x++)
                sm->index[t] = (struct loom_index){x, y, z, t}, t++;
}
