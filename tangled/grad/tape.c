#include "grad/tape.h"

#include <limits.h>
#include <stdlib.h>

#include "tour/check.h"

/* add a node to the tape */
/* Another operation: its value, and for each of its inputs its number and the
   slope. */
int tape_node(struct tape *t, double value, int inputs, int a, double slope_a,
              int b, double slope_b)
{
    struct node new = {value, 0, {slope_a, slope_b}, {a, b}, inputs};

    CHECK(inputs >= 0 && inputs <= 2, "a node with %d inputs", inputs);
    for (int k = 0; k < inputs; k++)
        CHECK(new.from[k] >= 0 && new.from[k] < t->count,
              "node %d of a tape of %d", new.from[k], t->count);
    /* make room for one more node */
    if (t->count == t->room) {
        CHECK(t->room <= INT_MAX / 2, "a tape of %d nodes is full", t->room);
        t->room = t->room ? 2 * t->room : 64;
        t->node = realloc(t->node, (size_t)t->room * sizeof *t->node);
        CHECK(t->node != NULL, "no memory for %d nodes", t->room);
    }
    t->node[t->count] = new;
    return t->count++;
}

/* look a value up */
double tape_value(const struct tape *t, int a)
{
    CHECK(a >= 0 && a < t->count, "node %d of a tape of %d", a, t->count);
    return t->node[a].value;
}

/* compute and write down */
int tape_leaf(struct tape *t, double value)
{
    return tape_node(t, value, 0, 0, 0, 0, 0);
}

int tape_add(struct tape *t, int a, int b)
{
    return tape_node(t, tape_value(t, a) + tape_value(t, b), 2, a, 1, b, 1);
}

int tape_mul(struct tape *t, int a, int b)
{
    double x = tape_value(t, a), y = tape_value(t, b);

    return tape_node(t, x * y, 2, a, y, b, x);
}

int tape_relu(struct tape *t, int a)
{
    double x = tape_value(t, a);

    return tape_node(t, x > 0 ? x : 0, 1, a, x > 0, 0, 0);
}

/* sweep backwards over the tape */
void tape_backward(struct tape *t, int out)
{
    struct node *node = t->node;

    CHECK(out >= 0 && out < t->count, "node %d of a tape of %d", out, t->count);
    node[out].grad += 1;
    for (int i = out; i >= 0; i--)
        for (int k = 0; k < node[i].inputs; k++)
            node[node[i].from[k]].grad += node[i].slope[k] * node[i].grad;
}

/* sweep forwards over the tape */
void tape_forward(const struct tape *t, int in, double *rate)
{
    CHECK(in >= 0 && in < t->count, "node %d of a tape of %d", in, t->count);
    for (int i = 0; i < t->count; i++) {
        const struct node *n = &t->node[i];

        rate[i] = i == in;
        for (int k = 0; k < n->inputs && i != in; k++)
            rate[i] += n->slope[k] * rate[n->from[k]];
    }
}

/* clear, forget and free a tape */
void tape_zero_grad(struct tape *t)
{
    for (int i = 0; i < t->count; i++)
        t->node[i].grad = 0;
}

void tape_forget(struct tape *t, int count)
{
    CHECK(count >= 0 && count <= t->count, "%d nodes of %d", count, t->count);
    t->count = count;
}

void tape_free(struct tape *t)
{
    free(t->node);
    *t = (struct tape){NULL, 0, 0};
}
