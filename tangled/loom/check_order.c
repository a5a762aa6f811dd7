/* check_order.c: the order of streams and the host, and who keeps to it. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom/inst.h"

/* describe lines of calls */
struct knowledge { /* until which call of each line all is known */
    uint32_t *until;
    unsigned n;
};
struct event { /* a kernel's launch, or one part of a copy */
    uint32_t time, number;
    int kernel;
    uint3 grid, block;
    char name[64];
};
struct line { /* a stream, as long as there is one at this address */
    const void *stream;
    int kind;      /* LOOM_LEGACY and the like */
    uint32_t last; /* the number of the call that was queued last ... */
    struct knowledge known; /* ... and what is known when it is done */
    struct event *event;    /* what was done, in order */
    unsigned events, room;
};
struct call {
    unsigned line;
    uint32_t number, put; /* put: when it was queued */
    struct knowledge known;
    uintptr_t from[8]; /* the instructions that led to it */
    unsigned site[2];  /* that of its reads and of its writes, or 0 */
};
enum { CALLS = 1 << 16 }; /* kept at most */
static struct line *line;
static unsigned lines;
static struct call *calls[CALLS];
static uint64_t first_call = 1; /* the number of calls[0], as streams count */
static unsigned call_n;
static uint32_t base;         /* what is older has been waited for */
static uint32_t host_time;    /* the host's last access that was kept */
static struct knowledge host; /* what the host has waited for */
static int pending;           /* there is something that it has not */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct call *now; /* what this OS thread does */
static __thread int awaited;      /* and the host waits for that */
static struct call *in_kernel; /* whose kernel runs; there is one at a time */
enum { GLANCES = 8 };
static struct cell *glance[2][GLANCES]; /* flags that host, kernel looked at */
static unsigned glances[2];

/* What is being done here, or NULL: the host is itself. */
static struct call *self(void)
{
    return loom_current ? in_kernel : now;
}
static int busy; /* calls that are being done */

/* know more */
static void know(struct knowledge *k, unsigned of, uint32_t until)
{
    if (of >= k->n) {
        k->until = realloc(k->until, (of + 1) * sizeof *k->until);
        if (!k->until)
            abort();
        memset(k->until + k->n, 0, (of + 1 - k->n) * sizeof *k->until);
        k->n = of + 1;
    }
    if (k->until[of] < until)
        k->until[of] = until;
}

static void know_all(struct knowledge *to, const struct knowledge *from)
{
    for (unsigned i = from->n; i-- > 0;)
        know(to, i, from->until[i]);
}

static int knows(const struct knowledge *k, unsigned of, uint32_t number)
{
    return of < k->n && k->until[of] >= number;
}

static unsigned line_of(const void *stream, int kind)
{
    for (unsigned i = 0; i < lines; i++)
        if (line[i].stream == stream) {
            line[i].kind = kind;
            return i;
        }
    line = realloc(line, (lines + 1) * sizeof *line);
    if (!line)
        abort();
    line[lines] = (struct line){.stream = stream, .kind = kind};
    return lines++;
}

static struct call *call_numbered(uint64_t number)
{
    uint64_t i = number - first_call;

    return number >= first_call && i < call_n ? calls[i] : NULL;
}

/* forget calls */
/* With the lock: all that has been queued is known to all that follows. */
static void forget_calls(void)
{
    for (unsigned i = 0; i < lines; i++) {
        know(&host, i, line[i].last);
        line[i].events = 0;
    }
    for (unsigned i = 0; i < call_n; i++) {
        free(calls[i]->known.until);
        free(calls[i]);
    }
    first_call += call_n;
    call_n = 0;
    base = check_tick();
    pending = 0;
}

