/* check_report.c: says what is wrong as a compiler says it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "loom/cuda_runtime_api.h"
#include "loom/inst.h"

/* say everything once */
static int told(uintptr_t a, uintptr_t b)
{
    static uintptr_t seen[1024][2];
    static int n;

    for (int i = 0; i < n; i++)
        if ((seen[i][0] == a && seen[i][1] == b) ||
            (seen[i][0] == b && seen[i][1] == a))
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

    snprintf(n.text, sizeof n.text, "thread (%u,%u,%u) of block (%u,%u,%u)",
             thread % b.x, thread / b.x % b.y, thread / b.x / b.y,
             (unsigned)(block % g.x), (unsigned)(block / g.x % g.y),
             (unsigned)(block / g.x / g.y));
    return n;
}

/* report a race */
static const char *const did[] = {"reads", "writes", "updates"};
static const char *const was[] = {"read", "written", "updated"};
static const char *const noun[] = {"read", "write", "atomic update"};

static const char *missing(const struct watch *w, const struct stamp *old)
{
    if (check_glimpse(w, old))
        return "a flag said so, but no __threadfence() follows the look at it";
    if ((old->who ^ w->who) >> 10)
        return "nothing orders the two blocks";
    return (old->who ^ w->who) >> 5 ? "no barrier lies between"
                                    : "no __syncwarp() lies between";
}
void report_race(struct watch *w, const struct access *a,
                 const struct stamp *old)
{
    const struct place *here = site_place(a->site);
    const struct place *there = site_place(old->site);
    int kind = inst_site[old->site].kind;
    struct name other = name_thread(w->sm, old->who & 1023, old->who >> 10);

    if (told(inst_site[a->site].pc, inst_site[old->site].pc))
        return;
    loom_report((struct loom_site){here->file, here->line},
                "error: race on %s memory: %s %s what %s has %s, in %s",
                a->space == SHARED ? "shared" : "global",
                name_thread(w->sm, w->who & 1023, w->who >> 10).text,
                did[a->kind], other.text, was[kind], w->sm->launch->kernel);
    show(here);
    if (loom_quiet())
        return;
    fprintf(stderr, "%s:%d: note: the other %s is here; %s\n", there->file,
            there->line, noun[kind], missing(w, old));
    show(there);
}

/* report a read of what nobody wrote */
void report_unset(struct watch *w, const struct access *a)
{
    const struct place *here = site_place(a->site);
    char where[400] = "";

    if (told(inst_site[a->site].pc, 1))
        return;
    if (a->space == GLOBAL)
        loom_describe((void *)a->address, where, sizeof where);
    loom_report((struct loom_site){here->file, here->line},
                "error: uninitialised %s memory: %s reads %u bytes that"
                " nobody has written, in %s%s%s",
                a->space == SHARED ? "shared" : "global",
                name_thread(w->sm, w->who & 1023, w->who >> 10).text, a->size,
                w->sm->launch->kernel, *where ? "\n  they are at " : "", where);
    show(here);
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
