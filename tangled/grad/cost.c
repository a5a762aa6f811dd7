/* cost: the operations of every way to a gradient. */
#include <stdio.h>

#include "grad/neurons.h"
#include "tour/args.h"

static void say(const char *way, double operations, double run)
{
    printf("  %-16s %15.0f operations, %8.2f runs\n", way, operations,
           operations / run);
}

/* count operations on the tape */
static void count_on_tape(const struct mlp *s)
{
    double x[2] = {0.5, -0.25}, run = 0, back = 0, rates = 0;
    double n = (double)mlp_count(s);
    struct tape t = {NULL, 0, 0};

    neurons_begin(&t, s, 1);
    neurons_output(&t, s, x);
    /* count the work at each node */
    for (int i = 0; i < t.count; i++) {
        int inputs = t.node[i].inputs;

        run += inputs > 0;
        back += 2 * inputs;
        rates += inputs > 0 ? 2 * inputs - 1 : 0;
    }
    printf("on the tape, %g parameters:\n", n);
    say("one run forward", run, run);
    say("differences", (n + 1) * run, run);
    say("forward mode", run + n * rates, run);
    say("reverse mode", run + back, run);
    tape_free(&t);
}

/* count operations of the digit network */
static void count_digits(void)
{
    static const double outputs[] = {32 * 28 * 28, 64 * 14 * 14, 128, 10};
    static const double terms[] = {9, 32 * 9, 3136, 128};
    double run = 0, all;

    for (int l = 0; l < 4; l++)
        run += 2 * outputs[l] * terms[l];
    all = 3 * run - 2 * outputs[0] * terms[0]; /* no gradient for pictures */
    printf("the digit network, 421738 parameters, one picture:\n");
    say("one run forward", run, run);
    say("differences", 421739 * run, run);
    say("reverse mode", all, run);
}

int main(int argc, char **argv)
{
    struct mlp s = {3, {2, 16, 16, 1}};

    args_parse(argc, argv, "the cost of a gradient", NULL, 0);
    count_on_tape(&s);
    count_digits();
    return 0;
}
