/* tiles.c: tiles of more than one warp. */
#include <string.h>

#include "loom/block.h"
#include "loom/loom_int.h"
#include "loom/tiles.h"
#include "loom/watch.h"

/* meet in a large tile */
static __thread struct {
    const struct loom_launch *launch;
    uint64_t block;
    struct tile {
        unsigned arrived, turn, votes, result;
    } tile[LOOM_WARPS];
    unsigned char value[LOOM_BLOCK_SIZE][32];
} own;

static struct tile *this_tile(unsigned n)
{
    struct loom_sm *sm = loom_current;

    if (own.launch != sm->launch || own.block != sm->block) {
        memset(&own, 0, sizeof own);
        own.launch = sm->launch;
        own.block = sm->block;
    }
    return &own.tile[LOOM_BLOCK_SIZE / n + threadIdx.number / n];
}

unsigned loom_tile_count(unsigned n, int vote, const char *file, int line)
{
    struct tile *t = this_tile(n);
    unsigned turn = t->turn;

    loom_fence(file, line);
    t->votes += vote != 0;
    if (++t->arrived == n) {
        t->arrived = 0;
        t->result = t->votes;
        t->votes = 0;
        t->turn++;
    }
    while (*(volatile unsigned *)&t->turn == turn)
        loom_rest(file, line);
    loom_fence(file, line);
    return t->result;
}

void loom_tile_sync(unsigned n, const char *file, int line)
{
    loom_tile_count(n, 0, file, line);
}
void loom_tile_share(unsigned n, unsigned rank, const void *value, void *to,
                     size_t size, const char *file, int line)
{
    unsigned first = threadIdx.number / n * n;

    this_tile(n);
    memcpy(own.value[threadIdx.number], value, size);
    loom_tile_sync(n, file, line);
    memcpy(to, own.value[first + rank], size);
    loom_tile_sync(n, file, line);
}
