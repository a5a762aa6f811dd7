/* lengths: what share of a warp's slots do loops of unequal length use? */
#include <stdio.h>

#include "tour/args.h"
#include "tour/check.h"

static int collatz(uint64_t n)
{
    int count = 0;

    for (; n != 1; count++)
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    return count;
}

static int longer(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* compute the share of slots used */
static double share(const int *length, int n)
{
    double useful = 0, issued = 0;

    for (int first = 0; first < n; first += 32) {
        int longest = 0;

        for (int i = first; i < first + 32; i++) {
            useful += length[i];
            longest = length[i] > longest ? length[i] : longest;
        }
        issued += 32.0 * longest;
    }
    return useful / issued;
}

/* compare the starts in order and sorted */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 65536, 32, 1 << 22)};
    double in_order, sorted;
    int n, *length;

    args_parse(argc, argv, "loops of unequal length", args, ARG_COUNT(args));
    n = (int)args[0].value / 32 * 32;
    length = check_alloc((size_t)n, sizeof *length);
    for (int i = 0; i < n; i++)
        length[i] = collatz((uint64_t)i + 1);
    in_order = share(length, n);
    qsort(length, (size_t)n, sizeof *length, longer);
    sorted = share(length, n);
    CHECK(sorted >= in_order, "sorting makes it worse: %g", sorted);
    printf("in order %.1f%%\nsorted   %.1f%%\n", 100 * in_order, 100 * sorted);
    free(length);
    return 0;
}
