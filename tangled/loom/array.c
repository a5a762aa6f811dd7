/* array.c: pitched memory, arrays, textures and surfaces. */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom/array.h"
#include "loom/runtime_int.h"

/* allocate rows */
enum { PITCH = 512 };

cudaError_t loom_malloc_pitch(void **p, size_t *pitch, size_t width,
                              size_t height, const char *file, int line)
{
    if (!p || !pitch)
        return loom_result(cudaErrorInvalidValue);
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return loom_malloc(p, *pitch * height, LOOM_DEVICE, file, line);
}

cudaError_t loom_malloc_3d(struct cudaPitchedPtr *p, struct cudaExtent extent,
                           const char *file, int line)
{
    if (!p)
        return loom_result(cudaErrorInvalidValue);
    p->xsize = extent.width;
    p->ysize = extent.height;
    return loom_malloc_pitch(&p->ptr, &p->pitch, extent.width,
                             extent.height * extent.depth, file, line);
}

/* keep arrays */
struct cudaArray {
    unsigned word; /* LOOM_ARRAY while it exists */
    unsigned flags;
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* as the program gave it */
    size_t size;              /* of an element */
    size_t width, height, depth;
    char *at;
};

static size_t element_size(const struct cudaChannelFormatDesc *d)
{
    int bits = d->x + d->y + d->z + d->w;
    int n = (d->x > 0) + (d->y > 0) + (d->z > 0) + (d->w > 0);

    if ((d->x != 8 && d->x != 16 && d->x != 32) || n == 3 || n * d->x != bits ||
        (unsigned)d->f > cudaChannelFormatKindFloat ||
        (d->f == cudaChannelFormatKindFloat && d->x == 8))
        return 0;
    return (size_t)bits / 8;
}

static int is_array(cudaArray_const_t a)
{
    return a && a->word == LOOM_ARRAY;
}

static size_t at_least_one(size_t n)
{
    return n ? n : 1;
}
cudaError_t loom_malloc_array(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags,
                              const char *file, int line)
{
    struct cudaArray *a;
    cudaError_t e;
    size_t size = desc ? element_size(desc) : 0;

    if (!array || !size || !extent.width || flags > 15 ||
        ((flags & cudaArrayCubemap) &&
         (extent.width != extent.height || extent.depth % 6)))
        return loom_result(size || !desc ? cudaErrorInvalidValue
                                         : cudaErrorInvalidChannelDescriptor);
    a = calloc(1, sizeof *a);
    if (!a)
        return loom_result(cudaErrorMemoryAllocation);
    *a = (struct cudaArray){LOOM_ARRAY,
                            flags,
                            *desc,
                            extent,
                            size,
                            extent.width,
                            at_least_one(extent.height),
                            at_least_one(extent.depth),
                            NULL};
    e = loom_malloc((void **)&a->at, size * a->width * a->height * a->depth,
                    LOOM_DEVICE, file, line);
    if (e != cudaSuccess)
        free(a);
    else
        *array = a;
    return e;
}

cudaError_t cudaFreeArray(cudaArray_t a)
{
    void *at;

    if (!a)
        return loom_result(cudaSuccess);
    if (!is_array(a))
        return loom_result(cudaErrorInvalidResourceHandle);
    at = a->at;
    a->word = 0;
    return cudaFree(at);
}
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc,
                             struct cudaExtent *extent, unsigned *flags,
                             cudaArray_t a)
{
    if (!is_array(a))
        return loom_result(cudaErrorInvalidResourceHandle);
    if (desc)
        *desc = a->desc;
    if (extent)
        *extent = a->extent;
    if (flags)
        *flags = a->flags;
    return loom_result(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc,
                               cudaArray_const_t a)
{
    return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)a);
}
struct cudaMipmappedArray {
    unsigned word, levels;
    cudaArray_t level[];
};

