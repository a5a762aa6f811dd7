#include <math.h>
#include <pthread.h>

#include "mnist/cpu.h"
#include "mnist/product.h"
#include "tour/check.h"

#define EPSILON ((real)1e-5) /* as PyTorch's */
#ifdef REAL_DOUBLE
#define EXP exp
#define LOG log
#else
#define EXP expf
#define LOG logf
#endif

/* divide into parts */
enum { PARTS = 8 };

/* Where a part begins in n things; it ends where the next begins. */
static int first_of(int n, int part)
{
    return (int)((int64_t)n * part / PARTS);
}

/* hold a block */
struct block {
    int side, in, out;          /* the picture's side; channels, padded */
    size_t weight, scale, bias; /* where they are in w and in the gradient */
    real *x;                    /* [batch][side + 2][side + 2][in], a border */
    real *z, *dz;               /* after the convolution; dz has a border */
    unsigned char *winner;      /* of each cell of 2 x 2: 0 to 3, or 4: none */
    struct places y, dy;        /* of the maximum; places of one picture ... */
    size_t next_y, next_dy;     /* ... and how far it is to the next */
    real *wt;                   /* the weights, turned */
    real *mean, *var;           /* of the batch or the model: [2][out] */
    real *r, *a, *b;            /* r = 1 / sqrt(var + eps), y = a z + b */
    real *dz_z, *dz_1;          /* dz = a dy + dz_z z + dz_1 */
    real *part;                 /* [PARTS][2][out]: sums over a part */
    real *dw;                   /* [PARTS][9 * in][out]: likewise */
};

/* hold a network */
struct cpu {
    struct model m;
    int batch, threads, n, training;
    size_t count; /* numbers in w and in g, padded */
    real *w, *g, *stats;
    struct block block[2];
    size_t fc1, bias1, fc2, bias2;
    int flat, hidden, digits;         /* sizes of the head, padded */
    real *f, *df, *h, *dh, *o, *dout; /* [batch][flat], [hidden], [digits] */
    real *wt1, *wt2;                  /* weights of the head, turned */
    const float *x;                   /* of this call */
    const int *label;
    double loss[PARTS];
    real *array[32]; /* all that was allocated */
    int arrays;
};

/* run a phase */
struct worker {
    struct cpu *c;
    void (*phase)(struct cpu *c, int part);
    int id;
    pthread_t thread;
};

static void *work(void *arg)
{
    struct worker *me = (struct worker *)arg;

    for (int part = me->id; part < PARTS; part += me->c->threads)
        me->phase(me->c, part);
    return NULL;
}

static void run(struct cpu *c, void (*phase)(struct cpu *c, int part))
{
    struct worker w[PARTS] = {{.c = c, .phase = phase}};

    for (int t = 1; t < c->threads; t++) {
        w[t] = (struct worker){.c = c, .phase = phase, .id = t};
        CHECK(pthread_create(&w[t].thread, NULL, work, &w[t]) == 0,
              "no thread number %d", t);
    }
    work(&w[0]);
    for (int t = 1; t < c->threads; t++)
        pthread_join(w[t].thread, NULL);
}

/* convolve a picture */
static struct patches patches_of(const struct block *b, const real *x, int ch)
{
    int wide = b->side + 2;
    struct patches a = {x,          b->side, b->side, (size_t)wide * ch,
                        (size_t)ch, 3,       3 * ch,  (size_t)wide * ch};

    return a;
}

static void convolve(struct cpu *c, struct block *b, int i)
{
    size_t x = (size_t)(b->side + 2) * (b->side + 2) * b->in;
    size_t z = (size_t)b->side * b->side * b->out;
    struct patches a = patches_of(b, b->x + i * x, b->in);
    struct places into = {b->z + i * z, (size_t)b->side * b->out,
                          (size_t)b->out};

    memset(into.y, 0, z * sizeof *into.y);
    product(&a, c->w + b->weight, b->out, &into);
}

