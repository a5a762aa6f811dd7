/* little: threads an SM needs to keep a memory busy. */
#include <math.h>
#include <stdio.h>

#include "tour/args.h"
#include "tour/check.h"

/* Threads with `each` bytes on their way that `gbps` GB/s and `ns` need. */
static int threads_for(double gbps, double ns, int sms, int each)
{
    return (int)ceil(gbps * ns / sms / each);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("gbps", 448, 1, 100000),
                         ARG_SIZE("ns", 500, 1, 100000),
                         ARG_SIZE("sms", 46, 1, 1024)};
    double gbps, ns;

    args_parse(argc, argv, "Little's law", args, ARG_COUNT(args));
    gbps = (double)args[0].value;
    ns = (double)args[1].value;
    printf("%.0f bytes, %.0f from each SM\n", gbps * ns,
           gbps * ns / (double)args[2].value);
    for (int each = 4; each <= 64; each *= 4)
        printf("%2d bytes a thread: %d threads\n", each,
               threads_for(gbps, ns, (int)args[2].value, each));
    return 0;
}
