/* neurons.h: a multilayer perceptron on a tape, neuron by neuron. The first
   mlp_count(s) nodes of the tape are its parameters. C11. */
#ifndef GRAD_NEURONS_H
#define GRAD_NEURONS_H

#include "grad/mlp.h"
#include "grad/tape.h"
#include "random/shuffle.h"

/* An empty tape gets the first parameters. */
static inline void neurons_begin(struct tape *t, const struct mlp *s,
                                 uint64_t seed)
{
    double *p = (double *)check_alloc(mlp_count(s), sizeof *p);

    mlp_init(s, p, seed);
    for (size_t i = 0; i < mlp_count(s); i++)
        tape_leaf(t, p[i]);
    free(p);
}

/* compute one neuron */
/* The sum of bias and weights (size of them, from node `weight` on) times x. */
static inline int neuron(struct tape *t, int size, int weight, int bias,
                         const int *x)
{
    int sum = bias;

    for (int i = 0; i < size; i++)
        sum = tape_add(t, sum, tape_mul(t, weight + i, x[i]));
    return sum;
}

/* compute the output for one point */
enum { NEURONS_MOST = 64 }; /* in a layer */

/* The node of the first output for the input x[0..s->size[0]). */
static inline int neurons_output(struct tape *t, const struct mlp *s,
                                 const double *x)
{
    int in[NEURONS_MOST], out[NEURONS_MOST];

    for (int i = 0; i < s->size[0]; i++)
        in[i] = tape_leaf(t, x[i]);
    for (int l = 0; l < s->layers; l++) {
        int n = s->size[l], m = s->size[l + 1];
        int weight = (int)mlp_weights(s, l), bias = (int)mlp_biases(s, l);

        CHECK(n <= NEURONS_MOST && m <= NEURONS_MOST, "%d to %d", n, m);
        for (int j = 0; j < m; j++) {
            out[j] = neuron(t, n, weight + j * n, bias + j, in);
            if (l + 1 < s->layers)
                out[j] = tape_relu(t, out[j]);
        }
        memcpy(in, out, sizeof in);
    }
    return in[0];
}

/* add up the gradient point by point */
/* The mean squared error over points order[0..n) of m, or 0..n if order is
   NULL; its gradient is in the grads of the parameters. */
static inline double neurons_gradient(struct tape *t, const struct mlp *s,
                                      int n, const int *order,
                                      const struct moons *m)
{
    int parameters = (int)mlp_count(s);
    double loss = 0;

    tape_zero_grad(t);
    for (int k = 0; k < n; k++) {
        int i = order ? order[k] : k;
        int y = neurons_output(t, s, m->x + 2 * i);
        int off = tape_add(t, y, tape_leaf(t, -m->t[i]));
        int share = tape_mul(t, tape_mul(t, off, off), tape_leaf(t, 1.0 / n));

        loss += t->node[share].value;
        tape_backward(t, share);
        tape_forget(t, parameters);
    }
    return loss;
}

/* train for one epoch */
/* Returns the mean loss on the way. */
static inline double neurons_epoch(struct tape *t, const struct mlp *s,
                                   const struct moons *m, double rate,
                                   uint64_t seed, int epoch)
{
    int *order = (int *)check_alloc((size_t)m->n, sizeof *order);
    double loss = 0;

    shuffle_order(m->n, seed, (uint64_t)epoch, order);
    for (int k = 0; k < m->n; k += 10) {
        int n = k + 10 <= m->n ? 10 : m->n - k;

        loss += n * neurons_gradient(t, s, n, order + k, m);
        for (size_t i = 0; i < mlp_count(s); i++)
            t->node[i].value -= rate * t->node[i].grad;
    }
    free(order);
    return loss / m->n;
}

/* ask the network */
/* What the network says to the point (x[0], x[1]). */
static inline double neurons_ask(struct tape *t, const struct mlp *s,
                                 const double *x)
{
    int y = neurons_output(t, s, x);
    double answer = t->node[y].value;

    tape_forget(t, (int)mlp_count(s));
    return answer;
}

/* The percentage of points on the right side. */
static inline double neurons_right(struct tape *t, const struct mlp *s,
                                   const struct moons *m)
{
    int right = 0;

    for (int i = 0; i < m->n; i++)
        right += neurons_ask(t, s, m->x + 2 * i) * m->t[i] > 0;
    return 100.0 * right / m->n;
}

#endif
