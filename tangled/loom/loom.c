/* loom.c: runs launches, blocks over OS threads, and ends what goes wrong. */
#define _GNU_SOURCE

/* include the headers of the core */
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "loom/cuda_runtime_api.h"
#include "loom/loom_int.h"

/* define the built-in variables */
/* Where this OS thread is in the grid. Kernels see these as const. */
__thread struct loom_index threadIdx;
__thread uint3 blockIdx, blockDim, gridDim;
__thread void *loom_pending; /* the configuration of a launch */

/* define dynamic shared memory */
__thread char loom_dynamic[227 << 10] __attribute__((aligned(1024)));

/* print and fail */

/* say something on stderr */
int loom_quiet(void)
{
    const char *text = getenv("LOOM_QUIET");

    return text && strcmp(text, "1") == 0;
}

void loom_say(const char *format, ...)
{
    char text[1600];
    va_list args;

    if (loom_quiet())
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout); /* so that the order on a terminal is the order in time */
    fprintf(stderr, "loom: %s\n", text);
}
/* Where the expression at a column begins, or the text if the column is 0. */
static int begin(const char *text, int column)
{
    int at = column - 1, depth = 0;

    if (column < 1 || (size_t)column > strlen(text))
        return (int)strspn(text, " \t");
    for (int i = at; i >= 0 && text[at] == ']'; i--) {
        depth += (text[i] == ']') - (text[i] == '[');
        if (depth == 0 && text[i] == '[')
            at = i;
    }
    while (at > 0 && text[at] != ' ' &&
           (text[at - 1] == '_' || isalnum((unsigned char)text[at - 1])))
        at--;
    return at;
}
void loom_show(struct loom_site site, int column)
{
    FILE *f = site.file && !loom_quiet() ? fopen(site.file, "r") : NULL;
    char *text = NULL;
    size_t room = 0;
    int i = 0;

    while (f && i < site.line && getline(&text, &room, f) >= 0)
        i++;
    if (f)
        fclose(f);
    if (i > 0 && i == site.line) {
        text[strcspn(text, "\n")] = 0;
        fprintf(stderr, "%s\n", text);
        text[begin(text, column)] = 0;
        for (char *s = text; *s; s++)
            fputc(*s == '\t' ? '\t' : ' ', stderr);
        fprintf(stderr, "^\n");
    }
    free(text);
}

/* count the reports */
static unsigned long reports; /* so far (atomic) */
static int refused;           /* a launch, and nobody has asked (atomic) */
static int ended;             /* the program, with this code */

static void note_end_of_program(int code, void *unused)
{
    (void)unused;
    ended = code;
}

__attribute__((constructor)) static void ask_for_the_end(void)
{
    on_exit(note_end_of_program, NULL);
}

/* The last of all destructors. */
__attribute__((destructor(101))) static void speak_up(void)
{
    fflush(NULL);
    if (loom_hooks && reports)
        _exit(2);
    if ((reports || refused) && ended == 0 && !loom_quiet())
        _exit(2);
    if (loom_hooks && ended > 1) {
        fprintf(stderr, "loom: the program ended with %d\n", ended);
        _exit(1);
    }
}
void loom_report_as(int as, struct loom_site site, const char *format, ...)
{
    char text[1600];
    va_list args;

    if (as == LOOM_REFUSAL)
        __atomic_store_n(&refused, 1, __ATOMIC_RELAXED);
    else if (as == LOOM_REPORT)
        __atomic_fetch_add(&reports, 1, __ATOMIC_RELAXED);
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (loom_quiet())
        return;
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s\n", site.file ? site.file : "?", site.line,
            text);
}

void loom_noticed(void)
{
    __atomic_store_n(&refused, 0, __ATOMIC_RELAXED);
}

unsigned long loom_reports(void)
{
    return __atomic_load_n(&reports, __ATOMIC_RELAXED);
}

