/* backwards.h: step 5, in which the last thread takes its turn first. */

/* begin a small Loom */
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* name errors and directions */
enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice
};

/* let the words of CUDA be words of C++ */
#define __global__
#define __device__
#define __host__

/* say where a thread is */
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
        : x(x), y(y), z(z)
    {
    }
};
__thread dim3 threadIdx, blockIdx, blockDim, gridDim;

/* count places and find one */
static long count(dim3 d)
{
    return (long)d.x * d.y * d.z;
}

static dim3 place(long i, dim3 d)
{
    return dim3(i % d.x, i / d.x % d.y, i / d.x / d.y);
}

/* describe a launch to the loops */
struct work {
    dim3 grid, block;
    void (*thread)(void *args); /* runs the kernel once */
    void *args;
    long next; /* the first block that nobody has taken */
};

/* share a variable among the threads of a block */
#define __shared__ static __thread

/* begin with fibers */

/* have a switch for this processor */
/* Leaves the running fiber in *from and goes on with `to`. */
extern "C" void loom_switch(void **from, void *to);
#if defined __x86_64__

/* switch to another stack */
__asm__(".pushsection .text\n"
        ".globl loom_switch\n"
        "loom_switch:\n"
        "    push %rbp\n    push %rbx\n    push %r12\n"
        "    push %r13\n    push %r14\n    push %r15\n"
        "    mov %rsp, (%rdi)\n" /* *from = stack pointer */
        "    mov %rsi, %rsp\n"   /* stack pointer = to */
        "    pop %r15\n    pop %r14\n    pop %r13\n"
        "    pop %r12\n    pop %rbx\n    pop %rbp\n"
        "    ret\n"
        ".popsection\n");

/* make a stack that begins with a function */
static void *new_stack(void *top, void (*f)(void))
{
    void **sp = (void **)top;

    *--sp = NULL;      /* f itself returns to nowhere */
    *--sp = (void *)f; /* where the switch goes */
    for (int i = 0; i < 6; i++)
        *--sp = NULL;
    return sp;
}
#elif defined __aarch64__
#include "loom/mini/aarch64.h"
#else
#error "the small Loom switches stacks on x86-64 and aarch64 only"
#endif

/* know the threads of a block */
enum { STACK = 1 << 16 };
static __thread const work *now;          /* the launch, while a block runs */
static __thread unsigned threads, self;   /* of the block; which one runs */
static __thread void *home, *saved[1024]; /* stacks of those that do not */
/* Sets of lanes, a word for each warp. */
static __thread uint32_t alive[32], ready[32], at_barrier[32];

static uint32_t my_bit(void)
{
    return 1u << self % 32;
}

static void give_way(void)
{
    loom_switch(&saved[self], home);
}

/* count those who have not returned */
static unsigned still_alive(void)
{
    unsigned n = 0;

    for (unsigned w = 0; w < 32; w++)
        n += __builtin_popcount(alive[w]);
    return n;
}

