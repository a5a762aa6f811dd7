/* wrong: link: something */
/* wrong: run: bad news */
/* wrong: gpu: never here */
#include <stdio.h>
int main(void)
{
    fprintf(stderr, "bad news\n");
    return 1;
}
