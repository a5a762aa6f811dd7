/* watch.c: a thread that looks after the others. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "loom/cuda_runtime_api.h"
#include "loom/loom_int.h"
#include "loom/watch.h"

/* keep what the watchman knows */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct job *job;       /* that runs, or NULL */
    struct loom_sm *sms;   /* all there ever were */
    int asleep, limit;     /* seconds, or 0 */
    uint64_t done, passed; /* blocks of the job, and barriers ... */
    double begun, since;   /* ... when the last block ended; either */
    double expired;        /* when the time of the job was over */
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static sigset_t tick; /* SIGURG */

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* end a kernel that takes too long */
_Noreturn void loom_end_of_time(struct loom_sm *sm, unsigned thread)
{
    int slow = sm->job->expired > 1;

    threadIdx = sm->index[thread];
    sm->fault = sm->site[thread].file ? 0 : sm->pc[thread];
    loom_fail(sm->site[thread], cudaErrorLaunchTimeout,
              "the kernel does not end: for %d seconds (%sLOOM_LIMIT) no block"
              " has ended%s; this thread %s",
              slow ? 10 * watch.limit : watch.limit, slow ? "10 times " : "",
              slow ? "" : " or passed a barrier", slow ? "waits" : "spins");
}

/* let those that spin look again */
void (*loom_stalled)(void);

int loom_look_again(struct loom_sm *sm)
{
    struct timespec moment = {0, 50000};
    int spinner = -1; /* one of them */

    if (loom_hopeless(sm))
        return 0;
    for (unsigned i = 0; i < sm->warps; i++) {
        if (sm->warp[i].spinning && spinner < 0)
            spinner = (int)(i * 32) + __builtin_ctz(sm->warp[i].spinning);
        sm->warp[i].ready |= sm->warp[i].spinning;
        sm->warp[i].spinning = 0;
    }
    if (spinner < 0)
        return 0;
    if (__atomic_load_n(&sm->job->error, __ATOMIC_RELAXED))
        loom_leave(sm);
    if (sm->job->expired)
        loom_end_of_time(sm, (unsigned)spinner);
    if (++sm->stalled > 20 && !sm->job->baton)
        sched_yield();
    if (sm->stalled > 1 && loom_pass_baton(sm))
        moment.tv_nsec = 1000; /* others have done something */
    if (sm->stalled > 200) {
        if (loom_stalled)
            loom_stalled();
        loom_need_blocks(sm);
        nanosleep(&moment, NULL);
    }
    return 1;
}

/* give up the turn after a few looks */
void loom_look(const void *p, const char *file, int line)
{
    struct loom_sm *sm = loom_current;

    if (!sm)
        return;
    if (sm->looked_at != p || sm->looker != sm->thread) {
        sm->looked_at = p;
        sm->looker = sm->thread;
        sm->looks = 0;
    }
    if (++sm->looks < 4)
        return;
    sm->looks = 0;
    sm->site[sm->thread] = (struct loom_site){file, line};
    loom_yield(sm);
}
void loom_yield(struct loom_sm *sm)
{
    int was = sm->inside;

    loom_come_in(sm);
    sm->nudge = 0;
    if (sm->direct)
        loom_leave_direct(sm);
    sm->warp[sm->thread / 32].spinning |= 1u << sm->thread % 32;
    loom_wait(sm);
    sm->inside = was;
}

/* __nanosleep asks for just that. */
void loom_rest(const char *file, int line)
{
    loom_current->site[loom_current->thread] = (struct loom_site){file, line};
    loom_yield(loom_current);
}

/* tell where a thread was interrupted */
extern char __executable_start[], etext[];             /* the program's code */
extern char __start_loom_turns[], __stop_loom_turns[]; /* its section */

uintptr_t loom_interrupted_at(void *context)
{
    ucontext_t *u = context;

#if defined(__x86_64__)
    return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)u->uc_mcontext.pc;
