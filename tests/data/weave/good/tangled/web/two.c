#include <stdio.h>

/* count the threads */
int threads(void)
{
    int n = 1;
    /* double them */
    n *= 2;
    /* say how many */
    printf("%d threads\n", n);
    return n;
}