static size_t half(size_t n, unsigned times)
{
    return n == 0 ? 0 : at_least_one(n >> times);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *m,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned levels,
                                     unsigned flags)
{
    size_t n = levels > 32 ? 32 : levels;
    cudaError_t e = cudaSuccess;

    if (!m || !levels)
        return loom_result(cudaErrorInvalidValue);
    *m = calloc(1, sizeof **m + n * sizeof(cudaArray_t));
    if (!*m)
        return loom_result(cudaErrorMemoryAllocation);
    (*m)->word = LOOM_ARRAY;
    for (unsigned i = 0; i < n && !e; i++) {
        struct cudaExtent x = {half(extent.width, i), half(extent.height, i),
                               flags & (cudaArrayLayered | cudaArrayCubemap)
                                   ? extent.depth
                                   : half(extent.depth, i)};

        if (i && !(extent.width >> i) && !(extent.height >> i) &&
            !(extent.depth >> i))
            break;
        e = loom_malloc_array(&(*m)->level[i], desc, x, flags, NULL, 0);
        (*m)->levels += e == cudaSuccess;
    }
    return e;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *a,
                                       struct cudaMipmappedArray *m,
                                       unsigned level)
{
    if (!a || !m || m->word != LOOM_ARRAY || level >= m->levels)
        return loom_result(cudaErrorInvalidValue);
    *a = m->level[level];
    return loom_result(cudaSuccess);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t m)
{
    for (unsigned i = 0; m && i < m->levels; i++)
        cudaFreeArray(m->level[i]);
    if (m)
        m->word = 0;
    return loom_result(cudaSuccess);
}

/* copy boxes */
static int on_device(const void *p)
{
    const struct loom_area *a;

    loom_open();
    a = loom_find(p);
    loom_done();
    return a && a->kind == LOOM_DEVICE;
}

cudaError_t loom_box_of(struct loom_box *b, const struct cudaMemcpy3DParms *p)
{
    cudaArray_const_t to = p->dstArray, from = p->srcArray;
    size_t size = to ? to->size : from ? from->size : 1;

    memset(b, 0, sizeof *b);
    if (!to == !p->dstPtr.ptr || !from == !p->srcPtr.ptr ||
        (to && !is_array(to)) || (from && !is_array(from)) ||
        (to && from && to->size != from->size))
        return cudaErrorInvalidValue;
    b->width = p->extent.width * size;
    b->height = p->extent.height;
    b->depth = p->extent.depth;
    b->to_pitch = to ? size * to->width : p->dstPtr.pitch;
    b->from_pitch = from ? size * from->width : p->srcPtr.pitch;
    b->to_slice = b->to_pitch * (to ? to->height : p->dstPtr.ysize);
    b->from_slice = b->from_pitch * (from ? from->height : p->srcPtr.ysize);
    b->to = (to ? to->at : (char *)p->dstPtr.ptr) +
            p->dstPos.x * (to ? size : 1) + p->dstPos.y * b->to_pitch +
            p->dstPos.z * b->to_slice;
    b->from = (from ? from->at : (char *)p->srcPtr.ptr) +
              p->srcPos.x * (from ? size : 1) + p->srcPos.y * b->from_pitch +
              p->srcPos.z * b->from_slice;
    b->kind = p->kind;
    if (to || from) /* an array is on the device, whatever was said */
        b->kind = (enum cudaMemcpyKind)((to || on_device(p->dstPtr.ptr)) +
                                        2 * (from || on_device(p->srcPtr.ptr)));
    if ((b->height > 1 && (b->width > b->to_pitch || b->width > b->from_pitch)))
        return cudaErrorInvalidPitchValue;
    if ((to && (p->dstPos.x + p->extent.width > to->width ||
                p->dstPos.y + p->extent.height > to->height ||
                p->dstPos.z + p->extent.depth > to->depth)) ||
        (from && (p->srcPos.x + p->extent.width > from->width ||
                  p->srcPos.y + p->extent.height > from->height ||
                  p->srcPos.z + p->extent.depth > from->depth)))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t s)
{
    struct loom_box b;
    cudaError_t e = p ? loom_box_of(&b, p) : cudaErrorInvalidValue;

    return loom_result(e ? e : loom_copy("cudaMemcpy3DAsync", &b, s));
}
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    struct loom_box b;
    cudaError_t e = p ? loom_box_of(&b, p) : cudaErrorInvalidValue;

    return loom_synced(e ? e : loom_copy("cudaMemcpy3D", &b, NULL));
}