/* collect the moments of a picture */
/* Merges (mean, m2) of `more` numbers into those of `count`. */
static void merge(real *mean, real *m2, double count, real mean2, real m22,
                  double more)
{
    real d = mean2 - *mean, share = (real)(more / (count + more));

    *mean += d * share;
    *m2 += m22 + d * d * share * (real)count;
}

CLONES static void moments(const real *z, int pixels, int ch, real *mean,
                           real *m2)
{
    for (int k = 0; k < ch; k += LANES) {
        lanes sum = {0}, square = {0};

        for (int p = 0; p < pixels; p++)
            sum += *(const lanes *)(z + (size_t)p * ch + k);
        sum /= (real)pixels;
        for (int p = 0; p < pixels; p++) {
            lanes d = *(const lanes *)(z + (size_t)p * ch + k) - sum;

            square += d * d;
        }
        *(lanes *)(mean + k) = sum;
        *(lanes *)(m2 + k) = square;
    }
}

/* convolve a part */
static void convolve_part(struct cpu *c, struct block *b, int part)
{
    int first = first_of(c->n, part), end = first_of(c->n, part + 1);
    int pixels = b->side * b->side;
    real *mean = b->part + (size_t)part * 2 * b->out, *m2 = mean + b->out;
    real picture[2 * 2 * MODEL_WIDTH_MOST];

    memset(mean, 0, 2 * (size_t)b->out * sizeof *mean);
    for (int i = first; i < end; i++) {
        convolve(c, b, i);
        moments(b->z + (size_t)i * pixels * b->out, pixels, b->out, picture,
                picture + b->out);
        for (int k = 0; k < b->out; k++)
            merge(&mean[k], &m2[k], (double)(i - first) * pixels, picture[k],
                  picture[b->out + k], pixels);
    }
}

/* finish the moments of a block */
static void finish_moments(struct cpu *c, struct block *b)
{
    int pixels = b->side * b->side;

    for (int k = 0; k < b->out; k++) {
        real *part = b->part + k, mean = 0, m2 = 0;

        for (int p = 0; p < PARTS; p++, part += 2 * b->out) {
            double count = (double)first_of(c->n, p) * pixels;
            double more = (double)first_of(c->n, p + 1) * pixels - count;

            if (more > 0)
                merge(&mean, &m2, count, part[0], part[b->out], more);
        }
        b->mean[k] = mean;
        b->var[k] = m2 / ((real)c->n * pixels);
    }
}
static void finish_block(struct cpu *c, struct block *b)
{
    const real *stats = c->stats + (b == c->block ? 0 : 2 * c->block[0].out);

    if (c->training)
        finish_moments(c, b);
    else
        memcpy(b->mean, stats, 2 * (size_t)b->out * sizeof *stats);
    /* make y = a z + b of a normalization */
    for (int k = 0; k < b->out; k++) {
        b->r[k] = 1 / (real)sqrt(b->var[k] + EPSILON);
        b->a[k] = c->w[b->scale + k] * b->r[k];
        b->b[k] = c->w[b->bias + k] - b->mean[k] * b->a[k];
    }
}

/* find a cell */
/* Where the numbers of cell (h, w) of picture i are. */
struct cell {
    size_t z[4]; /* of its four pixels, in b->z */
    real *y, *dy;
    unsigned char *winner;
};

static struct cell cell_of(const struct block *b, int i, int h, int w)
{
    size_t half = (size_t)b->side / 2, down = (size_t)b->side * b->out;
    size_t z = ((size_t)i * b->side + 2 * h) * down + (size_t)2 * w * b->out;
    struct cell cell = {{z, z + b->out, z + down, z + down + b->out},
                        b->y.y + i * b->next_y + h * b->y.down + w * b->y.step,
                        b->dy.y + i * b->next_dy + h * b->dy.down +
                            w * b->dy.step,
                        b->winner + ((i * half + h) * half + w) * b->out};

    return cell;
}

