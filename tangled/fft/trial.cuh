/* trial.cuh: plans of every kind beside the reference. */
#ifndef FFT_TRIAL_CUH
#define FFT_TRIAL_CUH

#include <stdio.h>

#include "dft/trial.h"
#include "fft/plan.cuh"
#include "reduce/unchanged.h"
#include "tour/args.h"

/* describe a trial */
struct trial {
    struct fft_wish w;
    int direction, in_place;
    float scale;
    int h, ins, outs;      /* rows of an image; numbers in a row, in and out */
    size_t in, out;        /* floats in the arrays */
    struct cplx *x, *want; /* of all transforms, without gaps */
};

static int floats_in(const struct trial *t)
{
    return t->w.kind == FFT_R2C ? 1 : 2;
}

static int floats_out(const struct trial *t)
{
    return t->w.kind == FFT_C2R ? 1 : 2;
}

/* Where number i of row b lies, counted in numbers. */
static size_t at(size_t row, size_t step, int b, int i)
{
    return b * row + i * step;
}

/* know what a transform should be */
/* want[h][n] := the transform of x[h][n]. */
static void know(int h, int n, int sign, const struct cplx *x,
                 struct cplx *want)
{
    struct cplx *col = cplx_alloc(h), *bins = cplx_alloc(h);

    for (int i = 0; i < h; i++)
        fft_any(n, sign, x + (size_t)i * n, want + (size_t)i * n);
    for (int k = 0; h > 1 && k < n; k++) {
        for (int i = 0; i < h; i++)
            col[i] = want[(size_t)i * n + k];
        fft_any(h, sign, col, bins);
        for (int i = 0; i < h; i++)
            want[(size_t)i * n + k] = bins[i];
    }
    free(col), free(bins);
}

/* draw the input of a trial */
/* Random samples; for the way back to real numbers, their bins. */
static void draw(struct trial *t, uint64_t seed)
{
    int n = t->w.n, rows = t->h * t->w.batch;
    size_t all = (size_t)n * rows, image = (size_t)n * t->h;
    struct cplx *x = cplx_random(all, seed), *y = cplx_alloc(all);

    for (size_t i = 0; t->w.kind != FFT_C2C && i < all; i++)
        x[i].im = 0;
    for (int b = 0; b < t->w.batch; b++)
        know(t->h, n, t->w.kind == FFT_C2R ? -1 : t->direction, x + b * image,
             y + b * image);
    t->x = t->w.kind == FFT_C2R ? y : x;
    t->want = t->w.kind == FFT_C2R ? x : y;
    for (size_t i = 0; t->w.kind == FFT_C2R && i < all; i++)
        x[i].re *= (double)image;
}

/* compare a transform */
/* How far off a transform may be, relative to its size: some roundings for each
   of its levels; Bluestein's way has three transforms of four times the
   length, and real numbers one level more. */
static double allowed(const struct trial *t)
{
    return BOUND_FLOAT * (8 + 4 * log2((double)t->w.n * t->h));
}

static void compare(const struct trial *t, int b, const float *got)
{
    double off = 0, all = 0;

    for (int row = b * t->h; row < (b + 1) * t->h; row++)
        for (int k = 0; k < t->outs; k++) {
            const float *g =
                got + floats_out(t) * at(t->w.out_row, t->w.out_step, row, k);
            struct cplx w = t->want[(size_t)row * t->w.n + k];

            off += pow(g[0] - t->scale * w.re, 2);
            off += t->w.kind == FFT_C2R ? 0 : pow(g[1] - t->scale * w.im, 2);
            all += pow(t->scale * w.re, 2) + pow(t->scale * w.im, 2);
        }
    CHECK(sqrt(off) <= allowed(t) * sqrt(all),
          "n %d, height %d, kind %d, direction %d: transform %d is off by %.3g "
          "of its size; %.3g are allowed",
          t->w.n, t->h, (int)t->w.kind, t->direction, b, sqrt(off / all),
          allowed(t));
}

/* run a plan on a trial */
static void run(const struct trial *t, struct fft_plan *p, float *x, float *y)
{
    p->scale = t->scale;
    if (t->w.kind == FFT_C2C)
        fft_c2c(p, t->w.n, (float2 *)x, (float2 *)y, t->direction, 0);
    else if (t->w.kind == FFT_R2C)
        fft_r2c(p, t->w.n, x, (float2 *)y, 0);
    else
        fft_c2r(p, t->w.n, (float2 *)x, y, 0);
}

