/* fault.h: what is wrong, in a sentence. C11 and C++17. */
#ifndef MNIST_FAULT_H
#define MNIST_FAULT_H

#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus /* around declarations of C functions */
#define C_FUNCTIONS extern "C" {
#define C_FUNCTIONS_END }
#else
#define C_FUNCTIONS
#define C_FUNCTIONS_END
#endif

struct fault {
    char text[1000];
};

/* Writes the sentence and returns -1, which its callers return in turn. */
__attribute__((format(printf, 2, 3))) static inline int
fault_say(struct fault *why, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(why->text, sizeof why->text, fmt, args);
    va_end(args);
    return -1;
}

#endif
