/* tape.h: a computation that is written down, and its derivatives. C11.
   Wengert, "A simple automatic derivative evaluation program", 1964. */
#ifndef GRAD_TAPE_H
#define GRAD_TAPE_H

#include <stddef.h>

/* keep one step of a computation */
struct node {
    double value;    /* what was computed */
    double grad;     /* the derivative of the output with respect to it */
    double slope[2]; /* its own derivative with respect to its inputs */
    int from[2];     /* the numbers of the nodes that these are */
    int inputs;      /* 2, 1, or 0: a leaf, whose value was given */
};

/* keep the nodes in an array */
/* Nodes in the order of computing. Begin with {NULL, 0, 0}. */
struct tape {
    struct node *node;
    int count, room;
};

/* declare what a tape can do */
/* A new node, by number: a leaf; a + b; a b; max(a, 0). */
int tape_leaf(struct tape *t, double value);
int tape_add(struct tape *t, int a, int b);
int tape_mul(struct tape *t, int a, int b);
int tape_relu(struct tape *t, int a);

/* Adds to the grad of every node the derivative of node `out` with respect to
   it. Once for a graph; for another sweep over it, clear the grads first. */
void tape_backward(struct tape *t, int out);

/* rate[i] = the derivative of node i with respect to node `in`; t->count. */
void tape_forward(const struct tape *t, int in, double *rate);

/* Sets all grads to zero. Gives back all nodes from number `count` on. Gives
   back the memory. */
void tape_zero_grad(struct tape *t);
void tape_forget(struct tape *t, int count);
void tape_free(struct tape *t);

double tape_value(const struct tape *t, int a);
int tape_node(struct tape *t, double value, int inputs, int a, double slope_a,
              int b, double slope_b);

#endif