/* see what a relay has counted */
static void check_tickets(const struct fft_plan *p)
{
    for (int i = 0; i < p->steps; i++) {
        const struct fft_step *s = &p->step[i];
        int rows = s->job.rows;
        unsigned *done, n;

        if (s->reset == 0) /* no relay */
            continue;
        done = (unsigned *)check_alloc(s->reset, 1);
        CUDA_CHECK(
            cudaMemcpy(done, s->job.done, s->reset, cudaMemcpyDeviceToHost));
        n = (done[0] + done[1]) * (rows + s->job.lag);
        for (const struct fft_relay_kernel &k : fft_relays)
            if (k.run == s->run && k.stay)
                n += (unsigned)s->blocks;
        for (int t = 0; t < 2 * rows; t++)
            CHECK(done[t] == done[t % 2], "relay: %u done of %u", done[t],
                  done[t % 2]);
        CHECK(done[2 * rows] == n, "relay: %u tickets, not %u", done[2 * rows],
              n);
        free(done);
    }
}

/* try a plan */
static void try_plan(struct trial t, uint64_t seed)
{
    int rows, f, g;
    struct fft_plan p = fft_plan_make(t.w);
    float *h, *got, *d_x, *d_y;

    /* fill in a trial */
    t.h = t.w.height ? t.w.height : 1;
    rows = t.h * t.w.batch;
    t.ins = t.w.kind == FFT_C2R ? t.w.n / 2 + 1 : t.w.n;
    t.outs = t.w.kind == FFT_R2C ? t.w.n / 2 + 1 : t.w.n;
    t.w.in_step = t.w.in_step ? t.w.in_step : 1;
    t.w.out_step = t.w.out_step ? t.w.out_step : 1;
    t.w.in_row = t.w.in_row ? t.w.in_row : t.ins * t.w.in_step;
    t.w.out_row = t.w.out_row ? t.w.out_row : t.outs * t.w.out_step;
    f = floats_in(&t), g = floats_out(&t);
    t.in = f * ((t.ins - 1) * t.w.in_step + t.w.in_row * rows + 4);
    t.out = g * ((t.outs - 1) * t.w.out_step + t.w.out_row * rows + 4);
    draw(&t, seed);
    h = (float *)check_alloc(t.in, sizeof *h);
    got = (float *)check_alloc(t.out, sizeof *got);
    for (int b = 0; b < rows; b++)
        for (int i = 0; i < t.ins; i++) {
            float *to = h + f * at(t.w.in_row, t.w.in_step, b, i);
            struct cplx v = t.x[(size_t)b * t.w.n + i];

            to[0] = (float)v.re;
            if (f == 2)
                to[1] = (float)v.im;
        }
    CUDA_CHECK(cudaMalloc((void **)&d_x, t.in * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_y, t.out * sizeof *h));
    CUDA_CHECK(cudaMemcpy(d_x, h, t.in * sizeof *h, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_y, 0xff, t.out * sizeof *h));
    run(&t, &p, d_x, t.in_place ? d_x : d_y);
    CUDA_CHECK(cudaMemcpy(got, t.in_place ? d_x : d_y, t.out * sizeof *h,
                          cudaMemcpyDeviceToHost));
    check_tickets(&p);
    for (int b = 0; b < t.w.batch; b++)
        compare(&t, b, got);
    if (!t.in_place) {
        /* see that nothing else was written */
        for (int b = 0; b < rows; b++)
            for (int i = 0; i < t.outs; i++)
                got[g * at(t.w.out_row, t.w.out_step, b, i)] = NAN;
        for (size_t i = 0; i < t.out; i += g)
            CHECK(isnan(got[i]), "n %d, height %d: wrote number %zu", t.w.n,
                  t.h, i / g);
        check_unchanged(t.in, h, d_x);
    }
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    fft_plan_free(&p);
    free(t.x), free(t.want), free(h), free(got);
}

