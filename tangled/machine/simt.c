/* simt.c: runs launches, one call for each thread, blocks over OS threads. */
#define _GNU_SOURCE

/* include the headers of the core */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "machine/arena.h"
#include "machine/cuda_runtime_api.h"
#include "machine/simt.h"

/* define the built-in variables */
/* Where this OS thread is in the grid. Kernels see these as const. */
__thread uint3 threadIdx, blockIdx, blockDim, gridDim;

/* describe the work that OS threads share */
struct job {
    const struct simt_launch *launch;
    uint64_t blocks, chunk; /* of the grid; taken at a time */
    uint64_t next;          /* the first that nobody has taken (atomic) */
    int error;              /* of the first thread that failed (atomic) */
    char report[1024];      /* what it had to say */
};
static __thread struct job *mine; /* this OS thread's; NULL outside a kernel */

/* print and fail */

/* say something on stderr */
void simt_say(const char *format, ...)
{
    char text[1600];
    const char *quiet = getenv("SIMT_QUIET");
    va_list args;

    if (quiet && strcmp(quiet, "1") == 0)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout); /* so that the order on a terminal is the order in time */
    fprintf(stderr, "simt: %s\n", text);
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
static __thread uint64_t block_number; /* of the block this OS thread runs */

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
    printed.line[printed.n] = (struct line){block_number, printed.n, text};
    printed.n++;
    pthread_mutex_unlock(&printed.lock);
}

/* print from a kernel */
int simt_printf(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    int n;

    va_start(args, format);
    n = mine ? vasprintf(&text, format, args) : vprintf(format, args);
    va_end(args);
    if (text && n >= 0)
        keep_line(text);
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

void simt_flush(void)
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
        simt_say("the kernels' last output (%zu calls of printf) is lost: the"
                 " program ended without cudaDeviceSynchronize()",
                 printed.n);
}

/* fail */
static __thread sigjmp_buf leave;

