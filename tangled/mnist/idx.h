/* idx.h: IDX files that may be wrong, plain or compressed. C11 and C++17. */
#ifndef MNIST_IDX_H
#define MNIST_IDX_H

#include "mnist/fault.h"
#include "tour/idx.h"

#ifndef IDX_ZLIB /* 0: packed files are refused */
#if __has_include(<zlib.h>)
#define IDX_ZLIB 1
#else
#define IDX_ZLIB 0
#endif
#endif

enum { IDX_LABELS = 1, IDX_PICTURES = 3 }; /* the number of dimensions */

C_FUNCTIONS

/* declare how IDX files are read and written */
/* Takes the bytes of an IDX file, plain or gzip, into *set; idx_free() it.
   `name` is what the sentence calls them. */
int idx_decode(const unsigned char *file, size_t size, const char *name,
               int dims, struct idx *set, struct fault *why);

/* The same for dir/name, or dir/name.gz if there is no dir/name. */
int idx_load(const char *dir, const char *name, int dims, struct idx *set,
             struct fault *why);

/* Writes dir/name, whole or not at all. */
int idx_save(const char *dir, const char *name, int dims, const struct idx *set,
             struct fault *why);
C_FUNCTIONS_END

#endif
