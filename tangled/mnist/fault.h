/* fault.h: what is wrong, in a sentence. C11 and C++17. */
#ifndef MNIST_FAULT_H
#define MNIST_FAULT_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus /* around declarations of C functions */
#define C_FUNCTIONS extern "C" {
#define C_FUNCTIONS_END }
#else
#define C_FUNCTIONS
#define C_FUNCTIONS_END
#endif

/* Says the sentence, and ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) static inline void
stop(const char *fmt, ...)
{
    va_list args;

    fflush(stdout);
    fprintf(stderr, "mnist: ");
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fprintf(stderr, "\n");
    exit(1);
}

#endif
