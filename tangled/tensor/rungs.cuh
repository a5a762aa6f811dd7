/* rungs.cuh: the ways of this chapter to multiply matrices of bf16. */
#ifndef TENSOR_RUNGS_CUH
#define TENSOR_RUNGS_CUH

#include "tensor/bgemm.cuh"
#include "tensor/rung.cuh"

/* Nothing to multiply is left to bgemm. */
#define RUNG_BEGINS                                 \
    struct product16 g;                             \
                                                    \
    if (m == 0 || n == 0 || k == 0 || alpha == 0) { \
        bgemm(&ladder.h, RUNG_PASSES, stream);      \
        return;                                     \
    }                                               \
    g = product16_of(RUNG_PASSES)

/* list the rungs of bf16 */
static inline void by_bgemm(RUNG_TAKES)
{
    bgemm(&ladder.h, RUNG_PASSES, stream);
}

static inline void by_wmma(RUNG_TAKES)
{
    RUNG_BEGINS;
    launch_wmma(g, stream);
}

static inline void by_fragments(RUNG_TAKES)
{
    RUNG_BEGINS;
    launch_fragments(ta, tb, g, stream);
}

/* In one layout, op(A) and op(B) as stored, as the benchmark has them; in the
   others, like the next rung. */
template <class T, int STAY, int STRIPS>
static inline void by_groups(RUNG_TAKES)
{
    RUNG_BEGINS;
    g.strip = STRIPS;
    if (ta == 'N' && tb == 'N' && (k + 63) / 64 >= T::SPLIT)
        launch_groups_as<T, 0, 1>(ta, tb, g, STAY ? ladder.h.sms : 0, stream);
    else
        bgemm(&ladder.h, RUNG_PASSES, stream);
}

static inline void by_copies(RUNG_TAKES)
{
    RUNG_BEGINS;
    if (ta == 'N' && tb == 'N')
        launch_copied<0, 1>(ta, tb, g, stream);
    else
        bgemm(&ladder.h, RUNG_PASSES, stream);
}

/* list rungs of one's own choice */
/* A candidate for small products, plain A and B only: tiles begin at different
   steps, C is written by threads. */
template <class T, int TURN, int BY_THREADS, int AHEAD = 0>
static inline void by_candidate(RUNG_TAKES)
{
    struct product16 g = product16_of(RUNG_PASSES);

    g.strip = 2;
    g.turn = TURN;
    g.by_threads = BY_THREADS;
    g.ahead = AHEAD;
    launch_groups_as<T, 0, 1>(ta, tb, g, ladder.h.sms, stream);
}

/* bgemm's tiles, whatever it would choose. */
template <class T>
static inline void by_tile(RUNG_TAKES)
{
    RUNG_BEGINS;
    if ((k + 63) / 64 < T::SPLIT)
        bgemm(&ladder.h, RUNG_PASSES, stream);
    else
        launch_groups<T>(ta, tb, &g, ladder.h.sms, stream);
}

#endif
