/* own.c: the jar and the set of appendix K, with an allocator that counts. Their sources
   are compiled with -Dcalloc=counted -Dfree=freed. With two numbers n and i: set_has(). */
#include <stdio.h>
#include <stdlib.h>

#include "primer/jar.h"
#include "primer/solutions/set.h"

static size_t asked[2]; /* the last two sizes */
static int live, none;

void *counted(size_t count, size_t size)
{
    asked[0] = asked[1];
    asked[1] = count * size;
    live += !none;
    return none ? NULL : calloc(count, size);
}

void freed(void *p)
{
    live -= p != NULL;
    free(p);
}

static void jars(void)
{
    struct jar *j;
    int made = jar_create(&j), put[3];

    put[0] = jar_put(j, 0.5);
    put[1] = jar_put(j, 0.0 / 0.0);
    put[2] = jar_put(j, 2);
    printf("jar: %d %d%d%d %g, %zu bytes", made == JAR_OK, put[0] == JAR_OK,
           put[1] == JAR_NOT_A_NUMBER, put[2] == JAR_OK, jar_sum(j), asked[1]);
    jar_destroy(j);
    none = 1;
    printf(", %d left, %d\n", live, jar_create(&j) == JAR_NO_MEMORY);
    none = 0;
}

/* Every second of n numbers twice, then all the others. */
static void sets(int n)
{
    struct bitset *s = set_create(n);
    int wrong = 0, half;
    size_t bytes = asked[1];

    for (int k = 0; k < 2; k++)
        for (int i = 1; i < n; i += 2)
            set_put(s, i);
    half = set_count(s);
    for (int i = 0; i < n; i++)
        wrong += set_has(s, i) != i % 2;
    for (int i = 0; i < n; i++)
        set_put(s, i);
    for (int i = 0; i < n; i++)
        wrong += set_has(s, i) != 1;
    printf("set of %d: %d, %d; %d wrong; 2 counts: %d, %zu bytes", n, half,
           set_count(s), wrong, asked[0] == 2 * sizeof(void *), bytes);
    set_destroy(s);
    set_destroy(NULL);
    printf(", %d left\n", live);
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        set_has(set_create(atoi(argv[1])), atoi(argv[2]));
        return 0;
    }
    jars();
    for (int n = 0; n < 258; n += n == 1 ? 62 : n == 65 ? 192 : 1)
        sets(n);
    return 0;
}
