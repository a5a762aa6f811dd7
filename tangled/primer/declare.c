/* declare: a table of functions, and what two declarations take up */
#include <stdio.h>

static float twice(float x)
{
    return 2 * x;
}

static float square(float x)
{
    return x * x;
}

static const struct variant {
    const char *name;
    float (*run)(float x);
} variants[] = {{"twice", twice}, {"square", square}};

int main(void)
{
    float *a[3], (*b)[3];

    printf("an array of 3 pointers: %zu bytes\n", sizeof a);
    printf("a pointer to an array: %zu bytes\n", sizeof b);
    for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++)
        printf("%s of 5 is %g\n", variants[k].name, variants[k].run(5));
    return 0;
}
