/* warp.c: lanes that meet. */
#include <string.h>

#include "loom/cuda_runtime_api.h"
#include "loom/loom_int.h"
#include "loom/matrix.h"
#include "loom/warp.h"

/* combine two values */
static uint32_t combine(int op, uint32_t a, uint32_t b)
{
    int is_signed = op == LOOM_MIN || op == LOOM_MAX;
    int less = is_signed ? (int32_t)a < (int32_t)b : a < b;

    return op == LOOM_ADD                                        ? a + b
           : op == LOOM_AND                                      ? a & b
           : op == LOOM_OR                                       ? a | b
           : op == LOOM_XOR                                      ? a ^ b
           : less == (op == LOOM_MIN || op == LOOM_MIN_UNSIGNED) ? a
                                                                 : b;
}

/* work out the results */

/* refuse a lane */
static void refuse_lane(unsigned lane)
{
    loom_fail(loom_current->site[loom_current->thread], cudaErrorLaunchFailure,
              "all 32 lanes of the warp must come to the same instruction for"
              " matrices; lane %u has not",
              lane);
}

static void work_out(struct loom_warp *w, uint32_t need, unsigned lane)
{
    uint64_t all = 0;

    switch (w->wish[lane].op) {
    case LOOM_TOGETHER: {
        /* do what all lanes have come for */
        struct loom_meeting *all[32];

        for (unsigned i = 0; i < 32; i++)
            all[i] = (struct loom_meeting *)(uintptr_t)w->value[i];
        for (unsigned i = 0; i < 32; i++)
            if (need != ~0u || all[i]->run != all[lane]->run)
                refuse_lane(need == ~0u ? i : (unsigned)__builtin_ctz(~need));
        all[lane]->run(all);
        return;
    }
    case LOOM_SHUFFLE:
        for (int i = 0; need == ~0u && i < 32; i++)
            w->result[i] = w->value[w->wish[i].source];
        for (uint32_t m = need == ~0u ? 0 : need; m; m &= m - 1) {
            int i = __builtin_ctz(m), from = w->wish[i].source;

            w->result[i] = need >> from & 1 ? w->value[from] : ~0ull;
        }
        return;
    case LOOM_MATCH:
        /* find the lanes with equal values */
        for (uint32_t m = need; m; m &= m - 1) {
            int i = __builtin_ctz(m);

            w->result[i] = 0;
            for (uint32_t k = need; k; k &= k - 1)
                if (w->value[__builtin_ctz(k)] == w->value[i])
                    w->result[i] |= k & -k;
        }
        return;
    }
    /* combine the values of all lanes */
    for (uint32_t m = need; m; m &= m - 1) {
        uint64_t v = w->value[__builtin_ctz(m)];

        if (w->wish[lane].op == LOOM_BALLOT)
            all |= v ? m & -m : 0;
        else if (m == need)
            all = v;
        else
            all = combine(w->wish[lane].op, (uint32_t)all, (uint32_t)v);
    }
    for (uint32_t m = need; m; m &= m - 1)
        w->result[__builtin_ctz(m)] = all;
}

/* complete a meeting */
static int complete(struct loom_sm *sm, unsigned number, unsigned lane)
{
    struct loom_warp *w = &sm->warp[number];
    uint32_t need = w->wish[lane].mask & w->live;

    if (need & ~w->at_warp)
        return 0;
    /* see whether the masks and the operations differ */
    uint64_t differs = 0;

    if (need == ~0u)
        for (int i = 0; i < 32; i++)
            differs |= w->word[i] ^ w->word[lane];
    else
        for (uint32_t m = need; m; m &= m - 1)
            differs |= w->word[__builtin_ctz(m)] ^ w->word[lane];
    if ((uint32_t)differs)
        return 0;
    if (differs >> 56)
        /* say which lanes came for something else */
        for (uint32_t m = need; m; m &= m - 1) {
            unsigned i = (unsigned)__builtin_ctz(m);
            const struct loom_site *a = &sm->site[number * 32 + i];
            const struct loom_site *b = &sm->site[number * 32 + lane];

            if (w->wish[i].op != w->wish[lane].op)
                loom_fail(
                    *b, cudaErrorLaunchFailure,
                    "divergent warp operation: lane %u is at %s:%d, while lane "
                    "%u,"
                    " with the same mask 0x%08x, is at another one, %s:%d",
                    lane, b->file, b->line, i, w->wish[lane].mask, a->file,
                    a->line);
        }
    work_out(w, need, lane);
    w->at_warp &= ~need;
    w->ready |= need;
    sm->stalled = 0;
    if (need == w->live)
        w->epoch++;
    if (loom_hooks && loom_hooks->warp_sync)
        loom_hooks->warp_sync(sm, number, need, sm->site[number * 32 + lane]);
    return 1;
}

