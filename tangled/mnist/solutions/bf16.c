/* bf16: floats in two bytes */
#include "tour/check.h"
#include "tour/rng.h"

static uint16_t to_bf16(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        return (uint16_t)(bits >> 16 | 0x40); /* stays a NaN */
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float from_bf16(uint16_t b)
{
    uint32_t bits = (uint32_t)b << 16;
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* round many floats */
int main(void)
{
    uint64_t seed = 1;
    double worst = 0;

    for (int i = 0; i < 100000; i++) {
        float x = ldexpf(rng_float(&seed) - 0.5f, (int)rng_below(&seed, 40));
        double off = fabs((double)from_bf16(to_bf16(x)) - x);

        worst = x != 0 && off / fabsf(x) > worst ? off / fabsf(x) : worst;
    }
    CHECK(worst <= 0x1p-8 && worst > 0x1p-9, "off by %g", worst);
    CHECK(from_bf16(to_bf16(1 + 0x1p-8f)) == 1, "a tie goes to the even one");
    CHECK(from_bf16(to_bf16(1 + 0x3p-8f)) == 1 + 0x1p-6f, "and so does this");
    CHECK(isinf(from_bf16(to_bf16(3.4e38f))), "beyond the largest");
    CHECK(isnan(from_bf16(to_bf16(NAN))), "a NaN");
    printf("off by at most %.5f of the number\n", worst);
    return 0;
}
