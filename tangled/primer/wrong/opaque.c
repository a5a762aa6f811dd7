/* Outside of jar.c nobody knows what a struct jar is made of. */
/* wrong: compile: invalid use of undefined type|incomplete definition of type */
#include "primer/jar.h"

int main(void)
{
    struct jar *j;

    if (jar_create(&j) != JAR_OK)
        return 1;
    return j->sum != 0;
}
