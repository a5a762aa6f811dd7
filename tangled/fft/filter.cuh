/* filter.cuh: long signals and images filtered by transforms. */
#ifndef FFT_FILTER_CUH
#define FFT_FILTER_CUH

#include "fft/plan.cuh"

/* plan overlap-save */
/* Filters signals with `taps` taps, in pieces of `length` points. */
struct fft_overlap {
    int taps, length;
    const struct fft_kernel *kernel;
    struct fft_plan tables; /* only its tables */
    struct fft_job job;
};

static inline void fft_overlap_free(struct fft_overlap *f)
{
    fft_plan_free(&f->tables);
}

/* w[0..taps) on the host; length: 64, 128, ... 4096. (A launch gets 48 KB of
   shared memory unasked, and a piece of 8192 needs more.) */
static inline struct fft_overlap fft_overlap_make(int taps, const float *w,
                                                  int length)
{
    struct fft_wish wish = {length, 0, FFT_C2C, 0};
    struct fft_overlap f = {taps, length};
    struct cplx *x, *X, *turns;
    int count;

    fft_start_plan(&f.tables, &wish);
    f.kernel = fft_find(&f.tables, length, 0);
    if (f.kernel && !f.kernel->filter)
        f.kernel = fft_find(&f.tables, length, 1);
    CHECK(f.kernel && f.kernel->filter && f.kernel->shared <= 48 << 10,
          "overlap-save: no kernel for pieces of %d points", length);
    CHECK(taps >= 1 && taps <= length,
          "overlap-save: %d taps in pieces of %d points", taps, length);
    x = fft_room(length), X = fft_room(length);
    for (int j = 0; j < taps; j++)
        x[j].re = w[j] / (double)length;
    fft_any(length, -1, x, X);
    turns = fft_turns(f.kernel, &count);
    f.job.spectrum = fft_upload(&f.tables, length, X);
    f.job.turns = fft_upload(&f.tables, count, turns);
    f.job.scale = 1;
    f.job.of.step = f.job.from.step = f.job.to.step = f.job.group_rows = 1;
    free(x), free(X), free(turns);
    return f;
}

/* filter by overlap-save */
/* y[i] = the sum over j of w[j] x[i + taps - 1 - j] for i <= n - taps; x has n
   complex numbers, y must not be x. */
static inline void fft_overlap_save(const struct fft_overlap *f, int n,
                                    const float2 *x, float2 *y,
                                    cudaStream_t stream)
{
    int step = f->length - f->taps + 1, out = n - f->taps + 1;
    int whole = out / step, rest = out % step;
    const struct fft_kernel *k = f->kernel;
    struct fft_step s = {k->filter,  f->job,    ceil_div((size_t)whole, k->q),
                         k->threads, k->shared, 1};

    CHECK(n >= f->taps, "overlap-save: %d numbers for %d taps", n, f->taps);
    CHECK(x && y && (x + n <= y || y + out <= x),
          "overlap-save: an array is NULL, or the two overlap");
    s.job.from.group = s.job.to.group = step;
    s.job.skip = f->taps - 1;
    s.job.take = s.job.keep = f->length;
    s.job.rows = whole;
    s.job.in = x;
    s.job.out = y;
    if (whole > 0)
        fft_launch(&s, s.job, stream);
    /* filter the last piece */
    if (rest > 0) {
        s.blocks = s.job.rows = 1;
        s.job.in = x + (size_t)whole * step;
        s.job.out = y + (size_t)whole * step;
        s.job.take = s.job.keep = rest + f->taps - 1;
        fft_launch(&s, s.job, stream);
    }
}

/* transform the filter of an image */
/* The bins of a filter of r x s taps for images of h x w numbers, transposed
   so to speak: y[i][j] will be the sum of filter[a][b] x[i + a][j + b]. */
