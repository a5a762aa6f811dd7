/* cluster.c: blocks that share their shared memory. */
#include <stdlib.h>
#include <string.h>

#include "loom/block.h"
#include "loom/cluster.h"
#include "loom/cuda_runtime_api.h"
#include "loom/loom_int.h"

/* pass the turn */
static unsigned next_of(const struct loom_cluster *c, unsigned rank)
{
    for (unsigned i = 1; i <= c->size; i++)
        if (!(c->finished >> (rank + i) % c->size & 1))
            return (rank + i) % c->size;
    return c->size;
}

/* Gives the turn to the next block and returns when it has come back. */
static void pass(struct loom_cluster *c, unsigned rank)
{
    pthread_mutex_lock(&c->lock);
    c->turn = next_of(c, rank);
    pthread_cond_broadcast(&c->passed);
    while (c->turn != rank)
        pthread_cond_wait(&c->passed, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

void loom_cluster_enter(struct loom_cluster *c, unsigned rank)
{
    pthread_mutex_lock(&c->lock);
    while (c->turn != rank)
        pthread_cond_wait(&c->passed, &c->lock);
    c->begun |= 1u << rank;
    pthread_mutex_unlock(&c->lock);
}

void loom_cluster_leave(struct loom_cluster *c, unsigned rank)
{
    pthread_mutex_lock(&c->lock);
    c->finished |= 1u << rank;
    loom_progress(c->sm[rank]);
    c->turn = next_of(c, rank);
    pthread_cond_broadcast(&c->passed);
    pthread_mutex_unlock(&c->lock);
}

/* look in vain */
/* Something has happened that a thread may have waited for. */
void loom_progress(struct loom_sm *sm)
{
    struct loom_cluster *c = sm->cluster;

    sm->idle = sm->stalled = 0;
    for (unsigned r = 0; c && r < c->size; r++)
        c->sm[r]->idle = c->sm[r]->stalled = 0;
}

/* Whether all that look have looked in vain, and nobody is left to help. */
int loom_hopeless(struct loom_sm *sm)
{
    struct loom_cluster *c = sm->cluster;
    int only = 1;

    for (unsigned w = 0; w < sm->warps; w++)
        for (uint32_t m = sm->warp[w].spinning; m; m &= m - 1)
            only &= sm->waits[w * 32 + (unsigned)__builtin_ctz(m)] != NULL;
    sm->idle = only ? sm->idle + 1 : 0;
    if (c)
        pass(c, sm->rank);
    if (sm->idle < 3)
        return 0;
    for (unsigned r = 0; c && r < c->size; r++)
        if (!(c->finished >> r & 1) && c->sm[r]->idle < 3)
            return 0;
    return 1;
}

/* The current thread looks for something that only threads can bring. */
void loom_wait_for(struct loom_sm *sm, const void *what, const char *file,
                   int line)
{
    sm->site[sm->thread] = (struct loom_site){file, line};
    sm->waits[sm->thread] = what;
    loom_yield(sm);
    sm->waits[sm->thread] = NULL;
}

/* arrive at a barrier of the cluster */
/* Threads of the cluster that have returned. */
static unsigned returned(const struct loom_cluster *c)
{
    unsigned n = 0;

    for (unsigned r = 0; r < c->size; r++)
        n += c->finished >> r & 1 ? c->sm[r]->threads
             : c->sm[r]->direct   ? 0
                                  : c->sm[r]->ended;
    return n;
}

/* The next phase begins when all have arrived that have not returned. */
static void turn_phase(struct loom_cluster *c)
{
    if (c->arrived + returned(c) < c->size * c->sm[0]->threads)
        return;
    c->arrived = 0;
    c->phase++;
    loom_progress(c->sm[0]);
}

static void order(struct loom_sm *sm, const struct loom_cluster *c, int how)
{
    if (loom_hooks && loom_hooks->order)
        loom_hooks->order(sm, (const char *)&c->phase + (c->phase & 1), how);
}

void loom_cluster_arrive(const char *file, int line)
{
    struct loom_sm *sm = loom_current;
    struct loom_cluster *c = sm->cluster;
    unsigned char *at = &sm->at_cluster[sm->thread];

    loom_come_in(sm);
    if (sm->direct)
        loom_leave_direct(sm);
    if (*at)
        loom_fail((struct loom_site){file, line}, cudaErrorLaunchFailure,
                  "arrives at the cluster's barrier again without having"
                  " waited");
    *at = 1 + (c ? c->phase & 1 : 0);
    if (c) {
        order(sm, c, LOOM_RELEASE);
        c->arrived++;
        loom_progress(sm);
        turn_phase(c);
    }
    sm->inside = 0;
}

/* wait at a barrier of the cluster */
/* A cluster of one block has the block's barrier. */
void loom_cluster_wait(const char *file, int line)
{
    struct loom_sm *sm = loom_current;
    struct loom_cluster *c = sm->cluster;
    unsigned char *at = &sm->at_cluster[sm->thread];
    unsigned phase = *at - 1u;

    if (!*at)
        loom_fail((struct loom_site){file, line}, cudaErrorLaunchFailure,
                  "waits at the cluster's barrier without having arrived");
    *at = 0;
    if (!c) {
        loom_syncthreads(file, line);
        return;
    }
    loom_come_in(sm);
    for (turn_phase(c); (c->phase & 1) == phase; turn_phase(c))
        loom_wait_for(sm, c, file, line);
    if (loom_hooks && loom_hooks->order)
        loom_hooks->order(sm, (const char *)&c->phase + phase, LOOM_ACQUIRE);
    sm->inside = 0;
}

unsigned loom_cluster_rank(void)
{
    return loom_current->cluster ? loom_current->rank : 0;
}

unsigned loom_cluster_size(void)
{
    return loom_current->cluster ? loom_current->cluster->size : 1;
}

uint3 loom_cluster_shape(void)
{
    uint3 one = {1, 1, 1};

    return loom_current->cluster ? loom_current->cluster->shape : one;
}

/* map shared memory */
/* The block of the cluster whose shared memory holds p, or NULL. */
struct loom_sm *loom_owner(struct loom_sm *sm, const void *p)
{
    const char *q = p;

    if (q >= sm->shared_low && q < sm->shared_high)
        return sm;
    for (unsigned r = 0; sm->cluster && r < sm->cluster->size; r++)
        if (q >= sm->cluster->sm[r]->shared_low &&
            q < sm->cluster->sm[r]->shared_high)
            return sm->cluster->sm[r];
    return NULL;
}

void *loom_map(const void *p, unsigned rank, const char *file, int line)
{
    struct loom_sm *sm = loom_current, *of = loom_owner(sm, p);

    if (!of)
        loom_fail((struct loom_site){file, line}, cudaErrorIllegalAddress,
                  "maps an address that is not in shared memory");
    if (rank >= loom_cluster_size())
        loom_fail((struct loom_site){file, line}, cudaErrorIllegalAddress,
                  "maps an address to block %u of a cluster of %u", rank,
                  loom_cluster_size());
    return (sm->cluster ? sm->cluster->sm[rank]->shared_low : sm->shared_low) +
           ((const char *)p - of->shared_low);
}

unsigned loom_rank_of(const void *p)
{
    struct loom_sm *of = loom_owner(loom_current, p);

    return of && of->cluster ? of->rank : 0;
}

/* name shared memory by 32 bits */
static char *base_of(const struct loom_sm *sm)
{
    return sm->shared_low - ((uintptr_t)sm->shared_low & 1023);
}

size_t loom_to_shared(const void *p)
{
    struct loom_sm *sm = loom_current, *of = loom_owner(sm, p);
    size_t at;

    if (!of) /* not in shared memory: no address that could be used */
        return 0xffffffff;
    at = (size_t)((const char *)p - base_of(of));
    if (of == sm && at >> 10 < sizeof sm->told)
        sm->told[at >> 10] = 1;
    return at | (of == sm ? 0 : (size_t)(of->rank + 1) << 24);
}

/* The address that somebody knows the lowest 18 bits of: the one that lies least
   behind one that was told. */
unsigned loom_whole_address(unsigned low)
{
    const struct loom_sm *sm = loom_current;
    unsigned best = low, least = sizeof sm->told;

    for (unsigned at = low; at >> 10 < sizeof sm->told; at += 1 << 18)
        for (unsigned behind = 0; behind <= at >> 10 && behind < least;
             behind++)
            if (sm->told[(at >> 10) - behind]) {
                least = behind;
                best = at;
            }
    return best;
}

void *loom_from_shared(unsigned address)
{
    struct loom_sm *sm = loom_current;
    unsigned r = address >> 24;

    if (r && sm->cluster && r <= sm->cluster->size)
        return base_of(sm->cluster->sm[r - 1]) + (address & 0xffffff);
    return base_of(sm) + address;
}

/* keep the shapes of clusters */
static struct dims {
    struct dims *next;
    const char *kernel;
    uint3 shape;
} * dims;

void loom_cluster_dims(const char *kernel, unsigned x, unsigned y, unsigned z)
{
    struct dims *d = malloc(sizeof *d);

    if (!d)
        abort();
    *d = (struct dims){dims, kernel, {x, y, z}};
    dims = d;
}

/* The shape that the text of a launch, such as a::k<3>, asks for. */
uint3 loom_shape_of(const char *kernel)
{
    size_t n = strcspn(kernel, "<");

    while (n && kernel[n - 1] == ' ')
        n--;
    for (const struct dims *d = dims; d; d = d->next) {
        size_t k = strlen(d->kernel);

        if (n >= k && strncmp(kernel + n - k, d->kernel, k) == 0 &&
            (n == k || kernel[n - k - 1] == ':'))
            return d->shape;
    }
    return (uint3){0, 0, 0};
}
