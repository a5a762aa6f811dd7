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
    CHECK(few == 1 + BENCH_WARM + FEW, "%d calls where 6 + %d were asked for",
          few, FEW);
    CHECK(prepared == few, "%d calls but %d prepared", few, prepared);
    CHECK(who[12] != who[12 + cases[0].repeat],
          "the variants did not take turns");
    for (int r = 0; r < BENCH_ROUNDS; r++)
        CHECK(cases[0].us[r] >= 0, "round %d took %g us", r, cases[0].us[r]);
}

/* check who goes into a graph */
static void check_groups(void)
{
    static const struct {
        const char *what;
        double call[3], host[3];
        int by_host[3], want[3];
    } group[] = {
        {"all long", {25, 30, 900}, {4, 4, 4}, {0}, {0}},
        {"one short", {12, 25, 900}, {4, 4, 4}, {0}, {1, 1, 0}},
        {"the library's call", {12, 21, 150}, {4, 18, 4}, {0}, {1, 1, 1}},
        {"one by the host", {30, 90, 900}, {18, 4, 4}, {0}, {1, 1, 0}},
        {"many launches", {3, 400, 900}, {2, 390, 4}, {0}, {1, 1, 0}},
        {"short, but by_host", {3, 30, 30}, {2, 4, 4}, {1}, {0}},
        {"by_host beside short", {3, 3, 30}, {2, 2, 4}, {1}, {0, 1, 1}}};

    for (size_t g = 0; g < sizeof group / sizeof *group; g++) {
        struct bench_case c[3] = {};

        for (int k = 0; k < 3; k++) {
            c[k].call = group[g].call[k];
            c[k].host = group[g].host[k];
            c[k].by_host = group[g].by_host[k];
        }
        bench_group(c, 3);
        for (int k = 0; k < 3; k++)
            CHECK(c[k].in_graph == group[g].want[k],
                  "%s: call %d of %g us %s a graph", group[g].what, k,
                  c[k].call, c[k].in_graph ? "is in" : "is not in");
    }
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
    check_groups();
    printf("ok: %d calls in turn over %d sets\n", calls, sets);
    return 0;
}
