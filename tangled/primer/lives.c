/* lives: three variables and how long they live */
#include "tour/check.h"

static int calls; /* as long as the program; 0 at first */

/* n copies of the number of this call; the caller frees them. */
static int *numbered(int n)
{
    int local = ++calls, *x = check_alloc((size_t)n, sizeof *x);

    for (int i = 0; i < n; i++)
        x[i] = local;
    return x; /* the array stays, local is gone */
}

int main(void)
{
    int *a = numbered(3), *b = numbered(3);

    CHECK(a[2] == 1 && b[2] == 2 && calls == 2, "each call has its own array");
    printf("%d and %d\n", a[2], b[2]);
    free(a);
    free(b);
    return 0;
}
