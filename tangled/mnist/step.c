/* step.c: a network that learns to read digits, and how it learns. */
#include <math.h>

#include "mnist/parts.h"
#include "mnist/rows.h"
#include "mnist/step.h"
#include "random/init.h"
#include "tour/check.h"

/* lay out the model */
struct model model_make(int width)
{
    int a = width, b = 2 * width, h = 4 * width;
    struct model m = {.width = a, .c1 = a, .c2 = b, .hidden = h};
    const struct {
        const char *name;
        int shape[4];
    } row[TENSORS] = {
        /* name the tensors and their shapes */
        [CONV1_W] = {"conv1.weight", {a, 1, 3, 3}},
        [BN1_W] = {"bn1.weight", {a}},
        [BN1_B] = {"bn1.bias", {a}},
        [CONV2_W] = {"conv2.weight", {b, a, 3, 3}},
        [BN2_W] = {"bn2.weight", {b}},
        [BN2_B] = {"bn2.bias", {b}},
        [FC1_W] = {"fc1.weight", {h, 49 * b}},
        [FC1_B] = {"fc1.bias", {h}},
        [FC2_W] = {"fc2.weight", {DIGIT_KINDS, h}},
        [FC2_B] = {"fc2.bias", {DIGIT_KINDS}},
        [BN1_MEAN] = {"bn1.running_mean", {a}},
        [BN1_VAR] = {"bn1.running_var", {a}},
        [BN2_MEAN] = {"bn2.running_mean", {b}},
        [BN2_VAR] = {"bn2.running_var", {b}},
    };

    CHECK(width >= 1 && width <= WIDTH_MOST, "a model of width %d", width);
    for (int t = 0; t < TENSORS; t++) {
        struct tensor *s = &m.tensor[t];

        *s = (struct tensor){.name = row[t].name, .at = m.total, .count = 1};
        memcpy(s->shape, row[t].shape, sizeof s->shape);
        while (s->rank < 4 && s->shape[s->rank] > 0)
            s->count *= (size_t)s->shape[s->rank++];
        m.total += s->count;
        m.count = t < LEARNED ? m.total : m.count;
    }
    return m;
}

/* draw the initial weights */
void model_init(const struct model *m, real *w, uint64_t seed)
{
    static const real others[TENSORS] = {
        [BN1_W] = 1, [BN2_W] = 1, [BN1_VAR] = 1, [BN2_VAR] = 1};

    for (int t = 0; t < TENSORS; t++) {
        const struct tensor *s = &m->tensor[t];
        float bound, fan_in = 1;

        for (int d = 1; d < s->rank; d++)
            fan_in *= (float)s->shape[d];
        bound = 1 / sqrtf(fan_in);
        for (size_t i = 0; i < s->count; i++)
            w[s->at + i] = s->rank > 1
                               ? init_uniform_at(seed, (uint64_t)t, i, bound)
                               : others[t];
    }
}

/* convolve */
/* Where in z the first pixel of channel k of picture i is. */
static size_t pixel(const struct block *b, int i, int k)
{
    return ((size_t)i * b->out + k) * b->plane + b->wide + 1;
}

static void convolve(struct net *c, struct block *b, int part)
{
    size_t plane = (size_t)b->plane, row = (size_t)9 * b->in;
    struct rows s = {.count = b->in,
                     .taps = 9,
                     .sums = b->out,
                     .c = c->w + c->m.tensor[b->weight].at,
                     .at = b->at,
                     .next = plane,
                     .next_k = row,
                     .next_c = 9,
                     .next_tap = 1};

    for (int i = first_of(c->n, part); i < first_of(c->n, part + 1); i++) {
        s.x = b->x + i * b->in * plane;
        s.y = b->z + pixel(b, i, 0);
        add_rows(&s, b->side * b->wide);
    }
}

/* find the moments of a channel */
static void find_moments(const struct net *c, const struct block *b, int k,
                         real *mean, real *var)
{
    double count = (double)c->n * b->side * b->side, sum = 0, none = 0, m2 = 0;
    int len = b->side * b->wide;

    for (int i = 0; i < c->n; i++)
        add_deviations(len, b->z + pixel(b, i, k), b->inside, 0, &sum, &none);
    *mean = (real)(sum / count);
    for (int i = 0; i < c->n; i++)
        add_deviations(len, b->z + pixel(b, i, k), b->inside, *mean, &none,
                       &m2);
    *var = (real)(m2 / count);
}

/* make y = a z + shift of a normalization */
#define EPSILON ((real)1e-5) /* as PyTorch's */

struct norm {
    real mean, r, a, shift; /* r = 1 / sqrt(var + EPSILON) */
};

