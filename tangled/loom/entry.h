/* entry.h: kernels are found by their addresses. C11 and C++17. */
#ifndef LOOM_ENTRY_H
#define LOOM_ENTRY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* describe a kernel that is known by its address */
struct loom_launch;

struct loom_entry {
    const void *kernel;         /* its address */
    void (*thread)(void *args); /* runs it once */
    /* starts it with copies of *args[0], *args[1] ...: a cudaError_t */
    int (*start)(struct loom_launch *l, void **args, void *stream);
    const char *text;       /* has "Kernel = " and its name */
    const char *unit, *key; /* its twin has the same two; or NULL */
    int twin;               /* compiled for the device alone */
    size_t shared; /* bytes that it may have: cudaFuncSetAttribute; or 0 */
    struct loom_entry *next;
};

/* Keeps an entry. */
void loom_enter(struct loom_entry *e);

/* The kernel with this address, or NULL. */
struct loom_entry *loom_kernel(const void *kernel);

/* Its name, as far as the compiler tells it; valid until the next call. */
const char *loom_kernel_name(const struct loom_entry *e);

#ifdef __cplusplus
}
#endif
#endif
