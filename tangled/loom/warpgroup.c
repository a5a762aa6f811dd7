/* warpgroup.c: what four warps do together, and barriers of some warps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom/block.h"
#include "loom/cluster.h"
#include "loom/cuda_runtime_api.h"
#include "loom/loom_int.h"
#include "loom/matrix.h"
#include "loom/warpgroup.h"

/* describe warpgroups */
enum { GROUPS = LOOM_WARPS / 4, SUMS = 8, BARRIERS = 16 };

/* The n registers of one thread that receive sums. While somebody owns them, the
   values are here. */
struct sums {
    float *d[128], value[128];
    int n, pending;
};

struct wgmma {
    struct wgmma *next;
    struct loom_wgmma is;
    unsigned a[128][4]; /* of the threads that hold A */
    int done;
    unsigned issued;   /* a bit for each of the four warps */
    unsigned group[4]; /* commits that each had behind it */
    struct sums *sums[128];
    struct loom_site site;
};

struct loom_groups { /* of a block */
    struct {
        struct wgmma *first;
    } group[GROUPS];
    unsigned commits[LOOM_WARPS], fenced[LOOM_WARPS];
    struct sums *sums[LOOM_BLOCK_SIZE]; /* SUMS of each thread, or NULL */
    struct {
        unsigned arrived, phase, threads;
    } barrier[BARRIERS];
};

static struct loom_groups *groups_of(struct loom_sm *sm)
{
    if (!sm->groups)
        sm->groups = calloc(1, sizeof *sm->groups);
    if (!sm->groups)
        abort();
    return sm->groups;
}

/* Threads tell each other by an address, which is of this block alone. */
static void tell(const void *key, int how)
{
    if (loom_hooks && loom_hooks->order)
        loom_hooks->order(
            loom_current,
            (void *)((uintptr_t)key ^ (loom_current->block + 1) << 42), how);
}

/* wait at a barrier of some warps */
/* Comes to a barrier; returns the phase that it was in. */
static unsigned come_to(struct loom_sm *sm, unsigned id, unsigned threads,
                        struct loom_site site)
{
    struct loom_groups *g = groups_of(sm);
    unsigned phase;

    if (id >= BARRIERS || threads == 0 || threads % 32 || threads > sm->threads)
        loom_fail(site, cudaErrorLaunchFailure,
                  "barrier %u of %u threads: there are 16, each for a multiple"
                  " of 32 of the block's threads",
                  id, threads);
    loom_come_in(sm);
    if (sm->direct)
        loom_leave_direct(sm);
    if (g->barrier[id].arrived && g->barrier[id].threads != threads)
        loom_fail(site, cudaErrorLaunchFailure,
                  "barrier %u is for %u threads, says who came before, not for"
                  " %u",
                  id, g->barrier[id].threads, threads);
    phase = g->barrier[id].phase;
    g->barrier[id].threads = threads;
    tell((char *)&g->barrier[id] + (phase & 1), LOOM_RELEASE);
    loom_progress(sm);
    if (++g->barrier[id].arrived == threads) {
        g->barrier[id].arrived = 0;
        g->barrier[id].phase++;
    }
    return phase;
}

void loom_barrier_arrive(unsigned id, unsigned threads, const char *file,
                         int line)
{
    struct loom_site site = {file, line};

    come_to(loom_current, id, threads, site);
    loom_current->inside = 0;
}

void loom_barrier_part(unsigned id, unsigned threads, const char *file,
                       int line)
{
    struct loom_sm *sm = loom_current;
    struct loom_site site = {file, line};
    unsigned phase = come_to(sm, id, threads, site);
    struct loom_groups *g = sm->groups;

    while (g->barrier[id].phase == phase)
        loom_wait_for(sm, &g->barrier[id], file, line);
    tell((char *)&g->barrier[id] + (phase & 1), LOOM_ACQUIRE);
    sm->inside = 0;
}

/* say who is missing at a barrier */
/* What a thread waits for, if it is one of these: for who reports a deadlock. */
int loom_tell_part(const struct loom_sm *sm, const void *what, char *text,
                   size_t size)
{
    const struct loom_groups *g = sm->groups;
    const char *p = what;

    if (!g || p < (const char *)g || p >= (const char *)(g + 1))
        return 0;
    if (p < (const char *)g->barrier) {
        snprintf(text, size, "for the other warps of their warpgroup");
        return 1;
    }
    for (unsigned i = 0; i < BARRIERS; i++)
        if (what == &g->barrier[i])
            snprintf(text, size, "at barrier %u (%u of %u threads have come)",
                     i, g->barrier[i].arrived, g->barrier[i].threads);
    return 1;
}