/* take the maximum of each cell */
static void normalise(const struct block *b, int i, int h, int w)
{
    struct cell cell = cell_of(b, i, h, w);

    for (int k = 0; k < b->out; k++) {
        real best = 0;
        unsigned char who = 4;

        for (int j = 0; j < 4; j++) {
            real v = b->a[k] * b->z[cell.z[j] + k] + b->b[k];

            who = v > best ? (unsigned char)j : who;
            best = v > best ? v : best;
        }
        cell.y[k] = best;
        cell.winner[k] = who;
    }
}

/* go through the cells of a part */
static void each_cell(struct cpu *c, const struct block *b, int part,
                      void (*visit)(const struct block *b, int i, int h, int w))
{
    for (int i = first_of(c->n, part); i < first_of(c->n, part + 1); i++)
        for (int h = 0; h < b->side / 2; h++)
            for (int w = 0; w < b->side / 2; w++)
                visit(b, i, h, w);
}

/* multiply through a linear layer */
/* y[n][out] = x[n][in] w[in][out] + bias; bias may be NULL. */
static void linear(int n, int in, int out, const real *x, const real *w,
                   const real *bias, real *y)
{
    struct patches a = {x, 1, n, 0, (size_t)in, 1, in, 0};
    struct places into = {y, 0, (size_t)out};

    for (int i = 0; i < n; i++)
        for (int k = 0; k < out; k++)
            y[(size_t)i * out + k] = bias ? bias[k] : 0;
    product(&a, w, out, &into);
}

/* go forward */
static void forward_1(struct cpu *c, int part)
{
    struct block *b = &c->block[0];
    int first = first_of(c->n, part), end = first_of(c->n, part + 1);

    for (int i = first; i < end; i++)
        for (int h = 0; h < MODEL_SIDE; h++)
            for (int w = 0; w < MODEL_SIDE; w++)
                b->x[((size_t)i * 30 + h + 1) * 30 + w + 1] =
                    c->x[((size_t)i * MODEL_SIDE + h) * MODEL_SIDE + w];
    convolve_part(c, b, part);
}

static void forward_2(struct cpu *c, int part)
{
    each_cell(c, &c->block[0], part, normalise);
    convolve_part(c, &c->block[1], part);
}
static void forward_3(struct cpu *c, int part)
{
    size_t i = (size_t)first_of(c->n, part);
    int n = first_of(c->n, part + 1) - (int)i;
    real *h = c->h + i * c->hidden;

    each_cell(c, &c->block[1], part, normalise);
    linear(n, c->flat, c->hidden, c->f + i * c->flat, c->w + c->fc1,
           c->w + c->bias1, h);
    for (int k = 0; k < n * c->hidden; k++)
        h[k] = h[k] > 0 ? h[k] : 0;
    linear(n, c->hidden, c->digits, h, c->w + c->fc2, c->w + c->bias2,
           c->o + i * c->digits);
}

void cpu_forward(struct cpu *c, int n, const float *x, int training)
{
    CHECK(n >= 1 && n <= c->batch, "%d pictures; 1 to %d", n, c->batch);
    c->n = n;
    c->x = x;
    c->training = training;
    /* run the phases forward */
    run(c, forward_1);
    finish_block(c, &c->block[0]);
    run(c, forward_2);
    finish_block(c, &c->block[1]);
    run(c, forward_3);
}

/* measure the loss */
static void loss_part(struct cpu *c, int part)
{
    c->loss[part] = 0;
    for (int i = first_of(c->n, part); i < first_of(c->n, part + 1); i++) {
        const real *o = c->o + (size_t)i * c->digits;
        real *d = c->dout + (size_t)i * c->digits, most = o[0], sum = 0;

        for (int k = 1; k < MODEL_DIGITS; k++)
            most = o[k] > most ? o[k] : most;
        for (int k = 0; k < MODEL_DIGITS; k++)
            sum += d[k] = EXP(o[k] - most);
        for (int k = 0; k < MODEL_DIGITS; k++)
            d[k] = (d[k] / sum - (k == c->label[i])) / c->n;
        c->loss[part] += LOG(sum) - (o[c->label[i]] - most);
    }
}

