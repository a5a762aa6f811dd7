/* swap: two pointers change places */
#include "tour/check.h"

static void swap(float **a, float **b)
{
    float *t = *a;

    *a = *b;
    *b = t;
}

int main(void)
{
    float x[2] = {1, 2}, y[2] = {3, 4}, *in = x, *out = y;

    swap(&in, &out);
    CHECK(in == y && out == x && x[0] == 1, "only the pointers moved");
    printf("ok: swapped\n");
    return 0;
}