/* keep sums from their threads */
static const unsigned taken = 0x7fffabcd; /* a NaN: somebody owns this */

/* The sums of thread t that are kept for n registers. */
static struct sums *sums_of(struct loom_groups *g, unsigned t, float *const *d,
                            int n, struct loom_site site)
{
    struct sums *s = g->sums[t], *spare = NULL;
    size_t bytes = (size_t)n * sizeof *d;

    if (!s)
        s = g->sums[t] = calloc(SUMS, sizeof *s);
    if (!s)
        abort();
    for (int i = 0; i < SUMS; i++) {
        if (s[i].n == n && memcmp(s[i].d, d, bytes) == 0)
            return &s[i];
        if (!s[i].pending && (!spare || !s[i].n))
            spare = &s[i];
    }
    if (!spare)
        loom_fail(site, cudaErrorLaunchFailure,
                  "Loom keeps %d accumulators of a thread at a time", SUMS);
    memcpy(spare->d, d, bytes);
    spare->n = n;
    memset(spare->value, 0xff, sizeof spare->value);
    return spare;
}

/* A multiplication takes the registers: from now on they hold NaN. */
static struct sums *take(struct loom_groups *g, unsigned t, float *const *d,
                         const struct wgmma *p, int fenced)
{
    struct sums *s = sums_of(g, t, d, p->is.n / 2, p->site);

    if (s->pending++)
        return s;
    for (int i = 0; i < s->n; i++) {
        if (!fenced && memcmp(d[i], &s->value[i], 4))
            loom_fail(p->site, cudaErrorLaunchFailure,
                      "registers of this multiplication were touched before it"
                      " without wgmma.fence in between");
        s->value[i] = *d[i];
        memcpy(d[i], &taken, 4);
    }
    return s;
}

/* And gives them back. */
static void give(struct sums *s, const struct wgmma *p)
{
    if (--s->pending)
        return;
    for (int i = 0; i < s->n; i++) {
        if (memcmp(s->d[i], &taken, 4))
            loom_fail(p->site, cudaErrorLaunchFailure,
                      "a register of this multiplication was written before it"
                      " was waited for");
        *s->d[i] = s->value[i];
    }
}

/* fetch a matrix of shared memory */
static void touch(const void *p, struct loom_site site)
{
    if (loom_hooks && loom_hooks->access)
        loom_hooks->access(loom_current, p, 16, LOOM_READ, site);
}

/* The 16 bytes of elements (i, k), whose neighbors they hold: along k, or, if
   turned, along i. */
static const char *chunk(uint64_t d, int turned, int i, int k)
{
    unsigned leading = (unsigned)(d >> 16 & 0x3fff) * 16, mode = d >> 62;
    unsigned stride = (unsigned)(d >> 32 & 0x3fff) * 16;
    unsigned s = mode ? 256u >> mode : 16, at;
    unsigned mask = mode == 1 ? 0x70 : mode == 2 ? 0x30 : mode == 3 ? 0x10 : 0;
    unsigned row = (unsigned)i, step = (unsigned)k;
    uintptr_t p = (uintptr_t)loom_from_shared((unsigned)(d & 0xffff) * 16);

    if (!turned && mode)
        at = row / 8 * stride + row % 8 * s + 2 * step;
    else if (!turned)
        at = row / 8 * stride + step / 8 * leading + row % 8 * 16;
    else if (mode)
        at = row / (s / 2) * leading + step / 8 * stride + step % 8 * s +
             row % (s / 2) * 2;
    else
        at = row / 8 * stride + step / 8 * leading + step % 8 * 16;
    p += at;
    return (const char *)(p ^ (p >> 3 & mask));
}

/* Fetches a matrix of n rows (columns, for B) and 16 steps. */
static void fetch(float (*to)[16], int n, uint64_t d, int turned, int element,
                  struct loom_site site)
{
    for (int i = 0; i < n; i += turned ? 8 : 1)
        for (int k = 0; k < 16; k += turned ? 1 : 8) {
            const char *p = chunk(d, turned, i, k);
            uint16_t x[8];

            if (loom_owner(loom_current, p) != loom_current)
                loom_fail(site, cudaErrorIllegalAddress,
                          "the descriptor's matrix is not in this block's"
                          " shared memory");
            touch(p, site);
            memcpy(x, p, 16);
            for (int e = 0; e < 8; e++)
                to[turned ? i + e : i][turned ? k : k + e] =
                    (float)loom_element(element, x[e]);
        }
}