/* queue a call */
void order_queue(uint64_t number, const void *stream, int kind, uint64_t after)
{
    struct call *c = calloc(1, sizeof *c), *promised;

    if (!c)
        abort();
    backtrace((void **)c->from, 8);
    pthread_mutex_lock(&lock);
    if (call_n == CALLS && !busy)
        forget_calls();
    if (call_n == 0)
        first_call = number;
    c->line = line_of(stream, kind);
    know_all(&c->known, &host);
    know_all(&c->known, &line[c->line].known);
    for (unsigned i = 0; i < lines; i++)
        if ((kind == LOOM_LEGACY && line[i].kind == LOOM_BLOCKING) ||
            (kind == LOOM_BLOCKING && line[i].kind == LOOM_LEGACY))
            know_all(&c->known, &line[i].known);
    promised = call_numbered(after);
    if (promised) {
        know_all(&c->known, &promised->known);
        know(&c->known, promised->line, promised->number);
    }
    c->number = ++line[c->line].last;
    c->put = check_tick();
    know_all(&line[c->line].known, &c->known);
    know(&line[c->line].known, c->line, c->number);
    pending = 1;
    if (call_n < CALLS) {
        calls[call_n++] = c;
    } else {
        free(c->known.until);
        free(c);
    }
    pthread_mutex_unlock(&lock);
}

/* Stamps are being forgotten, and time begins anew. */
void order_reset(void)
{
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < lines; i++)
        line[i].events = 0;
    for (unsigned i = 0; i < call_n; i++)
        calls[i]->put = 0;
    base = host_time = 0;
    pthread_mutex_unlock(&lock);
}

/* wait for calls */
void order_wait(const void *stream, int kind, uint64_t number)
{
    struct call *c;
    int left = 0;

    if (now && kind != LOOM_TOLD)
        return; /* a call waits for nobody */
    pthread_mutex_lock(&lock);
    if (now) {
        know_all(&host, &now->known);
        know(&host, now->line, now->number);
        pthread_mutex_unlock(&lock);
        return;
    }
    for (unsigned i = 0; i < lines && !number; i++)
        if (!stream || line[i].stream == stream ||
            (kind == LOOM_LEGACY && line[i].kind == LOOM_BLOCKING)) {
            know_all(&host, &line[i].known);
            know(&host, i, line[i].last);
        }
    c = number ? call_numbered(number) : NULL;
    if (c) {
        know_all(&host, &c->known);
        know(&host, c->line, c->number);
    }
    for (unsigned i = 0; i < lines; i++)
        left |= !knows(&host, i, line[i].last);
    if (!left && pending && !busy)
        forget_calls();
    pthread_mutex_unlock(&lock);
}

/* begin and end a call */
void order_work(uint64_t number, int joined)
{
    pthread_mutex_lock(&lock);
    now = number ? call_numbered(number) : NULL;
    busy += number ? 1 : -1;
    awaited = joined;
    pthread_mutex_unlock(&lock);
}

/* note what a call does */
/* With the lock: what the call that is being done does next, and when. */
static struct event *next_event(int kernel, uint32_t time)
{
    struct line *l = &line[now->line];

    if (l->events == l->room) {
        l->room = 2 * l->room + 16;
        l->event = realloc(l->event, l->room * sizeof *l->event);
        if (!l->event)
            abort();
    }
    l->event[l->events] =
        (struct event){.time = time, .number = now->number, .kernel = kernel};
    return &l->event[l->events++];
}

/* The oldest time of what the call does not know, or `mine`. */
static uint32_t horizon(uint32_t mine)
{
    if (host_time >= now->put && now->put < mine)
        mine = now->put;
    for (unsigned i = 0; i < lines; i++) {
        const struct event *e = line[i].event;
        unsigned lo = 0, hi = line[i].events;

        while (lo < hi && i != now->line) {
            unsigned mid = (lo + hi) / 2;

            if (knows(&now->known, i, e[mid].number))
                lo = mid + 1;
            else
                hi = mid;
        }
        if (i != now->line && lo < line[i].events && e[lo].time < mine)
            mine = e[lo].time;
    }
    return mine;
}

uint32_t order_launch(const struct loom_launch *l, uint32_t time)
{
    struct event *e;

    if (!now)
        return time;
    pthread_mutex_lock(&lock);
    e = next_event(1, time);
    in_kernel = now;
    e->grid = l->grid;
    e->block = l->block;
    snprintf(e->name, sizeof e->name, "%s", l->kernel);
    time = horizon(time);
    pthread_mutex_unlock(&lock);
    return time;
}

