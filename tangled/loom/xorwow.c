/* xorwow.c: many steps of XORWOW at once. */
#include <string.h>

#include "loom/loom_int.h"
#include "loom/xorwow.h"

enum { BITS = 160, POWERS = 131 };
static unsigned steps[POWERS][BITS][5];
static int made; /* (atomic) */

static void take(unsigned m[BITS][5], unsigned v[5])
{
    unsigned r[5] = {0};

    for (int i = 0; i < BITS; i++)
        for (int k = 0; k < 5 && v[i / 32] >> i % 32 & 1; k++)
            r[k] ^= m[i][k];
    memcpy(v, r, sizeof r);
}

static void make(void)
{
    for (int i = 0; i < BITS; i++) {
        unsigned v[5] = {0};

        v[i / 32] = 1u << i % 32;
        loom_xorwow_step(v);
        memcpy(steps[0][i], v, sizeof v);
    }
    for (int j = 1; j < POWERS; j++)
        for (int i = 0; i < BITS; i++) {
            unsigned v[5];

            memcpy(v, steps[j - 1][i], sizeof v);
            take(steps[j - 1], v);
            memcpy(steps[j][i], v, sizeof v);
        }
    __atomic_store_n(&made, 1, __ATOMIC_RELEASE);
}

void loom_xorwow_skip(unsigned v[5], unsigned long long n, int k)
{
    if (loom_current)
        loom_current->inside++;
    if (!__atomic_load_n(&made, __ATOMIC_ACQUIRE))
        make();
    for (; n; n >>= 1, k++)
        if (n & 1)
            take(steps[k], v);
    if (loom_current)
        loom_current->inside--;
}
