/* inst.h: what the callbacks, the checker and the counter share. */
#ifndef LOOM_INST_H
#define LOOM_INST_H

#include <stddef.h>
#include <stdint.h>

#include "loom/loom_int.h"

/* describe an instruction that touches memory */
enum inst_kind { READ, WRITE, UPDATE }; /* an update is an atomic */
enum inst_space { GLOBAL, SHARED };
enum { STACK_BYTES = 128 << 10 };             /* of a fiber */
enum { DYNAMIC_BYTES = 227 << 10 };           /* dynamic shared memory */
enum { STRONG = 1, VOLATILE = 2, LOOSE = 4 }; /* LOOSE: may be misaligned */

struct counts {
    uint64_t requests, lanes, sectors, passes, bytes, best, crowd;
};
struct place { /* in a source file; line 0 when unknown */
    char file[256];
    int line, column;
};
struct site {
    uintptr_t start; /* where it found itself last: an area ... */
    size_t bytes;    /* ... and its size, 0 for none ... */
    char *base;      /* ... and the shadow of base */
    struct cell *cell;
    unsigned char *init;
    unsigned char kind, space, size;
    uint16_t next; /* the same instruction in another space, or 0 */
    uintptr_t pc;  /* just before the return address of the callback */
    struct counts n;
    struct place at; /* line -1 before anyone has asked */
};
extern struct site inst_site[];
extern unsigned inst_sites;

/* describe memory and its shadow */
struct stamp { /* who touched a word last, when and how */
    uint32_t who, time;
    uint16_t site;
    uint8_t bytes, strong; /* a bit for each byte; atomic or volatile */
};
struct cell {
    struct stamp write, read[2];
};
struct area {
    char *start;
    size_t bytes;
    struct area *whole; /* it is a variable in this one, or the area itself */
    int live;
    size_t room;         /* bytes that have a shadow, perhaps more */
    size_t first, last;  /* words of shared memory that kernels write */
    struct cell *cell;   /* one for each four bytes */
    unsigned char *init; /* four bits for each four bytes, or NULL */
};
struct access {
    uintptr_t address;
    unsigned size, site;
    int kind, space, strong, order; /* order: an __ATOMIC_ constant */
    struct cell *cell;
    unsigned char *init; /* NULL: counts as initialised */
};

/* describe what a block knows */
struct known { /* until when another block's accesses are known */
    uint32_t block, time;
};
struct clock {
    struct known *of;
    int n, room;
};
struct glimpse { /* what a thread has seen a flag promise */
    uint32_t who;
    struct clock clock;
};
struct lanes {            /* of a warp */
    uint32_t together;    /* when all of them last met */
    uint32_t met[32][32]; /* until when lane a knows lane b ... */
    uint32_t partial;     /* ... if some have met without the others */
    uint32_t own;         /* until when it knows its block, by flags */
};
struct equal { /* a word that two lanes write */
    uintptr_t address;
    uint32_t value; /* what the first has written */
    struct access a;
    struct stamp old;
};
struct watch { /* one for each struct loom_sm */
    struct loom_sm *sm;
    uint32_t who, block, warp, lane; /* who: block and thread in one */
    uint32_t begun, barrier, fence;  /* when that was; fence 0: never */
    uint32_t since[2];               /* older is ordered, global or shared */
    uintptr_t flag;                  /* an atomic here has been announced */
    struct clock acquired;           /* from other blocks, by flags */
    struct glimpse *seen;            /* not acquired yet */
    int seen_n, seen_room, equal_n;
    struct equal equal[32]; /* races that may be none */
    struct lanes lanes[LOOM_WARPS];
    struct area fixed, dynamic; /* shared memory */
    struct area *parts;         /* of fixed: the variables */
    char *builtin;              /* threadIdx and its like */
    size_t builtin_bytes;
    struct log *log; /* of each thread, when counting */
};

/* declare what the parts offer each other */
/* check_calls.c */
unsigned site_make(uintptr_t pc, int kind, int space, unsigned size);

/* check.c: the orders of time, and what is asked of an access */
extern uint32_t inst_now;
void check_equals(struct watch *w);
int check_crowded(const struct watch *w, const struct cell *c, int space);
void check_access(struct watch *w, const struct access *a);
void check_flag(struct watch *w, uintptr_t address, int kind, int order);
void check_barrier(struct watch *w);
void check_lanes(struct watch *w, unsigned warp, uint32_t mask, uint32_t live);
void check_fence(struct watch *w);
void check_block(struct watch *w);
int check_glimpse(const struct watch *w, const struct stamp *old);
void check_launch(void);
void check_grid(uint3 grid);

/* declare what reports and counts */
/* check_report.c */
void report_race(struct watch *w, const struct access *a,
                 const struct stamp *old);
void report_unset(struct watch *w, const struct access *a);
void report_bad(struct loom_sm *sm, uintptr_t address, unsigned size, int kind,
                uintptr_t pc, const char *what);
void report_host(uintptr_t address, int kind, uintptr_t pc);
void report_index(struct loom_sm *sm, const struct place *here, int64_t i,
                  const char *array);
void report_lane(struct loom_sm *sm, unsigned thread, unsigned from,
                 struct loom_site site);

/* count.c; count_on is 0 unless LOOM_COUNT is set */
extern int count_on;
struct log *count_logs(void);
void count_access(struct watch *w, unsigned site, uintptr_t address);
void count_thread(struct watch *w, unsigned thread);
void count_lanes(struct watch *w, unsigned warp, uint32_t mask);
void count_barrier(struct watch *w, struct loom_site site);
void count_end(struct watch *w);
void count_print(void);
/* check_where.c: the variables of the program */
enum inst_owner { NOBODY, HOST, DEVICE, MANAGED, KERNEL }; /* NOBODY: unknown */
struct variable {
    size_t start,
        bytes; /* from the start of the program or its thread-locals */
    int owner;
    char name[64], within[64]; /* a function, or "" */
};
int where_said(const char *name, size_t length); /* by the rewriter */
extern struct variable *inst_variable[2];     /* in GLOBAL and SHARED memory */
int where_variables(int space);               /* how many; in order */
int where_variable(size_t offset, int space); /* the last that begins there */

/* check_where.c: where an instruction stands in the source */
void where_line(uintptr_t pc, struct place *at);
void where_is(uintptr_t pc, struct place *at);
int where_loom(const char *file); /* a header of Loom */
const struct place *site_place(unsigned site);

#endif
