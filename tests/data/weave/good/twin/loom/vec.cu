#line 9 "tests/data/weave/good/01-loom.md"
#include "loom/vec.h"

#line 10 "tests/data/weave/good/01-loom.md"
/* throw the weft */
#line 43 "tests/data/weave/good/01-loom.md"
#define TWICE(x) \
    ((x) << 1)
template <class T, int n = a<b<c>>::d> __global__ void weft(int i, T y)
{
    grid<pair<int>> p;

    /* add `one` [[float]] element & "half" */
#line 61 "tests/data/weave/good/01-loom.md"
    y[i] += 1;
#line 77 "tests/data/weave/good/01-loom.md"
    if (i == 0) {
        /* choose the grid */
#line 69 "tests/data/weave/good/01-loom.md"
        dim3 grid(1);
#line 79 "tests/data/weave/good/01-loom.md"
        y[i] = "@ %def 100% \\ \"\t";
    }
#line 50 "tests/data/weave/good/01-loom.md"
}
#line 11 "tests/data/weave/good/01-loom.md"

int main(void)
{
    /* choose the grid */
#line 69 "tests/data/weave/good/01-loom.md"
    dim3 grid(1);
#line 15 "tests/data/weave/good/01-loom.md"
    weft<<<grid, block>>>(1 << 3, (8 >> 1) << 2);
    weft
        <<<grid, block, (1 << 3), stream>>>
        (x <<= 2, y >>= 1);
    if (n) {
        /* choose the grid */
#line 69 "tests/data/weave/good/01-loom.md"
        dim3 grid(1);
#line 21 "tests/data/weave/good/01-loom.md"
    }
    return n
        << 3
        >> 2;
}
