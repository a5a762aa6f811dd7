/* parts.c: the tape, the moons, the networks and the check of chapter 20 at their edges, in
   one process: an exit comes back. All that is said goes to standard error. */
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static size_t grown;

static void *counted(void *p, size_t bytes)
{
    grown = bytes;
    return realloc(p, bytes);
}

__attribute__((noreturn)) static void left(int status)
{
    longjmp(back, status + 1);
}

#define realloc counted
#define exit left
#include "grad/gallery.h"
#include "grad/neurons.h"
#include "grad/steps.h"

#include "grad/tape.c"
#include "matmul/reference_d.c"

#define SAY(...) fprintf(stderr, __VA_ARGS__)
#define TRY(...)                   \
    do {                           \
        if (setjmp(back) == 0) {   \
            __VA_ARGS__;           \
            SAY("ok\n");           \
        }                          \
    } while (0)

static void tapes(void)
{
    struct tape t = {NULL, 0, 0};
    double rate[20];
    int x, y, z, r[3], square, out;

    for (int i = 0; i < 129; i++) {
        size_t before = grown;

        tape_leaf(&t, i);
        if (grown != before)
            SAY("%d: room for %zu\n", i, grown / sizeof *t.node);
    }
    tape_forget(&t, 0);
    x = tape_leaf(&t, 3), y = tape_leaf(&t, -5), z = tape_leaf(&t, 0);
    for (int i = 0; i < 3; i++)
        r[i] = tape_relu(&t, i);
    square = tape_mul(&t, x, x);
    out = tape_mul(&t, tape_add(&t, r[0], y), square); /* (3 - 5) 9 */
    out = tape_add(&t, out, tape_mul(&t, tape_add(&t, r[1], r[2]), z));
    tape_backward(&t, out);
    tape_forward(&t, x, rate);
    for (int i = 0; i < t.count; i++)
        SAY("%g %g %g; ", tape_value(&t, i), t.node[i].grad, rate[i]);
    tape_backward(&t, r[0]);
    SAY("%g %g\n", t.node[x].grad, t.node[y].grad);
    tape_zero_grad(&t);
    for (int i = 0; i < t.count; i++)
        SAY("%g ", t.node[i].grad);
    SAY("\n");
    for (int i = -1; i <= t.count; i += t.count + 1) {
        TRY(tape_node(&t, 1, 1, i, 1, 0, 0));
        TRY(tape_node(&t, 1, 2, 0, 1, i, 0));
        TRY(tape_value(&t, i));
        TRY(tape_backward(&t, i));
        TRY(tape_forward(&t, i, rate));
        TRY(tape_forget(&t, i + (i > 0)));
    }
    TRY(tape_node(&t, 1, 3, 0, 0, 0, 0));
    TRY(tape_node(&t, 1, -1, 0, 0, 0, 0));
    TRY(tape_forget(&t, t.count));
    tape_free(&t);
    SAY("%d %d %d\n", t.node == NULL, t.count, t.room);
}

static void moons(void)
{
    int wrong = 0;

    for (int n = 0; n < 6; n++) {
        struct moons m = moons_make(n, 0.25, 9);
        uint64_t seed = 9;

        for (int i = 0; i < n; i++) {
            double a = 3.14159265358979 * rng_float(&seed), x = i % 2 ? 1 - cos(a) : cos(a),
                   y = i % 2 ? 0.5 - sin(a) : sin(a);

            x += -0.5 + 0.25 * (2.0 * rng_float(&seed) - 1);
            y += -0.25 + 0.25 * (2.0 * rng_float(&seed) - 1);
            wrong += !(fabs(m.x[2 * i] - x) < 1e-12 && fabs(m.x[2 * i + 1] - y) < 1e-12 &&
                       m.t[i] == (i % 2 ? -1 : 1) && m.n == n);
        }
        moons_free(&m);
    }
    SAY("%d points are wrong\n", wrong);
}

