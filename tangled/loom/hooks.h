/* hooks.h: what checking and counting are told. */
#ifndef LOOM_HOOKS_H
#define LOOM_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#include "loom/arena.h"
#include "loom/loom.h"

struct loom_sm;

/* list the hooks */
/* LOOM_UNSET: nobody may read this before it is written again. */
enum { LOOM_READ, LOOM_WRITE, LOOM_UPDATE, LOOM_STRONG = 4, LOOM_UNSET = 8 };
enum { LOOM_RELEASE = 1, LOOM_ACQUIRE = 2 };
enum { LOOM_BLOCKING, LOOM_APART, LOOM_LEGACY, LOOM_TOLD }; /* streams */

struct loom_hooks {
    /* args..args + bytes holds the arguments, as every thread reads them */
    void (*launch_begin)(const struct loom_launch *l, const void *args,
                         size_t bytes);
    void (*launch_end)(const struct loom_launch *l);
    void (*block_begin)(struct loom_sm *sm);
    void (*block_end)(struct loom_sm *sm);
    /* from now on `thread` runs */
    void (*thread_switch)(struct loom_sm *sm, unsigned thread);
    /* `thread` has returned from the kernel */
    void (*thread_end)(struct loom_sm *sm, unsigned thread);
    /* all threads of the block have arrived; sm->epoch is the new one */
    void (*barrier)(struct loom_sm *sm, struct loom_site site);
    /* the lanes of mask have synchronized */
    void (*warp_sync)(struct loom_sm *sm, unsigned warp, uint32_t mask,
                      struct loom_site site);
    void (*fence)(struct loom_sm *sm, struct loom_site site);
    /* an atomic operation comes next */
    void (*atomic)(struct loom_sm *sm, const void *p, size_t size,
                   struct loom_site site);
    /* Loom itself touches memory for the current thread, as LOOM_READ and the
       like say; it synchronizes, by some address */
    void (*access)(struct loom_sm *sm, const void *p, size_t size, int how,
                   struct loom_site site);
    void (*order)(struct loom_sm *sm, const void *key, int how);
    void (*alloc)(const struct loom_area *a);
    void (*release)(const struct loom_area *a);
    /* memcpy and memset: these bytes are read; they are initialized now */
    void (*host_read)(const void *p, size_t n);
    void (*host_write)(const void *p, size_t n);
    /* a call is queued; the host has waited for one, for a stream, for all; this
       OS thread begins to do it, or, with 0, ends; joined: the host waits.
       LOOM_TOLD: a function of the host runs in a stream, and may tell it */
    void (*queue)(uint64_t number, const void *stream, int kind,
                  uint64_t after);
    void (*wait)(const void *stream, int kind, uint64_t number);
    void (*work)(uint64_t number, int joined);
};

/* NULL in the plain build; who checks defines it. */
extern const struct loom_hooks *loom_hooks;

/* declare reports */
/* Prints "file:line: text" on stderr, unless LOOM_QUIET=1, and counts. A refused
   launch counts only as long as nobody has asked for the error, which
   loom_noticed tells. A remark does not count. */
enum { LOOM_REPORT, LOOM_REFUSAL, LOOM_REMARK };
#define loom_report(...) loom_report_as(LOOM_REPORT, __VA_ARGS__)
#define loom_refuse(...) loom_report_as(LOOM_REFUSAL, __VA_ARGS__)
#define loom_remark(...) loom_report_as(LOOM_REMARK, __VA_ARGS__)
__attribute__((format(printf, 3, 4))) void
loom_report_as(int as, struct loom_site site, const char *format, ...);
void loom_noticed(void);

/* How many reports there were. */
unsigned long loom_reports(void);

/* Ends the block at once and the kernel with a cudaError_t, which has been
   reported. In kernels only. */
__attribute__((noreturn)) void loom_abandon_block(struct loom_sm *sm,
                                                  int error);
#endif
