/* count.c: what ncu counts: sectors, passes, branches that split. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom/inst.h"

/* keep a log for each thread */
enum { MEET = 0xfffe, END, LIMIT = 1 << 22 };

struct event {      /* an access, or a block of instructions: */
    uint32_t where; /* in the program; of MEET: the lanes */
    uint16_t site;  /* of an access; 0: instructions; END, MEET */
    uint16_t depth; /* of the stack at the block, in eights of bytes */
};
struct log {
    struct event *e;
    uintptr_t *address;   /* of each that is an access */
    uint32_t n, room, at; /* at: how far the replay has come */
    uint32_t like;        /* lanes whose logs are the same as this one */
    char *base;           /* of the stack */
    uint32_t calls;       /* functions that it is in: 0 before it begins */
    struct call {
        uint32_t depth, block; /* the last block of instructions in each */
    } call[16];
};
int count_on;
static uint64_t lost; /* events that did not fit */

/* add to a log */
static int make_room(struct log *l)
{
    if (l->room == LIMIT) {
        lost++;
        return 0;
    }
    l->room = l->room ? 2 * l->room : 32;
    l->e = realloc(l->e, l->room * sizeof *l->e);
    l->address = realloc(l->address, l->room * sizeof *l->address);
    if (!l->e || !l->address)
        abort();
    return 1;
}

static inline void add(struct log *l, struct event e, uintptr_t address)
{
    if (l->n == l->room && !make_room(l))
        return;
    if (address)
        l->address[l->n] = address;
    l->e[l->n++] = e;
}

/* find the log of a thread */
static __thread struct log *mine; /* of the thread that runs */

void count_turn(struct watch *w)
{
    struct log **l = &w->logs[w->warp];

    if (!*l && w->spares)
        *l = w->spare[--w->spares];
    if (!*l)
        *l = calloc(LOOM_LANES, sizeof **l);
    if (!*l)
        abort();
    mine = *l + w->lane;
}

void count_access(unsigned site, uintptr_t address)
{
    add(mine, (struct event){.site = (uint16_t)site}, address);
}

/* log a block of instructions */
extern char __executable_start[];

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    struct log *l = mine;
    char *frame = __builtin_frame_address(0);
    struct event e = {.site = 0};

    if (!l || !loom_current || loom_current->inside)
        return;
    if (!l->base)
        l->base = frame;
    e.where =
        (uint32_t)((char *)__builtin_return_address(0) - __executable_start);
    e.depth = (uint16_t)((l->base - frame) / 8);
    add(l, e, 0);
}

/* describe a block of instructions */
static struct block {
    uintptr_t pc, next; /* next: where it went last */
    uint64_t times, lanes, leaves, splits, ends;
    int many; /* it has gone to more than one place */
    struct place at;
} block[1 << 14];
static struct barrier {
    struct loom_site at;
    uint64_t times;
} barrier[257];
static unsigned blocks = 1;
extern char etext[];

static unsigned block_at(uint32_t where)
{
    static uint16_t *number;
    uint16_t *n;

    if (!number)
        number = calloc((size_t)(etext - __executable_start), sizeof *number);
    if (!number)
        abort();
    n = &number[where];
    if (!*n && blocks < 1 << 14) {
        block[blocks].pc = (uintptr_t)__executable_start + where;
        *n = (uint16_t)blocks++;
    }
    return *n;
}

/* describe a request */
struct request {
    uintptr_t address[32];
    uint32_t mask;
};

/* Adds x to a set of n unless it is there; returns the new n. */
static inline unsigned insert(uintptr_t *set, unsigned n, uintptr_t x)
{
    if (n && set[n - 1] == x)
        return n;
    for (unsigned i = 0; i < n; i++)
        if (set[i] == x)
            return n;
    set[n] = x;
    return n + 1;
}

/* count the sectors of a request */
static unsigned sectors(const struct request *r, unsigned size)
{
    uintptr_t set[64];
    unsigned n = 0;

    for (uint32_t m = r->mask; m; m &= m - 1) {
        uintptr_t a = r->address[__builtin_ctz(m)];

        n = insert(set, n, a / 32);
        n = insert(set, n, (a + size - 1) / 32);
    }
    return n;
}

