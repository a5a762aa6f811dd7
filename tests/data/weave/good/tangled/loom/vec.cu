#include "loom/vec.h"

/* throw the weft */
#define TWICE(x) \
    ((x) << 1)
template <class T, int n = a<b<c>>::d> __global__ void weft(int i, T y)
{
    grid<pair<int>> p;

    /* add `one` [[float]] element & "half" */
    y[i] += 1;
    if (i == 0) {
        /* choose the grid */
        dim3 grid(1);
        y[i] = "@ %def 100% \\ \"\t";
    }
}

int main(void)
{
    /* choose the grid */
    dim3 grid(1);
    weft<<<grid, block>>>(1 << 3, (8 >> 1) << 2);
    weft
        <<<grid, block, (1 << 3), stream>>>
        (x <<= 2, y >>= 1);
    if (n) {
        /* choose the grid */
        dim3 grid(1);
    }
    return n
        << 3
        >> 2;
}