/* report a mistake */
[[noreturn]] static void fail(const char *file, int line, const char *format,
                              ...)
{
    va_list args;

    fprintf(stderr, "%s:%d: error: ", file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n  in block (%u,%u,%u), thread (%u,%u,%u)\n", blockIdx.x,
            blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
    exit(2);
}

/* let the block go on */
static void release_block(void)
{
    for (unsigned w = 0; w < 32; w++) {
        ready[w] |= at_barrier[w];
        at_barrier[w] = 0;
    }
}

/* release the block when all have come */
static void release_if_all_came(void)
{
    for (unsigned w = 0; w < 32; w++)
        if (at_barrier[w] != alive[w])
            return;
    release_block();
}

/* wait for the whole block at one line */
static __thread const char *barrier_file = ""; /* where the first waits */
static __thread int barrier_line;

static void __syncthreads(const char *file = __builtin_FILE(),
                          int line = __builtin_LINE())
{
    bool first = true;

    for (unsigned w = 0; w < 32; w++)
        first &= at_barrier[w] == 0;
    if (first) {
        barrier_file = file;
        barrier_line = line;
    } else if (line != barrier_line || strcmp(file, barrier_file) != 0) {
        fail(file, line, "divergent barrier: others wait at %s:%d",
             barrier_file, barrier_line);
    }
    /* arrive at the barrier */
    ready[self / 32] &= ~my_bit();
    at_barrier[self / 32] |= my_bit();
    release_if_all_came();
    give_way();
}

/* know whom lanes want to meet */
enum purpose { SHUFFLE, VOTE, SYNC };
static __thread uint32_t at_meeting[32]; /* lanes of each warp */
static __thread purpose came_for[1024];
static __thread uint32_t wish[1024];     /* whom a thread wants to meet */
static __thread uint64_t brought[1024];  /* what it brings */
static __thread uint64_t told[1024][32]; /* what each lane brought */

/* let the lanes go on */
static void have_met(unsigned w, unsigned t)
{
    ready[w] |= wish[t] & alive[w];
}

/* meet, exchange and vote */

/* meet lanes of the warp */

/* complete a small meeting */
/* Lets those whom thread t wants to meet go on, if all of them have come. */
static void complete(unsigned w, unsigned t)
{
    uint32_t need = wish[t] & alive[w];

    for (unsigned l = 0; l < 32; l++)
        if (need >> l & 1)
            if (!(at_meeting[w] >> l & 1) || wish[w * 32 + l] != wish[t] ||
                came_for[w * 32 + l] != came_for[t])
                return;
    for (unsigned l = 0; l < 32; l++)
        if (need >> l & 1)
            memcpy(told[w * 32 + l], &brought[w * 32], sizeof *told);
    at_meeting[w] &= ~need;
    have_met(w, t);
}

/* Waits for the lanes of `mask`; returns what each of them brought. */
static const uint64_t *meet(purpose what, uint32_t mask, uint64_t value)
{
    unsigned w = self / 32;

    came_for[self] = what;
    wish[self] = mask;
    brought[self] = value;
    ready[w] &= ~my_bit();
    at_meeting[w] |= my_bit();
    complete(w, self);
    give_way();
    return told[self];
}

/* let a thread leave its warp */
static void somebody_ended(void)
{
    unsigned w = self / 32;

    brought[self] = 0;
    for (unsigned l = 0; l < 32; l++)
        if (at_meeting[w] >> l & 1)
            complete(w, w * 32 + l);
    release_if_all_came();
}

/* exchange values */
/* Brings `mine`, and returns what lane `from` has brought. */
template <class T>
T fetch(uint32_t mask, T mine, unsigned from)
{
    uint64_t word = 0;

    memcpy(&word, &mine, sizeof mine);
    word = meet(SHUFFLE, mask, word)[from];
    memcpy(&mine, &word, sizeof mine);
    return mine;
}

/* width cuts the warp into groups; none reads from one that comes after it. */
template <class T>
T __shfl_xor_sync(uint32_t mask, T mine, int far, int width = 32)
{
    unsigned l = self % 32, last = l | (width - 1);

    return fetch(mask, mine, (l ^ far) <= last ? l ^ far : l);
}

/* exchange values with others */
template <class T>
T __shfl_sync(uint32_t mask, T mine, int from, int width = 32)
{
    unsigned first = self % 32 & ~(width - 1);

    return fetch(mask, mine, first + (from & (width - 1)));
}

template <class T>
T __shfl_down_sync(uint32_t mask, T mine, unsigned far, int width = 32)
{
    unsigned l = self % 32, last = l | (width - 1);

    return fetch(mask, mine, l + far <= last ? l + far : l);
}

template <class T>
T __shfl_up_sync(uint32_t mask, T mine, unsigned far, int width = 32)
{
    unsigned l = self % 32, first = l & ~(width - 1);

    return fetch(mask, mine, l >= first + far ? l - far : l);
}

/* vote */
static unsigned __ballot_sync(uint32_t mask, int yes)
{
    const uint64_t *said = meet(VOTE, mask, yes != 0);
    unsigned all = 0;

    for (unsigned l = 0; l < 32; l++)
        if (mask >> l & 1)
            all |= (unsigned)said[l] << l;
    return all;
}

static void __syncwarp(uint32_t mask = ~0u)
{
    meet(SYNC, mask, 0);
}
#define __popc __builtin_popcount

/* say who waits for whom */
static void report_stuck(void)
{
    unsigned n = still_alive();

    fprintf(stderr,
            "error: deadlock: no thread can go on, and %u of %u have "
            "returned\n",
            threads - n, threads);
    for (unsigned t = 0; t < threads; t++) {
        if (at_barrier[t / 32] >> t % 32 & 1)
            fprintf(stderr, "  thread %u waits at %s:%d\n", t, barrier_file,
                    barrier_line);
        if (at_meeting[t / 32] >> t % 32 & 1)
            fprintf(stderr, "  thread %u waits for the lanes %08x\n", t,
                    wish[t]);
    }
    exit(2);
}

/* give every ready thread a turn, the last one first */
static bool take_turns(void)
{
    bool any = false;

    for (unsigned t = threads; t > 0; t--) {
        self = t - 1;
        if (ready[self / 32] & my_bit()) {
            any = true;
            threadIdx = place(self, blockDim);
            loom_switch(&home, saved[self]);
        }
    }
    return any;
}

/* run blocks of fibers */

/* run a block as fibers */
static void begin(void)
{
    now->thread(now->args);
    alive[self / 32] &= ~my_bit();
    ready[self / 32] &= ~my_bit();
    somebody_ended();
    give_way(); /* for ever */
}

static void run_block(const work *w)
{
    char *stacks = (char *)malloc(count(w->block) * STACK);

    now = w;
    threads = (unsigned)count(w->block);
    for (unsigned t = 0; t < threads; t++) {
        saved[t] = new_stack(stacks + (t + 1) * STACK, begin);
        alive[t / 32] |= 1u << t % 32;
        ready[t / 32] = alive[t / 32];
    }
    while (take_turns())
        ;
    if (still_alive())
        report_stuck();
    now = NULL;
    free(stacks);
}

/* take blocks until none are left */
static void *take_blocks(void *p)
{
    work *w = (work *)p;

    gridDim = w->grid;
    blockDim = w->block;
    for (;;) {
        long b = __atomic_fetch_add(&w->next, 1, __ATOMIC_RELAXED);

        if (b >= count(w->grid))
            return NULL;
        blockIdx = place(b, w->grid);
        run_block(w);
    }
}

/* share the blocks among OS threads */
enum { CORES = 4 };

static void run_grid(work *w)
{
    pthread_t other[CORES];

    for (int i = 1; i < CORES; i++)
        pthread_create(&other[i], NULL, take_blocks, w);
    take_blocks(w);
    for (int i = 1; i < CORES; i++)
        pthread_join(other[i], NULL);
}

/* lend the host's memory */
template <class T>
cudaError_t cudaMalloc(T **p, size_t bytes)
{
    *p = (T *)malloc(bytes);
    return *p || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t cudaFree(void *p)
{
    free(p);
    return cudaSuccess;
}

/* launch a kernel */
static cudaError_t last_error;

template <class... P>
struct launcher {
    void (*kernel)(P...);
    dim3 grid, block;

    void operator()(P... args)
    {
        auto once = [&] { kernel(args...); };
        work w = {grid, block,
                  [](void *p) { (*static_cast<decltype(once) *>(p))(); }, &once,
                  0};

        if (count(grid) < 1 || count(block) < 1 || count(block) > 1024)
            last_error = cudaErrorInvalidConfiguration;
        else
            run_grid(&w);
    }
};

template <class... P>
launcher<P...> launch(void (*kernel)(P...), dim3 grid, dim3 block)
{
    return {kernel, grid, block};
}

/* answer the host */
[[maybe_unused]] static cudaError_t cudaMemcpy(void *to, const void *from,
                                               size_t bytes, cudaMemcpyKind)
{
    memcpy(to, from, bytes);
    return cudaSuccess;
}

[[maybe_unused]] static cudaError_t cudaMemset(void *p, int c, size_t bytes)
{
    memset(p, c, bytes);
    return cudaSuccess;
}

[[maybe_unused]] static cudaError_t cudaGetLastError(void)
{
    cudaError_t e = last_error;

    last_error = cudaSuccess;
    return e;
}

[[maybe_unused]] static cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}
#define cudaMallocManaged cudaMalloc

/* name an error */

[[maybe_unused]] static const char *cudaGetErrorName(cudaError_t e)
{
    return e == cudaSuccess                 ? "cudaSuccess"
           : e == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation"
                                            : "cudaErrorInvalidConfiguration";
}

[[maybe_unused]] static const char *cudaGetErrorString(cudaError_t e)
{
    return e == cudaSuccess                 ? "no error"
           : e == cudaErrorMemoryAllocation ? "out of memory"
                                            : "invalid configuration argument";
}
