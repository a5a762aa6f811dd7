/* atomics.h: step 7 with a counter of atomic additions. */
#include "loom/mini/step7.h"

static unsigned long atomics;
static unsigned most;

/* see how many lanes name one address */
static void count_atomic(void *p, unsigned size, bool shared, uint32_t pc)
{
    tally *i = tally_of(pc, size, ATOMIC, shared);
    request *r = &i->of[self / 32][i->turn[self] - 1];
    unsigned same = 0;

    for (unsigned l = 0; l < 32; l++)
        same += r->lanes >> l & 1 && r->address[l] == (uintptr_t)p;
    most = same > most ? same : most;
    atomics++;
}

template <class T>
OWN __attribute__((noinline)) T counted_add(T *p, T more)
{
    T old = *p;

    if (cell *c = cells_of(p)) {
        saw(c, p, sizeof *p, ATOMIC, CALLED_FROM);
        count_atomic(p, sizeof *p,
                     c >= shared_cells && c < shared_cells + SHARED,
                     CALLED_FROM);
    }
    *p = old + more;
    return old;
}
#define atomicAdd counted_add

__attribute__((destructor)) static void print_atomics(void)
{
    fprintf(stderr, "%lu atomics, at most %u lanes on one address\n", atomics,
            most);
}
