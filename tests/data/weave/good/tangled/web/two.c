#include <stdio.h>

/* count the threads */
int threads(void)
{
    int n = 1;

    n *= 2;
    /* say how many */
    printf("%d threads\n", n);
    return n;
}
