/* safetensors.h: named float tensors in a file. */
#ifndef MNIST_SAFETENSORS_H
#define MNIST_SAFETENSORS_H

#include "mnist/step.h"

/* declare the reader and the writer */
enum { ST_TEXT = 128 };

struct st_pair {
    const char *key;
    char value[ST_TEXT];
};

/* Replaces path by a file with these tensors, which lie in w one behind the
   other, and pairs. Names, keys and values are ASCII without quotes, backslashes
   and control characters. */
void st_write(const char *path, const struct tensor *t, int count,
              const float *w, const struct st_pair *meta, int pairs);

/* Takes the `size` bytes of a file that holds exactly the tensors t[0..count),
   with these names and shapes, into w, and the values of these keys, which must
   be there, into their values, which are empty before. Returns NULL, or what is
   wrong; then w was not touched. Without tensors (NULL) only the metadata are
   taken. There is room for a byte behind the file. */
const char *st_decode(char *file, size_t size, const struct tensor *t,
                      int count, float *w, struct st_pair *meta, int pairs);

#endif