/* copy to and from arrays */
static cudaError_t rows(const char *call, int to_array, cudaArray_const_t a,
                        size_t x, size_t y, char *p, size_t pitch, size_t width,
                        size_t height, enum cudaMemcpyKind kind, cudaStream_t s)
{
    struct loom_box b = {.width = width, .height = height, .kind = kind};
    size_t row;

    if (!is_array(a))
        return cudaErrorInvalidResourceHandle;
    row = a->size * a->width;
    if (x + width > row || y + height > a->height ||
        (height > 1 && width > pitch))
        return cudaErrorInvalidValue;
    b.to = to_array ? a->at + x + y * row : p;
    b.from = to_array ? p : a->at + x + y * row;
    b.to_pitch = to_array ? row : pitch;
    b.from_pitch = to_array ? pitch : row;
    if (kind == cudaMemcpyDefault)
        b.kind = (enum cudaMemcpyKind)(to_array ? 1 + 2 * on_device(p)
                                                : 2 + on_device(p));
    return loom_copy(call, &b, s);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y,
                                const void *from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
    return loom_synced(rows("cudaMemcpy2DToArray", 1, to, x, y, (char *)from,
                            pitch, width, height, kind, NULL));
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch,
                                  cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height,
                                  enum cudaMemcpyKind kind)
{
    return loom_synced(rows("cudaMemcpy2DFromArray", 0, from, x, y, (char *)to,
                            pitch, width, height, kind, NULL));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                     const void *from, size_t pitch,
                                     size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t s)
{
    return loom_result(rows("cudaMemcpy2DToArrayAsync", 1, to, x, y,
                            (char *)from, pitch, width, height, kind, s));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch,
                                       cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t s)
{
    return loom_result(rows("cudaMemcpy2DFromArrayAsync", 0, from, x, y,
                            (char *)to, pitch, width, height, kind, s));
}
static cudaError_t run_of_bytes(int to_array, cudaArray_const_t a, size_t x,
                                size_t y, char *p, size_t count,
                                enum cudaMemcpyKind kind)
{
    cudaError_t e = cudaSuccess;

    while (count && !e && is_array(a)) {
        size_t n = a->size * a->width - x;

        if (n > count)
            n = count;
        e = rows(to_array ? "cudaMemcpyToArray" : "cudaMemcpyFromArray",
                 to_array, a, x, y, p, n, n, 1, kind, NULL);
        p += n;
        count -= n;
        x = 0;
        y++;
    }
    return loom_synced(is_array(a) ? e : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y,
                              const void *from, size_t count,
                              enum cudaMemcpyKind kind)
{
    return run_of_bytes(1, to, x, y, (char *)from, count, kind);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x,
                                size_t y, size_t count,
                                enum cudaMemcpyKind kind)
{
    return run_of_bytes(0, from, x, y, to, count, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t s)
{
    struct loom_box b = {to,     from, to_pitch, from_pitch, width,
                         height, 0,    0,        1,          kind};

    if (width > to_pitch || width > from_pitch)
        return loom_result(cudaErrorInvalidPitchValue);
    return loom_result(loom_copy("cudaMemcpy2DAsync", &b, s));
}

/* fill rows */
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t s)
{
    cudaError_t e = width > pitch ? cudaErrorInvalidPitchValue : cudaSuccess;

    for (size_t y = 0; y < height && !e; y++)
        e = cudaMemsetAsync((char *)p + y * pitch, value, width, s);
    return loom_result(e);
}

cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width,
                         size_t height)
{
    return cudaMemset2DAsync(p, pitch, value, width, height, NULL);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value,
                              struct cudaExtent x, cudaStream_t s)
{
    cudaError_t e = cudaSuccess;

    for (size_t z = 0; z < x.depth && !e; z++)
        e = cudaMemset2DAsync((char *)p.ptr + z * p.pitch * p.ysize, p.pitch,
                              value, x.width, x.height, s);
    return loom_result(e);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value,
                         struct cudaExtent x)
{
    return cudaMemset3DAsync(p, value, x, NULL);
}