/* keep what kernels print */
struct line {
    uint64_t block, serial;
    char *text;
};
static struct {
    pthread_mutex_t lock;
    struct line *line;
    size_t n, room;
} printed = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void keep_line(char *text)
{
    pthread_mutex_lock(&printed.lock);
    if (printed.n == printed.room) {
        printed.room = 2 * printed.room + 64;
        printed.line =
            realloc(printed.line, printed.room * sizeof *printed.line);
        if (!printed.line)
            abort();
    }
    printed.line[printed.n] =
        (struct line){loom_current->block, printed.n, text};
    printed.n++;
    pthread_mutex_unlock(&printed.lock);
}

/* print from a kernel */
int loom_printf(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    int n;

    if (loom_current)
        loom_current->inside++;
    va_start(args, format);
    n = loom_current ? vasprintf(&text, format, args) : vprintf(format, args);
    va_end(args);
    if (text && n >= 0)
        keep_line(text);
    if (loom_current)
        loom_current->inside--;
    return n;
}

/* show what kernels printed */
static int by_block(const void *a, const void *b)
{
    const struct line *p = a, *q = b;

    if (p->block != q->block)
        return p->block < q->block ? -1 : 1;
    return p->serial < q->serial ? -1 : 1;
}

void loom_flush(void)
{
    pthread_mutex_lock(&printed.lock);
    if (printed.n)
        qsort(printed.line, printed.n, sizeof *printed.line, by_block);
    for (size_t i = 0; i < printed.n; i++) {
        fputs(printed.line[i].text, stdout);
        free(printed.line[i].text);
    }
    printed.n = 0;
    pthread_mutex_unlock(&printed.lock);
}

__attribute__((destructor)) static void mourn_lost_output(void)
{
    if (printed.n)
        loom_say("the kernels' last output (%zu calls of printf) is lost: the"
                 " program ended without cudaDeviceSynchronize()",
                 printed.n);
}

/* fail */
_Noreturn void loom_fail(struct loom_site site, int error, const char *format,
                         ...)
{
    struct job *j = loom_current->job;
    int none = 0;
    va_list args;

    loom_come_in(loom_current);
    if (__atomic_compare_exchange_n(&j->error, &none, error, 0,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        snprintf(j->who, sizeof j->who, ", block (%u,%u,%u), thread (%u,%u,%u)",
                 blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
                 threadIdx.z);
        va_start(args, format);
        vsnprintf(j->report, sizeof j->report, format, args);
        va_end(args);
        j->site = site;
        j->pc = loom_current->fault;
    }
    loom_leave(loom_current);
}

/* let an assertion fail */
_Noreturn void __assert_fail(const char *what, const char *file,
                             unsigned int line, const char *function)
{
    if (loom_current)
        loom_fail((struct loom_site){file, (int)line}, cudaErrorAssert,
                  "%s: Assertion `%s' failed", function, what);
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function,
            what);
    abort();
}

int loom_in_kernel(void)
{
    return loom_current != NULL;
}

_Noreturn void loom_trap(void)
{
    if (!loom_current)
        abort();
    loom_current->fault = (uintptr_t)__builtin_return_address(0) - 1;
    loom_fail((struct loom_site){NULL, 0}, cudaErrorLaunchFailure,
              "executes __trap()");
}

