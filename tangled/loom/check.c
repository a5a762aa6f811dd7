/* check.c: is this access in bounds, initialised, and ordered? */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "loom/inst.h"

/* keep time */
uint32_t inst_now = 1;       /* counts whatever orders anything */
static uint32_t launch_time; /* when this kernel began */
static uint32_t grid_time;   /* when all blocks last met */
static uint64_t grid_left;   /* blocks that have gone on since (atomic) */

/* join clocks */
static uint32_t *entry(struct clock *c, uint32_t block)
{
    for (int i = 0; i < c->n; i++)
        if (c->of[i].block == block)
            return &c->of[i].time;
    if (c->n == c->room) {
        c->room = 2 * c->room + 8;
        c->of = realloc(c->of, (size_t)c->room * sizeof *c->of);
        if (!c->of)
            abort();
    }
    c->of[c->n] = (struct known){block, 0};
    return &c->of[c->n++].time;
}

static void learn(struct clock *c, uint32_t block, uint32_t time)
{
    uint32_t *e = entry(c, block);

    if (*e < time)
        *e = time;
}

static void join(struct clock *to, const struct clock *from)
{
    for (int i = 0; i < from->n; i++)
        learn(to, from->of[i].block, from->of[i].time);
}

/* decide whether an access came before */
static inline int before(const struct watch *w, const struct stamp *old,
                         int space)
{
    const struct lanes *mine = &w->lanes[w->warp];
    uint32_t other = old->who ^ w->who;

    if (old->time < (space == SHARED ? w->begun : launch_time) ||
        old->time < grid_time || other == 0)
        return 1;
    if (other >> 10) { /* another block */
        for (int i = 0; i < w->acquired.n; i++)
            if (w->acquired.of[i].block == old->who >> 10)
                return old->time < w->acquired.of[i].time;
        return 0;
    }
    if (old->time < w->barrier || old->time < mine->own)
        return 1;
    if (other >> 5) /* another warp */
        return 0;
    return old->time < mine->together ||
           (mine->partial && old->time < mine->met[w->lane][old->who & 31]);
}

/* find a race */
/* Whether the accesses collide, and nothing orders them. */
static inline int races(const struct watch *w, const struct stamp *old,
                        const struct stamp *new, int space)
{
    if (!(old->bytes & new->bytes) || before(w, old, space))
        return 0;
    if (!old->strong || !new->strong)
        return 1;
    /* volatile is no excuse within a warp's shared memory */
    return space == SHARED && old->strong == VOLATILE &&
           new->strong == VOLATILE && !((old->who ^ w->who) >> 5);
}

/* keep the reads that matter */
/* Of the reads since the last write, two: of different warps if possible. */
static inline void keep_read(const struct watch *w, struct stamp read[2],
                             const struct stamp *new, int space)
{
    if (before(w, &read[0], space) && !(read[0].bytes & ~new->bytes))
        read[0] = *new;
    else if (before(w, &read[1], space) || !((read[0].who ^ read[1].who) >> 5))
        read[1] = *new;
}

int check_crowded(const struct watch *w, const struct cell *c, int space)
{
    return !before(w, &c->read[0], space) && !before(w, &c->read[1], space);
}

/* postpone a race of equals */
static int equals(const struct watch *w, const struct stamp *old,
                  const struct stamp *new, const struct access *a)
{
    return a->kind == WRITE && old->site == new->site &&
           old->bytes == new->bytes && !((old->who ^ w->who) >> 5) &&
           w->equal_n < 32;
}

static void postpone(struct watch *w, const struct cell *c,
                     const struct access *a)
{
    struct equal *e = &w->equal[w->equal_n++];

    e->address = (a->address & ~(uintptr_t)3) + 4 * (size_t)(c - a->cell);
    e->value = *(uint32_t *)e->address;
    e->a = *a;
    e->old = c->write;
}
/* The thread has written now: the same as the other? */
void check_equals(struct watch *w)
{
    for (int i = 0; i < w->equal_n; i++) {
        const struct equal *e = &w->equal[i];
        uint32_t changed = *(uint32_t *)e->address ^ e->value;

        for (int k = 0; k < 4; k++)
            if (e->old.bytes >> k & 1 && changed >> 8 * k & 255) {
                report_race(w, &e->a, &e->old);
                break;
            }
    }
    w->equal_n = 0;
}