/* keep textures */
struct texture {
    unsigned word; /* LOOM_TEXTURE while it exists */
    int surface;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc way;
    struct cudaResourceViewDesc view;
    unsigned levels;
    struct level {
        char *at;
        size_t width, height, depth, pitch, slice;
    } level[32];
    struct cudaChannelFormatDesc desc;
    size_t size;
    unsigned flags; /* of the array */
};

static void set_level(struct texture *t, cudaArray_const_t a)
{
    size_t row = a->size * a->width;

    t->level[t->levels++] = (struct level){a->at,    a->width, a->height,
                                           a->depth, row,      row * a->height};
    t->desc = a->desc;
    t->flags = a->flags;
}
static cudaError_t set_resource(struct texture *t,
                                const struct cudaResourceDesc *r)
{
    const cudaMipmappedArray_t m = r->res.mipmap.mipmap;

    t->resource = *r;
    switch (r->resType) {
    case cudaResourceTypeArray:
        if (!is_array(r->res.array.array))
            return cudaErrorInvalidValue;
        set_level(t, r->res.array.array);
        break;
    case cudaResourceTypeMipmappedArray:
        for (unsigned i = 0; m && i < m->levels; i++)
            set_level(t, m->level[i]);
        break;
    case cudaResourceTypeLinear:
        t->desc = r->res.linear.desc;
        t->size = element_size(&t->desc);
        t->level[t->levels++] =
            (struct level){r->res.linear.devPtr,
                           t->size ? r->res.linear.sizeInBytes / t->size : 0,
                           1,
                           1,
                           0,
                           0};
        break;
    case cudaResourceTypePitch2D:
        t->desc = r->res.pitch2D.desc;
        t->level[t->levels++] =
            (struct level){r->res.pitch2D.devPtr,       r->res.pitch2D.width,
                           r->res.pitch2D.height,       1,
                           r->res.pitch2D.pitchInBytes, 0};
        break;
    }
    t->size = element_size(&t->desc);
    return t->levels && t->size && t->level[0].at ? cudaSuccess
                                                  : cudaErrorInvalidValue;
}
static struct texture *texture_of(unsigned long long object)
{
    struct texture *t = (struct texture *)(uintptr_t)object;