static struct norm norm_of(const struct net *c, const struct block *b, int k)
{
    const real *mean = c->stats + (b == c->block ? 0 : 2 * c->m.c1) + k;
    const real *scale = c->w + c->m.tensor[b->weight + 1].at + k;
    struct norm f = {.mean = *mean};

    f.r = 1 / (real)sqrt(mean[b->out] + EPSILON);
    f.a = *scale * f.r;
    f.shift = scale[b->out] - f.mean * f.a;
    return f;
}

/* take the maximum of each cell */
static void maxima(const struct block *b, int i, int k, struct norm f)
{
    int half = b->side / 2;
    size_t at[4] = {0, 1, b->wide, b->wide + 1};
    size_t which = (size_t)i * b->out + k;
    real best[DIGIT_SIDE + LANES], who[DIGIT_SIDE + LANES];

    for (int h = 0; h < half; h++) {
        real *y = b->y + which * b->y_plane + h * b->y_wide;
        unsigned char *winner = b->winner + (which * half + h) * half;

        take_maxima(b->side, b->z + pixel(b, i, k) + 2 * h * b->wide, at, f.a,
                    f.shift, best, who);
        for (int w = 0; w < half; w++) {
            y[w] = best[2 * w];
            winner[w] = (unsigned char)who[2 * w];
        }
    }
}

/* normalize the channels of a part */
static void normalize(struct net *c, struct block *b, int part)
{
    real *mean = c->moments + (b == c->block ? 0 : 2 * c->m.c1);

    for (int k = first_of(b->out, part); k < first_of(b->out, part + 1); k++) {
        if (c->stats == c->moments)
            find_moments(c, b, k, &mean[k], &mean[b->out + k]);
        for (int i = 0; i < c->n; i++)
            maxima(b, i, k, norm_of(c, b, k));
    }
}

/* go forward through the head */
/* y[i][out] = w x[i] + bias of linear layer t, for the pictures of a part. */
static void linear(const struct net *c, enum tensors t, int part, const real *x,
                   real *y)
{
    int out = c->m.tensor[t].shape[0], in = c->m.tensor[t].shape[1];
    const real *w = c->w + c->m.tensor[t].at;
    const real *bias = c->w + c->m.tensor[t + 1].at;

    for (int k = 0; k < out; k++)
        for (int i = first_of(c->n, part); i < first_of(c->n, part + 1); i++)
            y[i * out + k] =
                bias[k] + dot(in, w + (size_t)k * in, x + (size_t)i * in);
}

static void head(struct net *c, struct block *b, int part)
{
    int first = first_of(c->n, part), end = first_of(c->n, part + 1);

    linear(c, FC1_W, part, b->y, c->h);
    for (int k = first * c->m.hidden; k < end * c->m.hidden; k++)
        c->h[k] = c->h[k] <= 0 ? 0 : c->h[k];
    linear(c, FC2_W, part, c->h, c->o);
}

/* go forward */
void net_forward(struct net *c, int training)
{
    c->stats = training ? c->moments : c->w + c->m.count;
    for (int i = 0; i < 2; i++) {
        run(c, &c->block[i], convolve);
        run(c, &c->block[i], normalize);
    }
    run(c, &c->block[1], head);
}

/* measure the loss */
double net_loss(struct net *c)
{
    double loss = 0;

    for (int i = 0; i < c->n; i++) {
        const real *o = c->o + i * DIGIT_KINDS;
        real *d = c->dout + i * DIGIT_KINDS;
        double most = o[0], sum = 0;

        for (int k = 1; k < DIGIT_KINDS; k++)
            most = fmax(most, o[k]);
        for (int k = 0; k < DIGIT_KINDS; k++)
            sum += exp(o[k] - most);
        for (int k = 0; k < DIGIT_KINDS; k++)
            d[k] = (real)((exp(o[k] - most) / sum - (k == c->label[i])) / c->n);
        loss += log(sum) - (o[c->label[i]] - most);
    }
    return loss / c->n;
}

/* go back through the head */
static const size_t alone[] = {0}; /* a linear layer has one tap */

/* dx[i] = the sum of the rows of w, each times its dy[i]. */
static void linear_back(const struct net *c, enum tensors t, int part,
                        const real *dy, real *dx)
{
    int out = c->m.tensor[t].shape[0], in = c->m.tensor[t].shape[1];
    int first = first_of(c->n, part);
    struct rows s = {.count = out,
                     .taps = 1,
                     .sums = first_of(c->n, part + 1) - first,
                     .x = c->w + c->m.tensor[t].at,
                     .c = dy + (size_t)first * out,
                     .y = dx + (size_t)first * in,
                     .at = alone,
                     .next = (size_t)in,
                     .next_k = (size_t)out,
                     .next_c = 1};

    add_rows(&s, in);
}