/* find who has left a stamp */
/* With the lock: what has left the stamp, and in which line; NULL: no idea. */
static const struct event *find_event(const struct stamp *s, unsigned *in)
{
    int kernel = s->how >> BY_BLOCK != BY_CALL;
    const struct event *found = NULL;

    for (unsigned i = 0; i < lines; i++) {
        const struct event *e = line[i].event;
        unsigned lo = 0, hi = line[i].events;

        while (lo < hi) {
            unsigned mid = (lo + hi) / 2;

            if (e[mid].time <= s->time)
                lo = mid + 1;
            else
                hi = mid;
        }
        while (lo && e[lo - 1].kernel != kernel)
            lo--;
        if (lo && (!found || e[lo - 1].time > found->time)) {
            found = &e[lo - 1];
            *in = i;
        }
    }
    return found;
}

/* ask whether a stamp comes before */
/* With the lock. */
static int stranger(const struct stamp *s)
{
    const struct call *me = self();
    const struct event *e;
    unsigned in = 0;

    if (s->time < base)
        return 0;
    if (s->how >> BY_BLOCK == BY_HOST)
        return me && s->time >= me->put;
    e = find_event(s, &in);
    if (!e || (me && me->line == in && me->number == e->number))
        return 0;
    return !knows(me ? &me->known : &host, in, e->number);
}

static void learn_by(const struct stamp *s);

int order_stranger(const struct stamp *s)
{
    struct cell **seen = glance[loom_current != NULL];
    int yes;

    pthread_mutex_lock(&lock);
    yes = stranger(s);
    for (int i = 0; yes && i < GLANCES; i++)
        if (seen[i])
            learn_by(&seen[i]->write);
    yes = yes && stranger(s);
    pthread_mutex_unlock(&lock);
    return yes;
}
/* With the lock. */
static void learn_by(const struct stamp *s)
{
    struct call *me = self();
    const struct event *e;
    unsigned in = 0;

    if (s->how & 15 && stranger(s)) {
        if (s->how >> BY_BLOCK == BY_HOST)
            me->put = check_tick();
        else if ((e = find_event(s, &in)))
            know(me ? &me->known : &host, in, e->number);
    }
}

/* Somebody looks at a flag. */
void order_flag(struct cell *c)
{
    int side = loom_current != NULL;

    if (c->write.how & 15) {
        pthread_mutex_lock(&lock);
        learn_by(&c->write);
        pthread_mutex_unlock(&lock);
    }
    if (glance[side][glances[side] % GLANCES] != c)
        glance[side][++glances[side] % GLANCES] = c;
}

/* These cells are no more. */
void order_forget(const struct cell *from, const struct cell *to)
{
    for (int i = 0; i < 2 * GLANCES; i++)
        if (glance[i / GLANCES][i % GLANCES] >= from &&
            glance[i / GLANCES][i % GLANCES] < to)
            glance[i / GLANCES][i % GLANCES] = NULL;
}

/* look at what is no kernel's */
/* One word. What is kept when the host reads is worth less than a kernel's. */
static void look_at_word(struct cell *c, struct stamp *mine, int kind)
{
    struct stamp *old[4] = {&c->write, &c->read[0], &c->read[1], &c->read[2]};

    if (kind != WRITE && mine->how & 15)
        order_flag(c);
    for (int i = 0; i < (kind == READ ? 1 : 4); i++) {
        uint64_t both = old[i]->how & mine->how;

        if (old[i]->time && both >> BY_BYTES & 15 &&
            !(old[i]->how & 15 && mine->how & 15) && order_stranger(old[i]))
            report_stranger(NULL, mine, old[i]);
    }
    old[0] = kind != READ ? &c->write : &c->read[2];
    for (int i = 0; i < 2 && kind == READ; i++)
        if (c->read[i].time < base ||
            c->read[i].how >> BY_BLOCK == mine->how >> BY_BLOCK)
            old[0] = &c->read[i];
    old[0]->time = 0; /* a kernel may look at it meanwhile */
    old[0]->how = mine->how;
    old[0]->lanes = 1;
    __atomic_store_n(&old[0]->time, mine->time, __ATOMIC_RELEASE);
}