/* check one word */
static inline void check_word(struct watch *w, struct cell *c,
                              const struct stamp *new, const struct access *a)
{
    if (races(w, &c->write, new, a->space)) {
        if (equals(w, &c->write, new, a))
            postpone(w, c, a);
        else
            report_race(w, a, &c->write);
    }
    if (a->kind == READ) {
        keep_read(w, c->read, new, a->space);
        return;
    }
    for (int i = 0; i < 2; i++)
        if (races(w, &c->read[i], new, a->space))
            report_race(w, a, &c->read[i]);
    c->write = *new;
}

/* check an access word by word */
void check_access(struct watch *w, const struct access *a)
{
    struct stamp s = {.who = w->who,
                      .time = inst_now,
                      .site = (uint16_t)a->site,
                      .strong = (uint8_t)a->strong};
    unsigned from = a->address & 3, left = a->size;
    int unset = 0;

    for (unsigned i = 0; left; i++) {
        unsigned n = left < 4 - from ? left : 4 - from;

        s.bytes = (uint8_t)(((1u << n) - 1) << from);
        check_word(w, a->cell + i, &s, a);
        if (a->init && a->kind != READ)
            unset |= a->kind == UPDATE && s.bytes & ~a->init[i],
                a->init[i] |= s.bytes;
        else if (a->init && s.bytes & ~a->init[i])
            unset = 1;
        left -= n;
        from = 0;
    }
    if (unset)
        report_unset(w, a);
}

/* make room for flags */
static struct flag {
    uintptr_t address;
    struct clock clock;
} * flags;
static size_t flag_room, flag_count;

static struct flag *find_flag(uintptr_t address, int make);

static void grow_flags(void)
{
    struct flag *old = flags;
    size_t n = flag_room;

    flag_room = n ? 2 * n : 256;
    flags = calloc(flag_room, sizeof *flags);
    if (!flags)
        abort();
    flag_count = 0;
    for (size_t i = 0; i < n; i++)
        if (old[i].address)
            *find_flag(old[i].address, 1) = old[i];
    free(old);
}

/* keep a clock for each address that orders */
static struct flag *find_flag(uintptr_t address, int make)
{
    size_t i = address * 0x9e3779b97f4a7c15u >> 20;

    if (make && 2 * flag_count >= flag_room)
        grow_flags();
    if (!flag_room)
        return NULL;
    for (i &= flag_room - 1; flags[i].address; i = (i + 1) & (flag_room - 1))
        if (flags[i].address == address)
            return &flags[i];
    if (!make)
        return NULL;
    flag_count++;
    flags[i].address = address;
    return &flags[i];
}

static void drop_flags(void)
{
    for (size_t i = 0; i < flag_room; i++)
        free(flags[i].clock.of);
    free(flags);
    flags = NULL;
    flag_room = flag_count = 0;
}

/* order by fences and atomics */
static void take(struct watch *w, const struct clock *c)
{
    struct lanes *mine = &w->lanes[w->warp];

    for (int i = 0; i < c->n; i++)
        if (c->of[i].block != w->block)
            learn(&w->acquired, c->of[i].block, c->of[i].time);
        else if (mine->own < c->of[i].time)
            mine->own = c->of[i].time;
}

/* glimpse, and acquire */
/* Whether this thread has seen a flag that promised the access. */
int check_glimpse(const struct watch *w, const struct stamp *old)
{
    for (int i = 0; i < w->seen_n; i++)
        for (int k = 0; k < w->seen[i].clock.n; k++)
            if (w->seen[i].who == w->who &&
                w->seen[i].clock.of[k].block == old->who >> 10 &&
                w->seen[i].clock.of[k].time > old->time)
                return 1;
    return 0;
}
static void glimpse(struct watch *w, const struct clock *c)
{
    int i = 0;

    while (i < w->seen_n && w->seen[i].who != w->who)
        i++;
    if (i == w->seen_room) {
        w->seen_room = 2 * w->seen_room + 8;
        w->seen = realloc(w->seen, (size_t)w->seen_room * sizeof *w->seen);
        if (!w->seen)
            abort();
        memset(w->seen + i, 0, (size_t)(w->seen_room - i) * sizeof *w->seen);
    }
    if (i == w->seen_n) {
        w->seen[i].who = w->who;
        w->seen[i].clock.n = 0;
        w->seen_n++;
    }
    join(&w->seen[i].clock, c);
}