static void head_back(struct net *c, struct block *b, int part)
{
    int first = first_of(c->n, part), end = first_of(c->n, part + 1);

    linear_back(c, FC2_W, part, c->dout, c->dh);
    for (int k = first * c->m.hidden; k < end * c->m.hidden; k++)
        c->dh[k] = c->h[k] > 0 ? c->dh[k] : 0;
    linear_back(c, FC1_W, part, c->dh, b->dy);
}

/* find the gradients of the head */
/* dw[k] = the sum of all x[i], each times dy[i][k], for the k of a part. */
static void linear_gradient(const struct net *c, enum tensors t, int part,
                            const real *x, const real *dy)
{
    int out = c->m.tensor[t].shape[0], in = c->m.tensor[t].shape[1];
    int first = first_of(out, part), end = first_of(out, part + 1);
    real *db = c->g + c->m.tensor[t + 1].at;
    struct rows s = {.count = c->n,
                     .taps = 1,
                     .sums = end - first,
                     .x = x,
                     .c = dy + first,
                     .y = c->g + c->m.tensor[t].at + (size_t)first * in,
                     .at = alone,
                     .next = (size_t)in,
                     .next_k = 1,
                     .next_c = out};

    add_rows(&s, in);
    for (int k = first; k < end; k++) {
        db[k] = 0;
        for (int i = 0; i < c->n; i++)
            db[k] += dy[i * out + k];
    }
}

static void head_gradient(struct net *c, struct block *b, int part)
{
    linear_gradient(c, FC1_W, part, b->y, c->dh);
    linear_gradient(c, FC2_W, part, c->h, c->dout);
}

/* go back to the winners */
/* Adds what comes back to the bias's and scale's gradients; or, with these,
   to dz. */
static void winners(const struct block *b, int i, int k, struct norm f,
                    double *dbias, double *dscale, real *dz)
{
    int half = b->side / 2, at[4] = {0, 1, b->wide, b->wide + 1};
    size_t which = (size_t)i * b->out + k;
    const real *z = b->z + pixel(b, i, k);

    for (int h = 0; h < half; h++)
        for (int w = 0; w < half; w++) {
            int who = b->winner[(which * half + h) * half + w];
            real d = b->dy[which * b->y_plane + h * b->y_wide + w];
            int p = 2 * h * b->wide + 2 * w + at[who & 3];

            if (who == 4)
                continue;
            if (dz) {
                dz[p] += f.a * d;
            } else {
                *dbias += d;
                *dscale += d * (z[p] - f.mean) * f.r;
            }
        }
}

/* find the gradient before the normalization */
static void norm_back(struct net *c, const struct block *b, int k)
{
    real *dscale = c->g + c->m.tensor[b->weight + 1].at + k, dz_z, dz_1;
    double count = (double)c->n * b->side * b->side, scale = 0, bias = 0;
    struct norm f = norm_of(c, b, k);

    for (int i = 0; i < c->n; i++)
        winners(b, i, k, f, &bias, &scale, NULL);
    dscale[0] = (real)scale;
    dscale[b->out] = (real)bias;
    dz_z = (real)(-f.a * f.r * scale / count);
    dz_1 = (real)(-f.a * bias / count) - dz_z * f.mean;
    for (int i = 0; i < c->n; i++) {
        size_t at = pixel(b, i, k);

        put_line(b->side * b->wide, b->z + at, b->inside, dz_z, dz_1,
                 b->dz + at);
        winners(b, i, k, f, NULL, NULL, b->dz + at);
    }
}

/* find the gradient of the filters */
static void block_back(struct net *c, struct block *b, int part)
{
    real *dw = c->g + c->m.tensor[b->weight].at;
    lanes sum[9 * WIDTH_MOST];

    for (int k = first_of(b->out, part); k < first_of(b->out, part + 1); k++) {
        norm_back(c, b, k);
        memset(sum, 0, 9 * (size_t)b->in * sizeof *sum);
        for (int i = 0; i < c->n; i++)
            for (int j = 0; j < b->in; j++)
                add_products(b->side * b->wide, b->dz + pixel(b, i, k),
                             b->x + ((size_t)i * b->in + j) * b->plane, b->at,
                             sum + 9 * j);
        for (int t = 0; t < 9 * b->in; t++)
            dw[(size_t)9 * b->in * k + t] = total(&sum[t]);
    }
}

/* convolve back */
static void convolve_back(struct net *c, struct block *b, int part)
{
    size_t plane = (size_t)b->plane, row = (size_t)9 * b->in;
    struct rows s = {.count = b->out,
                     .taps = 9,
                     .sums = b->in,
                     .c = c->w + c->m.tensor[b->weight].at + 8,
                     .at = b->at,
                     .next = plane,
                     .next_k = 9,
                     .next_c = (ptrdiff_t)row,
                     .next_tap = -1};

    for (int i = first_of(c->n, part); i < first_of(c->n, part + 1); i++) {
        s.x = b->dz + i * b->out * plane;
        s.y = b->dx + i * b->in * plane + b->wide + 1;
        add_rows(&s, b->side * b->wide);
    }
}