/* try everything at a size */
static void try_size(struct fft_wish w, uint64_t seed)
{
    static const enum fft_kind kinds[] = {FFT_R2C, FFT_C2R};
    struct trial t = {w, FFT_FORWARD, 0, 1};

    try_plan(t, seed);
    t.direction = FFT_INVERSE;
    t.scale = 1.0f / w.n;
    t.in_place = w.in_step == w.out_step && w.in_row == w.out_row;
    try_plan(t, seed + 1);
    t.in_place = 0;
    for (int i = 0; i < 2; i++) {
        t.w.kind = kinds[i];
        t.direction = i ? FFT_INVERSE : FFT_FORWARD;
        try_plan(t, seed + 2 + i);
    }
}

/* see what is refused */
static void refuse(const char *what)
{
    struct fft_wish w = {8, 0, FFT_C2C, 4};
    struct fft_plan p;
    float2 *d;

    w.n = !strcmp(what, "length") ? 0 : !strcmp(what, "limit") ? 1 << 25 : 8;
    w.batch = !strcmp(what, "negative") ? -1 : 4;
    if (!strcmp(what, "many"))
        w.n = 1 << 20, w.batch = 1 << 20;
    if (!strcmp(what, "kind"))
        w.kind = (enum fft_kind)7;
    if (!strcmp(what, "tall"))
        w.n = 2, w.height = 20000, w.batch = 1;
    p = fft_plan_make(w);
    CUDA_CHECK(cudaMalloc((void **)&d, 64 * sizeof *d));
    if (!strcmp(what, "freed"))
        fft_plan_free(&p);
    if (!strcmp(what, "overlap"))
        fft_c2c(&p, 8, d, d + 31, FFT_FORWARD, 0);
    else if (!strcmp(what, "null"))
        fft_c2c(&p, 8, d, NULL, FFT_FORWARD, 0);
    else if (!strcmp(what, "size"))
        fft_c2c(&p, 9, d, d + 32, FFT_FORWARD, 0);
    else if (!strcmp(what, "direction"))
        fft_c2c(&p, 8, d, d + 32, 2, 0);
    else if (!strcmp(what, "real"))
        fft_r2c(&p, 8, (float *)d, d + 32, 0);
    else if (!strcmp(what, "freed"))
        fft_c2c(&p, 8, d, d + 32, FFT_FORWARD, 0);
    args_refuse("transforms", "nothing refuses '%s'", what);
}

/* read what to try */
static int try_plans(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 60, 1, FFT_MOST),
                         ARG_SIZE("batch", 3, 0, 1 << 20),
                         ARG_NUMBER("--height", 0, 0, FFT_MOST),
                         ARG_NUMBER("--step", 1, 1, 64),
                         ARG_NUMBER("--below", 0, 0, 1024),
                         ARG_TEXT("--way", "best"),
                         ARG_NUMBER("--lag", 0, 0, 1000),
                         ARG_TEXT("--refuse", "")};
    uint64_t seed = args_parse(argc, argv, "plans beside the reference", args,
                               ARG_COUNT(args));
    struct fft_wish w = {(int)args[0].value, (int)args[2].value, FFT_C2C,
                         (int)args[1].value};
    int below = (int)args[4].value;

    static const char *const ways[] = {"best", "four", "relay", "cluster"};
    int way = 0;

    if (*args[7].text)
        refuse(args[7].text);
    while (way < FFT_WAYS && strcmp(args[5].text, ways[way]))
        way++;
    if (way == FFT_WAYS)
        args_refuse("transforms", "no way '%s': best, four, relay or cluster",
                    args[5].text);
    w.way = (enum fft_way)way;
    w.lag = (int)args[6].value;
    if (args[3].value > 1) { /* gaps, and columns side by side */
        w.in_step = w.out_step = (size_t)args[3].value;
        w.in_row = w.out_row = 1;
        w.batch = w.batch > (int)args[3].value ? (int)args[3].value : w.batch;
    }
    for (w.n = below ? 1 : w.n; w.n < below || !below; w.n++) {
        if (below)
            w.batch = 1 + w.n % 3;
        try_size(w, seed + w.n);
        if (!below)
            break;
    }
    if (below)
        printf("ok: every length below %d\n", below);
    else
        printf(w.height ? "ok: %d images of %d x %d points\n"
                        : "ok: %d transforms of %.0d%d points\n",
               w.batch, w.height, w.n);
    return 0;
}

#endif
