/* tf32: up to which length of the sums does a test for float notice TF32? */
#include "tour/check.h"
#include "tour/rng.h"

enum { SUMS = 1000 };

/* round a float to TF32 */
static float tf32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x1000) & ~UINT32_C(0x1fff);
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* find the error of a sum */
static double error_of_sum(int k, uint64_t *seed)
{
    double exact = 0, rounded = 0, absolute = 0;

    for (int p = 0; p < k; p++) {
        float a = 2 * rng_float(seed) - 1, b = 2 * rng_float(seed) - 1;

        exact += (double)a * b;
        rounded += (double)tf32(a) * tf32(b);
        absolute += fabs((double)a * b);
    }
    return fabs(rounded - exact) / absolute;
}

int main(void)
{
    uint64_t seed = 7;
    int seen = 0, blind = 0;

    for (int k = 16; k <= 4096; k *= 2) {
        double most = 0, bound = k / 16777216.0;

        for (int s = 0; s < SUMS; s++)
            most = fmax(most, error_of_sum(k, &seed));
        printf("%5d: error %.1e, bound %.1e: %s\n", k, most, bound,
               most > bound ? "seen" : "not seen");
        seen = most > bound ? k : seen;
        blind = most <= bound && !blind ? k : blind;
    }
    CHECK(256 <= seen && seen < 2048 && blind == 2 * seen,
          "seen up to %d, blind from %d", seen, blind);
    return 0;
}
