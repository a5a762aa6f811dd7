/* check_report.c: says what is wrong as a compiler says it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loom/cuda_runtime_api.h"
#include "loom/inst.h"

/* say everything once */
static int told(uintptr_t a, uintptr_t b)
{
    static uintptr_t seen[1024][2];
    static int n;

    for (int i = 0; i < n; i++)
        if (seen[i][0] == a && seen[i][1] == b)
            return 1;
    if (n == 1024)
        return 1;
    seen[n][0] = a;
    seen[n++][1] = b;
    return 0;
}

/* show the line of a place */
static void show(const struct place *at)
{
    if (at->line > 0)
        loom_show((struct loom_site){at->file, at->line}, at->column);
}

/* name a thread */
struct name {
    char text[80];
};

static struct name name_thread(const struct loom_sm *sm, unsigned thread,
                               uint64_t block)
{
    const struct loom_launch *l = sm->launch;
    uint3 b = l->block, g = l->grid;
    struct name n;

    if ((uint64_t)g.x * g.y * g.z <= BLOCKS)
        block &= BLOCKS - 1;
    snprintf(n.text, sizeof n.text, "thread (%u,%u,%u) of block (%u,%u,%u)",
             thread % b.x, thread / b.x % b.y, thread / b.x / b.y,
             (unsigned)(block % g.x), (unsigned)(block / g.x % g.y),
             (unsigned)(block / g.x / g.y));
    return n;
}

/* collect what is found */
static pthread_mutex_t in_report = PTHREAD_MUTEX_INITIALIZER;

struct finding {
    unsigned a, b;        /* sites; b is 0 for a read of what nobody wrote */
    int told;             /* it has been printed, or belongs to one */
    uint64_t times, same; /* seen; of these, changed nothing */
    char text[900], note[120], kernel[200];
};
enum { FINDINGS = 4096 };
static struct finding *finding[FINDINGS];
static int findings;

/* The finding of a pair; new ones have times 0. NULL when there are too many. */
static struct finding *find_pair(unsigned a, unsigned b)
{
    static uint16_t table[4 * FINDINGS];
    uint32_t key = a < b ? a << 16 | b : b << 16 | a;
    unsigned i = (unsigned)(key * 0x9e3779b97f4a7c15u >> 50);
    struct finding *f;

    for (; table[i]; i = (i + 1) % (4 * FINDINGS)) {
        f = finding[table[i] - 1];
        if ((f->a == a && f->b == b) || (f->a == b && f->b == a))
            return f;
    }
    if (findings == FINDINGS)
        return NULL;
    f = calloc(1, sizeof *f);
    if (!f)
        abort();
    f->a = a;
    f->b = b;
    finding[findings++] = f;
    table[i] = (uint16_t)findings;
    return f;
}

/* report a race */
static const char *const did[] = {"reads", "writes", "updates"};
static const char *const was[] = {"read", "written", "updated"};
static const char *const noun[] = {"read", "write", "atomic update"};

static const char *missing(const struct watch *w, const struct stamp *old,
                           unsigned lane)
{
    if (check_glimpse(w, old, lane))
        return "a flag said so, but no __threadfence() follows the look at it";
    if (old->how >> BY_BLOCK != w->block)
        return "nothing orders the two blocks";
    return old->how >> BY_WARP != w->warp_id ? "no barrier lies between"
                                             : "no __syncwarp() lies between";
}
void report_race(struct watch *w, const struct access *a,
                 const struct stamp *old, uint32_t lanes, int same)
{
    unsigned other = (uint16_t)(old->how >> BY_SITE);
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    int kind = inst_site[other].kind;
    struct finding *f = find_pair(a->site, other);

    if (!f)
        return;
    f->same += (unsigned)same;
    if (f->times++ && (same || f->times > f->same))
        return;
    snprintf(f->text, sizeof f->text, "%s memory: %s %s what %s has %s",
             a->space == SHARED ? "shared" : "global",
             name_thread(w->sm, w->who, w->block).text, did[a->kind],
             name_thread(w->sm,
                         (unsigned)(old->how >> BY_WARP) % 32 * 32 + lane,
                         old->how >> BY_BLOCK)
                 .text,
             was[kind]);
    f->a = a->site;
    f->b = other;
    snprintf(f->kernel, sizeof f->kernel, "%s", w->sm->launch->kernel);
    snprintf(f->note, sizeof f->note, "the other %s is here; %s", noun[kind],
             missing(w, old, lane));
}

