/* file.h: files that are read whole and replaced whole. */
#ifndef MNIST_FILE_H
#define MNIST_FILE_H

#include "mnist/fault.h"

/* All of a regular file of 1 to 2^30 bytes, and a 0 behind it; free() it. */
char *file_read(const char *path, size_t *size);

/* Opens a new file beside path, which stays as it is until file_commit() has
   put the new one, written to the disk, in its place. */
FILE *file_begin(const char *path);
void file_commit(FILE *file, const char *path);

/* Stops the program if path could not be replaced; it is as it was. */
void file_try(const char *path);

#endif