static void networks(void)
{
    struct mlp s = {3, {2, 16, 5, 1}}, wide = {8, {1, 2, 1, 2, 1, 2, 1, 2, 1}};
    struct moons m = moons_make(7, 0.25, 9);
    struct mlp_pass w = mlp_pass_make(&s, m.n, m.x);
    size_t n = mlp_count(&s), zeros = 0;
    double *p = (double *)check_alloc(n, sizeof *p), *g = (double *)check_alloc(n, sizeof *g);
    uint64_t sum = 0;

    for (int l = 0; l <= 3; l++)
        SAY("%zu ", mlp_weights(&s, l));
    for (int l = 0; l < 3; l++)
        SAY("%zu ", mlp_biases(&s, l));
    SAY("%zu %zu\n", n, mlp_count(&wide));
    mlp_init(&s, p, 3);
    for (size_t i = 0; i < n; i++)
        sum = rng_mix(sum + (uint64_t)(int64_t)(p[i] * 1e6));
    SAY("%016llx, ", (unsigned long long)sum);
    SAY("loss %.6g, ", mlp_loss(&s, p, &w, m.t));
    SAY("%.0f operations, ", w.operations);
    mlp_gradient(&s, p, &w, m.t, g);
    for (int i = 0; i < 14; i++)
        zeros += w.da[0][i] == 0;
    SAY("then %.0f; %zu zeros\n", w.operations, zeros);
    mlp_pass_free(&w);
    w = mlp_pass_make(&wide, 7, m.x);
    SAY("loss %.6g\n", mlp_loss(&wide, p, &w, m.t));
    mlp_pass_free(&w);
    s.layers = 2;
    w = mlp_pass_make(&s, m.n, m.x);
    TRY(mlp_loss(&s, p, &w, m.t));
    mlp_pass_free(&w);
    moons_free(&m);
    free(p), free(g);
}

static int calls;
static double square(void *x)
{
    calls++;
    return *(double *)x * *(double *)x;
}
static double squares(void *v)
{
    const double *x = (const double *)v;

    calls++;
    return x[0] * x[0] + 3 * x[1] + x[2] * x[2] / 2 + fabs(x[3]);
}

static void differences(void)
{
    static const double at[] = {3, 0.5, 0, -4};
    double x[5] = {1, 2, -3, 0, 0}, bend, analytic[] = {2, 3, -3, 1, 0};
    struct gradcheck r = {0, 0, 0, 0, 0, 0, 0, 0};
    int wrong = 0;

    for (int i = 0; i < 4; i++) {
        double v = at[i], d = gradcheck_slope(square, &v, &v, 0.25, v * v, &bend);

        SAY("%g %g %d; ", d, bend, v == at[i]);
    }
    SAY("\n");
    for (size_t n = 1; n < 40; n++)
        for (size_t count = 1; count <= n; count++) {
            size_t seen[40] = {0};

            for (size_t k = 0; k < count; k++)
                for (uint64_t seed = 0; seed < 60; seed++) {
                    size_t e = gradcheck_entry(n, count, k, seed);

                    wrong += e >= n || (seen[e % 40] && seen[e % 40] != k + 1);
                    seen[e % 40] = k + 1;
                }
            for (size_t i = 0; i < n && n / count < 6; i++)
                wrong += !seen[i]; /* every entry is in a piece */
        }
    SAY("%d entries are wrong\n", wrong);
    gradcheck_note(&r, 7, 3, 1, 0.5);
    gradcheck_note(&r, 8, 3, 1.5, 0.5);
    gradcheck_note(&r, 9, 1, 4, 0.25);
    SAY("%g %g %zu %zu %g %g %zu %g; ", r.error, r.norm, r.count, r.worst, r.analytic, r.numeric, r.bent, r.bend);
    gradcheck_note(&r, 10, 6, 3, 0.75);
    SAY("%g %g %zu %zu %g %g %zu %g; ", r.error, r.norm, r.count, r.worst, r.analytic, r.numeric, r.bent, r.bend);
    gradcheck_note(&r, 11, NAN, 3, 0.75);
    gradcheck_note(&r, 12, NAN, 3, 0);
    SAY("%zu %zu %zu\n", r.count, r.worst, r.bent);
    for (size_t count = 0; count < 6; count++) {
        calls = 0;
        r = gradcheck_some(squares, x, x, 4, analytic, 0x1p-10, count, 5);
        SAY("%zu of %d calls, error %.6g, norm %.6g, worst %zu, bent %zu by %.6g; ", r.count, calls,
            r.error, r.norm, r.worst, r.bent, r.bend);
    }
    calls = 0;
    r = gradcheck(squares, x, x, 3, analytic);
    SAY("%d calls, %d\n", calls, r.error < 1e-10);
    analytic[4] = 0;
    r = gradcheck(square, x + 3, x + 4, 1, analytic + 4);
    SAY("%g %g\n", r.error, r.norm);
    TRY(GRADCHECK("x", r, 0));
    r.error = 0.5;
    TRY(GRADCHECK("x", r, 0.5));
    TRY(GRADCHECK("x", r, 0.25));
}