double cpu_loss(struct cpu *c, const int *label)
{
    double loss = 0;

    c->label = label;
    run(c, loss_part);
    for (int part = 0; part < PARTS; part++)
        loss += c->loss[part];
    return loss / c->n;
}

/* collect the sums of a block */
static void collect_part(struct cpu *c, const struct block *b, int part)
{
    real *dscale = b->part + (size_t)part * 2 * b->out;
    real *dbias = dscale + b->out;

    memset(dscale, 0, 2 * (size_t)b->out * sizeof *dscale);
    for (int i = first_of(c->n, part); i < first_of(c->n, part + 1); i++)
        for (int h = 0; h < b->side / 2; h++)
            for (int w = 0; w < b->side / 2; w++) {
                struct cell cell = cell_of(b, i, h, w);

                for (int k = 0; k < b->out; k++) {
                    int who = cell.winner[k];
                    real d = who < 4 ? cell.dy[k] : 0;
                    real z = b->z[cell.z[who & 3] + k];

                    dbias[k] += d;
                    dscale[k] += d * (z - b->mean[k]) * b->r[k];
                }
            }
}

/* go back through the head */
static void backward_1(struct cpu *c, int part)
{
    size_t i = (size_t)first_of(c->n, part);
    int n = first_of(c->n, part + 1) - (int)i;
    real *dh = c->dh + i * c->hidden, *h = c->h + i * c->hidden;

    linear(n, c->digits, c->hidden, c->dout + i * c->digits, c->wt2, NULL, dh);
    for (int k = 0; k < n * c->hidden; k++)
        dh[k] = h[k] > 0 ? dh[k] : 0;
    linear(n, c->hidden, c->flat, dh, c->wt1, NULL, c->df + i * c->flat);
    collect_part(c, &c->block[1], part);
}

/* find the gradients of the head */
/* Rows first..end of dw[in][out] from x[n][in], dy[n][out]. */
static void linear_gradient(int n, int in, int out, const real *x, real *dy,
                            int first, int end, real *dw)
{
    struct patches a = {x + first, 1, n, 0, (size_t)in, 1, end - first, 0};
    struct places d = {dy, 0, (size_t)out};

    memset(dw + (size_t)first * out, 0,
           (size_t)(end - first) * out * sizeof *dw);
    product_t(&a, &d, out, dw + (size_t)first * out);
}

static void bias_gradient(int n, int out, const real *dy, real *db)
{
    memset(db, 0, (size_t)out * sizeof *db);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < out; k++)
            db[k] += dy[(size_t)i * out + k];
}
static void backward_2(struct cpu *c, int part)
{
    linear_gradient(c->n, c->flat, c->hidden, c->f, c->dh,
                    first_of(c->flat, part), first_of(c->flat, part + 1),
                    c->g + c->fc1);
    linear_gradient(c->n, c->hidden, c->digits, c->h, c->dout,
                    first_of(c->hidden, part), first_of(c->hidden, part + 1),
                    c->g + c->fc2);
    if (part == 0) {
        bias_gradient(c->n, c->hidden, c->dh, c->g + c->bias1);
        bias_gradient(c->n, c->digits, c->dout, c->g + c->bias2);
    }
}

/* finish the sums of a block */
static void finish_sums(struct cpu *c, struct block *b)
{
    real count = (real)c->n * b->side * b->side;

    for (int k = 0; k < b->out; k++) {
        real dscale = 0, dbias = 0;

        for (int p = 0; p < PARTS; p++) {
            dscale += b->part[(size_t)(2 * p) * b->out + k];
            dbias += b->part[(size_t)(2 * p + 1) * b->out + k];
        }
        c->g[b->scale + k] = dscale;
        c->g[b->bias + k] = dbias;
        /* make two numbers of the sums over the batch */
        b->dz_z[k] = -b->a[k] * b->r[k] * dscale / count;
        b->dz_1[k] = -b->a[k] * dbias / count - b->dz_z[k] * b->mean[k];
    }
}

