/* file.h: files that are read whole and replaced whole. C11 and C++17. */
#ifndef MNIST_FILE_H
#define MNIST_FILE_H

#include "mnist/fault.h"

#include <stddef.h>

C_FUNCTIONS
enum { FILE_LARGEST = 1 << 30 };

/* Reads all of a regular file into *bytes, which the caller frees, and *size.
   0, or -1: missing, a folder, empty, unreadable, more than 2^30 bytes. */
int file_read(const char *path, unsigned char **bytes, size_t *size,
              struct fault *why);

/* declare how a file is replaced */

struct file_new;

/* Begins a new file beside path, which stays as it is until file_commit() has
   put the new one, written to the disk, in its place. NULL: see why. */
struct file_new *file_begin(const char *path, struct fault *why);

/* Writes n bytes; file_commit() ends it. 0, or -1: then abandon it. */
int file_put(struct file_new *f, const void *bytes, size_t n,
             struct fault *why);
int file_commit(struct file_new *f, struct fault *why);

/* Throws the new file away; the old one is as it was. Returns -1. */
int file_abandon(struct file_new *f);

/* Could path be replaced? 0, or -1; it is as it was. */
int file_try(const char *path, struct fault *why);
C_FUNCTIONS_END

#endif
