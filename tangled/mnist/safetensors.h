/* safetensors.h: named float tensors in a file. C11 and C++17. */
#ifndef MNIST_SAFETENSORS_H
#define MNIST_SAFETENSORS_H

#include "mnist/fault.h"

#include <stddef.h>
#include <stdint.h>

C_FUNCTIONS

/* describe a tensor and a pair */
enum { ST_RANK = 4, ST_TEXT = 128 };

struct st_tensor {
    const char *name;
    int rank, shape[ST_RANK]; /* row-major */
    float *data;
};

struct st_pair {
    const char *key;
    char value[ST_TEXT];
};

/* Replaces path by a file with these tensors and pairs. Names, keys and values
   are ASCII without quotes, backslashes and control characters. 0, or -1. */
int st_write(const char *path, const struct st_tensor *t, int count,
             const struct st_pair *meta, int pairs, struct fault *why);

/* Takes the bytes of a file that holds exactly the tensors t[0..count), with
   these names and shapes, into their data, and the values of these keys, which
   must be there, into their values, which are empty before. -1, and no data
   touched, if anything is not right. With a count below 0 only the metadata are
   taken. */
int st_decode(const unsigned char *file, size_t size, const char *name,
              const struct st_tensor *t, int count, struct st_pair *meta,
              int pairs, struct fault *why);

C_FUNCTIONS_END

#endif
