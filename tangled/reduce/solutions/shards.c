/* shards: mean and variance of a whole from those of its parts. */
#include "reduce/reference.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

int main(int argc, char **argv)
{
    static const size_t sizes[] = {1000, 300, 1, 50};
    uint64_t seed = args_parse(argc, argv, "four shards", NULL, 0);
    double n = 0, mean = 0, spread = 0, m, v;
    float x[1351], *part = x;

    rng_fill_float(x, 1351, seed);
    for (size_t i = 0; i < 1351; i++)
        x[i] += (float)(i / 400); /* shards differ */
    for (int k = 0; k < 4; part += sizes[k++]) {
        double size = (double)sizes[k], delta;

        moments_reference(sizes[k], part, &m, &v);
        delta = m - mean;
        mean += delta * size / (n + size);
        spread += size * v + delta * delta * n * size / (n + size);
        n += size;
    }
    moments_reference(1351, x, &m, &v);
    CHECK_NEAR(mean, m, 1e-12, "a few roundings in double");
    CHECK_NEAR(spread / n, v, 1e-12, "a few roundings in double");
    return 0;
}
