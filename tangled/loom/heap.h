/* heap.h: memory that kernels allocate and free themselves. C11 and C++17. */
#ifndef LOOM_HEAP_H
#define LOOM_HEAP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In a kernel the device's heap, NULL when it is full; else the C library's. */
void *loom_heap_malloc(size_t bytes);
void loom_heap_free(void *p);

/* The same for new and delete: for the host the C++ library's. */
void *loom_heap_new(size_t bytes);
void loom_heap_delete(void *p);
void *loom_heap_news(size_t bytes);
void loom_heap_deletes(void *p);
void loom_heap_delete_sized(void *p, size_t bytes);
void loom_heap_deletes_sized(void *p, size_t bytes);

/* How many bytes kernels may have at a time. */
void loom_heap_limit(size_t bytes);

/* In a checked program: writes which block of the heap an address is in or next
   to, or returns 0. */
int loom_heap_describe(const void *p, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