/* count the passes of a request */
/* Lanes from..from + count - 1 read or write 32 banks at once. */
static unsigned pass(const struct request *r, unsigned size, unsigned from,
                     unsigned count)
{
    uintptr_t word[32][32];
    unsigned n[32] = {0}, most = 0;

    for (unsigned l = from; l < from + count; l++)
        for (unsigned b = 0; r->mask >> l & 1 && b < size; b += 4) {
            uintptr_t x = (r->address[l] + b) / 4;
            unsigned bank = x % 32;

            n[bank] = insert(word[bank], n[bank], x);
            if (most < n[bank])
                most = n[bank];
        }
    return most;
}

static unsigned passes(const struct request *r, unsigned size)
{
    unsigned lanes = size <= 4 ? 32 : 128 / size, n = 0;

    for (unsigned l = 0; l < 32; l += lanes)
        n += pass(r, size, l, lanes);
    return n;
}

/* count the lanes that collide */
/* Lanes on each distinct address; returns how many addresses there are. */
static unsigned distinct(const struct request *r, uintptr_t *address,
                         unsigned *lanes)
{
    unsigned n = 0;
    int rising = 1; /* so far, as they nearly always do */

    for (uint32_t m = r->mask; m; m &= m - 1) {
        uintptr_t a = r->address[__builtin_ctz(m)];
        unsigned i = 0;

        if (rising && n && a >= address[n - 1])
            i = a == address[n - 1] ? n - 1 : n;
        while (i < n && address[i] != a)
            i++;
        if (i == n) {
            rising &= n == 0 || a > address[n - 1];
            address[n] = a;
            lanes[n++] = 0;
        }
        lanes[i]++;
    }
    return n;
}

/* count the sectors of an atomic */
static unsigned atomic_sectors(const uintptr_t *address, const unsigned *lanes,
                               unsigned n)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < n; i++) {
        unsigned most = lanes[i], first = 1;

        for (unsigned k = 0; k < n; k++)
            if (address[k] / 32 == address[i] / 32) {
                first &= k >= i; /* a sector counts at its first word */
                most = most < lanes[k] ? lanes[k] : most;
            }
        sum += first ? most : 0;
    }
    return sum;
}

static unsigned atomic_passes(const uintptr_t *address, const unsigned *lanes,
                              unsigned n)
{
    unsigned bank[32] = {0}, most = 0;

    for (unsigned i = 0; i < n; i++)
        bank[address[i] / 4 % 32] += lanes[i];
    for (int i = 0; i < 32; i++)
        most = most < bank[i] ? bank[i] : most;
    return most;
}

/* count a request */
static void count(unsigned site, const struct request *r)
{
    struct site *s = &inst_site[site];
    struct counts *c = &s->n;
    uintptr_t address[32];
    unsigned lanes[32], n = distinct(r, address, lanes), most = 0;

    for (unsigned i = 0; i < n; i++)
        most = most < lanes[i] ? lanes[i] : most;
    c->requests++;
    c->lanes += (unsigned)__builtin_popcount(r->mask);
    c->bytes += (uint64_t)s->size * (unsigned)__builtin_popcount(r->mask);
    c->best +=
        s->space == SHARED && s->size <= 4
            ? 1
            : (n * s->size + (s->space ? 127 : 31)) / (s->space ? 128 : 32);
    if (s->kind == UPDATE) {
        c->crowd += most;
        c->sectors += atomic_sectors(address, lanes, n);
        c->passes += atomic_passes(address, lanes, n);
    } else if (s->space == GLOBAL) {
        c->sectors += sectors(r, s->size);
    } else {
        c->passes += passes(r, s->size);
    }
}

/* replay a warp */
/* Lanes whose next event is a block of instructions run the deepest first,
   then the lowest: so they meet again where the source does. */
