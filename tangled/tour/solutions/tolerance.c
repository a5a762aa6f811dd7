/* tolerance: two sources of error, one tolerance */
#include "tour/args.h"
#include "tour/check.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 1, 10000000)};
    double want, bound;
    float sum = 0;
    int n;

    args_parse(argc, argv, "add a tenth n times", args, ARG_COUNT(args));
    n = (int)args[0].value;
    want = n * 0.1;
    for (int i = 0; i < n; i++)
        sum += 0.1f;
    bound = n * fabs((double)0.1f - 0.1) + n * ldexp(1, -24) * 2 * want;
    CHECK_NEAR(sum, want, bound,
               "n times the error of 0.1f, and n roundings of a partial sum, "
               "which is below twice the sum");
    printf("%d tenths: off by %.3g, bound %.3g\n", n, fabs(sum - want), bound);
    return 0;
}