/* The same of what the threads hold, as for mma.sync. */
static void gather(float (*to)[16], unsigned (*held)[4], int element)
{
    for (int t = 0; t < 128; t++)
        for (int i = 0; i < 8; i++)
            to[t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8]
              [i / 4 * 8 + t % 4 * 2 + i % 2] = (float)loom_element(
                  element, held[t][i / 2] >> i % 2 * 16 & 0xffff);
}

/* multiply for a warpgroup */
static void multiply(struct wgmma *p)
{
    struct {
        float a[64][16], b[256][16];
        double b8[32][16][8]; /* eight columns side by side */
    } *m = malloc(sizeof *m);
    int sign = p->is.minus_a == p->is.minus_b ? 1 : -1;
    double x[16], sum[8];

    if (!m)
        abort();
    if (p->is.held)
        gather(m->a, p->a, p->is.element);
    else
        fetch(m->a, 64, p->is.a, p->is.turned_a, p->is.element, p->site);
    fetch(m->b, p->is.n, p->is.b, p->is.turned_b, p->is.element, p->site);
    for (int j = 0; j < p->is.n; j++)
        for (int k = 0; k < 16; k++)
            m->b8[j / 8][k][j % 8] = m->b[j][k];
    for (int i = 0; i < 64; i++) {
        struct sums **own = &p->sums[i / 16 * 32 + i % 8 * 4];

        for (int k = 0; k < 16; k++)
            x[k] = sign * (double)m->a[i][k];
        for (int j = 0; j < p->is.n; j += 8) {
            int r = j / 2 + i / 8 % 2 * 2;

            for (int e = 0; e < 8; e++)
                sum[e] = p->is.add ? own[e / 2]->value[r + e % 2] : 0;
            loom_add_products(sum, x, m->b8[j / 8][0], 16);
            for (int e = 0; e < 8; e++)
                own[e / 2]->value[r + e % 2] = (float)sum[e];
        }
    }
    p->done = 1;
    free(m);
}

/* ask for a multiplication */
struct ask {
    struct loom_meeting call;
    struct loom_wgmma is;
    float *const *d;
    const unsigned *a;
    struct loom_site site;
};

/* The next multiplication that this warp has not asked for. */
static struct wgmma *next_of(struct loom_groups *g, unsigned warp,
                             const struct ask *like)
{
    struct wgmma **p = &g->group[warp / 4].first;

    while (*p && (*p)->issued >> warp % 4 & 1)
        p = &(*p)->next;
    if (!*p) {
        *p = calloc(1, sizeof **p);
        if (!*p)
            abort();
        (*p)->is = like->is;
        (*p)->site = like->site;
    }
    if (memcmp(&(*p)->is, &like->is, sizeof like->is))
        loom_fail(like->site, cudaErrorLaunchFailure,
                  "the four warps of a warpgroup ask for different"
                  " multiplications");
    return *p;
}

static void ask(struct loom_meeting **lane)
{
    struct loom_sm *sm = loom_current;
    struct loom_groups *g = groups_of(sm);
    unsigned warp = sm->thread / 32;
    const struct ask *own = (struct ask *)lane[0];
    struct wgmma *p = next_of(g, warp, own);

    sm->nudge = 0; /* nobody else may have a turn before it is done */
    if (warp / 4 * 128 + 128 > sm->threads)
        loom_fail(own->site, cudaErrorLaunchFailure,
                  "a warpgroup is four warps, the first a multiple of 4");
    p->issued |= 1u << warp % 4;
    p->group[warp % 4] = g->commits[warp];
    for (unsigned l = 0; l < 32; l++) {
        own = (struct ask *)lane[l];
        p->sums[warp % 4 * 32 + l] =
            take(g, warp * 32 + l, own->d, p, (int)g->fenced[warp]);
        if (p->is.held)
            memcpy(p->a[warp % 4 * 32 + l], own->a, sizeof p->a[0]);
    }
    loom_progress(sm);
}

/* let a lane ask */
void loom_wgmma_of(float *const *d, const struct loom_wgmma *what,
                   const unsigned *a, const char *file, int line)
{
    struct ask own = {{ask}, *what, d, a, {file, line}};

    loom_together(&own.call, file, line);
}

