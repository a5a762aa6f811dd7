/* loom_int.h: what the parts of Loom share, and programs do not see. */
#ifndef LOOM_LOOM_INT_H
#define LOOM_LOOM_INT_H

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#include "loom/arena.h"
#include "loom/fiber.h"
#include "loom/hooks.h"
#include "loom/loom.h"

/* describe the work that OS threads share */
struct job {
    const struct loom_launch *launch;
    uint64_t blocks, most; /* of the grid; taken at a time */
    uint64_t next;         /* the first that nobody has taken (atomic) */
    uint64_t order;        /* of the blocks, or 0: that of their numbers */
    int error;             /* of the first thread that failed (atomic) */
    char report[1200];     /* what it had to say ... */
    char who[100];         /* ... and which one it was */
    /* describe the place of a failure */
    struct loom_site site; /* that the report is about, ... */
    uintptr_t pc;          /* ... or an instruction, or 0 */
    /* describe a job that does not end */
    volatile int expired; /* nothing has happened for too long */
    /* describe the blocks that wait for one another */
    unsigned residents;  /* OS threads hired for this job */
    unsigned returned_n; /* ranges of blocks given back */
    uint64_t returned[64][2];
    uint64_t grid_arrived, grid_ended; /* blocks, in a cooperative launch */
    unsigned grid_turn;                /* barriers of the grid so far */
    int baton;                         /* one OS thread at a time; ... */
    struct loom_sm *runner, *runners;  /* ... this one now, of these */
    uint64_t passed_on;                /* how often the baton was */
};

/* describe a warp */
enum { LOOM_LANES = 32, LOOM_WARPS = 32, LOOM_BLOCK_SIZE = 1024 };

struct loom_warp {
    unsigned first;    /* number of its lane 0 */
    uint32_t live;     /* lanes that have not returned */
    uint32_t fresh;    /* have not begun */
    uint32_t ready;    /* may go on when their turn comes */
    uint32_t spinning; /* may go on, but only look at something again */
    uint32_t at_block; /* wait at a barrier of the block */
    uint32_t at_warp;  /* wait for the other lanes of their mask */
    uint32_t at_mask;  /* wait to be told which lanes are active */
    uint32_t patience; /* how often they were not told, for a lane that spins */
    uint32_t epoch;    /* how often all live lanes have synchronized */
    uint64_t value[LOOM_LANES];  /* what a lane brings */
    uint64_t result[LOOM_LANES]; /* what it takes away */
    union {
        uint64_t word[LOOM_LANES];
        struct loom_wish {
            uint32_t mask;               /* whom this lane waits for */
            unsigned char source, no[2]; /* whose value it wants */
            unsigned char op;            /* what it came for */
        } wish[LOOM_LANES];
    };
};

/* describe copies that arrive later */
struct loom_copies {
    struct loom_copy {
        struct loom_copy *next;
        void *to;
        const void *from;
        size_t size, zeros, group;
        struct loom_site site;
    } * first[LOOM_BLOCK_SIZE], *last[LOOM_BLOCK_SIZE], *spare[LOOM_BLOCK_SIZE];
    size_t groups[LOOM_BLOCK_SIZE]; /* that a thread has committed */
};

/* describe a cluster */
/* Only the block whose turn it is runs; the others' OS threads wait. */
enum { LOOM_CLUSTER = 16 };
struct loom_cluster {
    pthread_mutex_t lock;
    pthread_cond_t passed;
    pthread_barrier_t all;
    unsigned size, turn;      /* of how many blocks; whose, size: nobody's */
    unsigned begun, finished; /* a bit for each block */
    unsigned arrived, phase;  /* threads, at its barrier */
    uint32_t began;           /* for the checker's clock */
    int over;                 /* something has failed: no further cluster */
    uint3 shape;
    struct loom_sm *sm[LOOM_CLUSTER];
};

