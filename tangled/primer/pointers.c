/* pointers: an address, its type, and the address of a pointer */
#include "tour/check.h"

static size_t size_inside(float x[100])
{
    return sizeof(x = x); /* sizeof x, of which compilers would warn */
}

/* Makes n floats, all x, and stores their address in *out. 0: it worked. */
static int make_floats(float **out, int n, float x)
{
    *out = malloc((size_t)n * sizeof **out);
    for (int i = 0; *out != NULL && i < n; i++)
        (*out)[i] = x;
    return *out == NULL;
}

int main(void)
{
    float x[100] = {1, 2}, *y = NULL;
    char *first = (char *)&x[0], *second = (char *)&x[1];

    CHECK(*(x + 1) == 2 && second - first == 4, "one float on, four bytes");
    CHECK(sizeof x == 400 && size_inside(x) == sizeof y, "the length is lost");
    CHECK(make_floats(&y, 3, 7) == 0 && y[2] == 7, "made by another");
    printf("%zu bytes here, %zu inside the function\n", sizeof x,
           size_inside(x));
    free(y);
    return 0;
}
