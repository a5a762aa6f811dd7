/* simt_int.h: what the parts of the machine share, and programs do not see. */
#ifndef MACHINE_SIMT_INT_H
#define MACHINE_SIMT_INT_H

#include <pthread.h>
#include <stdint.h>

#include "machine/arena.h"
#include "machine/fiber.h"
#include "machine/hooks.h"
#include "machine/simt.h"

/* describe the work that OS threads share */
struct job {
    const struct simt_launch *launch;
    uint64_t blocks, most; /* of the grid; taken at a time */
    uint64_t next;         /* the first that nobody has taken (atomic) */
    int error;             /* of the first thread that failed (atomic) */
    char report[1200];     /* what it had to say ... */
    char who[100];         /* ... and which one it was */
    /* describe a job that does not end */
    struct simt_site site; /* that the report is about, ... */
    uintptr_t pc;          /* ... or an instruction, or 0 */
    volatile int expired;  /* no block has ended for too long */
    /* describe the blocks that wait for one another */
    unsigned residents;  /* OS threads hired for this job */
    unsigned returned_n; /* ranges of blocks given back */
    uint64_t returned[64][2];
    uint64_t grid_arrived, grid_ended; /* blocks, in a cooperative launch */
    unsigned grid_turn;                /* barriers of the grid so far */
};

/* describe a warp */
enum { SIMT_LANES = 32, SIMT_WARPS = 32, SIMT_BLOCK_SIZE = 1024 };

struct simt_warp {
    unsigned first;    /* number of its lane 0 */
    uint32_t live;     /* lanes that have not returned */
    uint32_t ready;    /* may go on when their turn comes */
    uint32_t spinning; /* may go on, but only look at something again */
    uint32_t at_block; /* wait at a barrier of the block */
    uint32_t at_warp;  /* wait for the other lanes of their mask */
    uint32_t at_mask;  /* wait to be told which lanes are active */
    uint32_t epoch;    /* how often all live lanes have synchronised */
    uint64_t value[SIMT_LANES];  /* what a lane brings */
    uint64_t result[SIMT_LANES]; /* what it takes away */
    union {
        uint64_t word[SIMT_LANES];
        struct simt_wish {
            uint32_t mask;               /* whom this lane waits for */
            unsigned char source, no[2]; /* whose value it wants */
            unsigned char op;            /* what it came for */
        } wish[SIMT_LANES];
    };
};

/* describe copies that arrive later */
struct simt_copies {
    struct simt_copy {
        struct simt_copy *next;
        void *to;
        const void *from;
        size_t size, zeros, group;
    } * first[SIMT_BLOCK_SIZE], *last[SIMT_BLOCK_SIZE];
    size_t groups[SIMT_BLOCK_SIZE]; /* that a thread has committed */
};

