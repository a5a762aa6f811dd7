/* key.h: the sound of a telephone's key. C11 and C++17. */
#ifndef DFT_KEY_H
#define DFT_KEY_H

#include "dft/dft.h"
#include "tour/rng.h"

enum { KEY_TONES = 8, KEY_SAMPLES = 205, KEY_RATE = 8000 };

/* Four rows, then four columns; ITU-T Recommendation Q.23. */
static const int key_tones[KEY_TONES] = {697,  770,  852,  941,
                                         1209, 1336, 1477, 1633};
static const char key_names[] = "123A456B789C*0#D";

/* make the sound of a key */
/* x[0..KEY_SAMPLES) is the sound of key_names[key]; *seed moves on. */
static inline void key_sound(int key, double noise, uint64_t *seed, double *x)
{
    const double turn = 6.283185307179586;
    double row = (double)key_tones[key / 4] / KEY_RATE;
    double col = (double)key_tones[4 + key % 4] / KEY_RATE;
    double late = rng_float(seed), later = rng_float(seed);

    for (int j = 0; j < KEY_SAMPLES; j++)
        x[j] = cos(turn * (row * j + late)) + cos(turn * (col * j + later)) +
               noise * (2 * rng_float(seed) - 1);
}

/* hear which key it was */
/* The key whose tones are strongest in x. */
static inline int key_heard(const double *x)
{
    int best[2] = {0, 0};

    for (int half = 0; half < 2; half++) {
        double most = -1;

        for (int t = 0; t < 4; t++) {
            double turns = (double)key_tones[4 * half + t] / KEY_RATE;
            double size = goertzel(KEY_SAMPLES, x, turns);

            if (size > most) {
                most = size;
                best[half] = t;
            }
        }
    }
    return 4 * best[0] + best[1];
}

#endif
