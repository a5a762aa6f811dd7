/* orders.h: ten ways to add up the same floats, and their bounds. C11, C++17. */
#ifndef REDUCE_ORDERS_H
#define REDUCE_ORDERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
enum { ORDERS = 10 };

extern const char *const order_names[ORDERS];
/* The sum of n floats in order k; sorted = sorted_copy(n, x). */
float order_sum(int k, size_t n, const float *x, const float *sorted);
/* Its bound; the terms' absolute values add up to sum_abs. */
double order_bound(int k, size_t n, double sum_abs);
float *sorted_copy(size_t n, const float *x); /* free() it */
#ifdef __cplusplus
}
#endif

#endif
