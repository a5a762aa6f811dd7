/* check_calls.c: what the compiler calls at every load and store. Never to be
   compiled with -fsanitize=thread. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loom/arena.h"
#include "loom/block.h"
#include "loom/heap.h"
#include "loom/inst.h"
#include "loom/warp.h"

/* find what belongs to an address */

/* number the instructions */
#define WORD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
enum { SITES = 1 << 14 };
struct site inst_site[SITES];
unsigned inst_sites = 1; /* 0: none */
static uint16_t *number; /* of the instruction at an offset in the program */
extern char __executable_start[], etext[], end[];

unsigned site_make(uintptr_t pc, int kind, int space, unsigned size)
{
    unsigned s = __atomic_fetch_add(&inst_sites, 1, __ATOMIC_RELAXED);

    if (s >= SITES) {
        fprintf(stderr, "loom: more than %d instructions touch memory\n",
                SITES);
        exit(2);
    }
    inst_site[s] = (struct site){.pc = pc,
                                 .kind = (unsigned char)kind,
                                 .space = (unsigned char)space,
                                 .size = (unsigned char)size,
                                 .at.line = -1};
    return s;
}

/* find the number of an instruction */
/* One instruction may reach both spaces: its sites are a chain. */
static inline unsigned site_at(uintptr_t pc, int kind, int space, unsigned size)
{
    uint16_t *n = &number[pc - (uintptr_t)__executable_start];

    while (*n && (inst_site[*n].kind != kind || inst_site[*n].space != space ||
                  inst_site[*n].size != size))
        n = &inst_site[*n].next;
    if (!*n) /* n may lie in inst_site, which does not move */
        *n = (uint16_t)site_make(pc, kind, space, size);
    return *n;
}

int site_can_be(uintptr_t pc)
{
    return pc - (uintptr_t)__executable_start <
           (uintptr_t)(etext - __executable_start);
}

unsigned site_find(uintptr_t pc, int kind, int space, unsigned size)
{
    return site_at(pc, kind, space, size);
}

/* keep the shadow of an area */
static struct area **areas; /* in the order of their addresses */
static int area_count, area_room;

static void *shadow(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED) /* too many areas for the operating system */
        p = calloc(1, bytes);
    if (!p) {
        perror("loom: memory for the checker");
        exit(2);
    }
    return p;
}

static void give_back(void *p, size_t bytes)
{
    if ((uintptr_t)p % 4096) /* calloc's: never at the start of a page */
        free(p);
    else
        munmap(p, bytes);
}

/* give an area its shadow */
static void give_shadow(struct area *a, void *start, size_t bytes, int known)
{
    size_t words = bytes / 4 + 8;

    a->start = start;
    a->bytes = a->room = bytes;
    a->whole = a;
    a->live = 1;
    a->cell = shadow(words * sizeof *a->cell);
    a->init = known ? NULL : shadow(words);
}
/* An area for each variable in the whole; they have its shadow. */
static struct area *make_parts(struct area *whole, int space)
{
    int n = where_variables(space);
    struct area *part = calloc((size_t)n + 1, sizeof *part);

    if (!part)
        abort();
    for (int i = 0; i < n; i++) {
        const struct variable *v = &inst_variable[space][i];

        part[i].start = whole->start + v->start;
        part[i].bytes = v->bytes;
        part[i].whole = whole;
        part[i].live = 1;
    }
    return part;
}
/* Sites that found themselves here last must look again. */
static void forget_area(const struct area *a)
{
    for (unsigned s = 1; s < inst_sites; s++)
        if (inst_site[s].cell == a->cell)
            inst_site[s].bytes = 0;
}

static void take_shadow(struct area *a)
{
    size_t words = a->room / 4 + 8;

    forget_area(a);
    order_forget(a->cell, a->cell + words);
    give_back(a->cell, words * sizeof *a->cell);
    if (a->init)
        give_back(a->init, words);
    a->cell = NULL;
    a->init = NULL;
    a->live = 0;
}

