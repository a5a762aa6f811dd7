#include <stdlib.h>

#include "mnist/train.h"
#include "tour/check.h"

/* put the statistics into the model */
static void put_statistics(const struct model *m, const double *mean,
                           const double *var, float *w)
{
    for (int t = MODEL_LEARNED; t < MODEL_TENSORS; t++) {
        const double *from = (t - MODEL_LEARNED) % 2 ? var : mean;

        if (t >= MODEL_LEARNED + 2)
            from += m->c1;
        for (size_t i = 0; i < m->tensor[t].count; i++)
            w[m->tensor[t].at + i] = (float)from[i];
    }
}

/* take the statistics in one pass */
/* Merges a batch's moments of `more` pictures into those of `count`. */
static void merge_moments(int channels, double count, double more,
                          const float *mean, const float *var, double *m,
                          double *v)
{
    double share = more / (count + more);

    for (int k = 0; k < channels; k++) {
        double d = mean[k] - m[k];

        m[k] += d * share;
        v[k] += (var[k] - v[k]) * share + d * d * share * (1 - share);
    }
}
void train_calibrate(const struct path *path, void *net, const struct model *m,
                     int count, int batch, float *w)
{
    int channels = m->c1 + m->c2;
    float *mean = (float *)check_alloc(2 * (size_t)channels, sizeof *mean);
    double *sum = (double *)check_alloc(2 * (size_t)channels, sizeof *sum);

    for (int first = 0; first < count; first += batch) {
        int n = first + batch < count ? batch : count - first;

        path->forward(net, first, n);
        path->moments(net, mean, mean + channels);
        merge_moments(channels, first, n, mean, mean + channels, sum,
                      sum + channels);
    }
    path->get(net, w);
    put_statistics(m, sum, sum + channels, w);
    path->set(net, w);
    free(mean);
    free(sum);
}

/* keep running averages */
void running_begin(struct running *r)
{
    for (int k = 0; k < 3 * MODEL_WIDTH_MOST; k++) {
        r->mean[k] = 0;
        r->var[k] = 1;
    }
}

void running_step(struct running *r, const struct path *path, void *net,
                  const struct model *m, int n)
{
    float mean[3 * MODEL_WIDTH_MOST], var[3 * MODEL_WIDTH_MOST];

    path->moments(net, mean, var);
    for (int k = 0; k < m->c1 + m->c2; k++) {
        double count = (double)n * (k < m->c1 ? 784 : 196);

        r->mean[k] += 0.1 * (mean[k] - r->mean[k]);
        r->var[k] += 0.1 * (var[k] * count / (count - 1) - r->var[k]);
    }
}

void running_put(const struct running *r, const struct model *m, float *w)
{
    put_statistics(m, r->mean, r->var, w);
}

/* count the answers of a batch */
int train_count(int n, const float *logits, const unsigned char *label,
                unsigned char *answer)
{
    int right = 0;

    for (int i = 0; i < n; i++) {
        const float *o = logits + i * MODEL_DIGITS;
        int best = 0;

        for (int k = 1; k < MODEL_DIGITS; k++)
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
    float *logits =
        (float *)check_alloc((size_t)batch * MODEL_DIGITS, sizeof *logits);
    int right = 0;

    for (int first = 0; first < d->count; first += batch) {
        int n = first + batch < d->count ? batch : d->count - first;

        path->logits(net, test, first, n, logits);
        right += train_count(n, logits, d->labels + first,
                             answer ? answer + first : NULL);
    }
    free(logits);
    return right;
}
