/* streams.c: work that waits in streams until somebody needs it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loom/loom_int.h"
#include "loom/streams.h"

/* describe work that waits */
struct work {
    struct work *next;
    cudaStream_t stream;    /* whose key it is */
    uint64_t number, after; /* this one's; 0 or one that must be done before */
    int blocking;           /* so is the stream */
    int running;
    void (*run)(void *args);
    _Alignas(64) char args[];
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed, wake;
    struct work *first, **end;
    uint64_t last, drawn;  /* number; draws from the seed */
    uint64_t calls;        /* puts, waits and questions so far */
    uint64_t early;        /* what the server shall do now, or 0 */
    unsigned n, executing; /* in the list; of these */
    int stalled;           /* a kernel waits for something, the host perhaps */
} waiting = {.lock = PTHREAD_MUTEX_INITIALIZER,
             .changed = PTHREAD_COND_INITIALIZER,
             .wake = PTHREAD_COND_INITIALIZER,
             .end = &waiting.first};

static __thread int inside;             /* this OS thread does some work */
static __thread struct CUstream_st own; /* the default stream of this one */

/* tell what must come first */
__attribute__((weak)) int loom_per_thread = 0;

static cudaStream_t key_of(cudaStream_t s)
{
    if (s == cudaStreamPerThread || (!s && loom_per_thread))
        return &own;
    return s ? s : cudaStreamLegacy;
}

/* Whether `later` may not begin before `earlier` is done. */
static int follows(const struct work *later, const struct work *earlier)
{
    return later->stream == earlier->stream ||
           later->after == earlier->number ||
           (later->stream == cudaStreamLegacy && earlier->blocking) ||
           (earlier->stream == cudaStreamLegacy && later->blocking);
}

/* What can be done now and must be, before w: perhaps w itself. */
static struct work *first_for(struct work *w)
{
    for (struct work *e = waiting.first; e != w; e = e->next)
        if (follows(w, e))
            return first_for(e);
    return w;
}

/* do one piece of work */
/* With the lock, which is given up meanwhile; joined: the host waits for it. */
static void do_work(struct work *w, int joined)
{
    struct work **at = &waiting.first;

    if (w->running) {
        pthread_cond_wait(&waiting.changed, &waiting.lock);
        return;
    }
    w->running = inside = 1;
    waiting.stalled = 0;
    waiting.executing++;
    pthread_mutex_unlock(&waiting.lock);
    if (loom_hooks)
        loom_hooks->work(w->number, joined);
    if (loom_usable())
        w->run(w->args);
    if (loom_hooks)
        loom_hooks->work(0, 0);
    pthread_mutex_lock(&waiting.lock);
    waiting.executing--;
    inside = 0;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    if (!w->next)
        waiting.end = at;
    waiting.n--;
    free(w);
    pthread_cond_broadcast(&waiting.changed);
}

/* choose what to do */
static unsigned luck(unsigned n)
{
    uint64_t seed = (uint64_t)loom_seed();

    return (unsigned)((loom_draw(~seed, waiting.drawn++) >> 32) * n >> 32);
}

/* Whether w is among what somebody wants: what a stream holds, or all (NULL),
   of the numbers up to `until`. */
static int wanted(const struct work *w, cudaStream_t key, uint64_t until)
{
    return w->number <= until && (!key || w->stream == key ||
                                  (key == cudaStreamLegacy && w->blocking));
}

static struct work *choose(cudaStream_t key, uint64_t until)
{
    struct work *chosen = NULL;
    unsigned n = 0;

    for (struct work *w = waiting.first; w; w = w->next)
        if (wanted(w, key, until) && (++n, !loom_seed() || luck(n) == 0))
            chosen = w;
    return chosen ? first_for(chosen) : NULL;
}

static struct work *numbered(uint64_t number)
{
    struct work *w = waiting.first;

    while (w && w->number != number)
        w = w->next;
    return w;
}

/* wait for work */
static int kind_of(cudaStream_t key)
{
    if (key == cudaStreamLegacy)
        return LOOM_LEGACY;
    return key->flags & cudaStreamNonBlocking ? LOOM_APART : LOOM_BLOCKING;
}

/* The host knows now that this is done: a call, what a stream holds, or all. */
static void tell_wait(cudaStream_t key, uint64_t number)
{
    if (loom_hooks && !inside && !loom_in_kernel())
        loom_hooks->wait(key, key ? kind_of(key) : LOOM_APART, number);
}

static void finish(cudaStream_t key)
{
    uint64_t until;
    struct work *w;

    if (inside || loom_in_kernel())
        return;
    pthread_mutex_lock(&waiting.lock);
    waiting.calls++;
    until = waiting.last;
    while ((w = choose(key, until)))
        do_work(w, 1);
    tell_wait(key, 0);
    pthread_mutex_unlock(&waiting.lock);
}

void loom_finish(cudaStream_t s)
{
    finish(key_of(s));
}

void loom_finish_all(void)
{
    finish(NULL);
}

