/* reference.c: the kernels of this chapter as loops on the CPU. */
#include "simt/reference.h"

#include <math.h>
#include <stddef.h>

/* follow a chain on the CPU */
float chain_reference(int turns, float a, float b, float x)
{
    for (int t = 0; t < turns; t++)
        x = fmaf(x, a, b);
    return x;
}

/* walk on the CPU */
void walk_reference(int n, int group, int paths, int turns, float *data)
{
    for (int i = 0; i < n; i++) {
        int path = i / group % paths;
        float factor = 1 - (float)(path + 1) / 1024, more = (float)(path + 1);

        for (int t = 0; t < turns; t++)
            data[i] = fmaf(data[i], factor, more);
    }
}

/* ask a warp on the CPU */
void ask_reference(int n, const float *x, struct answers *out)
{
    for (int first = 0; first < n; first += 32) {
        int after = first + 32 < n ? first + 32 : n;
        int speaker = first + first / 32 % 32;
        struct answers a = {0, -INFINITY, 0, 0, 0, 0};

        for (int i = first; i < after; i++) {
            a.sum += x[i];
            a.largest = x[i] > a.largest ? x[i] : a.largest;
            a.positive += x[i] > 0;
        }
        a.told = speaker < n ? x[speaker] : 0;
        for (int i = first; i < after; i++) {
            a.scan += x[i];
            out[i] = a;
            a.rank += x[i] > 0;
        }
    }
}

void rows_reference(int rows, int cols, const float *x, float *sums)
{
    for (int r = 0; r < rows; r++) {
        sums[r] = 0;
        for (int c = 0; c < cols; c++)
            sums[r] += x[(size_t)r * cols + c];
    }
}
