/* predict.h: sectors and passes of a warp's request. C11 and C++17. */
#ifndef MEMORY_PREDICT_H
#define MEMORY_PREDICT_H

/* count the sectors of a stride */
/* Sectors that a warp touches: `lanes` lanes, `size` bytes each, the first at
   byte `start`, each `step` bytes after the one before (or on it). */
static inline int predict_sectors(long long start, long long step, int size,
                                  int lanes)
{
    long long last = -1;
    int n = 0;

    for (int l = 0; l < lanes; l++) {
        long long from = (start + l * step) / 32;
        long long to = (start + l * step + size - 1) / 32;

        n += (int)(to - (from > last ? from : last + 1) + 1);
        last = to;
    }
    return n;
}

/* count the passes of a stride */
/* Passes over the banks for lane l reading `size` bytes (4, 8 or 16) of element
   l * stride. */
static inline int predict_passes(int size, int stride)
{
    int lanes = 128 / size, passes = 0;

    for (int first = 0; first < 32; first += lanes) {
        int crowd[32] = {0}, most = 0;

        for (int l = first; l < first + lanes; l++)
            for (int b = 0; b < size / 4; b++) {
                int word = l * stride * (size / 4) + b;

                /* the same word as the lane before: no new one to give */
                if ((l == first || stride) && ++crowd[word % 32] > most)
                    most = crowd[word % 32];
            }
        passes += most;
    }
    return passes;
}
#endif
