#include <stdlib.h>
#include <string.h>

#include "mnist/train.h"
#include "tour/check.h"

/* hold what the CPU's path needs */
struct reference {
    struct net *c;
    const struct digits *part[2]; /* training and test digits */
    const int *order;
    float loss[PATH_SLOTS];
};

static void *open_cpu(const struct model *m, const struct digits *train,
                      const struct digits *test, int batch, int threads)
{
    struct reference *r = check_alloc(1, sizeof *r);

    r->c = net_open(m, batch, threads);
    r->part[0] = train;
    r->part[1] = test;
    return r;
}

static void close_cpu(void *net)
{
    net_close(((struct reference *)net)->c);
    free(net);
}

/* hand numbers in and out */
static void set_cpu(void *net, const float *w)
{
    struct net *c = ((struct reference *)net)->c;

    memcpy(c->w, w, c->m.total * sizeof *w);
}

static void get_cpu(void *net, float *w)
{
    const struct net *c = ((struct reference *)net)->c;

    memcpy(w, c->w, c->m.total * sizeof *w);
}

static void order_cpu(void *net, const int *order)
{
    ((struct reference *)net)->order = order;
}

static void step_cpu(void *net, int first, int n, float lr, int slot)
{
    struct reference *r = net;

    r->loss[slot] = (float)net_step(r->c, r->part[0], r->order, first, n, lr);
}

static void losses_cpu(void *net, int count, float *loss)
{
    memcpy(loss, ((struct reference *)net)->loss, (size_t)count * sizeof *loss);
}

static void measure_cpu(void *net, int first, int n, float *moments)
{
    struct reference *r = net;

    if (n > 0) {
        net_load(r->c, r->part[0], r->order, first, n);
        net_forward(r->c, 1);
    }
    memcpy(moments, r->c->moments,
           (r->c->m.total - r->c->m.count) * sizeof *moments);
}

static void answers_cpu(void *net, int test, int first, int n, float *o)
{
    struct reference *r = net;

    net_load(r->c, r->part[test], NULL, first, n);
    net_forward(r->c, 0);
    memcpy(o, r->c->o, (size_t)n * DIGIT_KINDS * sizeof *o);
}

/* name the CPU's path */
const struct path path_reference = {.name = "reference",
                                    .group = 1,
                                    .open = open_cpu,
                                    .close = close_cpu,
                                    .set = set_cpu,
                                    .get = get_cpu,
                                    .order = order_cpu,
                                    .step = step_cpu,
                                    .losses = losses_cpu,
                                    .measure = measure_cpu,
                                    .answers = answers_cpu};

void train_put(const struct model *m, const double *s, float *w)
{
    for (size_t i = m->count; i < m->total; i++)
        w[i] = (float)s[i - m->count];
}

/* merge the moments of batches */
/* Merges a batch's moments of `more` pictures into those of `count`. */
static void merge_moments(const struct tensor *mean, double count, double more,
                          const float *batch, double *all)
{
    size_t var = mean->count; /* they follow the means */
    double share = more / (count + more);

    for (size_t k = 0; k < mean->count; k++) {
        double d = batch[k] - all[k];

        all[k] += d * share;
        all[var + k] += (batch[var + k] - all[var + k]) * share +
                        d * d * share * (1 - share);
    }
}

/* take the statistics in one pass */
void train_calibrate(const struct path *path, void *net, const struct model *m,
                     int count, int batch, float *w)
{
    size_t numbers = m->total - m->count;
    float *moments = check_alloc(numbers, sizeof *moments);
    double *all = check_alloc(numbers, sizeof *all);

    for (int first = 0; first < count; first += batch) {
        int n = first + batch < count ? batch : count - first;

        path->measure(net, first, n, moments);
        for (int t = BN1_MEAN; t <= BN2_MEAN; t += 2) {
            size_t at = m->tensor[t].at - m->count;

            merge_moments(&m->tensor[t], first, n, moments + at, all + at);
        }
    }
    path->get(net, w);
    train_put(m, all, w);
    path->set(net, w);
    free(moments);
    free(all);
}

void train_run(const struct path *path, void *net, const struct model *m, int n,
               double *s)
{
    float batch[6 * WIDTH_MOST];

    path->measure(net, 0, 0, batch);
    for (int t = BN1_MEAN; t < TENSORS; t++) {
        double count = (double)n * (t < BN2_MEAN ? 784 : 196);
        double by = t == BN1_MEAN || t == BN2_MEAN ? 1 : count / (count - 1);
        size_t at = m->tensor[t].at - m->count;

        for (size_t k = at; k < at + m->tensor[t].count; k++)
            s[k] += 0.1 * (batch[k] * by - s[k]);
    }
}

int train_count(int n, const float *o, const unsigned char *label,
                unsigned char *answer)
{
    int right = 0;

    for (int i = 0; i < n; i++, o += DIGIT_KINDS) {
        int best = 0;

        for (int k = 1; k < DIGIT_KINDS; k++)
            best = o[k] > o[best] ? k : best;
        right += best == label[i];
        if (answer)
            answer[i] = (unsigned char)best;
    }
    return right;
}

/* count right answers */
int train_right(const struct path *path, void *net, const struct digits *d,
                int test, int batch, unsigned char *answer)
{
    float *o = check_alloc((size_t)batch * DIGIT_KINDS, sizeof *o);
    int right = 0;

    for (int first = 0; first < d->count; first += batch) {
        int n = first + batch < d->count ? batch : d->count - first;

        path->answers(net, test, first, n, o);
        right += train_count(n, o, d->labels + first,
                             answer ? answer + first : NULL);
    }
    free(o);
    return right;
}
