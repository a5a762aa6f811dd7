/* array.h: pitched memory, arrays, textures and surfaces. C11 and C++17. */
#ifndef LOOM_ARRAY_H
#define LOOM_ARRAY_H

#include "loom/cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* declare the calls of arrays */
cudaError_t loom_malloc_pitch(void **p, size_t *pitch, size_t width,
                              size_t height, const char *file, int line);
cudaError_t loom_malloc_3d(struct cudaPitchedPtr *p, struct cudaExtent extent,
                           const char *file, int line);
cudaError_t loom_malloc_array(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags,
                              const char *file, int line);
cudaError_t cudaFreeArray(cudaArray_t a);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc,
                             struct cudaExtent *extent, unsigned *flags,
                             cudaArray_t a);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc,
                               cudaArray_const_t a);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *m,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned levels,
                                     unsigned flags LOOM_OR(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *a,
                                       struct cudaMipmappedArray *m,
                                       unsigned level);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t m);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                              cudaStream_t s LOOM_OR(0));
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y,
                                const void *from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch,
                                  cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height,
                                  enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                     const void *from, size_t pitch,
                                     size_t width, size_t height,
                                     enum cudaMemcpyKind kind,
                                     cudaStream_t s LOOM_OR(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch,
                                       cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind,
                                       cudaStream_t s LOOM_OR(0));
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y,
                              const void *from, size_t count,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x,
                                size_t y, size_t count,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind,
                              cudaStream_t s LOOM_OR(0));
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width,
                         size_t height);
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t s LOOM_OR(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value,
                         struct cudaExtent x);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value,
                              struct cudaExtent x, cudaStream_t s LOOM_OR(0));
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *r,
                                    const struct cudaTextureDesc *way,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *r);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *to,
                                             cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *to,
                                            cudaTextureObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *to,
                                             cudaSurfaceObject_t object);

enum { LOOM_CUBE = 4 };
struct loom_fetched {
    const char *at[16]; /* NULL: the border */
    float weight[16], border[4];
    int n, bits, channels, linear, normalized;
    enum cudaChannelFormatKind kind;
};
/* The texels of a fetch: dims is 1, 2, 3 or LOOM_CUBE, layer -1 for none. */
void loom_texels(struct loom_fetched *f, unsigned long long object, int dims,
                 const float *at, int layer, float lod);
void loom_texel(struct loom_fetched *f, unsigned long long object, long i);
void loom_gather(struct loom_fetched *f, unsigned long long object, float x,
                 float y);
/* Where a surface is accessed, or NULL beyond its edge. */
void *loom_surface(unsigned long long object, long x, long y, long z, int bytes,
                   int beyond);
#ifdef __cplusplus
}
#endif
#endif