static uint32_t choose(struct log *l, uint32_t able)
{
    uint64_t best = ~(uint64_t)0;
    uint32_t set = 0;

    for (uint32_t m = able; m; m &= m - 1) {
        int k = __builtin_ctz(m);
        struct event *e = &l[k].e[l[k].at];
        uint64_t key = 0; /* an access: goes on in the block it was in */

        if (e->site == 0 || e->site == END)
            key = (uint64_t)(uint16_t)~e->depth << 32 | e->where;
        if (key < best) {
            best = key;
            set = 0;
        }
        if (key == best)
            set |= 1u << k;
    }
    return set;
}

/* find the lanes that do the same */
static int same_log(const struct log *a, const struct log *b)
{
    return a->n == b->n && a->calls == b->calls &&
           !memcmp(a->e, b->e, a->n * sizeof *a->e) &&
           !memcmp(a->call, b->call, a->calls * sizeof *a->call);
}

/* The lanes that are first to have such a log. */
static uint32_t find_firsts(struct log *l)
{
    uint32_t firsts = 0, m;

    for (int k = 0; k < 32; k++) {
        for (m = l[k].n ? firsts : 0; m; m &= m - 1)
            if (same_log(&l[__builtin_ctz(m)], &l[k]))
                break;
        l[k].like = m || !l[k].n ? 0 : 1u << k;
        firsts |= l[k].like;
        if (m)
            l[__builtin_ctz(m)].like |= 1u << k;
    }
    return firsts;
}

/* All lanes have come to where their firsts are. */
static void follow(struct log *l, uint32_t firsts)
{
    for (; firsts; firsts &= firsts - 1) {
        const struct log *first = &l[__builtin_ctz(firsts)];

        for (uint32_t m = first->like; m; m &= m - 1) {
            struct log *k = &l[__builtin_ctz(m)];

            k->n = k->at = 0;
            k->calls = first->calls;
            if (k != first)
                memcpy(k->call, first->call, k->calls * sizeof *k->call);
        }
    }
}

/* find the lanes that can go on */
/* Lanes that meet others wait until these have come. */
static uint32_t able(struct log *l, uint32_t firsts)
{
    for (;;) {
        uint32_t set = 0, all = 0, meet = 0, moved = 0;

        for (uint32_t m = firsts; m; m &= m - 1) {
            struct log *k = &l[__builtin_ctz(m)];

            if (k->at == k->n)
                continue;
            if (k->e[k->at].site == MEET)
                meet |= m & -m;
            else
                set |= m & -m, all |= k->like;
        }
        for (uint32_t m = meet; m; m &= m - 1) {
            struct log *k = &l[__builtin_ctz(m)];

            if (!(k->e[k->at].where & all)) {
                k->at++;
                moved = 1;
            }
        }
        if (!moved)
            return set;
    }
}

/* enter a block of instructions */
static int is_access(const struct log *l)
{
    return l->at < l->n && l->e[l->at].site && l->e[l->at].site < MEET;
}

/* In how many of its functions a lane still is when it comes to e. */
static uint32_t depth_of(const struct log *l, const struct event *e)
{
    uint32_t n = l->calls;

    while (n > 1 && l->call[n - 1].depth > (e->site ? 0 : e->depth))
        n--;
    return n;
}

static uint32_t go_to(struct log *l, const struct event *e)
{
    uint32_t n = depth_of(l, e), b = block_at(e->where);

    if ((n == 0 || l->call[n - 1].depth < e->depth) && n < 16)
        n++;
    l->calls = n;
    l->call[n - 1].depth = e->depth;
    l->call[n - 1].block = b;
    return b;
}
static void enter(struct log *l, uint32_t set)
{
    uint32_t first = 0, lanes = 0;

    for (uint32_t m = set; m; m &= m - 1) {
        struct log *k = &l[__builtin_ctz(m)];

        if (is_access(k))
            return; /* goes on in a block entered before */
        if (k->e[k->at].site == 0)
            first = go_to(k, &k->e[k->at]);
        k->at++;
        lanes |= k->like;
    }
    if (first) {
        block[first].times++;
        block[first].lanes += (unsigned)__builtin_popcount(lanes);
    }
}

