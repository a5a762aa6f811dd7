/* vector_types.h: dim3, and the short vectors with CUDA's alignment. */
#ifndef MACHINE_VECTOR_TYPES_H
#define MACHINE_VECTOR_TYPES_H

/* define the vectors of one type */
/* name1 to name4 with their make_ functions. Two and four are aligned to their
   size, but never to more than 16 bytes. */
#define SIMT_WIDE(n) __attribute__((aligned((n) < 16 ? (n) : 16)))
#define SIMT_MAKE(T, parameters, values)                                       \
    static inline T make_##T parameters                                        \
    {                                                                          \
        T v = values;                                                          \
        return v;                                                              \
    }
#define SIMT_LIST(...) {__VA_ARGS__}
#define SIMT_VECTORS(name, T)                                                  \
    typedef struct name##1 {T x;} name##1;                                     \
    typedef struct SIMT_WIDE(2 * sizeof(T)) name##2 {T x, y;} name##2;         \
    typedef struct name##3 {T x, y, z;} name##3;                               \
    typedef struct SIMT_WIDE(4 * sizeof(T)) name##4 {T x, y, z, w;} name##4;   \
    SIMT_MAKE(name##1, (T x), SIMT_LIST(x))                                    \
    SIMT_MAKE(name##2, (T x, T y), SIMT_LIST(x, y))                            \
    SIMT_MAKE(name##3, (T x, T y, T z), SIMT_LIST(x, y, z))                    \
    SIMT_MAKE(name##4, (T x, T y, T z, T w), SIMT_LIST(x, y, z, w))

/* define the vectors of all types */
SIMT_VECTORS(char, signed char)
SIMT_VECTORS(uchar, unsigned char)
SIMT_VECTORS(short, short)
SIMT_VECTORS(ushort, unsigned short)
SIMT_VECTORS(int, int)
SIMT_VECTORS(uint, unsigned int)
SIMT_VECTORS(long, long)
SIMT_VECTORS(ulong, unsigned long)
SIMT_VECTORS(longlong, long long)
SIMT_VECTORS(ulonglong, unsigned long long)
SIMT_VECTORS(float, float)
SIMT_VECTORS(double, double)

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
