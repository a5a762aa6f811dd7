/* cuComplex.h: complex numbers as float2 and double2. C11 and C++17. */
#ifndef LOOM_CUCOMPLEX_H
#define LOOM_CUCOMPLEX_H

#include <math.h>

#include "loom/cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* name the parts of a complex number */
#define LOOM_COMPLEX(C, T, make, f, s) \
    static inline C make(T x, T y)     \
    {                                  \
        C z;                           \
                                       \
        z.x = x;                       \
        z.y = y;                       \
        return z;                      \
    }                                  \
    static inline T cuCreal##f(C z)    \
    {                                  \
        return z.x;                    \
    }                                  \
    static inline T cuCimag##f(C z)    \
    {                                  \
        return z.y;                    \
    }                                  \
    static inline C cuConj##f(C z)     \
    {                                  \
        return make(z.x, -z.y);        \
    }

/* compute with complex numbers */
#define LOOM_COMPUTE(C, T, make, f, s)                                       \
    static inline C cuCadd##f(C a, C b)                                      \
    {                                                                        \
        return make(a.x + b.x, a.y + b.y);                                   \
    }                                                                        \
    static inline C cuCsub##f(C a, C b)                                      \
    {                                                                        \
        return make(a.x - b.x, a.y - b.y);                                   \
    }                                                                        \
    static inline C cuCmul##f(C a, C b)                                      \
    {                                                                        \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);           \
    }                                                                        \
    static inline C cuCdiv##f(C a,                                           \
                              C b) /* scaled, so that b * b does not       \
                                           overflow */ \
    {                                                                        \
        T scale = 1 / (fabs##s(b.x) + fabs##s(b.y));                         \
        T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale;              \
        T by = b.y * scale, over = 1 / (bx * bx + by * by);                  \
                                                                             \
        return make((ax * bx + ay * by) * over, (ay * bx - ax * by) * over); \
    }                                                                        \
    static inline T cuCabs##f(C z)                                           \
    {                                                                        \
        return hypot##s(z.x, z.y);                                           \
    }                                                                        \
    static inline C cuCfma##f(C a, C b, C c)                                 \
    {                                                                        \
        return cuCadd##f(cuCmul##f(a, b), c);                                \
    }
LOOM_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, f)
LOOM_COMPUTE(cuFloatComplex, float, make_cuFloatComplex, f, f)
LOOM_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , )
LOOM_COMPUTE(cuDoubleComplex, double, make_cuDoubleComplex, , )
#undef LOOM_COMPLEX
#undef LOOM_COMPUTE

static inline cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
    return make_cuDoubleComplex(z.x, z.y);
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
#endif
