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
/* Who touched a word, when and how. `how` has the number of the warp (that of
   the block times 32, and its own) from bit 24 on; then 16 bits for the site,
   4 for the bytes of the word, 4 for STRONG and VOLATILE. */
struct stamp {
    uint64_t how;
    uint32_t lanes, time; /* of the warp; when the last of them was ordered */
};
enum { BY_WARP = 24, BY_BLOCK = BY_WARP + 5, BY_SITE = 8, BY_BYTES = 4 };

/* Numbers of blocks that are none: the host, a call that is no kernel. What is
   below has the launch above bit 31. */
#define BY_HOST ((UINT64_C(1) << (64 - BY_BLOCK)) - 1)
#define BY_CALL (BY_HOST - 1)
#define BLOCKS (UINT64_C(1) << 31)

/* Whether another lane of the warp has left this stamp since they last met. */
static inline int shares(const struct stamp *s, const struct stamp *mine)
{
    return !((s->how ^ mine->how) & ~((uint64_t)0xffff << BY_SITE)) &&
           s->time == mine->time;
}

struct cell { /* 64 bytes: a line of the cache */
    struct stamp write, read[3];
};
struct area {
    char *start;
    size_t bytes;
    struct area *whole; /* it is a variable in this one, or the area itself */
    int live;
    const void *asked;   /* the kernel of which it is known whether ... */
    int strange;         /* ... this variable is another one's */
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
    unsigned char *init; /* NULL: counts as initialized */
};

/* describe what a block knows */
struct known {     /* until when some accesses are known */
    uint64_t whom; /* number of the block times 2048, plus ... */
    uint32_t time;
};
enum { ALL = 1024, WARP = 1025 }; /* ... a thread, ALL, or WARP + number */
struct clock {
    struct known *of; /* sorted */
    int n, room;
};
struct private
{ /* what one thread knows */
    unsigned thread;
    struct clock seen, known; /* a flag has promised it; it is certain */
    uintptr_t flag;           /* looked at last, ... */
    uint32_t version;         /* ... when it was this old */
};
struct fence { /* the last of a thread, and what was known then */
    uint32_t time, barrier, together;
};
struct lanes {                   /* of a warp */
    uint32_t together;           /* when all of them last met */
    uint32_t met[32][32];        /* until when lane a knows lane b ... */
    uint32_t partial;            /* ... if some have met without the others */
    uint32_t fenced, passed[32]; /* by fences before a meeting: all; each */
    struct clock acquired;       /* what all lanes know by flags */
};
struct equal { /* a word that a race writes */
    uintptr_t address;
    uint32_t value; /* before it is written */
    uint32_t lanes; /* that the race is with, of old */
    struct access a;
    struct stamp old;
    uint64_t block;
    uint32_t who;
};
struct watch { /* one for each struct loom_sm */
    struct loom_sm *sm;
    uint64_t block, warp_id; /* warp_id: the block's times 32, plus warp */
    uint32_t who, warp, lane, bit;    /* who: the thread; bit: of its lane */
    uint32_t begun, barrier, time;    /* when that was; time: for stamps */
    uint32_t since[2];                /* older is ordered, global or shared */
    uint32_t met;                     /* when the grid did, for this block */
    uintptr_t flag;                   /* an atomic here has been announced */
    uintptr_t spun_at;                /* last read as volatile, by whom, ... */
    uint32_t spinner, spun_on, spins; /* ... what it was, how often */
    struct clock acquired;            /* what all threads know by flags */
    struct private *own;              /* of those that know more */
    int own_n, own_room, informed;    /* informed: there is a clock */
    unsigned era;                     /* of the clock */
    uint16_t own_of[1024];            /* 1 + the place of a thread's, or 0 */
    uint32_t turned[1024];            /* when a thread alone was ordered last */
    struct fence fence[1024];
    struct clock passed; /* by fences before the last barrier */
    uint32_t fenced;     /* all did one before a barrier, then */
    unsigned fences;     /* threads that did one since */
    int equal_n;
    struct equal equal[32]; /* races that may be none */
    struct lanes lanes[LOOM_WARPS];
    struct area fixed, dynamic; /* shared memory */
    struct area *parts;         /* of fixed: the variables */
    char *builtin;              /* threadIdx and its like */
    size_t builtin_bytes;
    struct log *logs[LOOM_WARPS];  /* of the lanes of each warp, or NULL */
    struct log *spare[LOOM_WARPS]; /* of warps that have ended, ... */
    unsigned spares;               /* ... so many */
    struct watch *next;
};

/* declare what the parts offer each other */
/* check_calls.c */
unsigned site_make(uintptr_t pc, int kind, int space, unsigned size);
unsigned site_find(uintptr_t pc, int kind, int space, unsigned size);
int site_can_be(uintptr_t pc);
void forget_stamps(void);

/* check.c: the orders of time, and what is asked of an access */
extern uint32_t inst_now, check_more;
extern int check_fences;
void check_equals(struct watch *w);
void check_access(struct watch *w, const struct access *a);
void check_flag(struct watch *w, uintptr_t address, int kind, int order);
void check_turn(struct watch *w, unsigned thread);
void check_barrier(struct watch *w, unsigned threads);
void check_lanes(struct watch *w, unsigned warp, uint32_t mask, uint32_t every);
void check_fence(struct watch *w);
void check_block(struct watch *w);
int check_glimpse(const struct watch *w, const struct stamp *old,
                  unsigned lane);
void check_launch(const struct loom_launch *l);
void check_grid(uint3 grid);
uint32_t check_tick(void);
int check_strange(const struct stamp *old);

/* check_order.c: streams and the host */
void order_queue(uint64_t number, const void *stream, int kind, uint64_t after);
void order_wait(const void *stream, int kind, uint64_t number);
void order_work(uint64_t number, int joined);
uint32_t order_launch(const struct loom_launch *l, uint32_t time);
void order_reset(void);
int order_pending(void);
int order_stranger(const struct stamp *s);
void order_flag(struct cell *c);
void order_forget(const struct cell *from, const struct cell *to);
void order_host(struct cell *c, size_t offset, size_t bytes, int kind,
                int strong, unsigned site);
void order_copy(struct cell *c, size_t offset, size_t bytes, int kind,
                int seen);
void order_name(const struct stamp *s, char *text, size_t size);

/* declare what reports and counts */
/* check_report.c */
void report_race(struct watch *w, const struct access *a,
                 const struct stamp *old, uint32_t lanes, int same);
void report_stranger(struct watch *w, const struct stamp *mine,
                     const struct stamp *old);
void report_unset(struct watch *w, const struct access *a);
void report_now(void); /* what was found since it was last called */
void report_bad(struct loom_sm *sm, uintptr_t address, unsigned size, int kind,
                uintptr_t pc, const char *what);
void report_host(uintptr_t address, int kind, uintptr_t pc);
void report_index(struct loom_sm *sm, const struct place *here, int64_t i,
                  const char *array);
void report_lane(struct loom_sm *sm, unsigned thread, unsigned from,
                 struct loom_site site);

/* count.c; count_on is 0 unless LOOM_COUNT is set */
extern int count_on;
void count_turn(struct watch *w);
void count_access(unsigned site, uintptr_t address);
void count_thread(struct watch *w, unsigned thread);
void count_lanes(struct watch *w, unsigned warp, uint32_t mask);
void count_barrier(struct watch *w, struct loom_site site);
void count_end(struct watch *w);
void count_print(void);
/* check_where.c: the variables of the program */
enum inst_owner { NOBODY, HOST, GUARD, DEVICE, MANAGED, KERNEL };
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
