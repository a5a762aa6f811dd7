/* orders.h: ten ways to add up the same floats, and their bounds. C11, C++17. */
#ifndef REDUCE_ORDERS_H
#define REDUCE_ORDERS_H

#include <stdlib.h>
#include <string.h>

#include "reduce/bound.h"
#include "tour/check.h"

/* add in a loop */
static inline float add_forward(size_t n, const float *x)
{
    float sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* add backwards */
static inline float add_backward(size_t n, const float *x)
{
    float sum = 0;

    for (size_t i = n; i-- > 0;)
        sum += x[i];
    return sum;
}

/* add by a tree */
static inline float add_pairwise(size_t n, const float *x)
{
    if (n <= 1)
        return n ? x[0] : 0;
    return add_pairwise(n / 2, x) + add_pairwise(n - n / 2, x + n / 2);
}

/* add by lanes and by blocks */
static inline float add_strided(size_t n, const float *x, size_t lanes)
{
    float *sum = (float *)check_alloc(lanes, sizeof *sum), all;

    for (size_t i = 0; i < n; i++)
        sum[i % lanes] += x[i];
    all = add_pairwise(lanes, sum);
    free(sum);
    return all;
}

static inline float add_blocks(size_t n, const float *x)
{
    float sum = 0;

    for (size_t i = 0; i < n; i += 1024)
        sum += add_forward(n - i < 1024 ? n - i : 1024, x + i);
    return sum;
}

/* add with more digits */
static inline float add_kahan(size_t n, const float *x)
{
    float sum = 0, lost = 0;

    for (size_t i = 0; i < n; i++) {
        float y = x[i] - lost, t = sum + y;

        lost = (t - sum) - y;
        sum = t;
    }
    return sum;
}

/* add in double */
static inline float add_double(size_t n, const float *x)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return (float)sum;
}

/* choose an order */
enum { ORDERS = 10 };

static const char *const order_names[ORDERS] = {
    "forward", "backward", "rising",  "falling", "pairwise",
    "lanes",   "blocks",   "threads", "kahan",   "double"};

/* The sum of n floats in order k; sorted = sorted_copy(n, x). */
static inline float order_sum(int k, size_t n, const float *x,
                              const float *sorted)
{
    CHECK(k >= 0 && k < ORDERS, "there is no order %d", k);
    if (k < 4)
        return k % 2 ? add_backward(n, k < 2 ? x : sorted)
                     : add_forward(n, k < 2 ? x : sorted);
    if (k == 5 || k == 7)
        return add_strided(n, x, k == 5 ? 32 : 270336);
    return k == 4   ? add_pairwise(n, x)
           : k == 6 ? add_blocks(n, x)
           : k == 8 ? add_kahan(n, x)
                    : add_double(n, x);
}

/* bound an order */
/* The bound of order k; the terms' absolute values add up to abs_sum. */
static inline double order_bound(int k, size_t n, double abs_sum)
{
    double m = (double)n, u = BOUND_FLOAT, loop = m - 1;
    double height[ORDERS] = {loop,
                             loop,
                             loop,
                             loop,
                             ceil(log2(m + 1)),
                             bound_height(m, 32),
                             ceil(m / 1024) + 1022,
                             bound_height(m, 270336)};

    if (k == 8)
        return bound_up((3 * u + 5 * m * u * u) * abs_sum);
    if (k == 9)
        return bound_up((u + m * BOUND_DOUBLE) * abs_sum);
    return bound_sum(m, height[k], u, abs_sum);
}

/* sort floats */
static inline int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

static inline float *sorted_copy(size_t n, const float *x)
{
    float *y = (float *)check_alloc(n, sizeof *y);

    memcpy(y, x, n * sizeof *y);
    qsort(y, n, sizeof *y, by_size);
    return y;
}

#endif