/* make the accesses of a block of instructions */
static void run(struct log *l, uint32_t set)
{
    for (;;) {
        struct request r;
        uint32_t site = 0;

        r.mask = 0;
        for (uint32_t m = set; m; m &= m - 1) {
            struct log *k = &l[__builtin_ctz(m)];

            if (!is_access(k))
                continue;
            if (!site)
                site = k->e[k->at].site;
            if (k->e[k->at].site != site)
                continue;
            for (uint32_t i = k->like; i; i &= i - 1)
                r.address[__builtin_ctz(i)] =
                    l[__builtin_ctz(i)].address[k->at];
            r.mask |= k->like;
            k->at++;
        }
        if (!site)
            return;
        count(site, &r);
    }
}

/* see whether the lanes part */
static int ends(const struct log *l)
{
    uint32_t i = l->at;

    while (i < l->n && l->e[i].site == 0)
        i++;
    return i < l->n && l->e[i].site == END;
}

static uintptr_t goal(const struct log *l, const struct event *e)
{
    if (l->at == l->n || e->site == MEET)
        return 0;
    return e->site == END ? 1 : e->where;
}
static void part(struct log *l, uint32_t set)
{
    struct block *b = block;
    uintptr_t first = 0;
    uint32_t deepest = 0;
    int split = 0, end = 0, go_on = 0, call = 1;

    for (uint32_t m = set; m; m &= m - 1) {
        struct log *k = &l[__builtin_ctz(m)];
        struct event *e = &k->e[k->at];
        uintptr_t to = goal(k, e);

        if (!to)
            continue;
        if (depth_of(k, e) > deepest)
            deepest = depth_of(k, e), b = &block[k->call[deepest - 1].block];
        call &=
            e->site == 0 && k->calls && k->call[k->calls - 1].depth < e->depth;
        split |= first && to != first;
        first = to;
        *(ends(k) ? &end : &go_on) = 1;
    }
    if (!first || (call && !split)) /* to call a function is no branch */
        return;
    b->leaves++;
    b->splits += (unsigned)(split && !(end && go_on));
    b->ends += (unsigned)(split && end && go_on);
    b->many |= split || (b->next && b->next != first);
    b->next = first;
}

/* see whether the lanes part after a barrier */
static int same_place(const struct log *a, const struct log *b)
{
    return a->calls == b->calls &&
           a->call[a->calls - 1].block == b->call[b->calls - 1].block;
}

static void part_again(struct log *l, uint32_t firsts)
{
    uint32_t set = firsts;

    for (uint32_t m = firsts; m; m &= m - 1)
        if (is_access(&l[__builtin_ctz(m)]) || !l[__builtin_ctz(m)].calls)
            set &= ~(m & -m);
    while (set) {
        uint32_t group = 0;

        for (uint32_t m = set; m; m &= m - 1)
            if (same_place(&l[__builtin_ctz(m)], &l[__builtin_ctz(set)]))
                group |= m & -m;
        part(l, group);
        set &= ~group;
    }
}

/* replay a warp until nobody can go on */
static void replay(struct watch *w, unsigned warp)
{
    struct log *l = w->logs[warp];
    uint32_t firsts = l ? find_firsts(l) : 0, set;

    if (!firsts)
        return;
    part_again(l, firsts); /* the first block is where they go now */
    while ((set = choose(l, able(l, firsts)))) {
        enter(l, set);
        run(l, set);
        part(l, set);
    }
    follow(l, firsts);
}

/* replay when threads have met */
void count_lanes(struct watch *w, unsigned warp, uint32_t mask)
{
    if (!(w->sm->warp[warp].live & ~mask)) {
        replay(w, warp);
        return;
    }
    for (uint32_t m = mask; m; m &= m - 1)
        add(&w->logs[warp][__builtin_ctz(m)], (struct event){mask, MEET, 0}, 0);
}

void count_barrier(struct watch *w, struct loom_site at)
{
    struct barrier *b = barrier;

    for (unsigned i = 0; i < w->sm->warps; i++)
        replay(w, i);
    while (b->times && (b->at.file != at.file || b->at.line != at.line) &&
           b < barrier + 255)
        b++;
    b->at = at;
    b->times++;
}

