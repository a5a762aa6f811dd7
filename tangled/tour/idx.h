/* idx.h: the files of MNIST, pictures or labels as bytes. C11 and C++17. */
#ifndef TOUR_IDX_H
#define TOUR_IDX_H

/* begin declarations of C functions */
#ifdef __cplusplus
extern "C" {
#endif

/* count items of rows x cols bytes, one after the other; a label is 1 x 1. */
struct idx {
    int count, rows, cols;
    unsigned char *data; /* idx_free() it */
};

/* Reads dir/name, or dir/name.gz through gzip. A file that is not what it says
   stops the program: message on stderr, exit 1. */
struct idx idx_read(const char *dir, const char *name);
void idx_write(const char *dir, const char *name, const struct idx *set);
void idx_free(struct idx *set);

/* end declarations of C functions */
#ifdef __cplusplus
}
#endif

#endif