/* report a race of strangers */
/* mine: what is done now, by a thread of w or, if w is NULL, by the host or a
   call in a stream. */
void report_stranger(struct watch *w, const struct stamp *mine,
                     const struct stamp *old)
{
    unsigned site = (uint16_t)(mine->how >> BY_SITE);
    unsigned other = (uint16_t)(old->how >> BY_SITE);
    uint64_t by = mine->how >> BY_BLOCK, of = old->how >> BY_BLOCK;
    struct finding *f;
    char who[400], whose[400];

    order_name(mine, who, sizeof who);
    order_name(old, whose, sizeof whose);
    pthread_mutex_lock(&in_report);
    f = find_pair(site, other);
    if (f && !f->times++) {
        snprintf(f->text, sizeof f->text, "global memory: %s %s what %s has %s",
                 w ? name_thread(w->sm, w->who, w->block).text : who,
                 did[inst_site[site].kind], whose, was[inst_site[other].kind]);
        f->a = site;
        f->b = other;
        if (w)
            snprintf(f->kernel, sizeof f->kernel, "%s", w->sm->launch->kernel);
        snprintf(f->note, sizeof f->note, "the other %s is here; %s",
                 noun[inst_site[other].kind],
                 by == BY_HOST   ? "the host has not waited for it"
                 : of == BY_HOST ? "the host did not wait before it did that"
                                 : "nothing orders the two streams");
    }
    pthread_mutex_unlock(&in_report);
}

/* report a read of what nobody wrote */
void report_unset(struct watch *w, const struct access *a)
{
    struct finding *f = find_pair(a->site, 0);
    char where[400] = "";

    if (!f || f->times++)
        return;
    if (a->space == GLOBAL)
        loom_describe((void *)a->address, where, sizeof where);
    snprintf(f->text, sizeof f->text,
             "error: uninitialized %s memory: %s reads %u bytes that"
             " nobody has written, in %s%s%s",
             a->space == SHARED ? "shared" : "global",
             name_thread(w->sm, w->who, w->block).text, a->size,
             w->sm->launch->kernel, *where ? "\n  they are at " : "", where);
}

/* tell what was found */
static int same_place(unsigned a, unsigned b)
{
    const struct place *p = site_place(a), *q = site_place(b);

    return p->line == q->line && strcmp(p->file, q->file) == 0;
}

static int same_lines(const struct finding *f, const struct finding *g)
{
    if (!f->b || !g->b)
        return !f->b && !g->b && same_place(f->a, g->a);
    return (same_place(f->a, g->a) && same_place(f->b, g->b)) ||
           (same_place(f->a, g->b) && same_place(f->b, g->a));
}

/* Adds the others of these lines; 0 when they were told before. */
static int gather(struct finding *f)
{
    for (int i = 0; i < findings; i++) {
        struct finding *g = finding[i];

        if (g == f || !same_lines(f, g))
            continue;
        if (g->told)
            return 0;
        if (f->times == f->same && g->times > g->same) {
            memcpy(f->text, g->text, sizeof f->text);
            memcpy(f->note, g->note, sizeof f->note);
            memcpy(f->kernel, g->kernel, sizeof f->kernel);
            f->a = g->a;
            f->b = g->b;
        }
        f->times += g->times;
        f->same += g->same;
        g->told = -1;
    }
    return 1;
}
static void tell(struct finding *f)
{
    const struct place *here = site_place(f->a), *there = site_place(f->b);
    struct loom_site site = {here->file, here->line};
    int benign = f->b && f->times == f->same;
    char times[40] = "";

    if (f->times > 1)
        snprintf(times, sizeof times, " (%llu times)",
                 (unsigned long long)f->times);
    if (!f->b)
        loom_report(site, "%s", f->text);
    else if (benign)
        loom_remark(site,
                    "warning: benign race on %s; no store changes"
                    " anything, in %s%s",
                    f->text, f->kernel, times);
    else
        loom_report(site, "error: race on %s%s%s%s", f->text,
                    *f->kernel ? ", in " : "", f->kernel, times);
    show(here);
    if (!f->b || loom_quiet())
        return;
    fprintf(stderr, "%s:%d: note: %s\n", there->file, there->line, f->note);
    show(there);
}