/* The threads from..to - 1 of the block know now what they have seen. */
static void acquire(struct watch *w, uint32_t from, uint32_t to)
{
    for (int i = 0; i < w->seen_n; i++)
        if ((w->seen[i].who & 1023) - from < to - from) {
            take(w, &w->seen[i].clock);
            w->seen[i].clock.n = 0;
        }
}

/* order by an atomic */
/* An atomic or volatile access; order as __ATOMIC_... numbers them. */
void check_flag(struct watch *w, uintptr_t address, int kind, int order)
{
    struct flag *f;

    if (kind != READ && order >= __ATOMIC_RELEASE)
        w->fence = ++inst_now;
    f = find_flag(address, kind != READ && w->fence);
    if (!f)
        return;
    if (kind == UPDATE || order >= __ATOMIC_ACQUIRE)
        take(w, &f->clock);
    else if (kind == READ)
        glimpse(w, &f->clock);
    if (kind != READ && w->fence) {
        join(&f->clock, &w->acquired);
        learn(&f->clock, w->block, w->fence);
    }
}

/* note what orders everybody */
void check_launch(void)
{
    launch_time = ++inst_now;
    grid_left = 0;
    drop_flags();
}

/* Called by each block that leaves a barrier of the grid. */
void check_grid(uint3 grid)
{
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;

    if (__atomic_fetch_add(&grid_left, 1, __ATOMIC_RELAXED) % blocks == 0)
        grid_time = ++inst_now;
}
void check_barrier(struct watch *w)
{
    w->barrier = w->since[SHARED] = ++inst_now;
    if (w->since[GLOBAL] < grid_time)
        w->since[GLOBAL] = grid_time;
    if (w->seen_n)
        acquire(w, 0, 1024);
    w->seen_n = 0;
}

void check_fence(struct watch *w)
{
    w->fence = ++inst_now;
    if (w->seen_n)
        acquire(w, w->who & 1023, (w->who & 1023) + 1);
}

void check_block(struct watch *w)
{
    w->begun = w->barrier = w->since[SHARED] = ++inst_now;
    w->since[GLOBAL] = launch_time > grid_time ? launch_time : grid_time;
    w->fence = 0;
    w->acquired.n = w->seen_n = 0;
    for (int i = 0; i < LOOM_WARPS; i++)
        w->lanes[i].partial = w->lanes[i].together = w->lanes[i].own = 0;
}

/* note lanes that meet */
void check_lanes(struct watch *w, unsigned warp, uint32_t mask, uint32_t live)
{
    struct lanes *v = &w->lanes[warp];
    uint32_t all[32] = {0};

    inst_now++;
    for (uint32_t m = w->seen_n ? mask : 0; m; m &= m - 1) {
        uint32_t t = warp * 32 + (uint32_t)__builtin_ctz(m);

        acquire(w, t, t + 1);
    }
    if (!(live & ~mask)) {
        v->together = inst_now;
        return;
    }
    if (!v->partial)
        memset(v->met, 0, sizeof v->met);
    v->partial = 1;
    for (uint32_t m = mask; m; m &= m - 1)
        for (int l = 0, k = __builtin_ctz(m); l < 32; l++)
            if (all[l] < v->met[k][l])
                all[l] = v->met[k][l];
    for (uint32_t m = mask; m; m &= m - 1)
        all[__builtin_ctz(m)] = inst_now;
    for (uint32_t m = mask; m; m &= m - 1)
        memcpy(v->met[__builtin_ctz(m)], all, sizeof all);
}
