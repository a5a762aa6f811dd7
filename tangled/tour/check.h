/* check.h: a program of this book checks itself. C11 and C++17. */
#ifndef TOUR_CHECK_H
#define TOUR_CHECK_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* say where a check failed and stop */
/* Prints file:line, the message and the condition on stderr; exits 1. */
__attribute__((noreturn, format(printf, 4, 5))) static inline void
check_failed(const char *file, int line, const char *cond, const char *fmt, ...)
{
    va_list args;

    fflush(stdout); /* so that the order on a terminal is the order in time */
    fprintf(stderr, "%s:%d: ", file, line);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fprintf(stderr, "\n    not true: %s\n", cond);
    exit(1);
}

/* check a condition */
/* CHECK(cond, fmt, ...): go on if cond is true, else print and exit 1. */
#define CHECK(cond, ...)                                          \
    do {                                                          \
        if (!(cond))                                              \
            check_failed(__FILE__, __LINE__, #cond, __VA_ARGS__); \
    } while (0)

/* check a number against a tolerance and its reason */
/* CHECK_NEAR(got, want, tol, why): |got - want| <= tol, else print and exit 1.
   `why` is the reason for the tolerance, in words: there is no way to leave it
   out. A NaN is near nothing; an infinity only to itself. */
#define CHECK_NEAR(got, want, tol, why) \
    check_near(__FILE__, __LINE__, #got, got, want, tol, why)

static inline void check_near(const char *file, int line, const char *what,
                              double got, double want, double tol,
                              const char *why)
{
    if (got == want || fabs(got - want) <= tol)
        return;
    check_failed(file, line, "|got - want| <= tolerance",
                 "%s = %.9g, want %.9g, off by %.3g, tolerance %.3g (%s)", what,
                 got, want, fabs(got - want), tol, why);
}

/* check two arrays element by element */
/* CHECK_ARRAY(got, want, n): n floats are equal, else print the first that is
   not and exit 1. For results that must be exact; a NaN equals nothing. */
#define CHECK_ARRAY(got, want, n) \
    check_array(__FILE__, __LINE__, #got, got, want, n)

static inline void check_array(const char *file, int line, const char *what,
                               const float *got, const float *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(got[i] == want[i]))
            check_failed(file, line, "got[i] == want[i]",
                         "%s[%zu] = %.9g, want %.9g", what, i, (double)got[i],
                         (double)want[i]);
}

/* allocate an array or stop */
/* count elements of size bytes, all zero; free() them. Never returns NULL. */
static inline void *check_alloc(size_t count, size_t size)
{
    void *p;

    CHECK(size == 0 || count <= PTRDIFF_MAX / size,
          "%zu elements of %zu bytes: no object can be that large", count,
          size);
    p = calloc(count ? count : 1, size ? size : 1);
    CHECK(p != NULL, "no memory for %zu elements of %zu bytes", count, size);
    return p;
}

/* poison memory before it is written */
/* Fills memory with ones: every float and double in it is then a NaN. */
static inline void poison(void *p, size_t bytes)
{
    memset(p, 0xff, bytes);
}

#endif