/* find the gradient before the normalization */
static void spread(const struct block *b, int i, int h, int w)
{
    struct cell cell = cell_of(b, i, h, w);
    size_t wide = (size_t)b->side + 2, down = wide * b->out;
    real *dz =
        b->dz + (i * wide + 2 * h + 1) * down + ((size_t)2 * w + 1) * b->out;
    size_t at[4] = {0, (size_t)b->out, down, down + b->out};

    for (int j = 0; j < 4; j++)
        for (int k = 0; k < b->out; k++)
            dz[at[j] + k] = b->dz_z[k] * b->z[cell.z[j] + k] + b->dz_1[k];
    for (int k = 0; k < b->out; k++)
        if (cell.winner[k] < 4)
            dz[at[cell.winner[k]] + k] += b->a[k] * cell.dy[k];
}

/* go back through a block */
static void filter_gradient(struct cpu *c, const struct block *b, int part)
{
    size_t wide = (size_t)b->side + 2, size = (size_t)9 * b->in * b->out;
    real *dw = b->dw + part * size;

    memset(dw, 0, size * sizeof *dw);
    for (int i = first_of(c->n, part); i < first_of(c->n, part + 1); i++) {
        struct patches a = patches_of(b, b->x + i * wide * wide * b->in, b->in);
        struct places d = {b->dz + (i * wide * wide + wide + 1) * b->out,
                           wide * b->out, (size_t)b->out};

        product_t(&a, &d, b->out, dw);
    }
}
static void input_gradient(struct cpu *c, const struct block *b,
                           const struct block *below, int part)
{
    size_t wide = (size_t)b->side + 2;

    for (int i = first_of(c->n, part); i < first_of(c->n, part + 1); i++) {
        struct patches a =
            patches_of(b, b->dz + i * wide * wide * b->out, b->out);
        struct places into = below->dy;

        into.y += i * below->next_dy;
        memset(into.y, 0, below->next_dy * sizeof *into.y);
        product(&a, b->wt, b->in, &into);
    }
}

static void backward_3(struct cpu *c, int part)
{
    each_cell(c, &c->block[1], part, spread);
    filter_gradient(c, &c->block[1], part);
    input_gradient(c, &c->block[1], &c->block[0], part);
    collect_part(c, &c->block[0], part);
}

static void backward_4(struct cpu *c, int part)
{
    each_cell(c, &c->block[0], part, spread);
    filter_gradient(c, &c->block[0], part);
}

/* go back */
static void backward_5(struct cpu *c, int part)
{
    for (int j = 0; j < 2; j++) {
        const struct block *b = &c->block[j];
        int size = 9 * b->in * b->out;
        int first = first_of(size, part), end = first_of(size, part + 1);

        for (int i = first; i < end; i++) {
            real sum = 0;

            for (int p = 0; p < PARTS; p++)
                sum += b->dw[(size_t)p * size + i];
            c->g[b->weight + i] = sum;
        }
    }
}

void cpu_backward(struct cpu *c)
{
    /* run the phases backward */
    run(c, backward_1);
    finish_sums(c, &c->block[1]);
    run(c, backward_2);
    run(c, backward_3);
    finish_sums(c, &c->block[0]);
    run(c, backward_4);
    run(c, backward_5);
}

/* update the weights */
static void turn_all(struct cpu *c)
{
    struct block *b = &c->block[1];

    turn(9, b->in, b->out, c->w + b->weight, b->wt);
    turn(1, c->flat, c->hidden, c->w + c->fc1, c->wt1);
    turn(1, c->hidden, c->digits, c->w + c->fc2, c->wt2);
}

void cpu_update(struct cpu *c, real lr)
{
    for (size_t i = 0; i < c->count; i++)
        c->w[i] -= lr * c->g[i];
    turn_all(c);
}

