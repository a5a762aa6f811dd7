/* primes: use a set without knowing what it is made of */
#include "tour/check.h"
#include "primer/solutions/set.h"

int main(void)
{
    enum { N = 1000 };
    struct bitset *struck = set_create(N);

    set_put(struck, 0);
    set_put(struck, 1);
    for (int i = 2; i < N; i++)
        for (int k = 2 * i; k < N; k += i)
            set_put(struck, k);
    CHECK(N - set_count(struck) == 168, "%d primes", N - set_count(struck));
    CHECK(!set_has(struck, 997) && set_has(struck, 999), "997 is prime");
    printf("%d primes below %d\n", N - set_count(struck), N);
    set_destroy(struck);
    return 0;
}