/* search the areas */
/* The index of the first area that begins behind the address. */
static int behind(const char *p)
{
    int lo = 0, hi = area_count;

    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (areas[mid]->start <= p)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static struct area *find_area(uintptr_t address)
{
    int i = behind((const char *)address);

    if (i && address - (uintptr_t)areas[i - 1]->start < areas[i - 1]->bytes)
        return areas[i - 1];
    return NULL;
}

/* follow allocations */
static void on_alloc(const struct loom_area *from)
{
    struct area *a = calloc(1, sizeof *a);
    int i = behind(from->start);

    if (!a)
        abort();
    if (area_count == area_room) {
        area_room = 2 * area_room + 64;
        areas = realloc(areas, (size_t)area_room * sizeof *areas);
        if (!areas)
            abort();
    }
    memmove(&areas[i + 1], &areas[i],
            (size_t)(area_count++ - i) * sizeof *areas);
    areas[i] = a;
    give_shadow(a, from->start, from->bytes, from->kind != LOOM_DEVICE);
}

/* forget an allocation */
static struct area image;                    /* the program's own variables */
static uintptr_t devices_low, devices_bytes; /* those that devices share */

/* A call in a stream touches memory, if not the host's own. */
static void follow_copy(const struct area *a, const void *p, size_t bytes,
                        int kind)
{
    int variable = (uintptr_t)p - devices_low < devices_bytes;

    if (bytes && !a && variable)
        order_copy(image.cell, (size_t)((const char *)p - image.start), bytes,
                   kind, 1);
    else if (a && a->live && a->cell && bytes)
        order_copy(a->cell, (size_t)((const char *)p - a->start), bytes, kind,
                   !a->init);
}

static void on_release(const struct loom_area *from)
{
    struct area *a = find_area((uintptr_t)from->start);

    if (a && a->live)
        take_shadow(a);
}

static void on_host_write(const void *p, size_t bytes)
{
    struct area *a = find_area((uintptr_t)p);
    size_t from = a ? (size_t)((const char *)p - a->start) : 0;

    for (size_t i = from; a && a->init && i < from + bytes; i++)
        if (i % 4 == 0 && i + 4 <= from + bytes)
            a->init[i / 4] = 15, i += 3;
        else
            a->init[i / 4] |= (unsigned char)(1 << i % 4);
    follow_copy(a, p, bytes, WRITE);
}

static void on_host_read(const void *p, size_t bytes)
{
    follow_copy(find_area((uintptr_t)p), p, bytes, READ);
}

/* number the places that Loom names */
/* An atomic's site is a file and a line: Loom knows its caller. */
static unsigned site_of_line(struct loom_site at, int kind, int space,
                             unsigned size)
{
    static uint16_t table[4096];
    uintptr_t key = (uintptr_t)at.file * 31 + (uintptr_t)at.line * 16 +
                    (uintptr_t)kind * 4 + (uintptr_t)space * 2 + 1;
    unsigned i = (unsigned)(key * 0x9e3779b97f4a7c15u >> 52);

    while (table[i] &&
           (inst_site[table[i]].pc != key || inst_site[table[i]].size != size))
        i = (i + 1) & 4095;
    if (!table[i]) {
        struct site *s = &inst_site[site_make(key, kind, space, size)];

        table[i] = (uint16_t)(s - inst_site);
        s->at.line = at.line;
        snprintf(s->at.file, sizeof s->at.file, "%s", at.file);
    }
    return table[i];
}

/* say what is wrong about an address */
static const char *wrong_about(uintptr_t p, const struct area *of)
{
    char text[200];

    if (of && !of->live)
        return "use after free";
    if (loom_find((void *)p) ||
        loom_heap_describe((void *)p, text, sizeof text))
        return "out of bounds";
    if (p < 65536)
        return "null pointer";
    return "host memory in a kernel";
}
static struct area *in_dynamic(struct loom_sm *sm, struct access *a,
                               uintptr_t pc)
{
    struct watch *w = sm->checker;
    char what[80];

    if (a->address + a->size <= (uintptr_t)sm->dynamic + sm->dynamic_bytes)
        return &w->dynamic;
    snprintf(what, sizeof what,
             "out of bounds of %zu bytes of dynamic shared memory",
             sm->dynamic_bytes);
    report_bad(sm, a->address, a->size, a->kind, pc, what);
    return NULL;
}

/* find what an access touches */
static struct area *image_parts; /* of the program's own variables */
static uintptr_t args_low, args_bytes;

static inline int inside(uintptr_t address, const void *low, size_t bytes)
{
    return address - (uintptr_t)low < bytes;
}

/* excuse Loom */
/* Whether an instruction stands in a header of Loom. */
static int by_loom(uintptr_t pc)
{
    static struct {
        uintptr_t pc;
        int yes;
    } known[64]; /* by address: asking takes milliseconds */
    int i = (int)(pc % 64);
    struct place at;

    if (known[i].pc != pc) {
        where_line(pc, &at);
        known[i].pc = pc;
        known[i].yes = where_loom(at.file);
    }
    return known[i].yes;
}

/* see whether a variable is another kernel's */
/* Whether a word of the text is the name of a kernel, or this name. */
static int names(const char *text, const char *name)
{
    while (*text) {
        size_t n = strspn(text, WORD);

        if (n && (name ? n == strlen(name) && !strncmp(text, name, n)
                       : where_said(text, n) == KERNEL))
            return 1;
        text += n ? n : 1;
    }
    return 0;
}

static int of_another_kernel(const struct loom_sm *sm, const char *within,
                             struct area *variable)
{
    const char *running = sm->launch->kernel; /* perhaps some expression */

    if (variable->asked != sm->launch->entry) {
        variable->asked = sm->launch->entry;
        variable->strange = where_said(within, strlen(within)) == KERNEL &&
                            names(running, NULL) && !names(running, within);
    }
    return variable->strange;
}

/* find the variable of an access */
/* What is wrong with an access `into` bytes behind the start of v, or NULL. */
static const char *wrong_with(const struct access *a, const struct variable *v,
                              size_t into)
{
    if (a->space == SHARED)
        return "out of bounds of shared memory";
    if (v && v->owner >= DEVICE)
        return "out of bounds";
    return v && v->owner == HOST && into < v->bytes ? "host memory in a kernel"
                                                    : NULL;
}
/* The variable that the access lies in, or NULL when that is an error, which
   has been reported, or the compiler's; whole when the program does not say. */
static struct area *in_variable(struct loom_sm *sm, struct access *a,
                                struct area *whole, struct area *parts,
                                uintptr_t pc)
{
    size_t offset = a->address - (uintptr_t)whole->start;
    int n = where_variable(offset, a->space);
    const struct variable *v = n < 0 ? NULL : &inst_variable[a->space][n];
    size_t into = v ? offset - v->start : 0;
    const char *what = wrong_with(a, v, into);

    if (v && v->owner == GUARD && into < v->bytes)
        return NULL;
    if (v && v->owner >= DEVICE && into + a->size <= v->bytes &&
        (a->space == GLOBAL || !of_another_kernel(sm, v->within, &parts[n])))
        return &parts[n];
    if (!what || by_loom(pc))
        return whole;
    report_bad(sm, a->address, a->size, a->kind, pc, what);
    return NULL;
}

/* find the area of an access */

/* find an area of another block's */
static struct area *in_neighbor(struct loom_sm *sm, struct loom_sm *other,
                                struct access *a, uintptr_t pc)
{
    struct watch *w = other->checker;
    unsigned bit = 1u << other->rank;
    const char *what = NULL;

    a->space = SHARED;
    if (!(sm->cluster->begun & bit) || !sm->cluster->phase)
        what = "shared memory of a block that may not have begun: the cluster"
               " has not met at a barrier";
    else if (sm->cluster->finished & bit)
        what = "shared memory of a block that has ended: let the cluster meet"
               " at a barrier first";
    if (what) {
        report_bad(sm, a->address, a->size, a->kind, pc, what);
        return NULL;
    }
    if (inside(a->address, w->dynamic.start, DYNAMIC_BYTES))
        return in_dynamic(other, a, pc);
    return in_variable(sm, a, &w->fixed, w->parts, pc);
}

/* The area, or NULL when there is nothing to check: local variables, the
   launch's arguments, and what is wrong and has been reported. */
static struct area *locate(struct loom_sm *sm, struct access *a, uintptr_t pc)
{
    struct watch *w = sm->checker;
    uintptr_t p = a->address;
    struct loom_sm *other;
    struct area *of;

    if (inside(p, sm->stacks, (size_t)LOOM_BLOCK_SIZE * STACK_BYTES))
        return NULL;
    a->space = SHARED;
    if (inside(p, w->dynamic.start, DYNAMIC_BYTES))
        return in_dynamic(sm, a, pc);
    if (inside(p, w->fixed.start, w->fixed.bytes))
        return inside(p, w->builtin, w->builtin_bytes)
                   ? NULL
                   : in_variable(sm, a, &w->fixed, w->parts, pc);
    if (sm->cluster && (other = loom_owner(sm, (void *)p)) && other != sm)
        return in_neighbor(sm, other, a, pc);
    a->space = GLOBAL;
    of = find_area(p);
    if (of && of->live && p + a->size <= (uintptr_t)of->start + of->bytes)
        return of;
    if (inside(p, image.start, image.bytes))
        return in_variable(sm, a, &image, image_parts, pc);
    if (!of && by_loom(pc))
        return NULL;
    report_bad(sm, p, a->size, a->kind, pc, wrong_about(p, of));
    return NULL;
}

/* look at what the host touches */
static size_t offset_of(const struct area *a, uintptr_t address)
{
    return (size_t)((const char *)address - a->start);
}

static void touch_host(uintptr_t address, size_t size, int kind, int how,
                       uintptr_t pc)
{
    struct area *of = find_area(address);
    size_t offset = address - (uintptr_t)image.start;
    int n = address - devices_low < devices_bytes
                ? where_variable(offset, GLOBAL)
                : -1;
    const struct variable *v = n < 0 ? NULL : &inst_variable[GLOBAL][n];

    if ((of && of->live && of->init) || /* device memory, not managed */
        (v && v->owner == DEVICE && offset - v->start < v->bytes)) {
        report_host(address, kind, pc);
        fflush(NULL);
        _exit(2);
    }
    if (!size || !order_pending())
        return;
    if (of && of->live && offset_of(of, address) + size <= of->bytes)
        order_host(of->cell, offset_of(of, address), size, kind, how,
                   site_at(pc, kind, GLOBAL, (unsigned)size & 255));
    else if (v && v->owner == MANAGED && offset - v->start + size <= v->bytes)
        order_host(image.cell, offset, size, kind, how,
                   site_at(pc, kind, GLOBAL, (unsigned)size & 255));
}

/* answer the compiler */

/* look at one access */
static void look_again(struct loom_sm *sm, const struct access *a, uintptr_t pc)
{
    struct watch *w = sm->checker;
    uint32_t value = *(const uint32_t *)(a->address & ~(uintptr_t)3);

    if (w->spun_at != a->address || w->spinner != w->who ||
        w->spun_on != value) {
        w->spun_at = a->address;
        w->spinner = w->who;
        w->spun_on = value;
        w->spins = 0;
    }
    if (++w->spins < 64)
        return;
    w->spins = 0;
    sm->site[sm->thread] = (struct loom_site){NULL, 0};
    sm->pc[sm->thread] = pc;
    loom_yield(sm);
}
static void note_writes(struct area *shared, size_t offset, size_t bytes)
{
    if (shared->first > offset / 4)
        shared->first = offset / 4;
    if (shared->last < (offset + bytes + 3) / 4)
        shared->last = (offset + bytes + 3) / 4;
}

/* The number of the block whose shared memory it is. */
static uint64_t home(struct loom_sm *sm, const struct access *a)
{
    return sm->cluster ? loom_owner(sm, (void *)a->address)->block : sm->block;
}

static void touch_area(struct loom_sm *sm, struct access *a, struct area *of,
                       int counted)
{
    size_t word = (a->address - (uintptr_t)(of = of->whole)->start) / 4;

    if (sm->nudge)
        loom_yield(sm);
    else if (a->strong && sm->luck)
        loom_chance(sm);
    a->cell = of->cell + word;
    a->init = of->init ? of->init + word : NULL;
    if (a->space == SHARED && a->kind != READ)
        note_writes(of, 4 * word, a->size);
    if (a->strong && a->kind != WRITE && a->space == GLOBAL &&
        (!of->init || (a->cell->write.time && check_strange(&a->cell->write))))
        order_flag(a->cell);
    if (a->strong) /* each block has a shared memory of its own */
        check_flag(sm->checker,
                   a->space == GLOBAL
                       ? a->address
                       : a->address ^ (home(sm, a) + 1) * 0x9e3779b97f4a7c15u,
                   a->kind, a->order);
    check_access(sm->checker, a);
    if (count_on && counted)
        count_access(a->site, a->address);
}

/* remember where an instruction has been */
static void remember(struct site *s, const struct area *of)
{
    struct area *whole = of->whole;

    s->start = (uintptr_t)of->start;
    s->bytes = of->bytes;
    s->base = whole->start;
    s->cell = whole->cell;
    s->init = whole->init;
    if (s->space == SHARED && s->kind != READ)
        note_writes(whole, (size_t)(of->start - whole->start), of->bytes);
}

/* decide what to do with an access */
static __attribute__((noinline)) void look(uintptr_t address, unsigned size,
                                           int kind, int how, uintptr_t pc)
{
    struct loom_sm *sm = loom_current;
    struct access a = {.address = address,
                       .size = size,
                       .kind = kind,
                       .strong = how & (STRONG | VOLATILE),
                       .order = how >> 8};
    struct area *of;

    if (!sm) {
        touch_host(address, size, kind, how & (STRONG | VOLATILE), pc);
        return;
    }
    check_equals(sm->checker);
    if (address & (size - 1) && !(how & LOOSE))
        report_bad(sm, address, size, kind, pc, "misaligned address");
    of = locate(sm, &a, pc);
    if (!of)
        return;
    if (a.strong && kind == READ)
        look_again(sm, &a, pc);
    a.site = site_at(pc, kind, a.space, size);
    remember(&inst_site[a.site], of);
    touch_area(sm, &a, of, 1);
}

/* let the dull accesses pass */
static inline int dull(const struct watch *w, const struct stamp *s, int space)
{
    return s->time < w->since[space] ||
           (s->how >> BY_BLOCK == w->block && s->time < w->barrier) ||
           (s->how >> BY_WARP == w->warp_id && s->lanes == w->bit);
}

static inline __attribute__((always_inline)) int
dull_read(const struct watch *w, struct cell *c, const struct stamp *mine,
          int space)
{
    struct stamp *r = c->read;
    uint64_t apart = r[0].how ^ r[1].how;

    for (int i = 0; i < 2; i++) {
        if (shares(&r[i], mine)) {
            r[i].lanes |= mine->lanes;
            return 1;
        }
        if (dull(w, &r[i], space)) {
            r[i] = *mine;
            return 1;
        }
    }
    if (!(space == GLOBAL ? apart >> BY_BLOCK : apart >> BY_WARP) ||
        (r[0].how | r[1].how) & (STRONG | VOLATILE))
        return 0;
    if (shares(&r[2], mine)) {
        r[2].lanes |= mine->lanes;
        return 1;
    }
    if (space == GLOBAL && check_fences)
        return 0; /* keeps the one that is there, too */
    r[2] = *mine;
    return 1;
}
/* One word: 1, or 0 when it takes a closer look. */
static inline __attribute__((always_inline)) int
dull_word(const struct watch *w, struct cell *c, unsigned char *init, int kind,
          const struct stamp *mine, int space)
{
    if (!dull(w, &c->write, space))
        return 0;
    if (kind == READ)
        return (!init || *init == 15) && dull_read(w, c, mine, space);
    for (int i = 0; i < 3; i++)
        if (!dull(w, &c->read[i], space) ||
            (check_more && c->read[i].time >= w->since[space]))
            return 0;
    c->write = *mine;
    c->read[0].time = c->read[1].time = c->read[2].time = 0;
    if (init)
        *init = 15;
    return 1;
}

/* touch memory */
static inline __attribute__((always_inline)) int pass(struct loom_sm *sm,
                                                      uintptr_t address,
                                                      unsigned size, int kind,
                                                      uintptr_t pc)
{
    struct watch *w = sm->checker;
    unsigned n = number[pc - (uintptr_t)__executable_start];
    const struct site *s = &inst_site[n];
    size_t word = (address - (uintptr_t)s->base) / 4;
    struct stamp mine = {w->warp_id << BY_WARP | (uint64_t)n << BY_SITE |
                             15 << BY_BYTES,
                         w->bit, w->time};

    if (sm->nudge || sm->cluster || w->equal_n || address & (size - 1) ||
        address - s->start >= s->bytes || s->kind != kind || s->size != size ||
        address - s->start + size > s->bytes)
        return 0;
    for (unsigned i = 0; i < size / 4; i++)
        if (!dull_word(w, s->cell + word + i,
                       s->init ? s->init + word + i : NULL, kind, &mine,
                       s->space))
            return 0;
    if (count_on)
        count_access(n, address);
    return 1;
}
static inline __attribute__((always_inline)) void
touch(uintptr_t address, unsigned size, int kind, int how, uintptr_t pc)
{
    struct loom_sm *sm = loom_current;
    struct watch *w = sm ? sm->checker : NULL;

    if (sm && size >= 4 && !how && pass(sm, address, size, kind, pc))
        return;
    if (w && (address - args_low < args_bytes ||
              inside(address, w->builtin, w->builtin_bytes)))
        return;
    look(address, size, kind, how, pc);
}

/* answer the compiler's calls */
#define PC ((uintptr_t)__builtin_return_address(0) - 1)
#define CALL(name, size, kind, how)               \
    void __tsan_##name(void *p);                  \
    void __tsan_##name(void *p)                   \
    {                                             \
        touch((uintptr_t)p, size, kind, how, PC); \
    }
#define CALLS(n)                                                \
    CALL(read##n, n, READ, 0)                                   \
    CALL(write##n, n, WRITE, 0)                                 \
    CALL(unaligned_read##n, n, READ, LOOSE)                     \
    CALL(unaligned_write##n, n, WRITE, LOOSE)                   \
    CALL(volatile_read##n, n, READ, VOLATILE)                   \
    CALL(volatile_write##n, n, WRITE, VOLATILE)                 \
    CALL(unaligned_volatile_read##n, n, READ, VOLATILE | LOOSE) \
    CALL(unaligned_volatile_write##n, n, WRITE, VOLATILE | LOOSE)
CALLS(1)
CALLS(2)
CALLS(4)
CALLS(8)
CALLS(16)

/* answer for reads that are also writes, and for ranges */
#define BOTH(n)                                   \
    void __tsan_read_write##n(void *p);           \
    void __tsan_read_write##n(void *p)            \
    {                                             \
        touch((uintptr_t)p, n, READ, LOOSE, PC);  \
        touch((uintptr_t)p, n, WRITE, LOOSE, PC); \
    }                                             \
    void __tsan_unaligned_read_write##n(void *p); \
    void __tsan_unaligned_read_write##n(void *p)  \
    {                                             \
        touch((uintptr_t)p, n, READ, LOOSE, PC);  \
        touch((uintptr_t)p, n, WRITE, LOOSE, PC); \
    }
BOTH(1)
BOTH(2)
BOTH(4)
BOTH(8)
BOTH(16)

/* An object's pointer to its virtual functions is set by its constructors. */
void __tsan_vptr_update(void **p, void *v);
void __tsan_vptr_update(void **p, void *v)
{
    (void)v;
    touch((uintptr_t)p, sizeof *p, WRITE, 0, PC);
}

void __tsan_vptr_read(void **p);
void __tsan_vptr_read(void **p)
{
    touch((uintptr_t)p, sizeof *p, READ, 0, PC);
}
static void touch_range(const void *p, size_t n, int kind, uintptr_t pc)
{
    uintptr_t a = (uintptr_t)p;
    unsigned step = (a | n) % 4 ? 1 : 4;

    if (n == 8 || n == 16) /* a float4, or as good as one */
        step = a % n ? step : (unsigned)n;
    if (loom_current && a - args_low < args_bytes)
        return;
    if (!loom_current && n) {
        touch_host(a, n, kind, 0, pc);
        touch_host(a + n - 1, 0, kind, 0, pc);
        return;
    }
    for (size_t i = 0; i < n; i += step)
        look(a + i, step, kind, LOOSE, pc);
}

/* answer for copies */
void __tsan_read_range(void *p, size_t n);
void __tsan_read_range(void *p, size_t n)
{
    touch_range(p, n, READ, PC);
}

void __tsan_write_range(void *p, size_t n);
void __tsan_write_range(void *p, size_t n)
{
    touch_range(p, n, WRITE, PC);
}

void *__tsan_memcpy(void *to, const void *from, size_t n);
void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    touch_range(from, n, READ, PC);
    touch_range(to, n, WRITE, PC);
    return memmove(to, from, n);
}

void *__tsan_memmove(void *to, const void *from, size_t n)
    __attribute__((alias("__tsan_memcpy")));

void *__tsan_memset(void *p, int value, size_t n);
void *__tsan_memset(void *p, int value, size_t n)
{
    touch_range(p, n, WRITE, PC);
    return memset(p, value, n);
}

/* answer for an index out of bounds */
struct type {            /* as the compiler describes one */
    uint16_t kind, info; /* of an integer: log2 of its bits, and a sign */
    char name[];         /* such as 'float [256]' */
};
struct index {
    const char *file;
    uint32_t line, column;
    const struct type *array, *index;
};

void __ubsan_handle_out_of_bounds(const struct index *at, uintptr_t value);
void __ubsan_handle_out_of_bounds(const struct index *at, uintptr_t value)
{
    int unused = 64 - (1 << (at->index->info >> 1));
    struct place here = {.line = (int)at->line, .column = (int)at->column};
    int64_t i = (int64_t)value;

    if (unused > 0 && at->index->info & 1)
        i = (int64_t)(value << unused) >> unused;
    snprintf(here.file, sizeof here.file, "%s", at->file);
    report_index(loom_current, &here, i, at->array->name);
}

/* look at an atomic */
/* Loom announces the atomics of CUDA and says where they stand. What
   the compiler reports at the same address then is the same one. */
static void touch_atomic(uintptr_t address, unsigned size, int kind, int order,
                         uintptr_t pc)
{
    struct loom_sm *sm = loom_current;
    struct watch *w = sm ? sm->checker : NULL;

    if (sm && (!w || (w->flag && w->flag == address)))
        return;
    touch(address, size, kind, STRONG | order << 8, pc);
}

static void on_atomic(struct loom_sm *sm, const void *p, size_t size,
                      struct loom_site site)
{
    struct watch *w = sm->checker;
    struct access a = {.address = (uintptr_t)p,
                       .size = (unsigned)size,
                       .kind = UPDATE,
                       .strong = STRONG};
    struct area *of = locate(sm, &a, 0);

    if (of) {
        a.site = site_of_line(site, UPDATE, a.space, a.size);
        touch_area(sm, &a, of, 1);
    }
    w->flag = (uintptr_t)p; /* last: to give up the turn would forget it */
}

/* look at what Loom touches */
static void on_access(struct loom_sm *sm, const void *p, size_t size, int how,
                      struct loom_site site)
{
    uintptr_t from = (uintptr_t)p;
    unsigned step = (from | size) % 4 ? 1 : 4;

    if (how & LOOM_STRONG && size <= 8)
        step = (unsigned)size;
    for (size_t i = 0; i < size; i += step) {
        struct access a = {.address = from + i,
                           .size = step,
                           .kind = how & 3,
                           .strong = how & LOOM_STRONG ? STRONG : 0};
        struct area *of = locate(sm, &a, 0);

        if (!of)
            return;
        a.site = site_of_line(site, a.kind, a.space, step);
        touch_area(sm, &a, of, 0);
        if (how & LOOM_UNSET && a.init)
            for (unsigned k = 0; k < step; k++)
                a.init[(from % 4 + k) / 4] &=
                    (unsigned char)~(1u << (a.address + k) % 4);
    }
}

static void on_order(struct loom_sm *sm, const void *key, int how)
{
    check_equals(sm->checker); /* before others go on, and write there */
    if (how & LOOM_RELEASE)
        check_flag(sm->checker, (uintptr_t)key, WRITE, __ATOMIC_RELEASE);
    if (how & LOOM_ACQUIRE)
        check_flag(sm->checker, (uintptr_t)key, READ, __ATOMIC_ACQUIRE);
}

/* answer for atomic loads and stores */
#define ATOMIC(n, T)                                             \
    T __tsan_atomic##n##_load(const T *p, int order);            \
    T __tsan_atomic##n##_load(const T *p, int order)             \
    {                                                            \
        touch_atomic((uintptr_t)p, sizeof *p, READ, order, PC);  \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);             \
    }                                                            \
    void __tsan_atomic##n##_store(T *p, T v, int order);         \
    void __tsan_atomic##n##_store(T *p, T v, int order)          \
    {                                                            \
        touch_atomic((uintptr_t)p, sizeof *p, WRITE, order, PC); \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                \
    }                                                            \
    SWAP(n, T)                                                   \
    UPDATES(n, T)

/* answer for atomic updates */
#define CHANGE(n, T, name, builtin)                               \
    T __tsan_atomic##n##_##name(T *p, T v, int order);            \
    T __tsan_atomic##n##_##name(T *p, T v, int order)             \
    {                                                             \
        touch_atomic((uintptr_t)p, sizeof *p, UPDATE, order, PC); \
        return builtin(p, v, __ATOMIC_SEQ_CST);                   \
    }
#define UPDATES(n, T)                           \
    CHANGE(n, T, exchange, __atomic_exchange_n) \
    CHANGE(n, T, fetch_add, __atomic_fetch_add) \
    CHANGE(n, T, fetch_sub, __atomic_fetch_sub) \
    CHANGE(n, T, fetch_and, __atomic_fetch_and) \
    CHANGE(n, T, fetch_or, __atomic_fetch_or)   \
    CHANGE(n, T, fetch_xor, __atomic_fetch_xor) \
    CHANGE(n, T, fetch_nand, __atomic_fetch_nand)

/* answer for compare-and-swap */
#define SWAP(n, T)                                                             \
    int __tsan_atomic##n##_compare_exchange_strong(T *p, T *e, T v, int order, \
                                                   int fail);                  \
    int __tsan_atomic##n##_compare_exchange_strong(T *p, T *e, T v, int order, \
                                                   int fail)                   \
    {                                                                          \
        (void)fail;                                                            \
        touch_atomic((uintptr_t)p, sizeof *p, UPDATE, order, PC);              \
        return __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_SEQ_CST,       \
                                           __ATOMIC_SEQ_CST);                  \
    }                                                                          \
    int __tsan_atomic##n##_compare_exchange_weak(T *p, T *e, T v, int o,       \
                                                 int f)                        \
        __attribute__((alias("__tsan_atomic" #n "_compare_exchange_strong"))); \
    T __tsan_atomic##n##_compare_exchange_val(T *p, T e, T v, int order,       \
                                              int fail);                       \
    T __tsan_atomic##n##_compare_exchange_val(T *p, T e, T v, int order,       \
                                              int fail)                        \
    {                                                                          \
        (void)fail;                                                            \
        touch_atomic((uintptr_t)p, sizeof *p, UPDATE, order, PC);              \
        __atomic_compare_exchange_n(p, &e, v, 0, __ATOMIC_SEQ_CST,             \
                                    __ATOMIC_SEQ_CST);                         \
        return e;                                                              \
    }

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

/* answer Loom */

/* answer for fences */
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    if (loom_current)
        check_fence(loom_current->checker);
}

/* answer for what does not matter */
#define NOTHING(name, ...)           \
    void __tsan_##name(__VA_ARGS__); \
    void __tsan_##name(__VA_ARGS__)  \
    {                                \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
NOTHING(init, void)
NOTHING(func_entry, void *p)
NOTHING(func_exit, void)
NOTHING(atomic_signal_fence, int order)

/* follow the threads */
static void on_turn(struct loom_sm *sm, unsigned thread)
{
    struct watch *w = sm->checker;

    if (w->equal_n)
        check_equals(w);
    check_turn(w, thread);
    if (count_on)
        count_turn(w);
    w->flag = 0;
}

static void on_thread_end(struct loom_sm *sm, unsigned thread)
{
    if (count_on)
        count_thread(sm->checker, thread);
}

static void on_block_end(struct loom_sm *sm)
{
    check_equals(sm->checker);
    if (count_on)
        count_end(sm->checker);
}

/* follow launches and blocks */
static unsigned eras; /* how often the clock was set back */

static void clear_cells(const struct area *a)
{
    size_t bytes = (a->room / 4 + 8) * sizeof *a->cell;

    if (a->cell && madvise(a->cell, bytes, MADV_DONTNEED))
        memset(a->cell, 0, bytes);
}

void forget_stamps(void)
{
    eras++;
    clear_cells(&image);
    for (int i = 0; i < area_count; i++)
        clear_cells(areas[i]);
}
static void on_launch(const struct loom_launch *l, const void *args,
                      size_t bytes)
{
    args_low = (uintptr_t)args;
    args_bytes = bytes;
    check_launch(l);
}

static void on_end(const struct loom_launch *l)
{
    (void)l;
    report_now();
}

/* forget what a block has written */
/* What a block has written, the next one must not read. */
static void forget(struct area *a)
{
    if (a->first < a->last)
        memset(a->init + a->first, 0, a->last - a->first);
}

/* find the built-in variables */
/* threadIdx and its like are thread-locals too. */
static void find_builtins(struct watch *w)
{
    char *v[] = {(char *)&threadIdx, (char *)&blockIdx, (char *)&blockDim,
                 (char *)&gridDim, (char *)&loom_pending};
    char *low = v[0], *high = v[0];

    for (int i = 1; i < 5; i++) {
        low = v[i] < low ? v[i] : low;
        high = v[i] > high ? v[i] : high;
    }
    w->builtin = low;
    w->builtin_bytes = (size_t)(high - low) + sizeof threadIdx;
}

/* prepare to watch */
static struct watch *watches; /* all there are */

static void begin_watch(struct loom_sm *sm)
{
    struct watch *w = calloc(1, sizeof *w);

    if (!w)
        abort();
    w->sm = sm;
    w->next = watches;
    watches = sm->checker = w;
}
static void drop_shared(struct watch *w)
{
    if (w->fixed.live) {
        take_shadow(&w->fixed);
        take_shadow(&w->dynamic);
        free(w->parts);
    }
    w->dynamic.start = NULL;
}

static void watch_shared(struct loom_sm *sm, struct watch *w)
{
    static size_t bytes, before; /* of the thread-locals; of `dynamic` */

    if (!bytes) {
        bytes = (size_t)(sm->shared_high - sm->shared_low);
        before = (size_t)(sm->dynamic - sm->shared_low);
    }
    drop_shared(w);
    for (struct watch *v = watches; v; v = v->next)
        if (v->dynamic.start == sm->dynamic)
            drop_shared(v);
    give_shadow(&w->fixed, sm->dynamic - before, bytes, 0);
    w->parts = make_parts(&w->fixed, SHARED);
    give_shadow(&w->dynamic, sm->dynamic, DYNAMIC_BYTES, 0);
    w->fixed.first = w->dynamic.first = SIZE_MAX;
    w->fixed.last = w->dynamic.last = 0;
    find_builtins(w);
}

/* begin a block */
static void on_block(struct loom_sm *sm)
{
    struct watch *w = sm->checker;

    if (!w)
        begin_watch(sm);
    w = sm->checker;
    if (w->dynamic.start != sm->dynamic)
        watch_shared(sm, w);
    w->block = sm->block;
    if (w->dynamic.bytes != sm->dynamic_bytes) {
        w->dynamic.bytes = sm->dynamic_bytes;
        forget_area(&w->dynamic);
    }
    forget(&w->fixed);
    forget(&w->dynamic);
    if (w->era != eras) {
        w->era = eras;
        clear_cells(&w->fixed);
        clear_cells(&w->dynamic);
        memset(w->fence, 0, sizeof w->fence);
        memset(w->turned, 0, sizeof w->turned);
        memset(w->lanes, 0, sizeof w->lanes);
    }
    check_block(w);
    on_turn(sm, sm->thread);
}

/* check whom a shuffle asks */
static void check_sources(struct loom_sm *sm, unsigned warp, uint32_t mask,
                          struct loom_site site)
{
    const struct loom_warp *w = &sm->warp[warp];

    if (w->wish[__builtin_ctz(mask)].op != LOOM_SHUFFLE)
        return;
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m), from = w->wish[l].source;

        if (w->wish[l].mask & ~mask & 1u << from)
            report_lane(sm, warp * 32 + l, from, site);
    }
}

/* follow what orders threads */
static void on_barrier(struct loom_sm *sm, struct loom_site site)
{
    if (count_on)
        count_barrier(sm->checker, site);
    if (sm->barrier_kind == LOOM_GRID)
        check_grid(sm->launch->grid);
    check_barrier(sm->checker, sm->threads - sm->ended);
}

static void on_lanes(struct loom_sm *sm, unsigned warp, uint32_t mask,
                     struct loom_site site)
{
    const struct loom_warp *v = &sm->warp[warp];
    unsigned lane = (unsigned)__builtin_ctz(mask);
    unsigned left = sm->threads - 32 * warp;
    uint32_t every = left < 32 ? (1u << left) - 1 : ~0u;

    if (count_on)
        count_lanes(sm->checker, warp, mask);
    if (v->wish[lane].op == LOOM_SYNC)
        check_lanes(sm->checker, warp, v->wish[lane].mask & every, every);
    check_sources(sm, warp, mask, site);
}

static void on_fence(struct loom_sm *sm, struct loom_site site)
{
    (void)site;
    check_fence(sm->checker);
}

/* fill in the table of hooks */
static const struct loom_hooks hooks = {
    .launch_begin = on_launch,
    .launch_end = on_end,
    .block_begin = on_block,
    .block_end = on_block_end,
    .thread_switch = on_turn,
    .thread_end = on_thread_end,
    .barrier = on_barrier,
    .warp_sync = on_lanes,
    .fence = on_fence,
    .atomic = on_atomic,
    .access = on_access,
    .order = on_order,
    .alloc = on_alloc,
    .release = on_release,
    .host_read = on_host_read,
    .host_write = on_host_write,
    .queue = order_queue,
    .wait = order_wait,
    .work = order_work,
};
const struct loom_hooks *loom_hooks = &hooks;

/* begin and end the program */
__attribute__((constructor)) static void begin(void)
{
    count_on = getenv("LOOM_COUNT") != NULL;
    number = shadow((size_t)(etext - __executable_start) * sizeof *number);
    give_shadow(&image, __executable_start, (size_t)(end - __executable_start),
                1);
    image_parts = make_parts(&image, GLOBAL);
    for (int i = 0; i < where_variables(GLOBAL); i++) {
        const struct variable *v = &inst_variable[GLOBAL][i];
        uintptr_t low = (uintptr_t)image.start + v->start;

        if (v->owner >= DEVICE && v->owner <= MANAGED && !devices_low)
            devices_low = low;
        if (v->owner >= DEVICE && v->owner <= MANAGED)
            devices_bytes = low + v->bytes - devices_low;
    }
}

__attribute__((destructor)) static void finish(void)
{
    report_now();
    if (count_on)
        count_print();
}
