/* parts.h: a batch in eight parts, on some threads. */
#ifndef MNIST_PARTS_H
#define MNIST_PARTS_H

#include <pthread.h>

#include "mnist/step.h"
#include "tour/check.h"

/* divide into parts */
enum { PARTS = 8 };

/* Where a part begins in n things; it ends where the next begins. */
static int first_of(int n, int part)
{
    return (int)((int64_t)n * part / PARTS);
}

/* do a phase in all parts */
struct worker {
    struct net *c;
    struct block *b;
    void (*phase)(struct net *c, struct block *b, int part);
    int id;
    pthread_t thread;
};

static void *work(void *arg)
{
    struct worker *me = arg;

    for (int part = me->id; part < PARTS; part += me->c->threads)
        me->phase(me->c, me->b, part);
    return NULL;
}

/* phase(c, b, part) for every part. */
static void run(struct net *c, struct block *b,
                void (*phase)(struct net *c, struct block *b, int part))
{
    struct worker w[PARTS];

    for (int t = 0; t < c->threads; t++)
        w[t] = (struct worker){c, b, phase, t, 0};
    for (int t = 1; t < c->threads; t++)
        CHECK(pthread_create(&w[t].thread, NULL, work, &w[t]) == 0,
              "no thread number %d", t);
    work(&w[0]);
    for (int t = 1; t < c->threads; t++)
        pthread_join(w[t].thread, NULL);
}

#endif
