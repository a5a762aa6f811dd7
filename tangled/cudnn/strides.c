/* strides: one buffer of 24 numbers, described in three ways. */
#include <stdint.h>
#include <stdio.h>

#include "tour/args.h"
#include "tour/check.h"

/* describe how numbers lie */
struct layout {
    const char *name;
    int rank;
    int64_t dim[4], stride[4]; /* in elements */
};

/* say where an element lies */
static int64_t place(const struct layout *l, const int64_t *at)
{
    int64_t sum = 0;

    for (int i = 0; i < l->rank; i++)
        sum += at[i] * l->stride[i];
    return sum;
}

/* describe the buffer three times */
static const struct layout layouts[] = {
    {"(4,2,3)", 3, {4, 2, 3}, {6, 3, 1}},
    {"NCHW", 4, {4, 2, 1, 3}, {6, 3, 3, 1}},
    {"NHWC", 4, {4, 2, 1, 3}, {6, 1, 6, 2}},
};

/* visit each element of a layout */
/* Prints the places of the first image's elements, in the order of their
   indices, and checks that all places are different and inside. */
static void visit(const struct layout *l)
{
    int64_t count = 1, at[4] = {0};
    char seen[24] = {0};

    for (int i = 0; i < l->rank; i++)
        count *= l->dim[i];
    CHECK(count == 24, "%s has %d elements", l->name, (int)count);
    printf("%-8s", l->name);
    for (int64_t n = 0; n < count; n++) {
        int64_t p = place(l, at);

        CHECK(p >= 0 && p < count && !seen[p], "%s: place %d", l->name, (int)p);
        seen[p] = 1;
        if (n < count / l->dim[0])
            printf(" %d", (int)p);
        for (int i = l->rank - 1; i >= 0 && ++at[i] == l->dim[i]; i--)
            at[i] = 0;
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    args_parse(argc, argv, "one buffer, three descriptions", NULL, 0);
    for (int i = 0; i < 3; i++)
        visit(&layouts[i]);
    return 0;
}