/* describe the block of an OS thread */
struct simt_sm {
    unsigned thread;         /* that runs now */
    struct simt_warp *now;   /* its warp */
    unsigned threads, warps; /* of a block */
    unsigned fresh;          /* the first that has not begun */
    unsigned ended, arrived; /* have returned; are at the barrier */
    uint32_t epoch;          /* barriers of this block so far */
    volatile int inside;     /* the machine's own code is running */
    int abandoned;           /* a thread of the block has failed */
    uint64_t block;          /* number in the grid */
    const struct simt_launch *launch;
    struct job *job;
    struct simt_warp warp[SIMT_WARPS];
    struct simt_site site[SIMT_BLOCK_SIZE];   /* where a thread waits */
    struct simt_index index[SIMT_BLOCK_SIZE]; /* threadIdx of each */
    uint3 shape;                              /* blockDim */
    /* describe the stacks of a block */
    char *stacks;                             /* SIMT_BLOCK_SIZE of them */
    unsigned guarded;                         /* how many have their guard */
    unsigned spares;                          /* stacks that nobody uses ... */
    unsigned short spare[SIMT_BLOCK_SIZE];    /* ... and which */
    unsigned short stack_of[SIMT_BLOCK_SIZE]; /* the stack of each thread */
    void *saved[SIMT_BLOCK_SIZE];             /* a thread that has stopped */
    void *home, *never;                       /* who runs the block; nobody */
    int direct;                               /* nobody has stopped yet */
    int fast; /* somebody has, and there are no hooks: short ways may be taken */
    int votes, result;             /* not 0: now; at the last barrier */
    struct simt_site barrier_site; /* where the first to arrive waits ... */
    unsigned barrier_thread;       /* ... who that was ... */
    int barrier_kind;              /* ... and for what */
    /* describe what watches over a block */
    unsigned turns;                /* of the same warp, one after another */
    unsigned stalled;              /* rounds in which all have only looked */
    const void *looked_at;         /* last, ... */
    unsigned looker, looks;        /* ... by whom, how often */
    uintptr_t pc[SIMT_BLOCK_SIZE]; /* where a thread was interrupted */
    uintptr_t fault;               /* the instruction that failed, or 0 */
    volatile int nudge; /* the watchman wants another to have the turn */
    uint64_t steps, blocks_done, seen; /* what he looks at */
    pthread_t os_thread;
    int known;                      /* to the watchman */
    struct simt_sm *next;           /* of all that he knows */
    uint64_t next_block, end_block; /* taken and not begun */
    uint64_t chunk;                 /* how many were taken the last time */
    struct simt_sm *next_idle;      /* whose hired OS thread has gone */
    char *shared_low, *shared_high; /* this OS thread's __shared__ */
    char *dynamic;                  /* dynamic shared memory ... */
    size_t dynamic_bytes;           /* ... of this launch */
    unsigned number;                /* of this struct, from 0 on */
    struct simt_copies *copies;     /* that have not arrived, or NULL */
    void *checker;                  /* whatever the hooks need */
};

/* declare what the parts share */
/* The block that this OS thread is running, or NULL outside of kernels. */
extern __thread struct simt_sm *simt_current;

/* The built-in variables, as those who write them see them. */
extern __thread struct simt_index threadIdx;
extern __thread uint3 blockIdx, blockDim, gridDim;
extern __thread char simt_dynamic[227 << 10];

struct simt_sm *simt_new_sm(void);
void simt_prepare(struct simt_sm *sm, struct job *j);
/* Runs block b: 1, or 0 when one of its threads failed. */
int simt_block(struct simt_sm *sm, uint64_t b);
/* Leaves the block for good; the error has been noted. */
_Noreturn void simt_leave(struct simt_sm *sm);
int simt_overflowed(const struct simt_sm *sm, const void *address);

/* From here on the watchman leaves this OS thread alone. */
static inline void simt_come_in(struct simt_sm *sm)
{
    sm->inside = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* first this, then the rest */
}

/* The current thread is in a set other than `ready` and gives up its turn. */
void simt_wait(struct simt_sm *sm);
void simt_leave_direct(struct simt_sm *sm);
/* A lane of the warp has returned: perhaps others need not wait now. */
void simt_recheck_warp(struct simt_sm *sm, unsigned warp);
/* Nobody in the warp can go on: those at_mask are together. Returns 1. */
int simt_tell_active(struct simt_sm *sm, unsigned warp);
/* The current thread gives up its turn, since it cannot do anything useful. */
void simt_yield(struct simt_sm *sm);
/* Lets all that spin look again: 1, or 0 when there are none. */
int simt_look_again(struct simt_sm *sm);
/* The job that runs now, or NULL; and that this OS thread works at. */
void simt_watch(struct job *j);
void simt_watch_sm(struct simt_sm *sm, struct job *j);
/* The line of an instruction of this program; its file is put into `file`. */
struct simt_site simt_name_line(uintptr_t pc, char *file, size_t size);
/* Where the program was when it was interrupted by a signal. */
uintptr_t simt_interrupted_at(void *context);

/* The block has been stalled, perhaps by blocks that have not begun. */
void simt_need_blocks(struct simt_sm *sm);
/* All threads of the block are at the barrier of the grid. */
void simt_wait_for_grid(struct simt_sm *sm);
#endif