/* describe the block of an OS thread */
struct loom_sm {
    unsigned thread;         /* that runs now */
    struct loom_warp *now;   /* its warp */
    unsigned threads, warps; /* of a block */
    unsigned fresh;          /* how many have not begun */
    unsigned ended, arrived; /* have returned; are at the barrier */
    uint32_t epoch;          /* barriers of this block so far */
    volatile int inside;     /* Loom's own code is running */
    int abandoned;           /* a thread of the block has failed */
    uint64_t block;          /* number in the grid */
    const struct loom_launch *launch;
    struct job *job;
    struct loom_warp warp[LOOM_WARPS];
    struct loom_site site[LOOM_BLOCK_SIZE];   /* where a thread waits */
    struct loom_index index[LOOM_BLOCK_SIZE]; /* threadIdx of each */
    uint3 shape;                              /* blockDim */
    /* describe the stacks of a block */
    char *stacks;                             /* LOOM_BLOCK_SIZE of them */
    unsigned guarded;                         /* how many have their guard */
    unsigned spares;                          /* stacks that nobody uses ... */
    unsigned short spare[LOOM_BLOCK_SIZE];    /* ... and which */
    unsigned short stack_of[LOOM_BLOCK_SIZE]; /* the stack of each thread */
    void *saved[LOOM_BLOCK_SIZE];             /* a thread that has stopped */
    void *home, *never;                       /* who runs the block; nobody */
    int direct;                               /* nobody has stopped yet */
    int shuffled; /* the seed says whose turn it is */
    int fast; /* somebody has, and there are no hooks: short ways may be taken */
    int votes, result;             /* not 0: now; at the last barrier */
    struct loom_site barrier_site; /* where the first to arrive waits ... */
    unsigned barrier_thread;       /* ... who that was ... */
    int barrier_kind;              /* ... and for what */
    int barrier_column;            /* ... and where in its line */
    /* describe what watches over a block */
    unsigned turns;                /* of the same warp, one after another */
    unsigned stalled;              /* rounds in which all have only looked */
    const void *looked_at;         /* last, ... */
    unsigned looker, looks;        /* ... by whom, how often */
    uintptr_t pc[LOOM_BLOCK_SIZE]; /* where a thread was interrupted */
    uintptr_t fault;               /* the instruction that failed, or 0 */
    volatile int nudge; /* the watchman wants another to have the turn */
    uint64_t steps, blocks_done, barriers, seen; /* what he looks at */
    double used; /* processor seconds, when he last saw it move */
    pthread_t os_thread;
    int known;                      /* to the watchman */
    struct loom_sm *next;           /* of all that he knows */
    uint64_t next_block, end_block; /* taken and not begun */
    uint64_t chunk;                 /* how many were taken the last time */
    struct loom_sm *next_idle;      /* whose hired OS thread has gone */
    sem_t baton;                    /* comes to this OS thread ... */
    struct loom_sm *next_runner;    /* ... one of those that pass it on */
    int held;                       /* it waits for the grid */
    struct job *hired_for;
    uint64_t luck, drawn; /* the seed of this block; numbers drawn so far */
    char *shared_low, *shared_high; /* this OS thread's __shared__ */
    char *dynamic;                  /* dynamic shared memory ... */
    size_t dynamic_bytes;           /* ... of this launch */
    char told[1024];                /* kilobytes of which PTX knows addresses */
    unsigned number;                /* of this struct, from 0 on */
    struct loom_copies *copies;     /* that have not arrived, or NULL */
    /* describe what joins a block with others */
    /* The cluster or NULL, and the number of the block in it; rounds that brought
       nobody anything; what a thread looks for, or NULL. */
    struct loom_cluster *cluster;
    unsigned rank, idle;
    const void *waits[LOOM_BLOCK_SIZE];
    /* 1 + the phase in which a thread has arrived there, or 0; bulk copies. */
    unsigned char at_cluster[LOOM_BLOCK_SIZE];
    struct loom_async *async;
    struct loom_groups
        *groups;   /* of warps: barriers, multiplications, or NULL */
    void *checker; /* whatever the hooks need */
};

