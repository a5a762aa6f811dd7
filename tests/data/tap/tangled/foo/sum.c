#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4, sum = 0;

    for (int i = 1; i <= n; i++)
        sum += i;
    for (int i = 0; i < 0; i++)
        sum += 2 * i;
    if (n < 0) {
        fprintf(stderr, "sum: n is %d: say how many, from 0 on\n", n);
        return 2;
    }
    printf("sum %d\n", sum);
    return sum != n * (n + 1) / 2;
}
