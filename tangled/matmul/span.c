/* span: multiply with p processors, step by step, and compare with Brent. */
#include <stdio.h>

#include "tour/args.h"
#include "tour/check.h"

/* hold the state of a sum */
struct chain {
    int products; /* still to be made */
    int ready;    /* numbers to be added */
};

/* let p processors take a step */
/* Additions that can be done now: a tree takes pairs, a loop one product,
   which it adds to its sum. */
static int additions(const struct chain *s, int tree)
{
    return tree ? s->ready / 2 : s->ready >= 2;
}

/* One step of p processors on `count` sums; 0 if nothing was left to do. */
static int take_step(int p, int tree, struct chain *s, int count)
{
    int left = p;

    for (int i = 0; i < count && left > 0; i++) {
        int adds = additions(&s[i], tree);

        adds = adds < left ? adds : left;
        s[i].ready -= adds; /* two go, one comes */
        left -= adds;
    }
    for (int i = 0; i < count && left > 0; i++) {
        int muls = s[i].products < left ? s[i].products : left;

        s[i].products -= muls;
        s[i].ready += muls;
        left -= muls;
    }
    return left < p;
}

/* count the steps */
static int count_steps(int n, int p, int tree)
{
    struct chain *s = (struct chain *)check_alloc((size_t)n * n, sizeof *s);
    int t = 0;

    for (int i = 0; i < n * n; i++)
        s[i].products = n;
    while (take_step(p, tree, s, n * n))
        t++;
    for (int i = 0; i < n * n; i++)
        CHECK(s[i].products == 0 && s[i].ready == 1, "sum %d is not done", i);
    free(s);
    return t;
}

/* compare with the bounds */
static int log2_up(int n)
{
    return n > 1 ? 1 + log2_up((n + 1) / 2) : 0;
}

static void bound_by_brent(int n, int p)
{
    int all = n * n * (2 * n - 1), t[2], most[2];

    for (int tree = 0; tree < 2; tree++) {
        int span = tree ? 1 + log2_up(n) : n;

        t[tree] = count_steps(n, p, tree);
        most[tree] = span + (all - span) / p;
        CHECK(t[tree] >= span && (int64_t)t[tree] * p >= all,
              "%d steps are too few", t[tree]);
        CHECK(t[tree] <= most[tree], "%d steps, Brent says %d", t[tree],
              most[tree]);
    }
    printf("%11d %6d %8d %6d %8d\n", p, t[0], most[0], t[1], most[1]);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 8, 1, 64)};
    int n;

    args_parse(argc, argv, "steps of a product", args, ARG_COUNT(args));
    n = (int)args[0].value;
    printf("%d x %d: work %d\n processors   loop  at most   tree  at most\n", n,
           n, n * n * (2 * n - 1));
    for (int p = 1; p < 8 * n * n * n; p *= 4)
        bound_by_brent(n, p);
    return 0;
}
