/* pays: after how many rounds has a graph paid for itself? */
#include "measure/launch.cuh"

/* compute the rounds until it pays */
static double rounds_until(double make, double stream, double graph)
{
    return graph < stream ? floor(make / (stream - graph)) + 1 : -1;
}

int main(void)
{
    struct launch_times graph = time_launches(queue_tiny, 1, 100);
    double make = graph.make, g = graph.done.median;
    double s = time_launches(queue_tiny, 0, 100).done.median;
    double r = rounds_until(make, s, g);

    CHECK(r < 0 || (make + r * g < r * s && make + (r - 1) * g >= (r - 1) * s),
          "%g rounds: make %g, stream %g, graph %g", r, make, s, g);
    CHECK(rounds_until(100, 30, 10) == 6 && rounds_until(1, 2, 3) == -1, "sum");
    printf("ok: after %.0f rounds (-1: never)\n", r);
    return 0;
}
