/* orders.c: ten ways to add up the same floats, and their bounds. */
#include "reduce/orders.h"

#include <string.h>

#include "reduce/bound.h"
#include "tour/check.h"

/* add in a loop */
static float add_forward(size_t n, const float *x)
{
    float sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static float add_backward(size_t n, const float *x)
{
    float sum = 0;

    for (size_t i = n; i-- > 0;)
        sum += x[i];
    return sum;
}

/* add by a tree */
static float add_pairwise(size_t n, const float *x)
{
    if (n <= 1)
        return n ? x[0] : 0;
    return add_pairwise(n / 2, x) + add_pairwise(n - n / 2, x + n / 2);
}

static float add_strided(size_t n, const float *x, size_t lanes)
{
    float *sum = (float *)check_alloc(lanes, sizeof *sum), all;

    for (size_t i = 0; i < n; i++)
        sum[i % lanes] += x[i];
    all = add_pairwise(lanes, sum);
    free(sum);
    return all;
}

static float add_blocks(size_t n, const float *x)
{
    float sum = 0;

    for (size_t i = 0; i < n; i += 1024)
        sum += add_forward(n - i < 1024 ? n - i : 1024, x + i);
    return sum;
}

/* add with more digits */
static float add_kahan(size_t n, const float *x)
{
    float sum = 0, lost = 0;

    for (size_t i = 0; i < n; i++) {
        float y = x[i] - lost, t = sum + y;

        lost = (t - sum) - y;
        sum = t;
    }
    return sum;
}

static float add_double(size_t n, const float *x)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return (float)sum;
}

/* choose an order */
const char *const order_names[ORDERS] = {
    "forward", "backward", "rising",  "falling", "pairwise",
    "lanes",   "blocks",   "threads", "kahan",   "double"};

float order_sum(int k, size_t n, const float *x, const float *sorted)
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
double order_bound(int k, size_t n, double sum_abs)
{
    double m = (double)n, u = BOUND_FLOAT;
    double height[ORDERS] = {m - 1,
                             m - 1,
                             m - 1,
                             m - 1,
                             ceil(log2(m + 1)),
                             bound_height(m, 32),
                             ceil(m / 1024) + 1022,
                             bound_height(m, 270336),
                             0,
                             0};

    if (k == 8)
        return bound_up((3 * u + 5 * m * u * u) * sum_abs);
    if (k == 9)
        return bound_up((u + m * BOUND_DOUBLE) * sum_abs);
    return bound_sum(m, height[k], u, sum_abs);
}

/* sort floats */
static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

float *sorted_copy(size_t n, const float *x)
{
    float *y = (float *)check_alloc(n, sizeof *y);

    memcpy(y, x, n * sizeof *y);
    qsort(y, n, sizeof *y, by_size);
    return y;
}
