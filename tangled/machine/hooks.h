/* hooks.h: what checking and counting are told. */
#ifndef MACHINE_HOOKS_H
#define MACHINE_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#include "machine/arena.h"
#include "machine/simt.h"

struct simt_sm;

/* list the hooks */
struct simt_hooks {
    /* args..args + bytes holds the arguments, as every thread reads them */
    void (*launch_begin)(const struct simt_launch *l, const void *args,
                         size_t bytes);
    void (*launch_end)(const struct simt_launch *l);
    void (*block_begin)(struct simt_sm *sm);
    void (*block_end)(struct simt_sm *sm);
    /* from now on `thread` runs */
    void (*thread_switch)(struct simt_sm *sm, unsigned thread);
    /* `thread` has returned from the kernel */
    void (*thread_end)(struct simt_sm *sm, unsigned thread);
    /* all threads of the block have arrived; sm->epoch is the new one */
    void (*barrier)(struct simt_sm *sm, struct simt_site site);
    /* the lanes of mask have synchronised */
    void (*warp_sync)(struct simt_sm *sm, unsigned warp, uint32_t mask,
                      struct simt_site site);
    void (*fence)(struct simt_sm *sm, struct simt_site site);
    /* an atomic operation comes next */
    void (*atomic)(struct simt_sm *sm, const void *p, size_t size,
                   struct simt_site site);
    void (*alloc)(const struct simt_area *a);
    void (*release)(const struct simt_area *a);
    /* memcpy and memset: these bytes are initialised now */
    void (*host_write)(const void *p, size_t n);
};

/* NULL in the plain build; who checks defines it. */
extern const struct simt_hooks *simt_hooks;

/* declare reports */
/* Prints "file:line: text" on stderr, unless SIMT_QUIET=1, and counts. A refused
   launch counts only as long as nobody has asked for the error, which
   simt_noticed tells. */
#define simt_report(...) simt_report_as(0, __VA_ARGS__)
#define simt_refuse(...) simt_report_as(1, __VA_ARGS__)
__attribute__((format(printf, 3, 4))) void
simt_report_as(int refusal, struct simt_site site, const char *format, ...);
void simt_noticed(void);

/* How many reports there were. */
unsigned long simt_reports(void);

/* Ends the block at once and the kernel with a cudaError_t, which has been
   reported. In kernels only. */
__attribute__((noreturn)) void simt_abandon_block(struct simt_sm *sm,
                                                  int error);
#endif
