/* arena.h: the machine's device memory, with guards, canaries and poison. */
#ifndef MACHINE_ARENA_H
#define MACHINE_ARENA_H

#include <stddef.h>

/* describe an allocation */
enum simt_kind { SIMT_DEVICE, SIMT_MANAGED, SIMT_HOST };

struct simt_area {
    char *low, *high; /* its pages; behind them GUARD forbidden bytes */
    char *start;      /* what the program got: high minus bytes, rounded */
    size_t bytes;     /* what it asked for */
    enum simt_kind kind;
    int live;         /* 0 once freed */
    const char *file; /* where it was allocated, or NULL */
    int line;
};

/* Returns bytes of poisoned memory at a multiple of 256, or NULL; file may be
   NULL. */
void *simt_alloc(size_t bytes, enum simt_kind kind, const char *file, int line);

/* Frees what simt_alloc returned: 1, or 0 after saying what is wrong with p. */
int simt_release(void *p, enum simt_kind kind, const char *call);

/* declare the searching and the guarding of the arena */
/* The area, live or freed, that holds the address or lies next to the guard
   that does, else NULL. Call it between simt_open and simt_done. */
const struct simt_area *simt_find(const void *address);

/* Writes "0x..., 4 bytes past the end of an allocation of ..." into text. */
void simt_describe(const void *address, char *text, size_t size);

/* Device memory is the caller's alone, and accessible, until simt_done. */
void simt_open(void);
void simt_done(void);

/* Forbids the host to touch device memory until the next simt_open. */
void simt_hide(void);

/* Returns 0, or an error after saying in text which canary is broken. */
int simt_inspect(char *text, size_t size);

/* Bytes that are free, and bytes in all. */
void simt_memory(size_t *free, size_t *total);
#endif
