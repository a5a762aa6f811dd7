/* watch.h: the SMs' clock and the card's power while a program works. */
#ifndef MEASURE_WATCH_H
#define MEASURE_WATCH_H

#include <stdio.h>

enum { WATCH_MOST = 200 };

/* Begins to look, for so many seconds, in which the GPU should be busy. */
static inline FILE *watch_begin(double seconds)
{
    char command[200];

    snprintf(command, sizeof command,
             "timeout %.2f nvidia-smi -lms 100 --format=csv,noheader,nounits "
             "--query-gpu=clocks.sm,power.draw.instant 2>/dev/null",
             seconds);
    return popen(command, "r");
}

/* Waits for the end; returns how often it looked, 0 where nobody can. */
static inline int watch_end(FILE *f, double *mhz, double *watt)
{
    double seen[WATCH_MOST][2];
    int looks = 0;

    while (f && looks < WATCH_MOST &&
           fscanf(f, "%lf, %lf", &seen[looks][0], &seen[looks][1]) == 2)
        looks++;
    if (f)
        pclose(f);
    *mhz = *watt = 0;
    for (int i = looks / 2; i < looks; i++) {
        *mhz += seen[i][0] / (looks - looks / 2);
        *watt += seen[i][1] / (looks - looks / 2);
    }
    return looks;
}

#endif