/* abandon a block */
_Noreturn void loom_abandon_block(struct loom_sm *sm, int error)
{
    int none = 0;

    if (__atomic_compare_exchange_n(&sm->job->error, &none, error, 0,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        snprintf(sm->job->who, sizeof sm->job->who,
                 ", block (%u,%u,%u), which was abandoned", blockIdx.x,
                 blockIdx.y, blockIdx.z);
    loom_leave(sm);
}

/* note what is wrong with a block */
void loom_note(struct loom_sm *sm, struct loom_site site, int error,
               const char *what)
{
    struct job *j = sm->job;
    int none = 0;

    if (!__atomic_compare_exchange_n(&j->error, &none, error, 0,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    snprintf(j->who, sizeof j->who, ", block (%u,%u,%u)", blockIdx.x,
             blockIdx.y, blockIdx.z);
    snprintf(j->report, sizeof j->report, "%s", what);
    j->site = site;
    j->pc = 0;
}

/* tell a read from a write */
static const char *access_kind(void *context)
{
#if defined(__x86_64__)
    ucontext_t *u = context;

    return u->uc_mcontext.gregs[REG_ERR] & 2 ? "writes to" : "reads from";
#else
    (void)context;
    return "accesses";
#endif
}

/* turn a signal into a failure */
static struct sigaction before[NSIG]; /* what was there, to hand on to */

static void on_signal(int sig, siginfo_t *info, void *context)
{
    struct loom_site none = {NULL, 0};
    char where[400];
    const char *verb = access_kind(context);

    if (loom_current) {
        /* fail as the signal says */
        loom_current->fault = loom_interrupted_at(context);
        if (sig == SIGFPE)
            loom_fail(none, cudaErrorLaunchFailure,
                      "divides an integer by zero");
        if (sig == SIGILL)
            loom_fail(none, cudaErrorLaunchFailure,
                      "does what C++ leaves undefined, such as to"
                      " divide by a zero that the compiler saw");
        if (loom_overflowed(loom_current, info->si_addr))
            loom_fail(none, cudaErrorLaunchFailure,
                      "needs more stack than there is: it calls"
                      " itself without end, or has a large array");
        if (info->si_code == SI_KERNEL)
            loom_fail(none, cudaErrorIllegalAddress,
                      "uses a pointer that is no address at all:"
                      " was it ever set?");
        loom_describe(info->si_addr, where, sizeof where);
        loom_fail(none, cudaErrorIllegalAddress, "%s %s", verb, where);
    }
    /* blame the host when it touched device memory */
    if (loom_find(info->si_addr)) {
        char file[400];
        struct loom_site at =
            loom_name_line(loom_interrupted_at(context), file, sizeof file);

        loom_describe(info->si_addr, where, sizeof where);
        loom_report(at, "error: the host %s %s", verb, where);
        loom_show(at, 0);
        if (!loom_quiet())
            fprintf(stderr,
                    "  device memory is for kernels: copy with cudaMemcpy,"
                    " or allocate with cudaMallocManaged\n");
        _exit(2);
    }
    sigaction(sig, &before[sig], NULL); /* not ours: let it happen again */
}

/* prepare this OS thread for faults */

static void install_handlers(void)
{
    struct sigaction a = {.sa_sigaction = on_signal,
                          .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

    for (int i = 0; i < 4; i++)
        sigaction(signals[i], &a, &before[signals[i]]);
}

void loom_catch_signals(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static __thread char spare[64 << 10];
    static __thread int done;
    stack_t s = {.ss_sp = spare, .ss_size = sizeof spare};

    pthread_once(&once, install_handlers);
    if (!done)
        sigaltstack(&s, NULL);
    done = 1;
}

/* keep a pool of workers */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t open, empty, grid;
    struct job *job;    /* at the door, or NULL */
    unsigned serial;    /* counts jobs, so that nobody joins one twice */
    int threads, hired; /* OS threads wanted, this one included; made */
    int units;          /* multiprocessors */
    int busy;           /* workers inside */
    long seed;          /* of the orders of blocks, or 0 */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .open = PTHREAD_COND_INITIALIZER,
          .empty = PTHREAD_COND_INITIALIZER,
          .grid = PTHREAD_COND_INITIALIZER};

/* work at a job */

/* take some blocks */
/* Sets [sm->next_block, sm->end_block) to blocks that nobody has, or returns
   0. */
static int take_blocks(struct loom_sm *sm, struct job *j)
{
    uint64_t b;
    int found = 0;

    if (__atomic_load_n(&j->returned_n, __ATOMIC_RELAXED)) {
        pthread_mutex_lock(&pool.lock);
        if (j->returned_n) {
            sm->next_block = j->returned[--j->returned_n][0];
            sm->end_block = j->returned[j->returned_n][1];
            found = 1;
        }
        pthread_mutex_unlock(&pool.lock);
        if (found)
            return 1;
    }
    sm->chunk = sm->direct ? 2 * sm->chunk + 1 : 1;
    if (sm->chunk > j->most)
        sm->chunk = j->most;
    b = __atomic_fetch_add(&j->next, sm->chunk, __ATOMIC_RELAXED);
    sm->next_block = b;
    sm->end_block = b + sm->chunk < j->blocks ? b + sm->chunk : j->blocks;
    return b < j->blocks;
}

/* draw a number */
/* Word i of the sequence of splitmix64 that starts at seed. */
uint64_t loom_draw(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* put the blocks in an order */
enum { RESIDENT = 256 };

/* The block to run when the numbers of the blocks have come to b. */
static uint64_t in_order(const struct job *j, uint64_t b)
{
    static __thread struct {
        uint64_t order, first;
        unsigned char card[RESIDENT];
    } last;
    uint64_t first = b - b % RESIDENT;

    if (j->order && (last.order != j->order || last.first != first)) {
        uint64_t left = j->blocks - first, word = loom_draw(j->order, first);
        unsigned n = left < RESIDENT ? (unsigned)left : RESIDENT;

        last.order = j->order;
        last.first = first;
        for (unsigned i = 0; i < n; i++) { /* put card i where k was */
            unsigned k = (loom_draw(word, i) >> 32) * (i + 1) >> 32;

            last.card[i] = last.card[k];
            last.card[k] = (unsigned char)i;
        }
    }
    return j->order ? first + last.card[b - first] : b;
}

/* keep the structs of OS threads */
static struct loom_sm *idle_sms; /* of hired threads that have gone */

static struct loom_sm *take_sm(void)
{
    struct loom_sm *sm;

    pthread_mutex_lock(&pool.lock);
    sm = idle_sms;
    if (sm)
        idle_sms = sm->next_idle;
    pthread_mutex_unlock(&pool.lock);
    return sm ? sm : loom_new_sm();
}

/* A block of a cooperative launch has ended. */
static void note_end(struct job *j)
{
    pthread_mutex_lock(&pool.lock);
    j->grid_ended++;
    pthread_cond_broadcast(&pool.grid);
    pthread_mutex_unlock(&pool.lock);
}

/* pass the baton */
static void join_runners(struct job *j, struct loom_sm *sm)
{
    struct loom_sm **end = &j->runners;

    while (*end)
        end = &(*end)->next_runner;
    *end = sm;
    sm->next_runner = NULL;
    sm->held = 0;
}

static void wait_for_baton(struct job *j, struct loom_sm *sm)
{
    while (sem_wait(&sm->baton)) /* a signal has come */
        ;
    j->runner = sm;
}

/* The next to run, not sm itself: by the seed, or the one behind sm. */
static struct loom_sm *next_runner(struct job *j, struct loom_sm *sm)
{
    unsigned n = 0, pick = 0;
    struct loom_sm *r;

    for (r = j->runners; r; r = r->next_runner)
        n += r != sm && !r->held;
    if (n == 0)
        return NULL;
    if (j->order)
        pick =
            (unsigned)((loom_draw(~j->order, j->passed_on++) >> 32) * n >> 32);
    else
        for (r = j->runners; r != sm; r = r->next_runner)
            pick += !r->held;
    for (r = j->runners, pick %= n;; r = r->next_runner)
        if (r != sm && !r->held && pick-- == 0)
            return r;
}

int loom_pass_baton(struct loom_sm *sm)
{
    struct job *j = sm->job;
    struct loom_sm *to = j->baton ? next_runner(j, sm) : NULL;

    if (!to)
        return 0;
    sem_post(&to->baton);
    wait_for_baton(j, sm);
    return 1;
}
static void leave_runners(struct job *j, struct loom_sm *sm)
{
    struct loom_sm **at = &j->runners, *to = next_runner(j, sm);

    while (*at != sm)
        at = &(*at)->next_runner;
    *at = sm->next_runner;
    if (!to)
        to = j->runners;
    if (to)
        sem_post(&to->baton);
}

/* take blocks when it is time */
static int may_take_blocks(struct loom_sm *sm, struct job *j)
{
    if (j->order && loom_draw(~j->order, j->passed_on++) >> 63)
        loom_pass_baton(sm);
    return take_blocks(sm, j);
}

/* run blocks until none are left */
static __thread struct loom_sm *own; /* this OS thread's */

static void settle(struct job *j)
{
    if (!own)
        own = take_sm();
    loom_catch_signals();
    loom_watch_sm(own, j); /* first: its OS thread may be a new one */
    loom_prepare(own, j);
    loom_current = own;
    own->chunk = 0;
}

static void run_blocks(struct job *j)
{
    settle(j);
    while (!__atomic_load_n(&j->error, __ATOMIC_RELAXED) &&
           may_take_blocks(own, j))
        while (own->next_block < own->end_block &&
               loom_block(own, in_order(j, own->next_block++)))
            if (j->launch->cooperative)
                note_end(j);
    loom_current = NULL;
    loom_watch_sm(own, NULL);
    if (j->baton)
        leave_runners(j, own);
}

/* work for the pool */
static void *work(void *unused)
{
    unsigned seen = 0;

    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.job || pool.serial == seen)
            pthread_cond_wait(&pool.open, &pool.lock);
        /* join the job at the door */
        struct job *j = pool.job;

        seen = pool.serial;
        pool.busy++;
        pthread_mutex_unlock(&pool.lock);
        run_blocks(j);
        pthread_mutex_lock(&pool.lock);
        if (--pool.busy == 0)
            pthread_cond_signal(&pool.empty);
    }
    return unused;
}

/* hire an OS thread */
static void *help(void *p)
{
    struct job *j;

    own = p;
    j = own->hired_for;
    if (j->baton)
        wait_for_baton(j, own);
    run_blocks(j);
    pthread_mutex_lock(&pool.lock);
    own->shared_low = NULL; /* the next to use it has other memory */
    own->next_idle = idle_sms;
    idle_sms = own;
    j->residents--;
    if (--pool.busy == 0)
        pthread_cond_signal(&pool.empty);
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

/* Has one more OS thread work at the job. Called with the lock held. */
static void hire(struct job *j)
{
    struct loom_sm *sm = idle_sms;
    pthread_t t;

    if (sm)
        idle_sms = sm->next_idle;
    else
        sm = loom_new_sm();
    sm->hired_for = j;
    if (pthread_create(&t, NULL, help, sm)) {
        sm->next_idle = idle_sms;
        idle_sms = sm;
        return;
    }
    pthread_detach(t);
    if (j->baton)
        join_runners(j, sm);
    j->residents++;
    pool.busy++;
}

/* hire for a stalled block */
void loom_need_blocks(struct loom_sm *sm)
{
    struct job *j = sm->job;

    pthread_mutex_lock(&pool.lock);
    if (sm->next_block < sm->end_block &&
        j->returned_n < sizeof j->returned / sizeof j->returned[0]) {
        j->returned[j->returned_n][0] = sm->next_block;
        j->returned[j->returned_n++][1] = sm->end_block;
        sm->end_block = sm->next_block;
    }
    if ((j->returned_n || j->next < j->blocks) && j->residents < RESIDENT) {
        sm->stalled = 0;
        hire(j);
    }
    pthread_mutex_unlock(&pool.lock);
}

/* wait for the grid */

void loom_wait_for_grid(struct loom_sm *sm)
{
    struct job *j = sm->job;
    struct timespec soon;
    unsigned turn;

    if (!j->launch->cooperative)
        loom_fail(sm->barrier_site, cudaErrorLaunchFailure,
                  "a barrier of the grid in a launch that is not cooperative:"
                  " use cudaLaunchCooperativeKernel");
    pthread_mutex_lock(&pool.lock);
    turn = j->grid_turn;
    if (++j->grid_arrived == j->blocks) {
        j->grid_arrived = 0;
        j->grid_turn++;
        pthread_cond_broadcast(&pool.grid);
        for (struct loom_sm *r = j->runners; r; r = r->next_runner)
            r->held = 0;
    }
    /* wait for the grid without the baton */
    if (j->baton) {
        pthread_mutex_unlock(&pool.lock);
        sm->held = j->grid_turn == turn;
        while (j->grid_turn == turn && !j->error && !j->expired &&
               loom_pass_baton(sm))
            ;
        sm->held = 0;
        pthread_mutex_lock(&pool.lock);
    }
    while (!j->baton && j->grid_turn == turn && !j->error && !j->expired &&
           j->grid_arrived + j->grid_ended < j->blocks) {
        soon = (struct timespec){time(NULL) + 1, 0}; /* then look again */
        pthread_cond_timedwait(&pool.grid, &pool.lock, &soon);
    }
    /* leave the barrier of the grid */
    int complete = j->grid_turn != turn;

    pthread_mutex_unlock(&pool.lock);
    if (complete)
        return;
    if (j->error)
        loom_leave(sm);
    loom_fail(sm->barrier_site, cudaErrorLaunchFailure,
              "deadlock: the block waits for the whole grid, but %llu of its"
              " blocks have ended",
              (unsigned long long)j->grid_ended);
}

/* share a job with the workers */
static void share(struct job *j)
{
    uint64_t crew = j->launch->cooperative ? j->blocks : 0;

    if (j->order && !crew)
        crew =
            (unsigned)pool.units < j->blocks ? (unsigned)pool.units : j->blocks;
    pthread_mutex_lock(&pool.lock);
    for (uint64_t b = 1; b < crew; b++)
        hire(j);
    while (!crew && pool.hired + 1 < pool.threads) {
        pthread_t t;

        if (pthread_create(&t, NULL, work, NULL))
            break; /* fewer will do */
        pthread_detach(t);
        pool.hired++;
    }
    pool.job = crew ? NULL : j;
    pool.serial++;
    pthread_cond_broadcast(&pool.open);
    pthread_mutex_unlock(&pool.lock);
}

static void close_door(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.job = NULL;
    while (pool.busy)
        pthread_cond_wait(&pool.empty, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

/* run clusters */
struct member {
    struct job *job;
    struct loom_cluster *cluster;
    unsigned rank;
};

/* The number of a block in the grid: cluster k's block `rank`. */
static uint64_t member_block(const struct loom_launch *l, uint64_t k,
                             unsigned rank)
{
    uint64_t wide = l->grid.x / l->cluster.x, high = l->grid.y / l->cluster.y;
    uint64_t x = k % wide * l->cluster.x + rank % l->cluster.x;
    uint64_t y =
        k / wide % high * l->cluster.y + rank / l->cluster.x % l->cluster.y;
    uint64_t z =
        k / wide / high * l->cluster.z + rank / l->cluster.x / l->cluster.y;

    return (z * l->grid.y + y) * l->grid.x + x;
}

static void run_member(struct job *j, struct loom_cluster *c, unsigned rank)
{
    settle(j);
    own->cluster = c;
    own->rank = rank;
    c->sm[rank] = own;
    for (uint64_t k = 0; k < j->blocks; k++) {
        uint64_t n = in_order(j, k);

        own->ended = 0;
        if (pthread_barrier_wait(&c->all) == PTHREAD_BARRIER_SERIAL_THREAD) {
            c->begun = c->finished = c->arrived = c->phase = c->began = 0;
            c->turn = 0;
            c->over = j->error;
            if (j->order)
                c->turn = (unsigned)(loom_draw(j->order, ~k) % c->size);
        }
        pthread_barrier_wait(&c->all);
        if (c->over)
            break;
        loom_cluster_enter(c, rank);
        if (!j->error)
            loom_block(own, member_block(j->launch, n, rank));
        loom_cluster_leave(c, rank);
    }
    pthread_barrier_wait(&c->all);
    own->cluster = NULL;
    loom_current = NULL;
    loom_watch_sm(own, NULL);
}

/* run the crew */
static void *join_cluster(void *p)
{
    struct member *m = p;

    run_member(m->job, m->cluster, m->rank);
    pthread_mutex_lock(&pool.lock);
    own->shared_low = NULL; /* the next to use it has other memory */
    own->next_idle = idle_sms;
    idle_sms = own;
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

static void run_clusters(struct job *j)
{
    const struct loom_launch *l = j->launch;
    struct loom_cluster c = {.shape = l->cluster,
                             .lock = PTHREAD_MUTEX_INITIALIZER,
                             .passed = PTHREAD_COND_INITIALIZER};
    struct member m[LOOM_CLUSTER];
    pthread_t t[LOOM_CLUSTER];

    c.size = l->cluster.x * l->cluster.y * l->cluster.z;
    j->blocks /= c.size;
    j->next = j->blocks; /* nobody else takes any */
    pthread_barrier_init(&c.all, NULL, c.size);
    for (unsigned r = 1; r < c.size; r++) {
        m[r] = (struct member){j, &c, r};
        if (pthread_create(&t[r], NULL, join_cluster, &m[r])) {
            fprintf(stderr, "loom: no OS thread for a block of a cluster\n");
            exit(2);
        }
    }
    run_member(j, &c, 0);
    for (unsigned r = 1; r < c.size; r++)
        pthread_join(t[r], NULL);
    pthread_barrier_destroy(&c.all);
}

/* read a setting */
long loom_setting(const char *name, const char *what, long most)
{
    const char *text = getenv(name);
    char *end;
    long n = strtol(text, &end, 10);

    if (end == text || *end || n < 1 || n > most) {
        fprintf(stderr, "loom: %s=%s: say %s from 1 to %ld\n", name, text, what,
                most);
        exit(2);
    }
    return n;
}

/* count the OS threads */
static void count_threads(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    if (getenv("LOOM_THREADS"))
        n = loom_setting("LOOM_THREADS", "a number of OS threads", 1024);
    /* ask for a seed */
    if (getenv("LOOM_SEED")) {
        pool.seed = loom_setting("LOOM_SEED", "the number of an order", 99999);
        pool.units = getenv("LOOM_THREADS") ? (int)n : 4;
        n = 1;
    }
    pool.threads = n < 1 ? 1 : (int)n;
    if (pool.units < 1)
        pool.units = pool.threads;
}

int loom_threads(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, count_threads);
    return pool.threads;
}

/* tell the multiprocessors */
int loom_units(void)
{
    loom_threads(); /* counts */
    return pool.units;
}

/* tell the seed */
long loom_seed(void)
{
    loom_threads(); /* asks */
    return pool.seed;
}

/* try many seeds */
/* Copies what the run has printed, all of which is in a file. */
static void show_output(FILE *out)
{
    char text[4096];
    size_t n;

    rewind(out);
    while ((n = fread(text, 1, sizeof text, out)) > 0)
        fwrite(text, 1, n, stdout);
    fflush(stdout);
    fclose(out);
}

/* The child returns into the program; the parent comes back with its end. */
static int try_seed(long seed, FILE *out)
{
    char text[24];
    int status = 0;
    off_t in = lseek(0, 0, SEEK_CUR);
    pid_t child = fork();

    if (child == 0) {
        snprintf(text, sizeof text, "%ld", seed);
        setenv("LOOM_SEED", text, 1);
        dup2(fileno(out), 1);
        return -1;
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0) {
        perror("loom: LOOM_SEEDS: cannot fork");
        _exit(2);
    }
    if (in >= 0)
        lseek(0, in, SEEK_SET); /* the next reads the same */
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
__attribute__((constructor(101))) static void sweep(void)
{
    long n, first = 1;
    int code = 0;

    if (!getenv("LOOM_SEEDS"))
        return;
    n = loom_setting("LOOM_SEEDS", "a number of seeds", 99999);
    if (getenv("LOOM_SEED"))
        first = loom_setting("LOOM_SEED", "the number of an order", 99999);
    unsetenv("LOOM_SEEDS");
    for (long s = first; s < first + n && code == 0; s++) {
        FILE *out = tmpfile();

        if (!out) {
            perror("loom: LOOM_SEEDS: a temporary file");
            _exit(2);
        }
        code = try_seed(s, out);
        if (code < 0)
            return;
        if (code || s == first + n - 1)
            show_output(out);
        else
            fclose(out);
        if (code)
            fprintf(stderr,
                    "loom: LOOM_SEED=%ld repeats this; the program"
                    " ended with %d\n",
                    s, code);
    }
    if (code == 0)
        fprintf(stderr, "loom: nothing found under the seeds %ld to %ld\n",
                first, first + n - 1);
    _exit(code);
}

/* report a failure */
static void report_failure(struct job *j)
{
    const struct loom_launch *l = j->launch;
    struct loom_site at = j->site;
    char file[400];
    char launched[500] = "";

    if (j->pc)
        at = loom_name_line(j->pc, file, sizeof file);
    snprintf(launched, sizeof launched, "\n  launched at %s:%d", l->file,
             l->line);
    if (!at.file) {
        at = (struct loom_site){l->file, l->line};
        launched[0] = 0;
    }
    if (j->report[0]) {
        /* an assertion is the program's own check: it may be expected */
        loom_report_as(j->error == cudaErrorAssert, at, "error: %s", j->report);
        loom_show(at, 0);
    }
    if (!loom_quiet())
        fprintf(stderr, "  in kernel %s%s%s\n", l->kernel, j->who, launched);
}

/* run a launch */
int loom_run(const struct loom_launch *l)
{
    struct job j = {.launch = l};
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;

    if (loom_current)
        loom_fail((struct loom_site){l->file, l->line}, cudaErrorLaunchFailure,
                  "launches %s, but Loom has no kernels that launch"
                  " kernels",
                  l->kernel);
    loom_open();
    j.blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    /* choose the order of the blocks */
    static uint64_t launches;

    if (loom_seed())
        j.order = loom_draw((uint64_t)loom_seed(), launches++) | 1;
    /* choose how many blocks to take at a time */
    j.most = 1;
    if (!l->cooperative && !j.order)
        j.most += j.blocks / (16 * (unsigned)loom_threads());
    void *pending = loom_pending; /* a launch whose argument launches */

    loom_pending = NULL;
    /* begin with the baton */
    j.baton = (loom_hooks || j.order) && !l->cluster.x;
    if (j.baton) {
        if (!own)
            own = take_sm();
        join_runners(&j, own);
        j.runner = own;
    }
    loom_watch(&j);
    if (loom_hooks && loom_hooks->launch_begin)
        loom_hooks->launch_begin(l, l->args, l->bytes);
    if (l->cooperative || (j.order && j.blocks > 1 && !l->cluster.x) ||
        (!j.baton && !l->cluster.x && loom_threads() > 1 && j.blocks > 1 &&
         threads * j.blocks >= 4096))
        share(&j);
    if (l->cluster.x)
        run_clusters(&j);
    else
        run_blocks(&j);
    close_door();
    loom_watch(NULL);
    if (loom_hooks && loom_hooks->launch_end)
        loom_hooks->launch_end(l);
    /* report what went wrong in the job */
    if (!j.error)
        j.error = loom_inspect(j.report, sizeof j.report);
    if (j.error)
        report_failure(&j);
    loom_done();
    loom_pending = pending;
    return j.error;
}
