/* vector_types.h: dim3, and the short vectors with CUDA's alignment. */
#ifndef LOOM_VECTOR_TYPES_H
#define LOOM_VECTOR_TYPES_H

/* define the vectors of one type */
/* A vector's type and the function that makes one of its parts. */
#define LOOM_VECTOR(name, alignment, fields, parameters, ...) \
    typedef struct __attribute__((aligned(alignment))) name { \
        fields;                                               \
    } name;                                                   \
    static inline name make_##name parameters                 \
    {                                                         \
        name v = {__VA_ARGS__};                               \
        return v;                                             \
    }
/* name1 to name4; two and four are aligned to their size, at most to 16. */
#define LOOM_WIDE(n) ((n) < 16 ? (n) : 16)
#define LOOM_VECTORS(name, T)                                                  \
    LOOM_VECTOR(name##1, sizeof(T), T x, (T x), x)                             \
    LOOM_VECTOR(name##2, LOOM_WIDE(2 * sizeof(T)), T x; T y, (T x, T y), x, y) \
    LOOM_VECTOR(name##3, sizeof(T), T x; T y; T z, (T x, T y, T z), x, y, z)   \
    LOOM_VECTOR(name##4, LOOM_WIDE(4 * sizeof(T)), T x; T y; T z;              \
                T w, (T x, T y, T z, T w), x, y, z, w)

/* define the vectors of all types */
LOOM_VECTORS(char, signed char)
LOOM_VECTORS(uchar, unsigned char)
LOOM_VECTORS(short, short)
LOOM_VECTORS(ushort, unsigned short)
LOOM_VECTORS(int, int)
LOOM_VECTORS(uint, unsigned int)
LOOM_VECTORS(long, long)
LOOM_VECTORS(ulong, unsigned long)
LOOM_VECTORS(longlong, long long)
LOOM_VECTORS(ulonglong, unsigned long long)
LOOM_VECTORS(float, float)
LOOM_VECTORS(double, double)
/* CUDA 13's fours with an alignment in their name. */
#define LOOM_ALIGNED_FOUR(name, T)                     \
    LOOM_VECTOR(name##4_16a, 16, T x; T y; T z;        \
                T w, (T x, T y, T z, T w), x, y, z, w) \
    LOOM_VECTOR(name##4_32a, 32, T x; T y; T z;        \
                T w, (T x, T y, T z, T w), x, y, z, w)
LOOM_ALIGNED_FOUR(long, long)
LOOM_ALIGNED_FOUR(ulong, unsigned long)
LOOM_ALIGNED_FOUR(longlong, long long)
LOOM_ALIGNED_FOUR(ulonglong, unsigned long long)
LOOM_ALIGNED_FOUR(double, double)

/* define dim3 */
#ifdef __cplusplus
struct dim3 {
    unsigned int x, y, z;

    constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1)
        : x(a), y(b), z(c)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
};
#else
typedef uint3 dim3;
#endif
#endif
