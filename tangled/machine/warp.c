/* warp.c: lanes that meet. */
#include <string.h>

#include "machine/cuda_runtime_api.h"
#include "machine/simt_int.h"
#include "machine/warp.h"

/* find the lane that is asked */
static unsigned source_of(unsigned lane, unsigned from)
{
    unsigned by = from >> 8 & 31, width = from >> 16;
    unsigned low = lane & ~(width - 1);

    switch ((enum simt_way)(from & 3)) {
    case SIMT_TO:
        return low | (by & (width - 1));
    case SIMT_UP:
        return lane >= low + by ? lane - by : lane;
    case SIMT_DOWN:
        return lane + by < low + width ? lane + by : lane;
    case SIMT_ACROSS:
        return (lane ^ by) < low + width ? lane ^ by : lane;
    }
    return lane;
}

/* combine two values */
static uint32_t combine(int op, uint32_t a, uint32_t b)
{
    switch (op) {
    case SIMT_ADD:
        return a + b;
    case SIMT_MIN:
        return (int32_t)a < (int32_t)b ? a : b;
    case SIMT_MIN_UNSIGNED:
        return a < b ? a : b;
    case SIMT_MAX:
        return (int32_t)a > (int32_t)b ? a : b;
    case SIMT_MAX_UNSIGNED:
        return a > b ? a : b;
    case SIMT_AND:
        return a & b;
    case SIMT_OR:
        return a | b;
    case SIMT_XOR:
        return a ^ b;
    }
    return 0;
}

/* work out the results */
static void work_out(struct simt_warp *w, uint32_t need, unsigned lane)
{
    uint64_t all = 0;
    void *brought[32] = {0};

    switch (w->op[lane]) {
    case SIMT_SHUFFLE:
        for (int i = 0; need == ~0u && i < 32; i++)
            w->result[i] = w->value[w->source[i]];
        for (uint32_t m = need == ~0u ? 0 : need; m; m &= m - 1) {
            int i = __builtin_ctz(m), from = w->source[i];

            w->result[i] = need >> from & 1 ? w->value[from] : ~0ull;
        }
        return;
    case SIMT_MATCH:
    case SIMT_SAME:
        /* find the lanes with equal values */
        for (uint32_t m = need; m; m &= m - 1) {
            int i = __builtin_ctz(m);

            w->result[i] = 0;
            for (uint32_t k = need; k; k &= k - 1)
                if (w->value[__builtin_ctz(k)] == w->value[i])
                    w->result[i] |= k & -k;
            if (w->op[i] == SIMT_SAME && w->result[i] != need)
                w->result[i] = 0;
        }
        return;
    case SIMT_TOGETHER:
        for (uint32_t m = need; m; m &= m - 1)
            brought[__builtin_ctz(m)] =
                (void *)(uintptr_t)w->value[__builtin_ctz(m)];
        w->together(brought);
        return;
    }
    /* combine the values of all lanes */
    for (uint32_t m = need; m; m &= m - 1) {
        uint64_t v = w->value[__builtin_ctz(m)];

        if (w->op[lane] == SIMT_BALLOT)
            all |= v ? m & -m : 0;
        else if (m == need)
            all = v;
        else
            all = combine(w->op[lane], (uint32_t)all, (uint32_t)v);
    }
    for (uint32_t m = need; m; m &= m - 1)
        w->result[__builtin_ctz(m)] = all;
}

/* complete a meeting */
static int complete(struct simt_sm *sm, unsigned number, unsigned lane)
{
    struct simt_warp *w = &sm->warp[number];
    uint32_t need = w->mask[lane] & w->live, differ = 0, others = 0;

    if (need & ~w->at_warp)
        return 0;
    /* see whether the masks and the operations differ */
    if (need == ~0u) {
        for (int i = 0; i < 32; i++)
            differ |= w->mask[i] ^ ~0u;
        for (int i = 0; i < 32; i++)
            others |= w->op[i] ^ w->op[lane];
    } else {
        for (uint32_t m = need; m; m &= m - 1) {
            differ |= w->mask[__builtin_ctz(m)] ^ w->mask[lane];
            others |= w->op[__builtin_ctz(m)] ^ w->op[lane];
        }
    }
    if (differ)
        return 0;
    if (others)
        /* say which lanes came for something else */
        for (uint32_t m = need; m; m &= m - 1) {
            unsigned i = (unsigned)__builtin_ctz(m);
            const struct simt_site *a = &sm->site[number * 32 + i];
            const struct simt_site *b = &sm->site[number * 32 + lane];

            if (w->op[i] != w->op[lane])
                simt_fail(
                    cudaErrorLaunchFailure,
                    "divergent warp operation: lane %u is at %s:%d, while lane"
                    " %u, with the same mask 0x%08x, is at another one, %s:%d",
                    lane, b->file, b->line, i, w->mask[lane], a->file, a->line);
        }
    work_out(w, need, lane);
    w->at_warp &= ~need;
    w->ready |= need;
    sm->stalled = 0;
    if (need == w->live)
        w->epoch++;
    if (simt_hooks && simt_hooks->warp_sync)
        simt_hooks->warp_sync(sm, number, need, sm->site[number * 32 + lane]);
    return 1;
}