/* declare what the parts share */
/* The block that this OS thread is running, or NULL outside of kernels. */
extern __thread struct loom_sm *loom_current;

/* The built-in variables, as those who write them see them. */
extern __thread struct loom_index threadIdx;
extern __thread uint3 blockIdx, blockDim, gridDim;
extern __thread void *loom_pending;
extern __thread char loom_dynamic[227 << 10];

struct loom_sm *loom_new_sm(void);
void loom_prepare(struct loom_sm *sm, struct job *j);
/* Runs block b: 1, or 0 when one of its threads failed. */
int loom_block(struct loom_sm *sm, uint64_t b);
/* Leaves the block for good; the error has been noted. */
_Noreturn void loom_leave(struct loom_sm *sm);
int loom_overflowed(const struct loom_sm *sm, const void *address);

/* From here on the watchman leaves this OS thread alone. */
static inline void loom_come_in(struct loom_sm *sm)
{
    sm->inside = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* first this, then the rest */
}

/* The current thread is in a set other than `ready` and gives up its turn. */
void loom_wait(struct loom_sm *sm);
/* It need not, but under a seed it may: where threads work on the same word. */
void loom_chance(struct loom_sm *sm);
unsigned loom_luck(struct loom_sm *sm, unsigned n);
/* Another OS thread has the baton until it comes back: 1, or 0: there is none. */
int loom_pass_baton(struct loom_sm *sm);
_Noreturn void loom_end_of_time(struct loom_sm *sm, unsigned thread);
void loom_leave_direct(struct loom_sm *sm);
/* Word i of the random numbers of a seed. */
uint64_t loom_draw(uint64_t seed, uint64_t i);
/* A lane of the warp has returned: perhaps others need not wait now. */
void loom_recheck_warp(struct loom_sm *sm, unsigned warp);
/* Nobody in the warp can go on: those at_mask are together. Returns 1, or 0 as
   long as one of the others may yet come. */
int loom_tell_active(struct loom_sm *sm, unsigned warp);
/* The current thread gives up its turn, since it cannot do anything useful. */
void loom_yield(struct loom_sm *sm);
/* Lets all that spin look again: 1, or 0 when there are none. */
int loom_look_again(struct loom_sm *sm);
/* The job that runs now, or NULL; and that this OS thread works at. */
void loom_watch(struct job *j);
void loom_watch_sm(struct loom_sm *sm, struct job *j);
/* The line of an instruction of this program; its file is put into `file`. */
struct loom_site loom_name_line(uintptr_t pc, char *file, size_t size);
/* Where the program was when it was interrupted by a signal. */
uintptr_t loom_interrupted_at(void *context);

/* The block has been stalled, perhaps by blocks that have not begun. */
void loom_need_blocks(struct loom_sm *sm);
/* Told the same, since it may be waiting for the host; or NULL. */
extern void (*loom_stalled)(void);
/* All threads of the block are at the barrier of the grid. */
void loom_wait_for_grid(struct loom_sm *sm);

/* declare what clusters share */

/* The block's turn in its cluster begins, and ends for good. */
void loom_cluster_enter(struct loom_cluster *c, unsigned rank);
void loom_cluster_leave(struct loom_cluster *c, unsigned rank);
/* The block whose shared memory holds p, this one or another of the cluster. */
struct loom_sm *loom_owner(struct loom_sm *sm, const void *p);

/* A thread looks for what only threads can bring; somebody has brought
   something; nobody ever will. */
void loom_wait_for(struct loom_sm *sm, const void *what, const char *file,
                   int line);
void loom_progress(struct loom_sm *sm);
int loom_hopeless(struct loom_sm *sm);

void loom_tell_missing(const void *bar, char *text, size_t size);
void loom_drop_async(struct loom_sm *sm);
void loom_drop_groups(struct loom_sm *sm);
int loom_tell_part(const struct loom_sm *sm, const void *what, char *text,
                   size_t size);
/* The kernel fails because of a block that has ended. */
void loom_note(struct loom_sm *sm, struct loom_site site, int error,
               const char *what);
#endif
