/* loom.h: the core of Loom. Launches, failures, printing. C11 and
   C++17. */
#ifndef LOOM_LOOM_H
#define LOOM_LOOM_H

#include <stddef.h>

#include "loom/vector_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct loom_entry;

/* describe the index of a thread */
/* threadIdx as Loom writes it. */
struct loom_index {
    unsigned int x, y, z, number;
} __attribute__((aligned(16)));

/* describe a place in the source */
/* Where something is written: file:line, or NULL and 0 when unknown. */
struct loom_site {
    const char *file;
    int line;
};

/* describe a launch */
struct loom_launch {
    const char *kernel; /* its name as the program writes it */
    const char *file;   /* where it was launched ... */
    int line;           /* ... for the reports */
    uint3 grid, block;
    size_t shared;              /* bytes of dynamic shared memory */
    void (*thread)(void *args); /* runs the kernel once */
    void *args;
    size_t bytes;             /* of args */
    int cooperative;          /* the blocks may wait for one another */
    struct loom_entry *entry; /* of the kernel */
    uint3 cluster; /* blocks that share their shared memory; 0: none */
};

/* Runs every thread of every block and returns when all have ended: 0, or the
   cudaError_t of the first thread that failed, which has been reported on
   stderr. The limits have been checked. */
int loom_run(const struct loom_launch *l);

/* declare what kernels and the runtime call */

/* declare who runs the blocks */
/* OS threads that share the blocks: one if there is a seed, else LOOM_THREADS,
   else one for each core. */
int loom_threads(void);

/* Multiprocessors: as many as OS threads; with a seed LOOM_THREADS, else four. */
int loom_units(void);

/* LOOM_SEED, or 0: blocks are taken in the order of their numbers. */
long loom_seed(void);

/* Ends the current thread and its kernel with a cudaError_t and a report of
   this place, which may be unknown. In kernels only. */
__attribute__((noreturn, format(printf, 3, 4))) void
loom_fail(struct loom_site site, int error, const char *format, ...);

/* Ends the current kernel with cudaErrorLaunchFailure; __trap() calls it. */
__attribute__((noreturn)) void loom_trap(void);

/* printf, of which a kernel's output waits for loom_flush. */
__attribute__((format(printf, 1, 2))) int loom_printf(const char *format, ...);
void loom_flush(void);

/* declare what prints */
/* Prints the line of the source and a caret, under what stands at a column, or
   under the first letter if it is 0; unless LOOM_QUIET=1. */
void loom_show(struct loom_site site, int column);

/* Whether LOOM_QUIET=1. */
int loom_quiet(void);

/* Prints "loom: ..." on stderr, unless LOOM_QUIET=1. */
__attribute__((format(printf, 1, 2))) void loom_say(const char *format, ...);

/* Whether this OS thread is executing a thread of a kernel. */
int loom_in_kernel(void);

/* The number in an environment variable that is set, from 1 to most; ends the
   program with a message when it is none. */
long loom_setting(const char *name, const char *what, long most);

/* Has memory faults of this OS thread reported from now on. */
void loom_catch_signals(void);

#ifdef __cplusplus
}
#endif
#endif
