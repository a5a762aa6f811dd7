#line 7 "tests/data/weave/good/04-web.md"
#include <stdio.h>

#line 8 "tests/data/weave/good/04-web.md"
/* count the threads */
#line 16 "tests/data/weave/good/04-web.md"
int threads(void)
{
    int n = 1;
    /* double them */
#line 20 "tests/data/weave/good/04w-web-workshop.md"
    n *= 2;
    /* say how many */
#line 29 "tests/data/weave/good/04w-web-workshop.md"
    printf("%d threads\n", n);
#line 20 "tests/data/weave/good/04-web.md"
    return n;
}
