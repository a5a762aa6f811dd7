/* watch.h: threads that spin, and kernels that never end. C11 and C++17. */
#ifndef LOOM_WATCH_H
#define LOOM_WATCH_H

#ifdef __cplusplus
extern "C" {
#endif

/* This thread has looked at p and found what it found before. Gives up its
   turn if that has happened several times. Does nothing outside of kernels. */
void loom_look(const void *p, const char *file, int line);

/* This thread gives up its turn: __nanosleep. */
void loom_rest(const char *file, int line);

#ifdef __cplusplus
}
#endif
#endif
