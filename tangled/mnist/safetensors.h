/* safetensors.h: named float tensors in a file. C11 and C++17. */
#ifndef MNIST_SAFETENSORS_H
#define MNIST_SAFETENSORS_H

#include "mnist/fault.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ST_RANK = 4 };

struct st_tensor {
    const char *name;
    int rank, shape[ST_RANK]; /* row-major */
    float *data;
};

struct st_pair {
    const char *key;
    char value[128];
};

/* Writes tensors and pairs as a safetensors file, whole or not at all. Names,
   keys and values must be printable ASCII. 0, or -1. */
int st_write(const char *path, const struct st_tensor *t, int count,
             const struct st_pair *meta, int pairs, struct fault *why);

/* Reads a file that holds exactly the tensors t[0..count), with these names and
   shapes, into their data; and the values of these keys, all of which must be
   there. -1, and no data touched, if anything is not right. */
int st_read(const char *path, const struct st_tensor *t, int count,
            struct st_pair *meta, int pairs, struct fault *why);

/* The same for a file that has been read; `name` is what the sentence calls it.
   count < 0: look at the metadata only. */
int st_decode(const unsigned char *file, size_t size, const char *name,
              const struct st_tensor *t, int count, struct st_pair *meta,
              int pairs, struct fault *why);

#ifdef __cplusplus
}
#endif

#endif