void report_now(void)
{
    for (int unset = 0; unset < 2; unset++)
        for (int i = 0; i < findings; i++)
            if (!finding[i]->told && (finding[i]->b == 0) == unset) {
                if (gather(finding[i]))
                    tell(finding[i]);
                finding[i]->told = 1;
            }
}

/* describe where an address lies */
extern char __executable_start[], end[];

/* The last variable at or before an address, or NULL. */
static const struct variable *variable_at(const struct watch *w, const char *at,
                                          size_t *into)
{
    int shared =
        w && at >= w->fixed.start && at < w->fixed.start + w->fixed.bytes;
    const char *start = shared ? w->fixed.start : __executable_start;
    int n = shared || (at >= start && at < end)
                ? where_variable((size_t)(at - start), shared)
                : -1;

    while (n >= 0 && (inst_variable[shared][n].owner == NOBODY ||
                      inst_variable[shared][n].owner == KERNEL))
        n--;
    if (n < 0)
        return NULL;
    *into = (size_t)(at - start) - inst_variable[shared][n].start;
    return &inst_variable[shared][n];
}
static void describe(const struct watch *w, uintptr_t address, char *text,
                     size_t size)
{
    const char *at = (const char *)address, *of;
    size_t into = 0;
    const struct variable *v = variable_at(w, at, &into);

    if (w && at >= w->dynamic.start && at < w->dynamic.start + DYNAMIC_BYTES) {
        snprintf(text, size, "0x%zx, %td bytes past the end", address,
                 at - w->dynamic.start - (ptrdiff_t)w->dynamic.bytes);
        return;
    }
    if (!v) {
        loom_describe(at, text, size);
        return;
    }
    of = v->owner == HOST ? " of the host" : "";
    if (into < v->bytes)
        snprintf(text, size, "0x%zx, byte %zu of %s%s%s, %zu bytes%s", address,
                 into, v->name, *v->within ? " in " : "", v->within, v->bytes,
                 of);
    else
        snprintf(text, size, "0x%zx, %zu bytes past the end of %s, %zu bytes%s",
                 address, into - v->bytes, v->name, v->bytes, of);
}

/* report an access that cannot be made */
/* The access must not happen: the kernel ends here. */
void report_bad(struct loom_sm *sm, uintptr_t address, unsigned size, int kind,
                uintptr_t pc, const char *what)
{
    struct watch *w = sm->checker;
    struct place here;
    char where[400];

    report_now();
    where_is(pc, &here);
    describe(w, address, where, sizeof where);
    loom_report((struct loom_site){here.file, here.line},
                "error: %s: %s %s %u bytes, in %s\n  they are at %s", what,
                name_thread(sm, sm->thread, w->block).text, did[kind], size,
                sm->launch->kernel, where);
    show(&here);
    loom_abandon_block(sm, *what == 'm' ? cudaErrorMisalignedAddress
                                        : cudaErrorIllegalAddress);
}

/* report an index out of bounds */
void report_index(struct loom_sm *sm, const struct place *here, int64_t i,
                  const char *array)
{
    struct watch *w = sm ? sm->checker : NULL;

    report_now();
    loom_report((struct loom_site){here->file, here->line},
                "error: out of bounds: %s uses index %lld of an array %s%s%s",
                w ? name_thread(sm, sm->thread, w->block).text : "the host",
                (long long)i, array, w ? ", in " : "",
                w ? sm->launch->kernel : "");
    show(here);
    if (sm)
        loom_abandon_block(sm, cudaErrorIllegalAddress);
    fflush(NULL);
    _exit(2);
}

/* report a shuffle from an inactive lane */
void report_lane(struct loom_sm *sm, unsigned thread, unsigned from,
                 struct loom_site site)
{
    if (told((uintptr_t)site.file, (uintptr_t)site.line))
        return;
    loom_report(site,
                "error: shuffle from an inactive lane: %s asks lane %u, which"
                " has returned or never was, in %s",
                name_thread(sm, thread, sm->block).text, from,
                sm->launch->kernel);
    loom_show(site, 0);
}

/* report the host in device memory */
void report_host(uintptr_t address, int kind, uintptr_t pc)
{
    struct place here;
    char where[400];

    if (told(pc, 2))
        return;
    where_is(pc, &here);
    describe(NULL, address, where, sizeof where);
    loom_report((struct loom_site){here.file, here.line},
                "error: device memory on the host: the host %s\n"
                "  %s; copy it with cudaMemcpy, or allocate with"
                " cudaMallocManaged",
                did[kind], where);
    show(&here);
}