_Noreturn void simt_fail(int error, const char *format, ...)
{
    int none = 0;
    size_t n;
    va_list args;

    if (__atomic_compare_exchange_n(&mine->error, &none, error, 0,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        n = (size_t)snprintf(
            mine->report, sizeof mine->report,
            "block (%u,%u,%u), thread (%u,%u,%u): ", blockIdx.x, blockIdx.y,
            blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
        va_start(args, format);
        vsnprintf(mine->report + n, sizeof mine->report - n, format, args);
        va_end(args);
    }
    siglongjmp(leave, 1);
}

/* let an assertion fail */
_Noreturn void __assert_fail(const char *what, const char *file,
                             unsigned int line, const char *function)
{
    if (mine)
        simt_fail(cudaErrorAssert, "%s:%u: %s: Assertion `%s' failed", file,
                  line, function, what);
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function,
            what);
    abort();
}

int simt_in_kernel(void)
{
    return mine != NULL;
}

_Noreturn void simt_trap(void)
{
    if (mine)
        simt_fail(cudaErrorLaunchFailure, "executes __trap()");
    abort();
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

/* tell when the stack is used up */
static __thread char *stack_mark; /* somewhere in run_blocks' frame */

static int overflowed(const void *address)
{
    uintptr_t at = (uintptr_t)address, mark = (uintptr_t)stack_mark;

    return at < mark && mark - at < ((uintptr_t)64 << 20);
}

/* turn a signal into a failure */
static struct sigaction before[NSIG]; /* what was there, to hand on to */

static void on_signal(int sig, siginfo_t *info, void *context)
{
    char where[400];
    const char *verb = access_kind(context);

    if (mine && sig == SIGFPE)
        simt_fail(cudaErrorLaunchFailure, "divides an integer by zero"
                                          " (a GPU goes on with some number)");
    if (mine && overflowed(info->si_addr))
        simt_fail(cudaErrorLaunchFailure,
                  "needs more stack than there is: it calls itself without"
                  " end, or has a large array");
    if (mine && info->si_code == SI_KERNEL)
        simt_fail(cudaErrorIllegalAddress, "uses a pointer that is no address"
                                           " at all: was it ever set?");
    if (mine) {
        simt_describe(info->si_addr, where, sizeof where);
        simt_fail(cudaErrorIllegalAddress, "%s %s", verb, where);
    }
    /* blame the host when it touched device memory */
    if (simt_find(info->si_addr)) {
        simt_describe(info->si_addr, where, sizeof where);
        simt_say("the host %s %s\n"
                 "  device memory is for kernels: copy with cudaMemcpy, or"
                 " allocate with cudaMallocManaged",
                 verb, where);
        _exit(2);
    }
    sigaction(sig, &before[sig], NULL); /* not ours: let it happen again */
}

/* prepare this OS thread for faults */

static void install_handlers(void)
{
    struct sigaction a = {.sa_sigaction = on_signal,
                          .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    int signals[] = {SIGSEGV, SIGBUS, SIGFPE};

    for (int i = 0; i < 3; i++)
        sigaction(signals[i], &a, &before[signals[i]]);
}

void simt_catch_signals(void)
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

/* run one block */
static void run_block(const struct simt_launch *l, uint64_t b)
{
    block_number = b;
    blockIdx.x = (unsigned)(b % l->grid.x);
    blockIdx.y = (unsigned)(b / l->grid.x % l->grid.y);
    blockIdx.z = (unsigned)(b / l->grid.x / l->grid.y);
    for (threadIdx.z = 0; threadIdx.z < l->block.z; threadIdx.z++)
        for (threadIdx.y = 0; threadIdx.y < l->block.y; threadIdx.y++)
            for (unsigned x = 0; x < l->block.x; x++) {
                threadIdx.x = x;
                l->thread(l->args);
            }
}

/* run blocks until none are left */
static void run_blocks(struct job *j)
{
    char here;

    simt_catch_signals();
    stack_mark = &here;
    blockDim = j->launch->block;
    gridDim = j->launch->grid;
    mine = j;
    if (sigsetjmp(leave, 0) == 0)
        while (!__atomic_load_n(&j->error, __ATOMIC_RELAXED)) {
            uint64_t b =
                __atomic_fetch_add(&j->next, j->chunk, __ATOMIC_RELAXED);

            if (b >= j->blocks)
                break;
            for (uint64_t i = 0; i < j->chunk && b + i < j->blocks; i++)
                run_block(j->launch, b + i);
        }
    mine = NULL;
}

/* keep a pool of workers */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t open, empty;
    struct job *job;    /* at the door, or NULL */
    unsigned serial;    /* counts jobs, so that nobody joins one twice */
    int threads, hired; /* OS threads wanted, this one included; made */
    int busy;           /* workers inside */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .open = PTHREAD_COND_INITIALIZER,
          .empty = PTHREAD_COND_INITIALIZER};

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

/* share a job with the workers */
static void share(struct job *j)
{
    pthread_mutex_lock(&pool.lock);
    while (pool.hired + 1 < pool.threads) {
        pthread_t t;

        if (pthread_create(&t, NULL, work, NULL))
            break; /* fewer will do */
        pthread_detach(t);
        pool.hired++;
    }
    pool.job = j;
    pool.serial++;
    pthread_cond_broadcast(&pool.open);
    pthread_mutex_unlock(&pool.lock);
    run_blocks(j);
    pthread_mutex_lock(&pool.lock);
    pool.job = NULL;
    while (pool.busy)
        pthread_cond_wait(&pool.empty, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

/* count the OS threads */
long simt_setting(const char *name, const char *what, long most)
{
    const char *text = getenv(name);
    char *end;
    long n = strtol(text, &end, 10);

    if (end == text || *end || n < 1 || n > most) {
        fprintf(stderr, "simt: %s=%s: say a number of %s from 1 to %ld\n", name,
                text, what, most);
        exit(2);
    }
    return n;
}

static void count_threads(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    if (getenv("SIMT_THREADS"))
        n = simt_setting("SIMT_THREADS", "OS threads", 1024);
    pool.threads = n < 1 ? 1 : (int)n;
}

int simt_threads(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, count_threads);
    return pool.threads;
}

/* run a launch */
int simt_run(const struct simt_launch *l)
{
    struct job j = {.launch = l};
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;

    if (mine)
        simt_fail(cudaErrorLaunchFailure,
                  "launches %s, but the machine has no kernels that launch"
                  " kernels",
                  l->kernel);
    simt_open();
    j.blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    j.chunk = j.blocks / (16 * (unsigned)simt_threads()) + 1;
    if (pool.threads == 1 || j.blocks == 1 || threads * j.blocks < 4096)
        run_blocks(&j);
    else
        share(&j);
    /* report what went wrong in the job */
    if (!j.error)
        j.error = simt_inspect(j.report, sizeof j.report);
    if (j.error)
        simt_say("kernel %s, %s\n  launched at %s:%d", l->kernel, j.report,
                 l->file, l->line);
    simt_done();
    return j.error;
}