static void steps(void)
{
    for (int central = 0; central < 2; central++)
        for (int type = 0; type < 2; type++) {
            double derived = 0, least = steps_least(type, central);
            int best = steps_best(type, central, &derived);

            SAY("%d near %.6g, %d, error of %.6g; ", abs(best - (int)derived) < 5, derived,
                steps_error(type, central, best) < 2 * least, least);
        }
    SAY("%.4f %.4f %.4f %.4f %g %g\n", slope_float(1, 0x1p-6, 1), slope_float(1, 0x1p-6, 0),
        slope_double(1, 0x1p-6, 1), slope_double(1, 0x1p-6, 0), slope_float(1, 1e-30, 1),
        slope_double(1, 1e-30, 0));
    SAY("%.3g %.3g %.3g %.3g %.3g\n", steps_error(1, 0, 4), steps_error(1, 1, 4), steps_error(0, 0, 60),
        steps_error(0, 1, 18), steps_error(1, 0, 48));
}

static void neurons(void)
{
    struct mlp s = {3, {2, 9, 4, 1}}, most = {2, {2, 64, 1}}, more = {2, {2, 65, 1}},
               all = {8, {2, 1, 2, 1, 2, 1, 2, 1, 1}}, rest = {1, {2, 1, 3}};
    struct moons m = moons_make(25, 0.25, 9);
    struct tape t = {NULL, 0, 0};
    static const int order[] = {4, 4, 20};
    double x[65] = {1, 1};

    neurons_begin(&t, &s, 3);
    SAY("%d nodes; ", t.count);
    SAY("%.6g; ", neurons_gradient(&t, &s, 25, NULL, &m));
    SAY("%.6g; ", neurons_gradient(&t, &s, 3, order, &m));
    for (int epoch = 0; epoch < 3; epoch++) {
        SAY("%.6g ", neurons_epoch(&t, &s, &m, 0.1, 5, epoch));
        SAY("%.4g; ", neurons_right(&t, &s, &m));
    }
    SAY("%.5g ", neurons_ask(&t, &s, x));
    SAY("%d\n", t.count);
    tape_free(&t);
    neurons_begin(&t, &most, 3);
    TRY(SAY("%.5g ", neurons_ask(&t, &most, x)));
    tape_free(&t);
    neurons_begin(&t, &more, 3);
    TRY(SAY("%.5g ", neurons_ask(&t, &more, x)));
    tape_free(&t);
    neurons_begin(&t, &all, 3);
    SAY("%.5g ", neurons_ask(&t, &all, x));
    tape_free(&t);
    neurons_begin(&t, &rest, 3); /* what stands behind the last size is no layer */
    SAY("%.5g\n", neurons_ask(&t, &rest, x));
    tape_free(&t);
    moons_free(&m);
}

/* Which weights are left where rows and columns are exchanged, at the edges of tiles. */
static void exchanged(void)
{
    double right[90], g[90];
    int wrong = 0;

    for (int i = 0; i < 90; i++)
        right[i] = i + 1;
    for (int in = 1; in < 10; in++)
        for (int out = 1; out < 10; out++) {
            struct mlp s = {1, {in, out}};

            spoil(&s, EXCHANGED, right, g);
            for (int row = 0; row < out; row++)
                for (int column = 0; column < in; column++) {
                    int tiles_in = in / 4 + (in % 4 > 0), tiles_out = out / 4 + (out % 4 > 0);
                    int left = row / 4 < tiles_in && column / 4 < tiles_out;

                    wrong += g[row * in + column] != (left ? right[row * in + column] : 0);
                }
            for (int i = in * out; i < in * out + out; i++)
                wrong += g[i] != right[i];
        }
    SAY("%d weights are exchanged wrongly\n", wrong);
}

static void told(int step, double loss)
{
    SAY("%d:%.5g ", step, loss);
}

static void spoiled(void)
{
    struct mlp s = {2, {3, 6, 2}};
    double right[38], g[39];

    for (int i = 0; i < 38; i++)
        right[i] = i + 1;
    for (int kind = 0; kind < GALLERY; kind++) {
        g[38] = 7;
        spoil(&s, (enum gallery)kind, right, g);
        SAY("%s:", gallery_name[kind]);
        for (int i = 0; i < 39; i++)
            SAY(" %g", g[i]);
        SAY("\n");
    }
    for (int kind = 0; kind < GALLERY; kind++) {
        struct gallery_end e = gallery_train((enum gallery)kind, 3, 0.05, kind % 2 ? NULL : told);

        SAY("%s: %.5g to %.5g, %.4g right, off %.3g\n", gallery_name[kind], e.before, e.loss, e.right,
            e.error < 1e-6 ? 0 : e.error);
    }
}

int main(void)
{
    tapes();
    moons();
    networks();
    differences();
    steps();
    neurons();
    exchanged();
    spoiled();
    return 0;
}
