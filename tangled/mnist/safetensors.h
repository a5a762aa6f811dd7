/* safetensors.h: named float tensors in a file. C11 and C++17. */
#ifndef MNIST_SAFETENSORS_H
#define MNIST_SAFETENSORS_H

#include "mnist/fault.h"

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
   are ASCII without quotes, backslashes and control characters. */
void st_write(const char *path, const struct st_tensor *t, int count,
              const struct st_pair *meta, int pairs);

/* Takes the `size` bytes of a file that holds exactly the tensors t[0..count),
   with these names and shapes, into their data, and the values of these keys,
   which must be there, into their values, which are empty before. Returns NULL,
   or what is wrong; then no data were touched. With a count below 0 only the
   metadata are taken. There is room for a byte behind the file. */
const char *st_decode(char *file, size_t size, const struct st_tensor *t,
                      int count, struct st_pair *meta, int pairs);
C_FUNCTIONS_END

#endif
