/* once.h: does each thread of a grid do its own elements, and no other's? For the parts of
   chapters that tests run with made-up launches, one thread at a time. A step too short
   writes the same values twice, which no result shows. */
#include <stdlib.h>
#include <string.h>

/* How many of y[0..n) are not written by exactly one thread of 15 blocks of 5, and of the
   five behind them by any. */
template <class T, class F> static int not_once(size_t n, T *y, F thread)
{
    int *times = (int *)calloc(n + 5, sizeof *times), wrong = 0;
    T none;

    memset(&none, 0xa5, sizeof none);
    gridDim.x = 15, blockDim.x = 5;
    for (blockIdx.x = 0; blockIdx.x < 15; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < 5; threadIdx.x++) {
            memset(y, 0xa5, (n + 5) * sizeof *y);
            thread();
            for (size_t i = 0; i < n + 5; i++)
                times[i] += memcmp(&y[i], &none, sizeof none) != 0;
        }
    for (size_t i = 0; i < n + 5; i++)
        wrong += times[i] != (i < n);
    free(times);
    return wrong;
}