    return t && t->word == LOOM_TEXTURE ? t : NULL;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *r,
                                    const struct cudaTextureDesc *way,
                                    const struct cudaResourceViewDesc *view)
{
    struct texture *t = calloc(1, sizeof *t);
    cudaError_t e;

    if (!object || !r || !way || !t) {
        free(t);
        return loom_result(cudaErrorInvalidValue);
    }
    e = set_resource(t, r);
    t->way = *way;
    if (view)
        t->view = *view;
    if (!e && (view || way->sRGB)) {
        loom_say("cudaCreateTextureObject: Loom lacks %s",
                 view ? "resource views" : "sRGB");
        e = cudaErrorNotSupported;
    }
    if (!e && way->filterMode == cudaFilterModeLinear &&
        t->desc.f != cudaChannelFormatKindFloat &&
        way->readMode != cudaReadModeNormalizedFloat)
        e = cudaErrorInvalidValue;
    if (e) {
        free(t);
        return loom_result(e);
    }
    t->word = LOOM_TEXTURE;
    *object = (uintptr_t)t;
    return loom_result(cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    struct texture *t = texture_of(object);

    if (t)
        t->word = 0;
    return loom_result(t || !object ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *r)
{
    struct cudaTextureDesc way = {0};
    cudaError_t e;

    if (!r || r->resType != cudaResourceTypeArray ||
        !is_array(r->res.array.array) ||
        !(r->res.array.array->flags & cudaArraySurfaceLoadStore))
        return loom_result(cudaErrorInvalidValue);
    e = cudaCreateTextureObject(object, r, &way, NULL);
    if (!e)
        texture_of(*object)->surface = 1;
    return e;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    return cudaDestroyTextureObject(object);
}

#define LOOM_DESC_OF(What, T, field)                             \
    cudaError_t cudaGet##What(T *to, cudaTextureObject_t object) \
    {                                                            \
        if (!to || !texture_of(object))                          \
            return loom_result(cudaErrorInvalidValue);           \
        *to = texture_of(object)->field;                         \
        return loom_result(cudaSuccess);                         \
    }
LOOM_DESC_OF(TextureObjectResourceDesc, struct cudaResourceDesc, resource)
LOOM_DESC_OF(TextureObjectTextureDesc, struct cudaTextureDesc, way)
LOOM_DESC_OF(SurfaceObjectResourceDesc, struct cudaResourceDesc, resource)

/* find texels */
struct axis {
    long at[2]; /* -1: the border */
    float weight[2];
    int n;
};

static long address(long i, long size, enum cudaTextureAddressMode mode)
{
    long period = 2 * size;

    if (i >= 0 && i < size)
        return i;
    switch (mode) {
    case cudaAddressModeWrap:
        return (i % size + size) % size;
    case cudaAddressModeMirror:
        i = (i % period + period) % period;
        return i < size ? i : period - 1 - i;
    case cudaAddressModeBorder:
        return -1;
    default:
        return i < 0 ? 0 : size - 1;
    }
}

static struct axis along(const struct texture *t, float x, size_t size,
                         enum cudaTextureAddressMode mode, int linear)
{
    int normalized = t->way.normalizedCoords;
    struct axis a = {{0, 0}, {1, 0}, 1};
    float base;

    if (!normalized &&
        (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
        mode = cudaAddressModeClamp;
    if (normalized)
        x *= (float)size;
    if (!(fabsf(x) < 1e9f)) /* also a NaN */
        x = x > 0 ? 1e9f : x < 0 ? -1e9f : 0;
    if (!linear) {
        a.at[0] = address((long)floorf(x), (long)size, mode);
        return a;
    }
    base = floorf(x - 0.5f);
    a.weight[1] = rintf((x - 0.5f - base) * 256) / 256;
    a.weight[0] = 1 - a.weight[1];
    a.at[0] = address((long)base, (long)size, mode);
    a.at[1] = address((long)base + 1, (long)size, mode);
    a.n = 2;
    return a;
}
static int face_of(float x, float y, float z, float *s, float *t)
{
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m, u, v;
    int face;

    if (ax >= ay && ax >= az) {
        face = x < 0;
        m = ax, u = x < 0 ? z : -z, v = -y;
    } else if (ay >= az) {
        face = 2 + (y < 0);
        m = ay, u = x, v = y < 0 ? -z : z;
    } else {
        face = 4 + (z < 0);
        m = az, u = z < 0 ? -x : x, v = -y;
    }
    *s = (u / m + 1) / 2;
    *t = (v / m + 1) / 2;
    return face;
}
static struct texture *usable_texture(unsigned long long object, int surface)
{
    struct texture *t = texture_of(object);

    if (!t || t->surface != surface)
        loom_fail((struct loom_site){NULL, 0}, cudaErrorInvalidValue,
                  "uses a %s object that was never made, or destroyed",
                  surface ? "surface" : "texture");
    return t;
}

static void one_level(struct loom_fetched *f, const struct texture *t,
                      const struct level *l, int dims, const float *x,
                      long layer, float share)
{
    const enum cudaTextureAddressMode *m = t->way.addressMode;
    int linear = f->linear;
    struct axis ax = along(t, x[0], l->width, m[0], linear),
                one = {{0}, {1}, 1};
    struct axis ay = dims > 1 ? along(t, x[1], l->height, m[1], linear) : one;
    struct axis az = dims > 2 ? along(t, x[2], l->depth, m[2], linear) : one;

    if (layer >= 0)
        az.at[0] = layer < (long)l->depth ? layer : (long)l->depth - 1;
    for (int k = 0; k < az.n; k++)
        for (int j = 0; j < ay.n; j++)
            for (int i = 0; i < ax.n; i++) {
                int out = ax.at[i] < 0 || ay.at[j] < 0 || az.at[k] < 0;

                f->weight[f->n] =
                    share * ax.weight[i] * ay.weight[j] * az.weight[k];
                f->at[f->n++] = out ? NULL
                                    : l->at + (size_t)az.at[k] * l->slice +
                                          (size_t)ay.at[j] * l->pitch +
                                          (size_t)ax.at[i] * t->size;
            }
}
void loom_texels(struct loom_fetched *f, unsigned long long object, int dims,
                 const float *at, int layer, float lod)
{
    const struct texture *t = usable_texture(object, 0);
    float x[3] = {at[0], at[1], at[2]};
    unsigned level;

    f->n = 0;
    f->kind = t->desc.f;
    f->bits = t->desc.x;
    f->channels = (int)(t->size * 8) / t->desc.x;
    f->linear = t->way.filterMode == cudaFilterModeLinear;
    f->normalized = t->way.readMode == cudaReadModeNormalizedFloat &&
                    t->desc.f != cudaChannelFormatKindFloat;
    memcpy(f->border, t->way.borderColor, sizeof f->border);
    if (dims == LOOM_CUBE) {
        layer = 6 * (layer < 0 ? 0 : layer) +
                face_of(at[0], at[1], at[2], &x[0], &x[1]);
        dims = 2;
    }
    lod += t->way.mipmapLevelBias;
    if (lod < t->way.minMipmapLevelClamp)
        lod = t->way.minMipmapLevelClamp;
    if (t->levels > 1 && lod > t->way.maxMipmapLevelClamp)
        lod = t->way.maxMipmapLevelClamp;
    if (!(lod > 0) || t->levels == 1)
        lod = 0;
    if (lod > (float)(t->levels - 1))
        lod = (float)(t->levels - 1);
    level = (unsigned)lod;
    if (t->way.mipmapFilterMode == cudaFilterModeLinear && lod > (float)level) {
        float part = rintf((lod - (float)level) * 256) / 256;

        one_level(f, t, &t->level[level], dims, x, layer, 1 - part);
        one_level(f, t, &t->level[level + 1], dims, x, layer, part);
    } else {
        one_level(f, t, &t->level[(unsigned)(lod + 0.5f)], dims, x, layer, 1);
    }
}
void loom_texel(struct loom_fetched *f, unsigned long long object, long i)
{
    const struct texture *t = usable_texture(object, 0);
    const struct level *l = &t->level[0];

    f->n = 1;
    f->kind = t->desc.f;
    f->bits = t->desc.x;
    f->channels = (int)(t->size * 8) / t->desc.x;
    f->linear = 0;
    f->normalized = t->way.readMode == cudaReadModeNormalizedFloat &&
                    t->desc.f != cudaChannelFormatKindFloat;
    f->weight[0] = 1;
    memset(f->border, 0, sizeof f->border);
    f->at[0] =
        i >= 0 && (size_t)i < l->width ? l->at + (size_t)i * t->size : NULL;
}

void loom_gather(struct loom_fetched *f, unsigned long long object, float x,
                 float y)
{
    const struct texture *t = usable_texture(object, 0);
    const float at[3] = {x, y, 0};
    struct texture both = *t;

    both.way.filterMode = cudaFilterModeLinear;
    loom_texels(f, object, 2, at, -1, 0);
    f->n = 0;
    f->linear = 1;
    one_level(f, &both, &t->level[0], 2, at, -1, 1);
}

void *loom_surface(unsigned long long object, long x, long y, long z, int bytes,
                   int beyond)
{
    const struct texture *t = usable_texture(object, 1);
    const struct level *l = &t->level[0];
    long row = (long)(l->width * t->size);
    int out = x < 0 || x + bytes > row || y < 0 || y >= (long)l->height ||
              z < 0 || z >= (long)l->depth;

    if (out && beyond == cudaBoundaryModeTrap)
        loom_fail((struct loom_site){NULL, 0}, cudaErrorIllegalAddress,
                  "accesses byte %ld of row %ld, slice %ld of a surface with"
                  " rows of %ld bytes, %zu rows and %zu slices",
                  x, y, z, row, l->height, l->depth);
    if (out && beyond == cudaBoundaryModeZero)
        return NULL;
    x = x < 0 ? 0 : x + bytes > row ? row - bytes : x;
    y = y < 0 ? 0 : y >= (long)l->height ? (long)l->height - 1 : y;
    z = z < 0 ? 0 : z >= (long)l->depth ? (long)l->depth - 1 : z;
    return l->at + (size_t)z * l->slice + (size_t)y * l->pitch + x;
}