/* go back */
void net_backward(struct net *c)
{
    run(c, &c->block[1], head_back);
    run(c, &c->block[1], head_gradient);
    run(c, &c->block[1], block_back);
    run(c, &c->block[1], convolve_back);
    run(c, &c->block[0], block_back);
}

/* load a batch */
void net_load(struct net *c, const struct digits *d, const int *order,
              int first, int n)
{
    const struct block *b = &c->block[0];
    real *x = b->x + b->wide + 1;

    CHECK(n >= 1 && n <= c->batch, "%d pictures; 1 to %d", n, c->batch);
    c->n = n;
    digits_batch(d, order, first, n, c->pixels, c->label);
    for (int i = 0; i < n * DIGIT_SIDE; i++) /* row after row */
        for (int p = 0; p < DIGIT_SIDE; p++)
            x[i / DIGIT_SIDE * b->plane + i % DIGIT_SIDE * b->wide + p] =
                c->pixels[i * DIGIT_SIDE + p];
}

/* take a step */
double net_step(struct net *c, const struct digits *d, const int *order,
                int first, int n, real lr)
{
    double loss;

    net_load(c, d, order, first, n);
    net_forward(c, 1);
    loss = net_loss(c);
    net_backward(c);
    for (size_t i = 0; i < c->m.count; i++)
        c->w[i] -= lr * c->g[i];
    return loss;
}

/* go through an epoch */
double net_epoch(struct net *c, const struct digits *d, const int *order,
                 int batch, real lr)
{
    int steps = d->count / batch;
    double sum = 0;

    for (int s = 0; s < steps; s++)
        sum += net_step(c, d, order, s * batch, batch, lr);
    return sum / steps;
}

/* open and close the network */

/* make room */
static real *room(struct net *c, size_t count)
{
    CHECK(c->rooms < 32, "more than 32 arrays");
    return c->room[c->rooms++] = check_alloc(count + SPAN, sizeof(real));
}

static void open_block(struct net *c, struct block *b, int side, int in,
                       int out)
{
    int wide = side + 2;
    size_t n = (size_t)c->batch, plane = (size_t)wide * wide;

    *b = (struct block){
        .side = side, .in = in, .out = out, .wide = wide, .plane = wide * wide};
    b->x = room(c, n * in * plane);
    b->dx = room(c, n * in * plane);
    b->z = room(c, n * out * plane);
    b->dz = room(c, n * out * plane);
    b->winner = (unsigned char *)room(c, n * out * side * side / 4);
    b->inside = room(c, plane);
    for (int i = 0; i < side * side; i++)
        b->inside[i / side * wide + i % side] = 1;
    for (int t = 0; t < 9; t++)
        b->at[t] = (size_t)(t / 3 * wide + t % 3);
}

struct net *net_open(const struct model *m, int batch, int threads)
{
    struct net *c = check_alloc(1, sizeof *c);
    struct block *a = &c->block[0], *b = &c->block[1];
    size_t n = (size_t)batch, flat = (size_t)49 * m->c2;

    CHECK(batch >= 1 && threads >= 1 && threads <= PARTS,
          "%d pictures, %d threads", batch, threads);
    c->m = *m;
    c->batch = batch;
    c->threads = threads;
    c->w = room(c, m->total);
    c->g = room(c, m->count);
    c->moments = room(c, m->total - m->count);
    open_block(c, a, DIGIT_SIDE, 1, m->c1);
    open_block(c, b, DIGIT_SIDE / 2, m->c1, m->c2);
    a->weight = CONV1_W;
    b->weight = CONV2_W;
    a->y = b->x + b->wide + 1; /* what one block gives is what the next gets */
    a->dy = b->dx + b->wide + 1;
    a->y_wide = b->wide;
    a->y_plane = b->plane;
    b->y = room(c, n * flat);
    b->dy = room(c, n * flat);
    b->y_wide = 7;
    b->y_plane = 49;
    c->h = room(c, n * m->hidden);
    c->dh = room(c, n * m->hidden);
    c->o = room(c, n * DIGIT_KINDS);
    c->dout = room(c, n * DIGIT_KINDS);
    c->pixels = (float *)room(c, n * DIGIT_PIXELS);
    c->label = (int *)room(c, n);
    return c;
}

void net_close(struct net *c)
{
    for (int i = 0; i < c->rooms; i++)
        free(c->room[i]);
    free(c);
}