/* end a thread and a block */
static void end_warp(struct watch *w, unsigned warp)
{
    struct log *l = w->logs[warp];

    replay(w, warp);
    for (unsigned i = 0; l && i < LOOM_LANES; i++) {
        l[i].base = NULL;
        l[i].calls = 0;
    }
    if (l)
        w->spare[w->spares++] = l;
    w->logs[warp] = NULL;
}

void count_thread(struct watch *w, unsigned thread)
{
    add(mine, (struct event){0, END, 0}, 0);
    if (w->sm->warp[thread / 32].live == 1u << thread % 32)
        end_warp(w, thread / 32);
}

void count_end(struct watch *w)
{
    for (unsigned i = 0; i < w->sm->warps; i++)
        end_warp(w, i);
}

/* print what has been counted */

/* put the lines in order */
static int by_place(const void *a, const void *b)
{
    const struct site *p = &inst_site[*(const unsigned *)a];
    const struct site *q = &inst_site[*(const unsigned *)b];
    int order = strcmp(p->at.file, q->at.file);

    if (order == 0)
        order = p->at.line - q->at.line;
    if (order == 0)
        order = p->space * 1000 + p->kind * 100 + p->size -
                (q->space * 1000 + q->kind * 100 + q->size);
    return order ? order : p->pc < q->pc ? -1 : 1;
}

/* Merges site j into i if they are the same access of the same line. */
static int merge(struct site *i, const struct site *j)
{
    uint64_t *to = (uint64_t *)&i->n;
    const uint64_t *from = (const uint64_t *)&j->n;

    if (strcmp(i->at.file, j->at.file) || i->at.line != j->at.line ||
        i->space != j->space || i->kind != j->kind || i->size != j->size)
        return 0;
    for (size_t k = 0; k < sizeof i->n / sizeof *to; k++)
        to[k] += from[k];
    return 1;
}

