#include "primer/jar.h"

#include <stdlib.h>

struct jar {
    double sum;
};

enum jar_status jar_create(struct jar **out)
{
    *out = calloc(1, sizeof **out);
    return *out == NULL ? JAR_NO_MEMORY : JAR_OK;
}

enum jar_status jar_put(struct jar *j, double x)
{
    if (x != x) /* only a NaN differs from itself */
        return JAR_NOT_A_NUMBER;
    j->sum += x;
    return JAR_OK;
}

/* read and destroy a jar */
double jar_sum(const struct jar *j)
{
    return j->sum;
}

void jar_destroy(struct jar *j)
{
    free(j);
}