/* find the place of a number */
/* Where number i of tensor t of the model is in w, for t < MODEL_LEARNED. */
static size_t place(const struct cpu *c, int t, size_t i)
{
    const struct block *b = c->block;
    int c1 = b[0].out, c2 = b[1].out;
    const struct {
        size_t at;
        int in, taps, in_padded, out_padded;
    } row[MODEL_LEARNED] =
        {
            {b[0].weight, 1, 9, 1, c1},
            {b[0].scale, 1, 1, 1, c1},
            {b[0].bias, 1, 1, 1, c1},
            {b[1].weight, c->m.c1, 9, c1, c2},
            {b[1].scale, 1, 1, 1, c2},
            {b[1].bias, 1, 1, 1, c2},
            {c->fc1, c->m.c2, 49, c2, c->hidden},
            {c->bias1, 1, 1, 1, c->hidden},
            {c->fc2, c->m.hidden, 1, c->hidden, c->digits},
            {c->bias2, 1, 1, 1, c->digits},
        },
      *r = &row[t];
    size_t tap = i % r->taps, in = i / r->taps % r->in;
    size_t out = i / r->taps / r->in;

    return r->at + (tap * r->in_padded + in) * r->out_padded + out;
}

/* find the statistics */
/* The statistics that evaluation uses: means and variances of block 0, then
   those of block 1, padded. Tensor t of the model. */
static real *stats_of(const struct cpu *c, int t)
{
    int first = c->block[0].out;
    int at[] = {0, first, 2 * first, 2 * first + c->block[1].out};

    return c->stats + at[t - MODEL_LEARNED];
}

/* take numbers in and out */
void cpu_set(struct cpu *c, const real *w)
{
    memset(c->w, 0, c->count * sizeof *c->w);
    for (int t = 0; t < MODEL_LEARNED; t++)
        for (size_t i = 0; i < c->m.tensor[t].count; i++)
            c->w[place(c, t, i)] = w[c->m.tensor[t].at + i];
    for (int t = MODEL_LEARNED; t < MODEL_TENSORS; t++)
        memcpy(stats_of(c, t), w + c->m.tensor[t].at,
               c->m.tensor[t].count * sizeof *w);
    turn_all(c);
}

void cpu_get(const struct cpu *c, real *w)
{
    for (int t = 0; t < MODEL_LEARNED; t++)
        for (size_t i = 0; i < c->m.tensor[t].count; i++)
            w[c->m.tensor[t].at + i] = c->w[place(c, t, i)];
    for (int t = MODEL_LEARNED; t < MODEL_TENSORS; t++)
        memcpy(w + c->m.tensor[t].at, stats_of(c, t),
               c->m.tensor[t].count * sizeof *w);
}
void cpu_gradient(const struct cpu *c, real *grad)
{
    for (int t = 0; t < MODEL_LEARNED; t++)
        for (size_t i = 0; i < c->m.tensor[t].count; i++)
            grad[c->m.tensor[t].at + i] = c->g[place(c, t, i)];
}

void cpu_logits(const struct cpu *c, real *logits)
{
    for (int i = 0; i < c->n; i++)
        memcpy(logits + (size_t)i * MODEL_DIGITS, c->o + (size_t)i * c->digits,
               MODEL_DIGITS * sizeof *logits);
}

void cpu_moments(const struct cpu *c, real *mean, real *var)
{
    size_t first = c->m.c1 * sizeof *mean, second = c->m.c2 * sizeof *mean;

    memcpy(mean, c->block[0].mean, first);
    memcpy(mean + c->m.c1, c->block[1].mean, second);
    memcpy(var, c->block[0].var, first);
    memcpy(var + c->m.c1, c->block[1].var, second);
}

/* make room for a block */
static real *room(struct cpu *c, size_t count)
{
    real *p = (real *)check_alloc(count, sizeof *p);

    CHECK(c->arrays < 32, "more than 32 arrays");
    return c->array[c->arrays++] = p;
}

