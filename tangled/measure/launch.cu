/* launch: streams and graphs of tiny kernels, counted and timed. */
#include <stdio.h>

#include "measure/launch.cuh"
#include "tour/args.h"

static double start; /* of the program */

static void say(const char *way, struct launch_times t, int n)
{
    double so_far = clock_us() - start;

    CHECK(t.host.min >= 0 && t.host.median <= t.done.median,
          "%s: the host busy for %g us of %g", way, t.host.median,
          t.done.median);
    CHECK(t.make >= 0 && t.make + t.done.max <= so_far, "%s: %g + %g us of %g",
          way, t.make, t.done.max, so_far);
    printf("%s: %.2f us a launch, the host busy for %.2f\n", way,
           t.done.median / n, t.host.median / n);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100, 1, 10000)};
    int n;

    args_parse(argc, argv, "launch n tiny kernels in several ways", args,
               ARG_COUNT(args));
    n = (int)args[0].value;
    start = clock_us();
    say("stream", time_launches(queue_tiny, 0, n), n);
    say("laden", time_launches(queue_laden, 0, n), n);
    say("graph", time_launches(queue_tiny, 1, n), n);
    printf("ok: %d launches in each of 3 ways, none lost, all in order\n", n);
    return 0;
}
