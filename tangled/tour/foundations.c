/* foundations: check rng.h and check.h */
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* check the random numbers */
static void check_rng(void)
{
    static const uint64_t published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
        UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
        UINT64_C(16408922859458223821)};
    uint64_t state = 1234567, seen = 0;

    for (uint64_t i = 0; i < 5; i++) {
        CHECK(rng_u64(&state) == published[i], "word %d is wrong", (int)i);
        CHECK(rng_at(1234567, i) == published[i], "rng_at(%d)", (int)i);
    }
    CHECK(rng_to_float(UINT64_MAX) < 1, "the largest float must be below 1");
    CHECK(rng_to_float(1) == 0, "the lowest 40 bits do not count");
    for (int i = 0; i < 4096; i++)
        seen |= UINT64_C(1) << (int)(rng_small(&state) + 4);
    CHECK(seen == 0x1ff, "values seen: %#x, want 0x1ff", (unsigned)seen);
}

/* check that poison is noticed */
static void check_poison(uint64_t seed, int leave_it)
{
    enum { N = 100 };
    float *x = check_alloc(N, sizeof *x), y[N];

    rng_fill_small(x, N, seed);
    poison(y, sizeof y);
    CHECK(y[0] != y[0], "poison is a NaN, which does not equal itself");
    rng_fill_small(y, leave_it ? N - 1 : N, seed);
    CHECK_ARRAY(y, x, N);
    rng_fill_float(x, N, seed);
    for (int i = 0; i < N; i++)
        CHECK(x[i] >= 0 && x[i] < 1, "x[%d] = %g", i, (double)x[i]);
    free(x);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--poison"), ARG_FLAG("--nan"),
                         ARG_NUMBER("--off", 0, 0, 9)};
    uint64_t seed = args_parse(argc, argv, "check rng.h and check.h", args, 3);
    double one = args[1].value ? NAN : 1.0 + (double)args[2].value;

    check_rng();
    check_poison(seed, (int)args[0].value);
    CHECK_NEAR(one, 1.0, 0, "an integer is exact");
    printf("ok: words, floats, small integers, poison\n");
    return 0;
}
