/* xorwow.h: the five words of XORWOW. C11 and C++17. */
#ifndef LOOM_XORWOW_H
#define LOOM_XORWOW_H

#ifdef __cplusplus
extern "C" {
#endif

static inline void loom_xorwow_step(unsigned v[5])
{
    unsigned t = v[0] ^ v[0] >> 2;

    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

/* Takes n * 2^k steps, k at most 67. */
void loom_xorwow_skip(unsigned v[5], unsigned long long n, int k);

#ifdef __cplusplus
}
#endif
#endif