static void open_block(struct cpu *c, struct block *b, int side, int in,
                       int out)
{
    size_t batch = (size_t)c->batch, pixels = (size_t)side * side;
    size_t border = (size_t)(side + 2) * (side + 2);
    size_t winners = batch * pixels / 4 * out;
    real **each[] = {&b->mean, &b->var,  &b->r,   &b->a,
                     &b->b,    &b->dz_z, &b->dz_1};
    real *some = room(c, (size_t)7 * out);

    /* note the sizes of a block and where its weights are */
    b->side = side;
    b->in = in;
    b->out = out;
    b->weight = c->count;
    b->scale = b->weight + (size_t)9 * in * out;
    b->bias = b->scale + out;
    c->count = b->bias + out;
    b->x = room(c, batch * border * in);
    b->z = room(c, batch * pixels * out);
    b->dz = room(c, batch * border * out);
    b->winner = (unsigned char *)room(c, winners / sizeof(real) + 1);
    b->wt = room(c, (size_t)9 * in * out);
    for (int i = 0; i < 7; i++)
        *each[i] = some + i * out;
    b->part = room(c, (size_t)PARTS * 2 * out);
    b->dw = room(c, (size_t)PARTS * 9 * in * out);
}

/* make room for the head */
static void open_head(struct cpu *c)
{
    size_t batch = (size_t)c->batch;

    c->flat = 49 * c->block[1].out;
    c->hidden = lanes_up(c->m.hidden);
    c->digits = lanes_up(MODEL_DIGITS);
    c->fc1 = c->count;
    c->bias1 = c->fc1 + (size_t)c->flat * c->hidden;
    c->fc2 = c->bias1 + c->hidden;
    c->bias2 = c->fc2 + (size_t)c->hidden * c->digits;
    c->count = c->bias2 + c->digits;
    c->w = room(c, c->count);
    c->g = room(c, c->count);
    c->stats = room(c, (size_t)2 * (c->block[0].out + c->block[1].out));
    c->f = room(c, batch * c->flat);
    c->df = room(c, batch * c->flat);
    c->h = room(c, batch * c->hidden);
    c->dh = room(c, batch * c->hidden);
    c->o = room(c, batch * c->digits);
    c->dout = room(c, batch * c->digits);
    c->wt1 = room(c, (size_t)c->flat * c->hidden);
    c->wt2 = room(c, (size_t)c->hidden * c->digits);
}

/* join the blocks */
static void join(struct cpu *c)
{
    struct block *a = &c->block[0], *b = &c->block[1];
    size_t c1 = (size_t)a->out, c2 = (size_t)b->out;

    a->y = (struct places){b->x + (16 + 1) * c1, 16 * c1, c1};
    a->next_y = 16 * 16 * c1;
    a->next_dy = 14 * 14 * c1;
    a->dy = (struct places){room(c, c->batch * a->next_dy), 14 * c1, c1};
    b->y = (struct places){c->f, 7 * c2, c2};
    b->dy = (struct places){c->df, 7 * c2, c2};
    b->next_y = b->next_dy = (size_t)c->flat;
}

/* open and close the network */
struct cpu *cpu_open(const struct model *m, int batch, int threads)
{
    struct cpu *c = (struct cpu *)check_alloc(1, sizeof *c);

    CHECK(batch >= 1 && threads >= 1 && threads <= PARTS,
          "%d pictures, %d threads", batch, threads);
    c->m = *m;
    c->batch = batch;
    c->threads = threads;
    open_block(c, &c->block[0], MODEL_SIDE, 1, lanes_up(m->c1));
    open_block(c, &c->block[1], MODEL_SIDE / 2, lanes_up(m->c1),
               lanes_up(m->c2));
    open_head(c);
    join(c);
    return c;
}

void cpu_close(struct cpu *c)
{
    for (int i = 0; i < c->arrays; i++)
        free(c->array[i]);
    free(c);
}
