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
static float add_strided(size_t n, const float *x, size_t lanes)
{
    float sum[1024] = {0};

    for (size_t i = 0; i < n; i++)
        sum[i % lanes] += x[i];
    return add_forward(lanes, sum);
}

static float add_32(size_t n, const float *x)
{
    return add_strided(n, x, 32);
}

static float add_blocks(size_t n, const float *x)
{
    float sum = 0;

    for (size_t i = 0; i < n; i += 1024)
        sum += add_forward(n - i < 1024 ? n - i : 1024, x + i);
    return sum;
}

static float add_pairwise(size_t n, const float *x)
{
    if (n <= 1)
        return n ? x[0] : 0;
    return add_pairwise(n / 2, x) + add_pairwise(n - n / 2, x + n / 2);
}
/* The sum of x[first], x[first + step], ... by `step` threads' halves. */
static float add_threads(size_t n, const float *x, size_t first, size_t threads,
                         size_t all)
{
    float sum = 0;

    if (threads > 1)
        return add_threads(n, x, first, threads / 2, all) +
               add_threads(n, x, first + threads / 2, threads - threads / 2,
                           all);
    for (size_t i = first; i < n; i += all)
        sum += x[i];
    return sum;
}

static float add_grid(size_t n, const float *x)
{
    return add_threads(n, x, 0, 270336, 270336);
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

/* sort positive floats */
/* Sorts the bits of n positive floats, three passes of 11 bits. */
static void sort_bits(size_t n, uint32_t *a, uint32_t *b)
{
    for (int shift = 0; shift < 33; shift += 11) {
        size_t place[2049] = {0};
        uint32_t *t = a;

        for (size_t i = 0; i < n; i++)
            place[(a[i] >> shift & 2047) + 1]++;
        for (int d = 0; d < 2048; d++)
            place[d + 1] += place[d];
        for (size_t i = 0; i < n; i++)
            b[place[a[i] >> shift & 2047]++] = a[i];
        a = b; /* after three passes the result is in the first b */
        b = t;
    }
}

float *sorted_copy(size_t n, const float *x)
{
    uint32_t *a = (uint32_t *)check_alloc(n, sizeof *a);
    float *b = (float *)check_alloc(n, sizeof *b);

    memcpy(a, x, n * sizeof *a);
    sort_bits(n, a, (uint32_t *)b);
    free(a);
    return b;
}

const char *const order_names[ORDERS] = {
    "forward", "backward", "rising",   "falling", "lanes",
    "blocks",  "threads",  "pairwise", "kahan",   "double"};

/* choose an order */
float order_sum(int k, size_t n, const float *x, const float *sorted)
{
    static float (*const add[ORDERS])(size_t, const float *) = {
        add_forward, add_backward, add_forward,  add_backward, add_32,
        add_blocks,  add_grid,     add_pairwise, add_kahan,    add_double};
    int by_size = k == 2 || k == 3;

    CHECK(k >= 0 && k < ORDERS, "there is no order %d", k);
    return add[k](n, by_size ? sorted : x);
}

/* bound an order */
/* The bound of order k for n terms whose absolute values add up to sum_abs. */
double order_bound(int k, size_t n, double sum_abs)
{
    double each = ceil((double)n / 270336), u = BOUND_FLOAT;
    double height[] = {n - 1.0, n - 1.0, n - 1.0, n - 1.0, ceil(n / 32.0) + 30,
                       ceil(n / 1024.0) + 1022, ceil(log2((double)n + 1)),
                       each - 1 + 19};

    CHECK(k >= 0 && k < ORDERS, "there is no order %d", k);
    if (strcmp(order_names[k], "kahan") == 0)
        return bound_up((3 * u + 5 * (double)n * u * u) * sum_abs);
    if (strcmp(order_names[k], "double") == 0)
        return bound_up((u + (double)n * BOUND_DOUBLE) * sum_abs);
    return bound_sum((double)n, height[k], u, sum_abs);
}
