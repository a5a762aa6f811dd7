/* texture.h: what kernels do with texture and surface objects. */
#ifndef LOOM_TEXTURE_H
#define LOOM_TEXTURE_H

#include "loom/array.h"

/* tell the format of a type */
template <class T, class = void>
struct loom_channels {
    typedef T type;
    enum { count = 1 };
    static type &at(T &v, int)
    {
        return v;
    }
};
#define LOOM_CHANNELS(T, n)                            \
    template <>                                        \
    struct loom_channels<T> {                          \
        typedef std::decay<decltype(T::x)>::type type; \
        enum { count = n };                            \
        static type &at(T &v, int i)                   \
        {                                              \
            return (&v.x)[i];                          \
        }                                              \
    };
#define LOOM_CHANNELS_OF(T) \
    LOOM_CHANNELS(T##1, 1)  \
    LOOM_CHANNELS(T##2, 2) LOOM_CHANNELS(T##3, 3) LOOM_CHANNELS(T##4, 4)
LOOM_CHANNELS_OF(char)
LOOM_CHANNELS_OF(uchar)
LOOM_CHANNELS_OF(short)
LOOM_CHANNELS_OF(ushort)
LOOM_CHANNELS_OF(int)
LOOM_CHANNELS_OF(uint)
LOOM_CHANNELS_OF(float)

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef typename loom_channels<T>::type C;
    int bits = 8 * sizeof(C), n = loom_channels<T>::count;

    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
            (std::is_class<C>::value && sizeof(C) == 2) ||
                    std::is_floating_point<C>::value
                ? cudaChannelFormatKindFloat
            : std::is_signed<C>::value ? cudaChannelFormatKindSigned
                                       : cudaChannelFormatKindUnsigned};
}

static inline cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f)
{
    return {x, y, z, w, f};
}
static inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    return {w, h, d};
}

static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return {x, y, z};
}

static inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch,
                                                 size_t x, size_t y)
{
    return {p, pitch, x, y};
}

/* fetch */
static inline float loom_half_bits(unsigned short h)
{
    unsigned sign = (h & 0x8000u) << 16, e = h >> 10 & 31, m = h & 1023;
    float f = ldexpf((float)(e ? m | 1024 : m), e ? (int)e - 25 : -24);

    if (e == 31)
        f = m ? NAN : INFINITY;
    return sign ? -f : f;
}

static inline float loom_channel(const loom_fetched &f, const char *p)
{
    float most = f.bits == 8 ? 127 : 32767, v;

    if (f.kind == cudaChannelFormatKindFloat)
        return f.bits == 32 ? *(const float *)p
                            : loom_half_bits(*(const unsigned short *)p);
    if (f.kind == cudaChannelFormatKindUnsigned)
        return f.bits == 8    ? *(const unsigned char *)p / 255.0f
               : f.bits == 16 ? *(const unsigned short *)p / 65535.0f
                              : (float)*(const unsigned int *)p;
    v = f.bits == 8    ? *(const signed char *)p / most
        : f.bits == 16 ? *(const short *)p / most
                       : (float)*(const int *)p;
    return f.bits < 32 && v < -1 ? -1 : v;
}

static inline float loom_mix(const loom_fetched &f, int channel)
{
    float sum = 0;

    for (int i = 0; i < f.n; i++) /* a weight of 0 is not multiplied */
        if (f.weight[i] != 0)
            sum += f.weight[i] *
                   (!f.at[i] ? f.border[channel]
                             : loom_channel(f, f.at[i] + channel * f.bits / 8));
    return sum;
}
template <class T>
T loom_fetch(const loom_fetched &f)
{
    typedef loom_channels<T> C;
    T value = {};

    if (f.n > 1 || f.normalized ||
        (f.kind == cudaChannelFormatKindFloat && f.bits == 16)) {
        for (int i = 0; i < C::count && i < f.channels; i++)
            C::at(value, i) = (typename C::type)loom_mix(f, i);
    } else if (f.at[0]) {
        for (int i = 0; i < C::count && i < f.channels; i++)
            C::at(value, i) = ((const typename C::type *)f.at[0])[i];
    } else {
        for (int i = 0; i < C::count; i++)
            C::at(value, i) = (typename C::type)f.border[i];
    }
    return value;
}

/* name the fetches */
#define LOOM_TEX(name, dims, layer, lod, coordinates, ...)         \
    template <class T>                                             \
    T name(cudaTextureObject_t t, LOOM_ARGS coordinates)           \
    {                                                              \
        const float at[3] = {__VA_ARGS__};                         \
        loom_fetched f;                                            \
                                                                   \
        loom_texels(&f, t, dims, at, layer, lod);                  \
        return loom_fetch<T>(f);                                   \
    }                                                              \
    template <class T>                                             \
    void name(T *to, cudaTextureObject_t t, LOOM_ARGS coordinates) \
    {                                                              \
        const float at[3] = {__VA_ARGS__};                         \
        loom_fetched f;                                            \
                                                                   \
        loom_texels(&f, t, dims, at, layer, lod);                  \
        *to = loom_fetch<T>(f);                                    \
    }