/* complete the meeting or wait */
static uint64_t complete_or_wait(struct simt_sm *sm, struct simt_warp *w,
                                 unsigned l)
{
    if (!complete(sm, sm->thread / 32, l)) {
        simt_wait(sm);
    } else if (++sm->turns < 10000) {
        w->ready &= ~(1u << l);
    } else {
        simt_wait(sm); /* the others shall have a turn too */
    }
    sm->inside = 0;
    return w->result[l];
}

/* meet the other lanes */
uint64_t simt_meet(int op, uint32_t mask, uint64_t value, unsigned from,
                   const char *file, int line)
{
    struct simt_sm *sm = simt_current;
    unsigned t = sm->thread, l = t % 32, next;
    struct simt_warp *w = &sm->warp[t / 32];

    simt_come_in(sm);
    if (sm->direct)
        simt_leave_direct(sm);
    sm->site[t] = (struct simt_site){file, line};
    if (!(mask >> l & 1))
        /* refuse a lane that is not in its own mask */
        simt_fail(
            cudaErrorLaunchFailure,
            "%s:%d: lane %u calls a warp operation with the mask 0x%08x, which"
            " does not contain it",
            file, line, l, mask);
    w->mask[l] = mask;
    w->value[l] = value;
    w->source[l] = (unsigned char)source_of(l, from);
    w->op[l] = (unsigned char)op;
    w->at_warp |= 1u << l;
    if (!w->ready || !(mask & w->live & ~w->at_warp) || simt_hooks)
        return complete_or_wait(sm, w, l);
    /* go on with the next lane at once */
    next = (unsigned)__builtin_ctz(w->ready);
    w->ready &= w->ready - 1;
    sm->thread += next - l;
    threadIdx = sm->index[sm->thread];
    return simt_switch(&sm->saved[t], sm->saved[sm->thread], &sm->inside,
                       w->result[next]);
}

/* look again whether a meeting is complete */
void simt_recheck_warp(struct simt_sm *sm, unsigned number)
{
    struct simt_warp *w = &sm->warp[number];

    for (uint32_t m = w->at_warp; m; m &= m - 1)
        if ((w->at_warp & m & -m) && w->live)
            complete(sm, number, (unsigned)__builtin_ctz(m));
}

/* find out who is active */
uint32_t simt_active(const char *file, int line)
{
    struct simt_sm *sm = simt_current;
    struct simt_warp *w = &sm->warp[sm->thread / 32];
    unsigned l = sm->thread % 32;

    simt_come_in(sm);
    if (sm->direct)
        simt_leave_direct(sm);
    sm->site[sm->thread] = (struct simt_site){file, line};
    w->at_mask |= 1u << l;
    simt_wait(sm);
    sm->inside = 0;
    return (uint32_t)w->result[l];
}

/* tell lanes who is active */
int simt_tell_active(struct simt_sm *sm, unsigned number)
{
    struct simt_warp *w = &sm->warp[number];
    const struct simt_site *site = &sm->site[number * 32];
    int first = __builtin_ctz(w->at_mask);
    uint32_t group = 0;

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

/* meet for something else */
void simt_together(uint32_t mask, void (*f)(void *lane[32]), void *mine,
                   const char *file, int line)
{
    simt_current->warp[simt_current->thread / 32].together = f;
    simt_meet(SIMT_TOGETHER, mask, (uintptr_t)mine, 0, file, line);
}

unsigned simt_lane(void)
{
    return simt_current->thread % 32;
}