/* print the accesses of each line */
static double per(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

struct text {
    char s[64];
};

static struct text name(const struct place *at)
{
    const char *file = at->file, *slash;
    struct text t;

    while (strlen(file) > 26 && (slash = strchr(file + 1, '/')))
        file = slash + 1;
    snprintf(t.s, sizeof t.s, "%.50s:%d", file, at->line);
    return t;
}
static void print_site(const struct site *s)
{
    static const char *const kind[] = {"read", "write", "atomic"};
    const struct counts *n = &s->n;
    int shared = s->space == SHARED;

    fprintf(stderr, "  %-30s %s %-6s %3u %9llu %6.2f %7.2f %-7s %8.2f",
            name(&s->at).s, shared ? "shared" : "global", kind[s->kind],
            s->size, (unsigned long long)n->requests,
            per(n->lanes, n->requests),
            per(shared ? n->passes : n->sectors, n->requests),
            shared ? "passes" : "sectors", per(n->best, n->requests));
    if (s->kind == UPDATE)
        fprintf(stderr, "  %.2f lanes on one address",
                per(n->crowd, n->requests));
    fputc('\n', stderr);
}

/* print the branches and the barriers */
static struct text branch(const struct block *b)
{
    uintptr_t next = ~(uintptr_t)0;
    struct place at;

    for (unsigned i = 1; i < blocks; i++)
        if (block[i].pc > b->pc && block[i].pc < next)
            next = block[i].pc;
    where_line(next - 6, &at);
    return name(at.line && !where_loom(at.file) ? &at : &b->at);
}

static void print_block(const struct block *b, uint64_t n, const char *what)
{
    if (n)
        fprintf(stderr, "  %-30s %s in %llu of %llu\n", branch(b).s, what,
                (unsigned long long)n, (unsigned long long)b->leaves);
}
static void print_branches(void)
{
    for (unsigned i = 1; i < blocks; i++) {
        print_block(&block[i], block[i].splits, "the lanes part");
        print_block(&block[i], block[i].ends, "some lanes end");
    }
    for (struct barrier *b = barrier; b->times; b++) {
        struct place at = {.line = b->at.line};

        snprintf(at.file, sizeof at.file, "%s", b->at.file ? b->at.file : "?");
        fprintf(stderr, "  %-30s %llu barriers\n", name(&at).s,
                (unsigned long long)b->times);
    }
}

/* leave out the branches of Loom itself */
/* A shuffle is one instruction of a GPU, and ours has branches in it. */
static void drop_loom(void)
{
    for (unsigned i = 1; i < blocks; i++) {
        struct block *b = &block[i];

        where_line(b->pc - 1, &b->at);
        if (where_loom(b->at.file))
            b->times = b->lanes = b->leaves = b->splits = b->ends = 0;
    }
}

/* sum up */
struct total {
    struct counts n[2][3];
    uint64_t branches, splits, times, lanes, barriers;
};

static struct total total(void)
{
    struct total t = {.branches = 0};

    for (unsigned s = 1; s < inst_sites; s++) {
        struct site *i = &inst_site[s];
        uint64_t *to = (uint64_t *)&t.n[i->space][i->kind];

        for (size_t k = 0; k < sizeof i->n / sizeof *to; k++)
            to[k] += ((uint64_t *)&i->n)[k];
    }
    for (unsigned i = 1; i < blocks; i++) {
        t.times += block[i].times;
        t.lanes += block[i].lanes;
        t.branches += block[i].many ? block[i].leaves : 0;
        t.splits += block[i].splits;
    }
    for (struct barrier *b = barrier; b->times; b++)
        t.barriers += b->times;
    return t;
}

/* print rows for the results */
/* how: csv:chapter,variant,size */
static void print_rows(const char *how, const struct total *t)
{
    static const char *const space[] = {"global", "shared"};
    static const char *const kind[] = {"read", "write", "atomic"};

    for (int s = GLOBAL; s <= SHARED; s++)
        for (int k = READ; k <= UPDATE; k++) {
            const struct counts *n = &t->n[s][k];

            if (!n->requests)
                continue;
            printf("%s,%s_%s_requests,%llu,count\n", how, space[s], kind[k],
                   (unsigned long long)n->requests);
            printf("%s,%s_%s_%s,%llu,count\n", how, space[s], kind[k],
                   s == GLOBAL ? "sectors" : "passes",
                   (unsigned long long)(s == GLOBAL ? n->sectors : n->passes));
        }
    printf("%s,splits,%llu,count\n", how, (unsigned long long)t->splits);
    printf("%s,lanes,%.4g,lanes\n", how, per(t->lanes, t->times));
}

/* print the head and the foot of the table */
static void print_head(void)
{
    fprintf(stderr,
            "loom: requests, one for each instruction of a warp\n"
            "  %-30s %-17s %9s %6s  %-14s %8s\n",
            "line", "access      bytes", "requests", "lanes", "each request",
            "at best");
}

static void print_total(const struct total *t)
{
    const struct counts *r = &t->n[GLOBAL][READ], *w = &t->n[GLOBAL][WRITE];
    uint64_t asked = r->bytes + w->bytes,
             moved = 32 * (r->sectors + w->sectors);

    fprintf(stderr,
            "  global memory: %llu bytes asked for, %llu bytes in sectors\n"
            "  branches: %llu; the lanes part in %llu; branch efficiency"
            " %.1f %%\n",
            (unsigned long long)asked, (unsigned long long)moved,
            (unsigned long long)t->branches, (unsigned long long)t->splits,
            t->branches ? 100 - 100 * per(t->splits, t->branches) : 100);
    if (lost)
        fprintf(stderr, "  %llu events did not fit and are not counted\n",
                (unsigned long long)lost);
}

/* print the table */
void count_print(void)
{
    const char *how = getenv("LOOM_COUNT");
    struct total t;
    unsigned *order = malloc(inst_sites * sizeof *order), n = 0;

    if (!order)
        abort();
    drop_loom();
    t = total();
    if (strncmp(how, "csv:", 4) == 0) {
        print_rows(how + 4, &t);
        return;
    }
    for (unsigned i = 1; i < inst_sites; i++)
        if (inst_site[i].n.requests && site_place(i))
            order[n++] = i;
    qsort(order, n, sizeof *order, by_place);
    print_head();
    for (unsigned i = 0; i < n; i++)
        if (i + 1 == n ||
            !merge(&inst_site[order[i + 1]], &inst_site[order[i]]))
            print_site(&inst_site[order[i]]);
    print_branches();
    print_total(&t);
    free(order);
}