void loom_finish_number(uint64_t number)
{
    struct work *w;

    if (inside || loom_in_kernel())
        return;
    pthread_mutex_lock(&waiting.lock);
    waiting.calls++;
    while ((w = numbered(number)))
        do_work(first_for(w), 1);
    tell_wait(NULL, number);
    pthread_mutex_unlock(&waiting.lock);
}

/* ask for work */
/* With the lock: one step toward w, if there is something to do. */
static void step(struct work *w)
{
    waiting.calls++;
    if (w && !w->running && !inside && (!loom_seed() || luck(2)))
        do_work(w, 0);
}

int loom_ask(cudaStream_t s)
{
    cudaStream_t key = key_of(s);
    int done;

    pthread_mutex_lock(&waiting.lock);
    step(choose(key, waiting.last));
    done = !choose(key, waiting.last);
    if (done)
        tell_wait(key, 0);
    pthread_mutex_unlock(&waiting.lock);
    return done;
}

int loom_ask_number(uint64_t number)
{
    struct work *w;
    int done;

    pthread_mutex_lock(&waiting.lock);
    w = numbered(number);
    step(w ? first_for(w) : NULL);
    done = !numbered(number);
    if (done)
        tell_wait(NULL, number);
    pthread_mutex_unlock(&waiting.lock);
    return done;
}

int loom_is_waiting(uint64_t number)
{
    int found;

    pthread_mutex_lock(&waiting.lock);
    found = numbered(number) != NULL;
    pthread_mutex_unlock(&waiting.lock);
    return found;
}

/* serve whoever does not ask */
/* Waits so many nanoseconds, or with 0 without end, for a wish. */
static void doze(long ns)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += ns;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    if (ns)
        pthread_cond_timedwait(&waiting.wake, &waiting.lock, &t);
    else
        pthread_cond_wait(&waiting.wake, &waiting.lock);
}

static void *serve(void *unused)
{
    enum { LONGEST = 100000000, SHORTEST = 1000000 };
    long patience = loom_seed() ? 10L * LONGEST : LONGEST;

    pthread_mutex_lock(&waiting.lock);
    for (;;) {
        uint64_t seen = waiting.calls;
        struct work *w;

        if (!waiting.early)
            doze(waiting.first ? patience : 0);
        if (waiting.early) {
            while ((w = numbered(waiting.early)))
                do_work(first_for(w), 0);
            waiting.early = 0;
            pthread_cond_broadcast(&waiting.changed);
            continue;
        }
        if (!waiting.first || waiting.calls != seen || waiting.executing)
            continue;
        patience = patience / 2 > SHORTEST ? patience / 2 : SHORTEST;
        while (waiting.first && waiting.calls == seen)
            do_work(choose(NULL, waiting.last), 0);
    }
    return unused;
}

static void finish_at_exit(void)
{
    loom_finish_all();
}

static void note_stall(void);

static void open_streams(void)
{
    pthread_t t;

    loom_seed(); /* a wrong setting ends the program, here without the lock */
    if (pthread_create(&t, NULL, serve, NULL) == 0)
        pthread_detach(t);
    atexit(finish_at_exit);
    loom_stalled = note_stall;
}

/* put work off */
enum { MOST_WAITING = 256 };

/* A kernel has looked at something in vain, again and again. */
static void note_stall(void)
{
    pthread_mutex_lock(&waiting.lock);
    waiting.stalled = 1;
    pthread_cond_broadcast(&waiting.changed);
    pthread_mutex_unlock(&waiting.lock);
}

/* With the lock: the work is done now, unless it waits for the host. */
static void do_early(uint64_t number)
{
    if (waiting.early)
        return; /* another's is being done */
    waiting.early = number;
    waiting.stalled = 0;
    pthread_cond_signal(&waiting.wake);
    while (waiting.early == number && !waiting.stalled)
        pthread_cond_wait(&waiting.changed, &waiting.lock);
}
uint64_t loom_put(cudaStream_t s, void (*run)(void *args), const void *args,
                  size_t bytes, uint64_t after)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct work *w;
    uint64_t number;

    if (inside) {
        run((void *)args);
        return 0;
    }
    pthread_once(&once, open_streams);
    w = aligned_alloc(64, (sizeof *w + bytes + 63) / 64 * 64);
    if (!w)
        abort();
    memset(w, 0, sizeof *w);
    if (bytes)
        memcpy(w->args, args, bytes);
    w->run = run;
    w->stream = key_of(s);
    w->blocking = w->stream != cudaStreamLegacy &&
                  !(w->stream->flags & cudaStreamNonBlocking);
    w->after = after;
    pthread_mutex_lock(&waiting.lock);
    waiting.calls++;
    number = w->number = ++waiting.last;
    if (loom_hooks)
        loom_hooks->queue(number, w->stream, kind_of(w->stream), after);
    *waiting.end = w;
    waiting.end = &w->next;
    if (waiting.n++ == 0)
        pthread_cond_signal(&waiting.wake);
    if (waiting.n > MOST_WAITING)
        do_early(waiting.first->number);
    else if (loom_seed() && luck(4) == 0)
        do_early(choose(NULL, waiting.last)->number);
    pthread_mutex_unlock(&waiting.lock);
    return number;
}