static void look_at(struct cell *c, size_t offset, size_t bytes, int kind,
                    int strong, struct stamp mine)
{
    for (size_t at = offset, n; at < offset + bytes; at += n) {
        unsigned from = at & 3;

        n = 4 - from < offset + bytes - at ? 4 - from : offset + bytes - at;
        mine.how = (mine.how & ~(uint64_t)255) | (uint64_t)strong |
                   ((1u << n) - 1) << from << BY_BYTES;
        look_at_word(c + at / 4, &mine, kind);
    }
}

/* The host, or one of its functions in a stream, touches memory at a cell. */
void order_host(struct cell *c, size_t offset, size_t bytes, int kind,
                int strong, unsigned site)
{
    struct stamp mine = {(now ? BY_CALL : BY_HOST) << BY_BLOCK | (uint64_t)site
                                                                     << BY_SITE,
                         1, 0};

    pthread_mutex_lock(&lock);
    if (now) {
        mine.time = check_tick();
        next_event(0, mine.time);
    } else {
        mine.time = host_time = inst_now;
    }
    pthread_mutex_unlock(&lock);
    look_at(c, offset, bytes, kind, strong, mine);
}

int order_pending(void)
{
    return pending;
}
/* Whether the file is one of Loom's library. */
static int of_library(const char *file)
{
    size_t n = strlen(file);

    return strstr(file, "tangled/loom/") && n > 2 &&
           !strcmp(file + n - 2, ".c");
}

/* The site of the call's reads or writes. */
static unsigned site_of_call(struct call *c, int kind)
{
    struct place at;

    for (int i = 0; i < 8 && !c->site[kind]; i++) {
        if (!site_can_be(c->from[i] - 1))
            continue;
        where_line(c->from[i] - 1, &at);
        if (at.line > 0 && !where_loom(at.file) && !of_library(at.file))
            c->site[kind] = site_find(c->from[i] - 1, kind, GLOBAL, 0);
    }
    if (!c->site[kind]) {
        c->site[kind] = site_make(0, kind, GLOBAL, 0);
        inst_site[c->site[kind]].at = (struct place){"(a call)", 0, 0};
    }
    return c->site[kind];
}

/* A copy or the like touches memory. */
void order_copy(struct cell *c, size_t offset, size_t bytes, int kind, int seen)
{
    struct stamp mine = {BY_CALL << BY_BLOCK, 1, 0};
    int alone = awaited || (lines == 1 && !seen);
    unsigned site;

    if (!now)
        return;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < lines && awaited; i++)
        alone &= i == now->line || knows(&host, i, line[i].last) ||
                 knows(&now->known, i, line[i].last);
    mine.time = check_tick();
    if (alone && horizon(mine.time) == mine.time) {
        pthread_mutex_unlock(&lock);
        return;
    }
    next_event(0, mine.time);
    pthread_mutex_unlock(&lock);
    site = site_of_call(now, kind);
    mine.how |= (uint64_t)site << BY_SITE;
    look_at(c, offset, bytes, kind, 0, mine);
}

/* name who has left a stamp */
/* Who it was, and in which kernel; how it could have been ordered. */
void order_name(const struct stamp *s, char *text, size_t size)
{
    const struct event *e;
    unsigned in;

    pthread_mutex_lock(&lock);
    e = s->how >> BY_BLOCK < BY_CALL ? find_event(s, &in) : NULL;
    if (s->how >> BY_BLOCK == BY_HOST)
        snprintf(text, size, "the host");
    else if (!e)
        snprintf(text, size, "a call in a stream");
    else {
        uint64_t b = s->how >> BY_BLOCK & (BLOCKS - 1);
        unsigned t = (unsigned)(s->how >> BY_WARP) % 32 * 32 +
                     (unsigned)__builtin_ctz(s->lanes | 1u << 31);

        snprintf(text, size, "thread (%u,%u,%u) of block (%u,%u,%u) of %s",
                 t % e->block.x, t / e->block.x % e->block.y,
                 t / e->block.x / e->block.y, (unsigned)(b % e->grid.x),
                 (unsigned)(b / e->grid.x % e->grid.y),
                 (unsigned)(b / e->grid.x / e->grid.y), e->name);
    }
    pthread_mutex_unlock(&lock);
}
