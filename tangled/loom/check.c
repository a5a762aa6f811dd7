/* check.c: is this access in bounds, initialized, and ordered? */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "loom/inst.h"

/* keep time */
uint32_t inst_now = 1;       /* counts whatever orders anything */
static uint32_t launch_time; /* when this kernel began */
static uint32_t grid_time;   /* when all blocks last met */
static uint64_t grid_left;   /* blocks that have gone on since */
static uint32_t strangers;   /* the oldest that other streams may have left */
static uint64_t salt;        /* tells the blocks of launches apart */

/* The host may do it while a kernel runs. */
uint32_t check_tick(void)
{
    return __atomic_add_fetch(&inst_now, 1, __ATOMIC_RELAXED);
}

/* join clocks */
/* The first place whose key is not less. */
static int place_of(const struct clock *c, uint64_t whom)
{
    int lo = 0, hi = c->n;

    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (c->of[mid].whom < whom)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void make_room(struct clock *c, int n)
{
    if (n <= c->room)
        return;
    c->room = 2 * n + 6;
    c->of = realloc(c->of, (size_t)c->room * sizeof *c->of);
    if (!c->of)
        abort();
}

static void learn(struct clock *c, uint64_t whom, uint32_t time)
{
    int i = place_of(c, whom);

    if (i < c->n && c->of[i].whom == whom) {
        if (c->of[i].time < time)
            c->of[i].time = time;
        return;
    }
    make_room(c, c->n + 1);
    memmove(&c->of[i + 1], &c->of[i], (size_t)(c->n++ - i) * sizeof *c->of);
    c->of[i] = (struct known){whom, time};
}
static void join(struct clock *to, const struct clock *from)
{
    int more = 0, i = 0, k;

    if (from->n < to->n / 16 || from->n == 1) {
        for (k = 0; k < from->n; k++)
            learn(to, from->of[k].whom, from->of[k].time);
        return;
    }
    for (k = 0; k < from->n; k++) {
        while (i < to->n && to->of[i].whom < from->of[k].whom)
            i++;
        more += i == to->n || to->of[i].whom != from->of[k].whom;
    }
    make_room(to, to->n + more);
    i = to->n - 1;
    to->n += more;
    for (int at = to->n - 1, f = from->n - 1; f >= 0; at--)
        if (i >= 0 && to->of[i].whom > from->of[f].whom) {
            to->of[at] = to->of[i--];
        } else {
            struct known k = from->of[f--];

            if (i >= 0 && to->of[i].whom == k.whom) {
                k.time = k.time < to->of[i].time ? to->of[i].time : k.time;
                i--;
            }
            to->of[at] = k;
        }
}

static uint32_t known_until(const struct clock *c, uint64_t whom)
{
    int i = c->n ? place_of(c, whom) : 0;

    return i < c->n && c->of[i].whom == whom ? c->of[i].time : 0;
}

/* keep what a thread knows */
static struct private *find_own(struct watch *w, unsigned thread, int make)
{
    struct private *p;

    if (w->own_of[thread] || !make)
        return w->own_of[thread] ? &w->own[w->own_of[thread] - 1] : NULL;
    if (w->own_n == w->own_room) {
        w->own_room = 2 * w->own_room + 8;
        w->own = realloc(w->own, (size_t)w->own_room * sizeof *w->own);
        if (!w->own)
            abort();
        memset(w->own + w->own_n, 0,
               (size_t)(w->own_room - w->own_n) * sizeof *w->own);
    }
    w->informed = 1;
    w->own_of[thread] = (uint16_t)(w->own_n + 1);
    p = &w->own[w->own_n++];
    p->thread = thread;
    p->flag = 0;
    p->seen.n = p->known.n = 0;
    return p;
}

/* Others learn what the thread knows and has seen; its clocks are free. */
static void tell_all(struct watch *w, struct private *p, struct clock *to)
{
    struct private *last = &w->own[--w->own_n], gone = *p;

    join(to, &p->known);
    join(to, &p->seen);
    w->own_of[p->thread] = 0;
    if (p != last) {
        *p = *last;
        w->own_of[p->thread] = (uint16_t)(p - w->own + 1);
        *last = gone;
    }
}
/* Of some lanes of an old access, those that a clock does not know. */
static uint32_t beyond(const struct clock *c, const struct stamp *old,
                       uint32_t lanes)
{
    uint64_t warp = old->how >> BY_WARP, block = (warp >> 5) * 2048;
    uint64_t first = block + warp % 32 * 32;

    if (!c->n || !lanes)
        return lanes;
    if (old->time < known_until(c, block + ALL) ||
        old->time < known_until(c, block + WARP + warp % 32))
        return 0;
    for (const struct known *k = c->of + place_of(c, first);
         k < c->of + c->n && k->whom < first + 32; k++)
        if (old->time < k->time)
            lanes &= ~(1u << (k->whom - first));
    return lanes;
}

/* Without the lanes that the current thread knows by flags. */
static uint32_t unknown(const struct watch *w, const struct stamp *old)
{
    unsigned mine = w->own_of[w->who];
    uint32_t lanes = beyond(&w->acquired, old, old->lanes);

    lanes = beyond(&w->lanes[w->warp].acquired, old, lanes);
    return mine ? beyond(&w->own[mine - 1].known, old, lanes) : lanes;
}

/* decide whether an access came before */
/* Whether no thread of this kernel has left it. */
int check_strange(const struct stamp *old)
{
    return old->how >> BY_BLOCK >= BY_CALL || old->time < launch_time;
}

/* The lanes of the old access that nothing orders before this thread. */
static uint32_t unordered(const struct watch *w, const struct stamp *old,
                          int space)
{
    const struct lanes *mine = &w->lanes[w->warp];
    struct stamp left = *old;

    if (old->time < w->since[space])
        return 0;
    if (space == GLOBAL && check_strange(old))
        return order_stranger(old) ? old->lanes : 0;
    if (space == GLOBAL && old->time < w->met)
        return 0;
    if (old->how >> BY_BLOCK == w->block && old->time < w->barrier)
        return 0;
    if (old->how >> BY_WARP == w->warp_id) {
        if (old->time < mine->together)
            return 0;
        left.lanes &= ~w->bit; /* the thread itself */
        for (int l = 0; mine->partial && l < 32; l++)
            if (old->time < mine->met[w->lane][l])
                left.lanes &= ~(1u << l);
    }
    return w->informed ? unknown(w, &left) : left.lanes;
}

/* find a race */
/* The lanes of the old access that the new one collides with unordered. */
static inline uint32_t races(const struct watch *w, const struct stamp *old,
                             const struct stamp *new, int space)
{
    uint64_t both = old->how & new->how;
    int strong = (int)(old->how & 15), now = (int)(new->how & 15);

    if (!(both >> BY_BYTES & 15))
        return 0;
    /* volatile is no excuse within a warp's shared memory */
    if (strong && now &&
        !(space == SHARED && strong == VOLATILE && now == VOLATILE &&
          old->how >> BY_WARP == w->warp_id))
        return 0;
    return unordered(w, old, space);
}

/* keep more reads */
enum { MORE = 1 << 18, PAIRS = 1 << 20 };
static struct more {
    const struct stamp *at; /* the third place of the cell */
    struct stamp read;
    uint32_t next; /* of the chain: 1 + its place, or 0 */
} more[MORE];
static uint32_t chain[MORE], pair[PAIRS];
uint32_t check_more; /* how many there are */
int check_fences;    /* the program has a fence */
extern char __start_loom_fences[] __attribute__((weak));

__attribute__((constructor)) static void look_for_fences(void)
{
    check_fences = __start_loom_fences != NULL;
}

static uint32_t mix(const void *at, uint64_t warp, uint32_t room)
{
    uint64_t key = (uintptr_t)at / 64 + warp * 0x9e3779b97f4a7c15u;

    return (uint32_t)(key * 0xbf58476d1ce4e5b9u >> 32) & (room - 1);
}

static void forget_more(void)
{
    if (check_more) {
        memset(chain, 0, sizeof chain);
        memset(pair, 0, sizeof pair);
    }
    check_more = 0;
}
static void keep_more(const struct watch *w, const struct stamp *at,
                      const struct stamp *read)
{
    uint64_t warp = read->how >> BY_WARP;
    uint32_t i = mix(at, warp, PAIRS);
    struct more *m;

    if (!check_fences || check_more == MORE || read->time < w->since[GLOBAL])
        return;
    for (; pair[i]; i = (i + 1) & (PAIRS - 1)) {
        m = &more[pair[i] - 1];
        if (m->at == at && m->read.how >> BY_WARP == warp) {
            if (shares(&m->read, read))
                m->read.lanes |= read->lanes;
            else
                m->read = *read;
            return;
        }
    }
    m = &more[check_more++];
    pair[i] = check_more;
    i = mix(at, 0, MORE);
    *m = (struct more){at, *read, chain[i]};
    chain[i] = check_more;
}

/* keep the reads that matter */
static int knows_read(const struct watch *w, const struct stamp *old,
                      const struct stamp *new, int space)
{
    return !(old->how & ~new->how & 15 << BY_BYTES) &&
           !unordered(w, old, space);
}

static void keep_read(const struct watch *w, struct stamp read[3],
                      const struct stamp *new, int space)
{
    uint64_t apart = read[0].how ^ read[1].how;
    int strong = new->how & 15 ? 1 : 0, weak = 0; /* weak: a place to take */

    for (int i = 0; i < 3; i++)
        if (shares(&read[i], new)) {
            read[i].lanes |= new->lanes;
            return;
        }
    for (int i = 0; i < 3; i++)
        if (knows_read(w, &read[i], new, space)) {
            read[i] = *new;
            return;
        }
    /* find the place for a read that is worth most */
    if (strong && !(read[2].how & 15)) {
        if (space == GLOBAL)
            keep_more(w, &read[2], new);
        return; /* a plain one finds more */
    }
    if (!strong && read[1].how & 15)
        weak = 1;
    else if (!strong && read[0].how & 15)
        weak = 0;
    else if (strong == (int)((read[1].how & 15) != 0) && !(apart >> BY_BLOCK) &&
             ((read[0].how ^ new->how) >> BY_BLOCK ||
              (!(apart >> BY_WARP) && (read[0].how ^ new->how) >> BY_WARP)))
        weak = 1;
    else
        weak = 2;
    if (space == GLOBAL)
        keep_more(w, &read[2], &read[2]);
    if (weak < 2)
        read[2] = read[weak];
    read[weak] = *new;
}

/* postpone a race of equals */
static void collide(struct watch *w, const struct cell *c,
                    const struct access *a, const struct stamp *old,
                    uint32_t lanes)
{
    struct equal *e = &w->equal[w->equal_n];
    struct stamp mine = {w->warp_id << BY_WARP | (uint64_t)a->site << BY_SITE,
                         w->bit, w->time};

    if (a->space == GLOBAL && check_strange(old)) {
        report_stranger(w, &mine, old);
        return;
    }

    if (a->kind != WRITE || w->equal_n == 32 ||
        inst_site[(uint16_t)(old->how >> BY_SITE)].kind != WRITE) {
        report_race(w, a, old, lanes, 0);
        return;
    }
    w->equal_n++;
    e->address = (a->address & ~(uintptr_t)3) + 4 * (size_t)(c - a->cell);
    e->value = *(uint32_t *)e->address;
    e->lanes = lanes;
    e->a = *a;
    e->old = *old;
    e->block = w->block;
    e->who = w->who;
}
/* The thread has written now: has that changed anything? */
void check_equals(struct watch *w)
{
    for (int i = 0; i < w->equal_n; i++) {
        const struct equal *e = &w->equal[i];
        uint32_t changed = *(uint32_t *)e->address ^ e->value;
        int same = 1;

        for (int k = 0; k < 4; k++)
            if (e->old.how >> (BY_BYTES + k) & 1 && changed >> 8 * k & 255)
                same = 0;
        if (!same || (uint16_t)(e->old.how >> BY_SITE) != e->a.site ||
            e->old.how >> BY_WARP != (e->block << 5 | e->who >> 5))
            report_race(w, &e->a, &e->old, e->lanes, same);
    }
    w->equal_n = 0;
}

/* check one word */
static inline void check_word(struct watch *w, struct cell *c,
                              const struct stamp *new, const struct access *a)
{
    uint32_t lanes = races(w, &c->write, new, a->space);

    if (lanes)
        collide(w, c, a, &c->write, lanes);
    if (a->kind == READ) {
        keep_read(w, c->read, new, a->space);
        return;
    }
    for (int i = 0; i < 3; i++) {
        lanes = races(w, &c->read[i], new, a->space);
        if (lanes)
            collide(w, c, a, &c->read[i], lanes);
        if (knows_read(w, &c->read[i], new, a->space))
            c->read[i].time = 0;
    }
    /* look for races with more reads */
    for (uint32_t i = check_more ? chain[mix(&c->read[2], 0, MORE)] : 0; i;
         i = more[i - 1].next)
        if (more[i - 1].at == &c->read[2]) {
            lanes = races(w, &more[i - 1].read, new, a->space);
            if (lanes)
                collide(w, c, a, &more[i - 1].read, lanes);
        }
    lanes = !a->strong && shares(&c->write, new) ? c->write.lanes : 0;
    c->write = *new;
    c->write.lanes |= lanes;
}

/* check an access word by word */
void check_access(struct watch *w, const struct access *a)
{
    uint64_t how = w->warp_id << BY_WARP | (uint64_t)a->site << BY_SITE |
                   (uint64_t)a->strong;
    unsigned from = a->address & 3, left = a->size;
    int unset = 0;

    for (unsigned i = 0; left; i++) {
        unsigned n = left < 4 - from ? left : 4 - from;
        unsigned bytes = ((1u << n) - 1) << from;
        struct stamp s = {how | bytes << BY_BYTES, w->bit, w->time};

        check_word(w, a->cell + i, &s, a);
        if (a->init && a->kind != READ)
            unset |= a->kind == UPDATE && bytes & ~a->init[i],
                a->init[i] |= (unsigned char)bytes;
        else if (a->init && bytes & ~a->init[i])
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
    uint32_t version; /* of the clock */
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
static void learn_fence(struct watch *w, struct clock *c, unsigned thread)
{
    const struct fence *f = &w->fence[thread];
    uint64_t block = w->block * 2048;

    if (f->time <= w->begun)
        return;
    learn(c, block + thread, f->time);
    if (f->barrier > w->begun)
        learn(c, block + ALL, f->barrier);
    if (f->together > f->barrier)
        learn(c, block + WARP + thread / 32, f->together);
}

static void learn_meetings(struct watch *w, struct clock *c)
{
    struct lanes *v = &w->lanes[w->warp];
    uint64_t block = w->block * 2048;
    uint32_t own = w->fence[w->who].time;

    if (v->fenced > w->begun)
        learn(c, block + WARP + w->warp, v->fenced);
    for (unsigned l = 0; l < 32; l++) {
        uint32_t t = v->passed[l];

        if (v->partial && v->met[w->lane][l] <= own && t < v->met[w->lane][l])
            t = v->met[w->lane][l];
        if (t > w->begun && t > v->fenced)
            learn(c, block + w->warp * 32 + l, t);
    }
}
static void shorten(struct clock *c)
{
    int n = 0;

    if (c->n <= 4096)
        return;
    for (int i = 0; i < c->n; i++) {
        struct known k = {c->of[i].whom / 2048 * 2048 + ALL, c->of[i].time};

        if (n && c->of[n - 1].whom == k.whom) {
            if (c->of[n - 1].time < k.time)
                c->of[n - 1].time = k.time;
        } else {
            c->of[n++] = k;
        }
    }
    c->n = n;
}

static int has_fenced(const struct watch *w)
{
    return w->fence[w->who].time > w->begun || w->fenced > w->begun ||
           w->passed.n || w->lanes[w->warp].fenced > w->begun ||
           w->lanes[w->warp].passed[w->lane] > w->begun;
}
static void release_to(struct watch *w, struct flag *f)
{
    struct private *mine = find_own(w, w->who, 0);

    learn_fence(w, &f->clock, w->who);
    learn_meetings(w, &f->clock);
    if (w->fenced > w->begun)
        learn(&f->clock, w->block * 2048 + ALL, w->fenced);
    join(&f->clock, &w->passed);
    join(&f->clock, &w->acquired);
    join(&f->clock, &w->lanes[w->warp].acquired);
    if (mine)
        join(&f->clock, &mine->known);
    shorten(&f->clock);
    f->version++;
}

/* note what orders everybody */
void check_launch(const struct loom_launch *l)
{
    uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    static uint64_t launches;

    if (inst_now > 3000000000u) {
        forget_stamps();
        order_reset();
        inst_now = grid_time = 0;
    }
    launch_time = check_tick();
    strangers = order_launch(l, launch_time);
    salt = blocks <= BLOCKS ? launches++ % 14 * BLOCKS : 0;
    grid_left = 0;
    drop_flags();
    forget_more();
}

/* Called by each block that leaves a barrier of the grid. */
void check_grid(uint3 grid)
{
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;

    if (grid_left++ % blocks == 0) {
        grid_time = check_tick();
        forget_more();
    }
}
static void tell_time(struct watch *w)
{
    w->time = w->turned[w->who];
    if (w->time < w->barrier)
        w->time = w->barrier;
    if (w->time < w->lanes[w->warp].together)
        w->time = w->lanes[w->warp].together;
}

void check_turn(struct watch *w, unsigned thread)
{
    w->who = thread;
    w->warp = thread / 32;
    w->lane = thread % 32;
    w->bit = 1u << w->lane;
    w->warp_id = w->block << 5 | w->warp;
    tell_time(w);
}
void check_barrier(struct watch *w, unsigned threads)
{
    uint32_t before = w->barrier;

    w->barrier = w->since[SHARED] = check_tick();
    w->met = grid_time;
    if (w->since[GLOBAL] < grid_time && strangers == launch_time)
        w->since[GLOBAL] = grid_time;
    if (w->fences >= threads)
        w->fenced = w->barrier;
    else if (w->fences)
        for (unsigned t = 0; t < 1024; t++)
            if (w->fence[t].time > before)
                learn_fence(w, &w->passed, t);
    w->fences = 0;
    for (int i = 0; w->informed && i < LOOM_WARPS; i++) {
        join(&w->acquired, &w->lanes[i].acquired);
        w->lanes[i].acquired.n = 0;
    }
    while (w->own_n)
        tell_all(w, &w->own[w->own_n - 1], &w->acquired);
    tell_time(w);
}
void check_fence(struct watch *w)
{
    struct fence *f = &w->fence[w->who];
    struct private *mine = find_own(w, w->who, 0);

    check_fences = 1;
    w->fences += f->time <= w->barrier;
    *f = (struct fence){check_tick(), w->barrier, w->lanes[w->warp].together};
    w->turned[w->who] = f->time;
    if (mine) {
        join(&mine->known, &mine->seen);
        mine->seen.n = 0;
    }
    tell_time(w);
}

void check_block(struct watch *w)
{
    struct loom_cluster *c = w->sm->cluster;

    w->begun = w->barrier = w->since[SHARED] = check_tick();
    w->block += salt;
    if (c && !c->began)
        c->began = w->begun;
    if (c) /* its other blocks may have touched this one's memory */
        w->begun = c->began;
    w->met = launch_time > grid_time ? launch_time : grid_time;
    w->since[GLOBAL] = strangers < launch_time ? strangers : w->met;
    w->acquired.n = w->passed.n = w->informed = w->equal_n = 0;
    w->fences = 0;
    w->fenced = 0;
    while (w->own_n)
        w->own_of[w->own[--w->own_n].thread] = 0;
    for (int i = 0; i < LOOM_WARPS; i++)
        w->lanes[i].partial = 0, w->lanes[i].acquired.n = 0;
}

/* glimpse, and acquire */
/* Whether this thread has seen a flag that promised the access. */
int check_glimpse(const struct watch *w, const struct stamp *old, unsigned lane)
{
    unsigned mine = w->own_of[w->who];

    return mine && !beyond(&w->own[mine - 1].seen, old, 1u << lane);
}

/* order by an atomic */
/* An atomic or volatile access; order as __ATOMIC_... numbers them. */
void check_flag(struct watch *w, uintptr_t address, int kind, int order)
{
    struct private *mine;
    struct flag *f;
    int acquires = kind == UPDATE || order >= __ATOMIC_ACQUIRE;

    if (kind != READ && order >= __ATOMIC_RELEASE)
        check_fence(w);
    f = find_flag(address, kind != READ && has_fenced(w));
    if (!f)
        return;
    if (f->clock.n && kind != WRITE) {
        mine = find_own(w, w->who, 1);
        if (mine->flag != address || mine->version != f->version || acquires)
            join(acquires ? &mine->known : &mine->seen, &f->clock);
        mine->flag = address;
        mine->version = f->version;
    }
    if (kind != READ && has_fenced(w))
        release_to(w, f);
}

/* note lanes that meet */
/* What lanes know by flags and fences, all of them know now. */
static void share_knowledge(struct watch *w, unsigned warp, uint32_t mask,
                            int whole)
{
    struct lanes *v = &w->lanes[warp];
    struct clock sum = {NULL, 0, 0};
    unsigned fenced = 0;

    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m), t = warp * 32 + l;
        struct private *p = find_own(w, t, 0);
        uint32_t f = w->fence[t].time;

        fenced += f > w->barrier && f > v->together;
        if (v->passed[l] < f)
            v->passed[l] = f;
        if (p)
            tell_all(w, p, whole ? &v->acquired : &sum);
    }
    if (whole && fenced == (unsigned)__builtin_popcount(mask))
        v->fenced = inst_now;
    for (uint32_t m = sum.n ? mask : 0; m; m &= m - 1)
        join(&find_own(w, warp * 32 + (unsigned)__builtin_ctz(m), 1)->known,
             &sum);
    free(sum.of);
}
/* The lanes of `mask` have met; `every` are all that the warp ever had. */
void check_lanes(struct watch *w, unsigned warp, uint32_t mask, uint32_t every)
{
    struct lanes *v = &w->lanes[warp];
    uint32_t all[32] = {0};

    check_tick();
    if (w->own_n || w->fences)
        share_knowledge(w, warp, mask, mask == every);
    if (mask == every) {
        v->together = inst_now;
        tell_time(w);
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
    for (uint32_t m = mask; m; m &= m - 1) {
        memcpy(v->met[__builtin_ctz(m)], all, sizeof all);
        w->turned[warp * 32 + (unsigned)__builtin_ctz(m)] = inst_now;
    }
    tell_time(w);
}
