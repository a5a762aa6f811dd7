/* rotate: does bench_measure rotate the sets and take the variants in turn? */
#include <stdio.h>
#include <string.h>

#include "measure/bench.h"
#include "tour/args.h"

/* log the calls of two variants */
enum { LOG_SIZE = 200000, FEW = 3 };
static char who[LOG_SIZE];
static int taken[LOG_SIZE], calls, prepared;

static void log_call(void *work, int, int set)
{
    CHECK(calls < LOG_SIZE, "more than %d calls", LOG_SIZE);
    who[calls] = *(const char *)work;
    taken[calls++] = set;
}

static void log_prepare(void *, int, int)
{
    prepared++;
}

/* measure the two */
static struct bench_case cases[2];

static void measure_log(int sets)
{
    static char names[2] = {'m', 'f'};

    cases[0].variant = "many";
    cases[0].launch = log_call;
    cases[0].work = &names[0];
    cases[0].by_host = 1; /* a graph would log its calls once */
    cases[1] = cases[0];
    cases[1].variant = "few";
    cases[1].work = &names[1];
    cases[1].prepare = log_prepare;
    cases[1].rounds = FEW;
    bench_measure(cases, 2, sets);
}

/* check the log */
static void check_log(int sets)
{
    int many = 0, few = 0;

    for (int i = 0; i < calls; i++) {
        CHECK(taken[i] == i % sets, "call %d used set %d, not %d", i, taken[i],
              i % sets);
        if (who[i] == 'm')
            many++;
        else
            few++;
    }
    CHECK(many == 1 + BENCH_WARM + BENCH_ROUNDS * cases[0].repeat,
          "%d calls, but 6 to warm up and %d rounds of %d", many, BENCH_ROUNDS,
          cases[0].repeat);
    CHECK(few == 1 + FEW, "%d calls where 1 + %d were asked for", few, FEW);
    CHECK(prepared == few, "%d calls but %d prepared", few, prepared);
    CHECK(who[7] != who[7 + cases[0].repeat],
          "the variants did not take turns");
    for (int r = 0; r < BENCH_ROUNDS; r++)
        CHECK(cases[0].us[r] >= 0, "round %d took %g us", r, cases[0].us[r]);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("sets", 5, 2, 1000)};
    int sets;

    args_parse(argc, argv, "log the calls of bench_measure", args,
               ARG_COUNT(args));
    sets = (int)args[0].value;
    measure_log(sets);
    check_log(sets);
    printf("ok: %d calls in turn over %d sets\n", calls, sets);
    return 0;
}