static inline float2 *fft_filter_bins(int h, int w, int r, int s,
                                      const float *filter)
{
    float *pad = (float *)check_alloc((size_t)h * w, sizeof *pad), *d;
    struct fft_plan p = fft_plan_2d(h, w, FFT_R2C, 1);
    float2 *bins;

    for (int i = 0; i < r; i++)
        for (int j = 0; j < s; j++)
            pad[(size_t)((h - i) % h) * w + (w - j) % w] =
                filter[i * s + j] / ((float)h * w);
    CUDA_CHECK(cudaMalloc((void **)&d, p.in_bytes));
    CUDA_CHECK(cudaMalloc((void **)&bins, p.out_bytes));
    CUDA_CHECK(cudaMemcpy(d, pad, p.in_bytes, cudaMemcpyHostToDevice));
    fft_r2c(&p, w, d, bins, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d));
    fft_plan_free(&p);
    free(pad);
    return bins;
}

/* plan the filter of an image */
/* A plan that correlates images of h x w floats with a filter of r x s, on the
   host. h: a length of fft_kernels. Of what fft_filter() writes, h x w numbers,
   those of rows up to h - r and columns up to w - s are right; the rest has
   wrapped around. */
static inline struct fft_plan fft_plan_filter(int h, int w, int r, int s,
                                              const float *filter, int batch)
{
    struct fft_wish wish = {w, h, FFT_R2C, batch};
    int bins = w / 2 + 1, count;
    struct fft_rows_at a = {w,
                            batch * h,
                            1,
                            FFT_IN,
                            FFT_WORK_0,
                            {(size_t)w, 0, 1},
                            {(size_t)bins, 0, 1}};
    struct fft_rows_at b = {h,
                            batch * bins,
                            bins,
                            FFT_WORK_0,
                            FFT_WORK_0,
                            {(size_t)bins * h, 1, (size_t)bins, 1},
                            {(size_t)bins * h, 1, (size_t)bins, 1}};
    struct fft_rows_at c = {w,
                            batch * h,
                            1,
                            FFT_WORK_0,
                            FFT_OUT,
                            {(size_t)bins, 0, 1},
                            {(size_t)w, 0, 1}};
    const struct fft_kernel *k;
    struct fft_plan p;
    struct fft_step *step;
    struct cplx *turns;

    fft_check_wish(&wish);
    CHECK(r >= 1 && r <= h && s >= 1 && s <= w,
          "fft: a filter of %d x %d for images of %d x %d", r, s, h, w);
    fft_start_plan(&p, &wish);
    k = fft_find(&p, h, 1);
    CHECK(k, "fft: images to be filtered have 64, 128, ... 8192 rows, not %d",
          h);
    p.out_bytes = p.in_bytes;
    fft_work(&p, 0, (size_t)batch * h * bins);
    fft_add_real(&p, &a, 1);
    /* filter the columns */
    turns = fft_turns(k, &count);
    step = fft_add(&p, k->filter, ceil_div((size_t)b.rows, k->q), k->threads,
                   k->shared, b.from, b.to);
    fft_place_rows(step, &b);
    step->job.take = step->job.keep = h;
    step->job.turns = fft_upload(&p, count, turns);
    step->job.spectrum = fft_filter_bins(h, w, r, s, filter);
    step->job.of = b.in;
    step->job.of.group = 0; /* the same for each image */
    p.table[p.tables++] = (void *)step->job.spectrum;
    p.table_bytes += (size_t)h * bins * sizeof(float2);
    free(turns);
    fft_add_to_real(&p, &c, 1);
    fft_allocate(&p);
    return p;
}

/* run the filter of an image */
/* Runs such a plan; y must not overlap x. */
static inline void fft_filter(const struct fft_plan *p, int h, int w,
                              const float *x, float *y, cudaStream_t stream)
{
    CHECK(p->height == h, "fft: this filter is for %d rows, not for %d",
          p->height, h);
    fft_check_run(p, FFT_R2C, w, x, y);
    fft_run(p, x, y, 0, stream);
}

#endif