#define LOOM_ARGS(...) __VA_ARGS__
LOOM_TEX(tex1D, 1, -1, 0, (float x), x)
LOOM_TEX(tex2D, 2, -1, 0, (float x, float y), x, y)
LOOM_TEX(tex3D, 3, -1, 0, (float x, float y, float z), x, y, z)
LOOM_TEX(tex1DLayered, 1, layer, 0, (float x, int layer), x)
LOOM_TEX(tex2DLayered, 2, layer, 0, (float x, float y, int layer), x, y)
LOOM_TEX(texCubemap, LOOM_CUBE, -1, 0, (float x, float y, float z), x, y, z)
LOOM_TEX(texCubemapLayered, LOOM_CUBE, layer, 0,
         (float x, float y, float z, int layer), x, y, z)
LOOM_TEX(tex1DLod, 1, -1, lod, (float x, float lod), x)
LOOM_TEX(tex2DLod, 2, -1, lod, (float x, float y, float lod), x, y)
LOOM_TEX(tex3DLod, 3, -1, lod, (float x, float y, float z, float lod), x, y, z)
LOOM_TEX(tex1DLayeredLod, 1, layer, lod, (float x, int layer, float lod), x)
LOOM_TEX(tex2DLayeredLod, 2, layer, lod,
         (float x, float y, int layer, float lod), x, y)
template <class T>
T tex1Dfetch(cudaTextureObject_t t, int i)
{
    loom_fetched f;

    loom_texel(&f, t, i);
    return loom_fetch<T>(f);
}

template <class T>
void tex1Dfetch(T *to, cudaTextureObject_t t, int i)
{
    *to = tex1Dfetch<T>(t, i);
}

template <class T>
T tex2Dgather(cudaTextureObject_t t, float x, float y, int channel = 0)
{
    static const int order[] = {2, 3, 1, 0}; /* (0,1), (1,1), (1,0), (0,0) */
    typedef loom_channels<T> C;
    T value = {};
    loom_fetched f;

    loom_gather(&f, t, x, y);
    for (int i = 0; i < 4; i++) {
        const char *p = f.at[order[i]];

        if (!p)
            C::at(value, i) = (typename C::type)f.border[channel];
        else if (f.normalized)
            C::at(value, i) =
                (typename C::type)loom_channel(f, p + channel * f.bits / 8);
        else
            C::at(value, i) = ((const typename C::type *)p)[channel];
    }
    return value;
}

/* name the accesses of surfaces */
#define LOOM_SURFACE(kind, coordinates, x, y, z)                               \
    template <class T>                                                         \
    T surf##kind##read(cudaSurfaceObject_t s, LOOM_ARGS coordinates,           \
                       cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap)       \
    {                                                                          \
        const T *p = (const T *)loom_surface(s, x, y, z, sizeof(T), m);        \
                                                                               \
        return p ? *p : T();                                                   \
    }                                                                          \
    template <class T>                                                         \
    void surf##kind##read(T *to, cudaSurfaceObject_t s, LOOM_ARGS coordinates, \
                          cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap)    \
    {                                                                          \
        const T *p = (const T *)loom_surface(s, x, y, z, sizeof(T), m);        \
                                                                               \
        *to = p ? *p : T();                                                    \
    }                                                                          \
    template <class T>                                                         \
    void surf##kind##write(T value, cudaSurfaceObject_t s,                     \
                           LOOM_ARGS coordinates,                              \
                           cudaSurfaceBoundaryMode m = cudaBoundaryModeTrap)   \
    {                                                                          \
        T *p = (T *)loom_surface(s, x, y, z, sizeof(T), m);                    \
                                                                               \
        if (p)                                                                 \
            *p = value;                                                        \
    }
LOOM_SURFACE(1D, (int x), x, 0, 0)
LOOM_SURFACE(2D, (int x, int y), x, y, 0)
LOOM_SURFACE(3D, (int x, int y, int z), x, y, z)
LOOM_SURFACE(1DLayered, (int x, int layer), x, 0, layer)
LOOM_SURFACE(2DLayered, (int x, int y, int layer), x, y, layer)
LOOM_SURFACE(Cubemap, (int x, int y, int face), x, y, face)

/* allocate arrays */
template <class T>
cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height,
                            const char *file = __builtin_FILE(),
                            int line = __builtin_LINE())
{
    return loom_malloc_pitch((void **)p, pitch, width, height, file, line);
}

static inline cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent,
                                       const char *file = __builtin_FILE(),
                                       int line = __builtin_LINE())
{
    return loom_malloc_3d(p, extent, file, line);
}

static inline cudaError_t cudaMallocArray(cudaArray_t *a,
                                          const cudaChannelFormatDesc *desc,
                                          size_t width, size_t height = 0,
                                          unsigned flags = 0,
                                          const char *file = __builtin_FILE(),
                                          int line = __builtin_LINE())
{
    return loom_malloc_array(a, desc, {width, height, 0}, flags, file, line);
}

static inline cudaError_t cudaMalloc3DArray(cudaArray_t *a,
                                            const cudaChannelFormatDesc *desc,
                                            cudaExtent extent,
                                            unsigned flags = 0,
                                            const char *file = __builtin_FILE(),
                                            int line = __builtin_LINE())
{
    return loom_malloc_array(a, desc, extent, flags, file, line);
}
#endif
