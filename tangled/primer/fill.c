/* fill: the life of a handle */
#include "primer/jar.h"
#include "tour/check.h"

int main(void)
{
    struct jar *j;

    CHECK(jar_create(&j) == JAR_OK, "no memory for a jar");
    for (int i = 1; i <= 100; i++)
        CHECK(jar_put(j, i) == JAR_OK, "%d is a number", i);
    CHECK(jar_put(j, NAN) == JAR_NOT_A_NUMBER, "a NaN is refused");
    printf("the sum is %g\n", jar_sum(j));
    jar_destroy(j);
    return 0;
}