#else
    (void)u;
    return 0; /* unknown, so never */
#endif
}

/* interrupt a thread */
static void on_tick(int sig, siginfo_t *info, void *context)
{
    struct loom_sm *sm = loom_current;
    int error = errno, idle = sm && sm->nudge; /* no access since the last */
    uintptr_t pc = loom_interrupted_at(context);

    (void)sig, (void)info;
    if (!sm || sm->inside || loom_switching() ||
        (pc >= (uintptr_t)__start_loom_turns &&
         pc < (uintptr_t)__stop_loom_turns))
        return;
    sm->nudge = 1; /* who checks will see it and give up the turn */
    if ((loom_hooks && !(idle && sm->job->expired)) ||
        pc < (uintptr_t)__executable_start || pc >= (uintptr_t)etext)
        return;
    loom_come_in(sm);
    sm->site[sm->thread] = (struct loom_site){NULL, 0};
    sm->pc[sm->thread] = pc;
    sm->stalled += 20; /* it has had a long turn */
    pthread_sigmask(SIG_UNBLOCK, &tick, NULL);
    loom_yield(sm);
    pthread_sigmask(SIG_BLOCK, &tick, NULL);
    errno = error;
    sm->inside = 0;
}

/* make a round */
static double processor_seconds(pthread_t t)
{
    struct timespec used = {0, 0};
    clockid_t clock;

    if (pthread_getcpuclockid(t, &clock) == 0)
        clock_gettime(clock, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* Sends a signal to every OS thread that has used `turn` seconds of a
   processor and is where it was; returns how many. */
static int make_round(struct job *j, double turn)
{
    int stuck = 0;

    for (struct loom_sm *sm = watch.sms; sm; sm = sm->next) {
        uint64_t now =
            ((sm->steps + sm->epoch) << 10) + sm->thread + (sm->block << 40);
        double used;

        if (sm->job != j || j == NULL || (j->baton && sm != j->runner))
            continue;
        used = processor_seconds(sm->os_thread);
        if (j->expired || (sm->seen == now && used - sm->used >= turn)) {
            pthread_kill(sm->os_thread, SIGURG);
            stuck++;
        } else if (sm->seen == now) {
            continue;
        }
        sm->seen = now;
        sm->used = used;
    }
    return stuck;
}

/* look at the clock */
enum { GRACE = 10 }; /* seconds */

static void give_up(const struct job *j)
{
    loom_report((struct loom_site){j->launch->file, j->launch->line},
                "error: the kernel %s does not end, and cannot be stopped,"
                " although LOOM_LIMIT was over %d seconds ago",
                j->launch->kernel, GRACE);
    _exit(2);
}

static void look_at_clock(struct job *j, double now)
{
    uint64_t done = 0, passed = 0;

    for (struct loom_sm *sm = watch.sms; sm; sm = sm->next)
        if (sm->job == j)
            done += sm->blocks_done, passed += sm->barriers;
    if (done != watch.done)
        watch.begun = now;
    if (done != watch.done || passed != watch.passed)
        watch.since = now;
    else if (watch.limit && now - watch.since > watch.limit && !j->expired)
        j->expired = 1, watch.expired = now;
    if (watch.limit && now - watch.begun > 10.0 * watch.limit && !j->expired)
        j->expired = 2, watch.expired = now;
    if (j->expired && now - watch.expired > GRACE)
        give_up(j);
    watch.done = done;
    watch.passed = passed;
}

/* watch */
static void *stand_guard(void *unused)
{
    struct timespec pause = {0, 0};
    int idle = 0, stuck = 0, over = 0; /* over: the time of the job */

    for (;;) {
        pause.tv_nsec = loom_seed() && !over ? 100000000
                        : stuck              ? 100000
                                             : 4000000;
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&watch.lock);
        idle = watch.job ? 0 : idle + 1;
        while (idle > 50 && !watch.job) {
            watch.asleep = 1;
            pthread_cond_wait(&watch.wake, &watch.lock);
            watch.asleep = 0;
        }
        /* a thread that ran has had nearly all of the pause */
        if (make_round(watch.job, 0.5e-9 * (double)pause.tv_nsec))
            stuck = 100;
        else if (stuck > 0)
            stuck--;
        if (watch.job)
            look_at_clock(watch.job, seconds());
        over = watch.job && watch.job->expired;
        pthread_mutex_unlock(&watch.lock);
    }
    return unused;
}

/* hire the watchman */
static void hire_watchman(void)
{
    struct sigaction a = {.sa_sigaction = on_tick,
                          .sa_flags = SA_SIGINFO | SA_RESTART};
    const char *limit = getenv("LOOM_LIMIT");
    sigset_t all, before;
    pthread_t t;

    watch.limit = 20;
    if (limit && strcmp(limit, "0") == 0)
        watch.limit = 0;
    else if (limit)
        watch.limit =
            (int)loom_setting("LOOM_LIMIT", "a number of seconds", 1000000);
    sigemptyset(&tick);
    sigaddset(&tick, SIGURG);
    sigaction(SIGURG, &a, NULL);
    sigfillset(&all); /* signals for the process are not for him */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (pthread_create(&t, NULL, stand_guard, NULL) == 0)
        pthread_detach(t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* begin and end watching */
void loom_watch(struct job *j)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, hire_watchman);
    pthread_mutex_lock(&watch.lock);
    watch.job = j;
    if (j) {
        watch.done = watch.passed = 0;
        watch.begun = watch.since = seconds();
        if (watch.asleep)
            pthread_cond_signal(&watch.wake);
    }
    pthread_mutex_unlock(&watch.lock);
}

void loom_watch_sm(struct loom_sm *sm, struct job *j)
{
    pthread_mutex_lock(&watch.lock);
    sm->os_thread = pthread_self();
    if (!sm->known) {
        sm->known = 1;
        sm->next = watch.sms;
        watch.sms = sm;
    }
    sm->blocks_done = sm->barriers = 0;
    sm->job = j;
    pthread_mutex_unlock(&watch.lock);
}

/* name the line of an instruction */
static int of_loom(const char *function)
{
    return strncmp(function, "loom_", 5) == 0 ||
           strncmp(function, "__", 2) == 0 ||
           strstr(function, " loom_update<") ||
           strncmp(function, "atomic", 6) == 0;
}
static int same_file(const char *a, const char *b)
{
    size_t n = strcspn(a, ":");

    return strncmp(a, b, n) == 0 && b[n] == ':';
}

struct loom_site loom_name_line(uintptr_t pc, char *file, size_t size)
{
    char command[200], here[400], line[1000], first[1000] = "", next[1000] = "";
    char function[400], inner[400] = "";
    size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
    char *colon;
    FILE *f;

    snprintf(command, sizeof command,
             "addr2line -ifC -e /proc/%ld/exe 0x%zx 2>/dev/null",
             (long)getpid(), (size_t)(pc - (uintptr_t)__executable_start));
    f = popen(command, "r");
    for (int k = 0; f && fgets(function, sizeof function, f) &&
                    fgets(line, sizeof line, f);
         k++) {
        if (k == 0)
            strcpy(inner, function), strcpy(first, line);
        else if (!*next && !of_loom(function))
            strcpy(next, line);
    }
    if (f)
        pclose(f);
    if (*next && (of_loom(inner) ||
                  (strcmp(inner, function) == 0 && !same_file(first, line))))
        strcpy(first, next);
    snprintf(file, size, "%s", first);
    colon = strrchr(file, ':');
    if (!colon || file[0] == '?' || atoi(colon + 1) == 0)
        return (struct loom_site){NULL, 0};
    *colon = 0;
    if (n && strncmp(file, here, n) == 0 && file[n] == '/')
        file += n + 1; /* as seen from the current directory */
    return (struct loom_site){file, atoi(colon + 1)};
}
