/* cufft.c: the transforms of cufft.h. */
#include <fftw3.h>
#include <string.h>

#include "loom/cufft.h"
#include "loom/loom_int.h"

enum { PLANS = 1024, RANK = 3 };

struct layout {
    int embed[RANK], stride, dist; /* stride 0: one signal behind the other */
};
struct plan {
    int used, rank, batch, n[RANK];
    cufftType type;
    struct layout in, out;
    cudaStream_t stream;
};
static struct plan plans[PLANS];

/* say which kinds there are */
enum { COMPLEX = 1, FROM_REAL = 2, TO_REAL = 4, DOUBLE = 0x40 };

static int is_type(cufftType t)
{
    return t == CUFFT_C2C || t == CUFFT_R2C || t == CUFFT_C2R ||
           t == CUFFT_Z2Z || t == CUFFT_D2Z || t == CUFFT_Z2D;
}

/* make plans */

/* keep plans */
static struct plan *find_plan(cufftHandle plan)
{
    return plan >= 0 && plan < PLANS && plans[plan].used ? &plans[plan] : NULL;
}
cufftResult cufftCreate(cufftHandle *plan)
{
    static const struct plan empty = {.used = 1};
    int at = 0;

    if (!plan)
        return CUFFT_INVALID_VALUE;
    while (at < PLANS && plans[at].used)
        at++;
    if (at == PLANS)
        return CUFFT_ALLOC_FAILED;
    plans[at] = empty;
    *plan = at;
    return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle plan)
{
    struct plan *p = find_plan(plan);

    if (!p)
        return CUFFT_INVALID_PLAN;
    p->used = 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed,
                              int istride, int idist, int *onembed, int ostride,
                              int odist, cufftType type, int batch,
                              size_t *work)
{
    struct plan p = {1, rank, batch, {0}, type, {{0}, 0, 0}, {{0}, 0, 0}, NULL};
    struct plan *to = find_plan(plan);

    if (!to || to->rank)
        return CUFFT_INVALID_PLAN;
    if (!is_type(type))
        return CUFFT_INVALID_TYPE;
    if (!n)
        return CUFFT_INVALID_VALUE;
    if (rank < 1 || rank > RANK || batch < 1)
        return CUFFT_INVALID_SIZE;
    for (int i = 0; i < rank; i++) {
        p.n[i] = n[i];
        if (n[i] < 1)
            return CUFFT_INVALID_SIZE;
    }
    /* note where the signals lie */
    if (!inembed != !onembed)
        return CUFFT_INVALID_VALUE;
    if (inembed) {
        memcpy(p.in.embed, inembed, rank * sizeof *inembed);
        memcpy(p.out.embed, onembed, rank * sizeof *onembed);
        p.in.stride = istride, p.in.dist = idist;
        p.out.stride = ostride, p.out.dist = odist;
        if (istride < 1 || ostride < 1)
            return CUFFT_INVALID_VALUE;
    }
    p.stream = to->stream;
    *to = p;
    if (work)
        *work = 0;
    return CUFFT_SUCCESS;
}

/* make plans of one, two and three dimensions */
static cufftResult plain(cufftHandle plan, int rank, int *n, cufftType type,
                         int batch, size_t *work)
{
    return cufftMakePlanMany(plan, rank, n, NULL, 1, 0, NULL, 1, 0, type, batch,
                             work);
}
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                            size_t *work)
{
    return plain(plan, 1, &nx, type, batch, work);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type,
                            size_t *work)
{
    int n[] = {nx, ny};

    return plain(plan, 2, n, type, 1, work);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz,
                            cufftType type, size_t *work)
{
    int n[] = {nx, ny, nz};

    return plain(plan, 3, n, type, 1, work);
}

#define IN_ONE_CALL(plan, step)           \
    cufftResult r = cufftCreate(plan);    \
                                          \
    if (r == CUFFT_SUCCESS && (r = step)) \
        cufftDestroy(*(plan));            \
    return r
cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed,
                          int istride, int idist, int *onembed, int ostride,
                          int odist, cufftType type, int batch)
{
    IN_ONE_CALL(plan,
                cufftMakePlanMany(*plan, rank, n, inembed, istride, idist,
                                  onembed, ostride, odist, type, batch, NULL));
}
cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
{
    IN_ONE_CALL(plan, cufftMakePlan1d(*plan, nx, type, batch, NULL));
}
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
{
    IN_ONE_CALL(plan, cufftMakePlan2d(*plan, nx, ny, type, NULL));
}
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz,
                        cufftType type)
{
    IN_ONE_CALL(plan, cufftMakePlan3d(*plan, nx, ny, nz, type, NULL));
}

/* look after plans */
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream)
{
    struct plan *p = find_plan(plan);

    if (!p)
        return CUFFT_INVALID_PLAN;
    p->stream = stream;
    return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int *version)
{
    *version = CUFFT_VERSION; /* of the calls' form: CUDA 13.0 */
    return CUFFT_SUCCESS;
}

