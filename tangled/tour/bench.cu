// bench: how many of MNIST's test pictures the five hundred letters read
#include "measure/bench.h"
#include "tour/net.h"
#include "tour/letters.h"

int main(void)
{
    const char *dir = getenv("MNIST_DIR");
    int n = 10000, right;
    struct net nn;

    CHECK(dir && *dir, "set MNIST_DIR to the folder with MNIST (make data)");
    net_thaw(&nn, frozen);
    right = net_mark(&nn, dir, n);
    net_free(&nn);
    bench_begin("tour");
    bench_row("digits", n, "accuracy", 100.0 * right / n, "%");
    bench_row("digits", n, "errors", n - right, "");
    return 0;
}
