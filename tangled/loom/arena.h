/* arena.h: Loom's device memory, with guards, canaries and poison. */
#ifndef LOOM_ARENA_H
#define LOOM_ARENA_H

#include <stddef.h>

/* describe an allocation */
enum loom_kind { LOOM_DEVICE, LOOM_MANAGED, LOOM_HOST };

struct loom_area {
    char *low, *high; /* its pages; behind them GUARD forbidden bytes */
    char *start;      /* what the program got: high minus bytes, rounded */
    size_t bytes;     /* what it asked for */
    enum loom_kind kind;
    int live;         /* 0 once freed */
    int kept;         /* by so many nodes of graphs, also when it is not live */
    const char *file; /* where it was allocated, or NULL */
    int line;
};

/* Returns bytes of poisoned memory at a multiple of 256, or NULL; file may be
   NULL. */
void *loom_alloc(size_t bytes, enum loom_kind kind, const char *file, int line);

/* Frees what loom_alloc returned: 1, or 0 after saying what is wrong with p. */
int loom_release(void *p, enum loom_kind kind, const char *call);

/* declare the searching and the guarding of the arena */
/* The area, live or freed, that holds the address or lies next to the guard
   that does, else NULL. Call it between loom_open and loom_done. */
const struct loom_area *loom_find(const void *address);

/* Writes "0x..., 4 bytes past the end of an allocation of ..." into text. */
void loom_describe(const void *address, char *text, size_t size);

/* Device memory is the caller's alone, and accessible, until loom_done. */
void loom_open(void);
void loom_done(void);

/* Forbids the host to touch device memory until the next loom_open. */
void loom_hide(void);

/* Returns 0, or an error after saying in text which canary is broken. */
int loom_inspect(char *text, size_t size);

/* Memory of a graph keeps its address. It is not live until loom_revive, which
   returns 0 if it is already; loom_release ends its life, loom_unkeep its
   being kept. */
void loom_keep(void *p);
void loom_unkeep(void *p);
int loom_revive(void *p);
int loom_alive(const void *p);
size_t loom_kept_bytes(void);

/* Host memory that kernels may use, and that is so no longer. */
void loom_register(const void *p, size_t bytes, int on);

/* Bytes that are free, and bytes in all. */
void loom_memory(size_t *free, size_t *total);
#endif
