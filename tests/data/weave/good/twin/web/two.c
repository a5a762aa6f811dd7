#line 7 "tests/data/weave/good/04-web.md"
#include <stdio.h>

#line 8 "tests/data/weave/good/04-web.md"
/* count the threads */
#line 16 "tests/data/weave/good/04-web.md"
int threads(void)
{
    int n = 1;

#line 20 "tests/data/weave/good/04b-web-more.md"
    n *= 2;
    /* say how many */
#line 31 "tests/data/weave/good/04b-web-more.md"
    printf("%d threads\n", n);
#line 22 "tests/data/weave/good/04b-web-more.md"
    return n;
}