/* Memory for work is FFTW's own: none is asked for, and none is used. */
cufftResult cufftSetAutoAllocation(cufftHandle plan, int automatic)
{
    (void)automatic;
    return find_plan(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetWorkArea(cufftHandle plan, void *area)
{
    (void)area;
    return find_plan(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetSize(cufftHandle plan, size_t *work)
{
    *work = 0;
    return find_plan(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type,
                            size_t *work)
{
    *work = 0;
    return !is_type(type)               ? CUFFT_INVALID_TYPE
           : nx < 1 || ny < 1 || nz < 1 ? CUFFT_INVALID_SIZE
                                        : CUFFT_SUCCESS;
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *work)
{
    return cufftEstimate3d(nx, ny, 1, type, work);
}
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *work)
{
    return cufftEstimate3d(nx, batch, 1, type, work);
}

/* find the extent of a side */
/* Fills l for a side of a plan with `last` elements in a row; returns how many
   elements all signals reach over. */
static size_t extent(const struct plan *p, const struct layout *given,
                     struct layout *l, int last)
{
    size_t one = 1, end = 0;

    *l = *given;
    if (l->stride == 0) {
        for (int i = 0; i < p->rank; i++) {
            l->embed[i] = i == p->rank - 1 ? last : p->n[i];
            one *= l->embed[i];
        }
        l->stride = 1;
        l->dist = (int)one;
        return one * p->batch;
    }
    for (int i = 0; i < p->rank; i++)
        end = end * l->embed[i] + (i == p->rank - 1 ? last : p->n[i]) - 1;
    return (size_t)(p->batch - 1) * l->dist + end * l->stride + 1;
}

/* transform */
struct transform {
    struct plan p;
    struct layout in, out;
    void *from, *to;
    size_t reads, writes; /* bytes */
    int direction;
};

/* write the transforms of one precision */
#define TRANSFORM(fftw, R, C)                                                  \
    static void fftw##_transform(const struct transform *t)                    \
    {                                                                          \
        const struct plan *p = &t->p;                                          \
        const struct layout *i = &t->in, *o = &t->out;                         \
        int kind = p->type & 7;                                                \
        fftw##_plan f;                                                         \
                                                                               \
        if (kind == COMPLEX)                                                   \
            f = fftw##_plan_many_dft(p->rank, p->n, p->batch, (C *)t->from,    \
                                     i->embed, i->stride, i->dist, (C *)t->to, \
                                     o->embed, o->stride, o->dist,             \
                                     t->direction, FFTW_ESTIMATE);             \
        else if (kind == FROM_REAL)                                            \
            f = fftw##_plan_many_dft_r2c(p->rank, p->n, p->batch,              \
                                         (R *)t->from, i->embed, i->stride,    \
                                         i->dist, (C *)t->to, o->embed,        \
                                         o->stride, o->dist, FFTW_ESTIMATE);   \
        else                                                                   \
            f = fftw##_plan_many_dft_c2r(p->rank, p->n, p->batch,              \
                                         (C *)t->from, i->embed, i->stride,    \
                                         i->dist, (R *)t->to, o->embed,        \
                                         o->stride, o->dist, FFTW_ESTIMATE);   \
        fftw##_execute(f);                                                     \
        fftw##_destroy_plan(f);                                                \
    }
TRANSFORM(fftwf, float, fftwf_complex)
TRANSFORM(fftw, double, fftw_complex)

/* execute a plan */
static void work(void *args)
{
    const struct transform *t = (const struct transform *)args;

    loom_open();
    if (t->p.type & DOUBLE)
        fftw_transform(t);
    else
        fftwf_transform(t);
    loom_written(t->to, t->writes);
    loom_done();
}

/* find what is wrong with both sides */
static int bad_sides(struct transform *t)
{
    int n = t->p.n[t->p.rank - 1], half = n / 2 + 1, bad;
    int real = t->from == t->to ? 2 * half : n, kind = t->p.type & 7;
    size_t size = t->p.type & DOUBLE ? 8 : 4;

    t->reads = extent(&t->p, &t->p.in, &t->in,
                      kind == COMPLEX     ? n
                      : kind == FROM_REAL ? real
                                          : half);
    t->writes = extent(&t->p, &t->p.out, &t->out,
                       kind == COMPLEX     ? n
                       : kind == FROM_REAL ? half
                                           : real);
    t->reads *= kind == FROM_REAL ? size : 2 * size;
    t->writes *= kind == TO_REAL ? size : 2 * size;
    loom_open();
    bad = loom_blamed("a transform", "input", t->from, t->reads, 1) ||
          loom_blamed("a transform", "output", t->to, t->writes, 1);
    loom_done();
    return bad;
}

/* put a transform into the stream */
static cufftResult execute(cufftHandle plan, cufftType type, void *in,
                           void *out, int direction)
{
    struct plan *p = find_plan(plan);
    struct transform t = {.from = in, .to = out, .direction = direction};

    if (!p || p->type != type)
        return CUFFT_INVALID_PLAN;
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
        return CUFFT_INVALID_VALUE;
    t.p = *p;
    if (bad_sides(&t))
        return CUFFT_EXEC_FAILED;
    return loom_enqueue(p->stream, work, &t, sizeof t) == cudaSuccess
               ? CUFFT_SUCCESS
               : CUFFT_EXEC_FAILED;
}

/* name the transforms */
#define BOTH_WAYS(kind, T)                                                 \
    cufftResult cufftExec##kind(cufftHandle plan, T *in, T *out, int sign) \
    {                                                                      \
        return execute(plan, CUFFT_##kind, in, out, sign);                 \
    }
#define ONE_WAY(kind, T, U, sign)                                \
    cufftResult cufftExec##kind(cufftHandle plan, T *in, U *out) \
    {                                                            \
        return execute(plan, CUFFT_##kind, in, out, sign);       \
    }
BOTH_WAYS(C2C, cufftComplex)
BOTH_WAYS(Z2Z, cufftDoubleComplex)
ONE_WAY(R2C, cufftReal, cufftComplex, CUFFT_FORWARD)
ONE_WAY(D2Z, cufftDoubleReal, cufftDoubleComplex, CUFFT_FORWARD)
ONE_WAY(C2R, cufftComplex, cufftReal, CUFFT_INVERSE)
ONE_WAY(Z2D, cufftDoubleComplex, cufftDoubleReal, CUFFT_INVERSE)