void loom_wgmma(float *d, int n, uint64_t a, uint64_t b, int add, int turned_a,
                int turned_b, const char *file, int line)
{
    struct loom_wgmma is = {.a = a,
                            .b = b,
                            .n = n,
                            .element = LOOM_BF16,
                            .add = add != 0,
                            .turned_a = turned_a,
                            .turned_b = turned_b};
    float *at[128];

    for (int i = 0; i < n / 2; i++)
        at[i] = d + i;
    loom_wgmma_of(at, &is, NULL, file, line);
}

/* fence and commit */
static void fence(struct loom_meeting **lane)
{
    (void)lane;
    groups_of(loom_current)->fenced[loom_current->thread / 32] = 1;
}

void loom_wgmma_fence(const char *file, int line)
{
    struct loom_meeting call = {fence};

    loom_together(&call, file, line);
}

static void commit(struct loom_meeting **lane)
{
    (void)lane;
    groups_of(loom_current)->commits[loom_current->thread / 32]++;
}

void loom_wgmma_commit(const char *file, int line)
{
    struct loom_meeting call = {commit};

    loom_together(&call, file, line);
}

/* wait for multiplications */
struct wait {
    struct loom_meeting call;
    unsigned keep;
};

/* Whether this warp waits for p. */
static int wanted(const struct loom_groups *g, const struct wgmma *p,
                  unsigned warp, unsigned keep)
{
    return p->issued >> warp % 4 & 1 &&
           p->group[warp % 4] + keep < g->commits[warp];
}

/* Whether all four warps have asked for what this one waits for. */
static int complete(const struct loom_groups *g, unsigned warp, unsigned keep)
{
    for (struct wgmma *p = g->group[warp / 4].first; p; p = p->next)
        if (wanted(g, p, warp, keep) && (p->issued & 15) != 15)
            return 0;
    return 1;
}

static void finish(struct loom_meeting **lane)
{
    struct loom_sm *sm = loom_current;
    struct loom_groups *g = groups_of(sm);
    unsigned warp = sm->thread / 32, keep = ((struct wait *)lane[0])->keep;
    struct wgmma **at = &g->group[warp / 4].first, *p;
    unsigned back = 16u << warp % 4; /* the warp has its sums back */

    sm->nudge = 0; /* as above */
    while ((p = *at)) {
        if (wanted(g, p, warp, keep) && !(p->issued & back)) {
            if (!p->done) {
                multiply(p);
                tell(&g->group[warp / 4], LOOM_RELEASE);
            }
            p->issued |= back;
            g->fenced[warp] = 0;
            for (unsigned l = 0; l < 32; l++)
                give(p->sums[warp % 4 * 32 + l], p);
        }
        if (p->issued >> 4 == 15) {
            *at = p->next;
            free(p);
        } else {
            at = &p->next;
        }
    }
}

/* wait with a lane */
void loom_wgmma_wait(unsigned keep, const char *file, int line)
{
    struct loom_sm *sm = loom_current;
    struct loom_groups *g = groups_of(sm);
    struct wait own = {{finish}, keep};
    unsigned warp = sm->thread / 32;

    loom_come_in(sm);
    while (!complete(g, warp, keep))
        loom_wait_for(sm, &g->group[warp / 4], file, line);
    sm->inside = 0;
    loom_together(&own.call, file, line);
    tell(&g->group[warp / 4], LOOM_ACQUIRE);
}

/* forget multiplications */
void loom_drop_groups(struct loom_sm *sm)
{
    struct loom_groups *g = sm->groups;
    struct loom_site site = {NULL, 0};
    struct wgmma *p;
    int lost = 0;

    for (unsigned i = 0; i < GROUPS; i++)
        while ((p = g->group[i].first)) {
            site = p->site;
            lost = 1;
            g->group[i].first = p->next;
            free(p);
        }
    for (unsigned t = 0; t < sm->threads; t++)
        if (g->sums[t])
            memset(g->sums[t], 0, SUMS * sizeof **g->sums);
    memset(g->commits, 0, sizeof g->commits);
    memset(g->fenced, 0, sizeof g->fenced);
    memset(g->barrier, 0, sizeof g->barrier);
    if (lost && !sm->abandoned &&
        !__atomic_load_n(&sm->job->error, __ATOMIC_RELAXED))
        loom_note(sm, site, cudaErrorLaunchFailure,
                  "the block ends before this multiplication was waited for");
}