/* meet slowly */
__attribute__((noinline)) static uint64_t meet_slowly(struct loom_sm *sm,
                                                      unsigned l)
{
    struct loom_warp *w = &sm->warp[sm->thread / 32];

    loom_come_in(sm);
    if (!(w->wish[l].mask >> l & 1))
        loom_fail(sm->site[sm->thread], cudaErrorLaunchFailure,
                  "lane %u calls a warp operation with the mask 0x%08x, which"
                  " does not contain it",
                  l, w->wish[l].mask);
    if (sm->direct)
        loom_leave_direct(sm);
    w->at_warp |= 1u << l;
    if (complete(sm, sm->thread / 32, l) && ++sm->turns < 10000)
        w->ready &= ~(1u << l);
    else
        loom_wait(sm); /* for the others, or to let them have a turn */
    sm->inside = 0;
    return w->result[l];
}

/* meet the other lanes */
LOOM_TURNS uint64_t loom_meet(int op, uint32_t mask, uint64_t value,
                              unsigned source, const char *file, int line)
{
    struct loom_sm *sm = loom_current;
    unsigned t = sm->thread, l = t % 32;
    int fast = sm->fast;
    struct loom_warp *w = fast ? sm->now : &sm->warp[t / 32];
    uint32_t bit = 1u << l, ready = w->ready;

    sm->site[t] = (struct loom_site){file, line};
    w->value[l] = value;
    w->word[l] = mask | (uint64_t)source << 32 | (uint64_t)op << 56;
    if (!fast || !ready || !(mask & bit) ||
        !(mask & w->live & ~(w->at_warp | bit)))
        return meet_slowly(sm, l);
    w->at_warp |= bit;
    w->ready = ready & (ready - 1);
    l = (unsigned)__builtin_ctz(ready);
    sm->thread = w->first + l;
    threadIdx = sm->index[w->first + l];
    return loom_switch(&sm->saved[t], sm->saved[w->first + l], w->result[l]);
}

/* look again whether a meeting is complete */
void loom_recheck_warp(struct loom_sm *sm, unsigned number)
{
    struct loom_warp *w = &sm->warp[number];

    for (uint32_t m = w->at_warp; m; m &= m - 1)
        if ((w->at_warp & m & -m) && w->live)
            complete(sm, number, (unsigned)__builtin_ctz(m));
}

/* find out who is active */
uint32_t loom_active(const char *file, int line)
{
    struct loom_sm *sm = loom_current;
    struct loom_warp *w = &sm->warp[sm->thread / 32];
    unsigned l = sm->thread % 32;

    loom_come_in(sm);
    if (sm->direct)
        loom_leave_direct(sm);
    sm->site[sm->thread] = (struct loom_site){file, line};
    w->at_mask |= 1u << l;
    loom_wait(sm);
    sm->inside = 0;
    return (uint32_t)w->result[l];
}

/* tell lanes who is active */
int loom_tell_active(struct loom_sm *sm, unsigned number)
{
    struct loom_warp *w = &sm->warp[number];
    const struct loom_site *site = &sm->site[number * 32];
    int first = __builtin_ctz(w->at_mask);
    uint32_t group = 0;

    if (w->spinning && ++w->patience < 40)
        return 0;
    w->patience = 0;
    for (uint32_t m = w->at_mask; m; m &= m - 1) {
        int i = __builtin_ctz(m);

        if (site[i].line == site[first].line &&
            strcmp(site[i].file, site[first].file) == 0)
            group |= m & -m;
    }
    for (uint32_t m = group; m; m &= m - 1)
        w->result[__builtin_ctz(m)] = group;
    w->at_mask &= ~group;
    w->ready |= group;
    sm->stalled = 0;
    return 1;
}
