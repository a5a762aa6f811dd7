/* tensor_try: check the tensor at a given shape */
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"
#include "tour/tensor.h"

/* check the product with a permutation */
static void check_product(int m, int k, uint64_t seed)
{
    struct tensor *a = tensor_new(m, k), *b = tensor_new(k, k),
                  *c = tensor_new(m, k);
    int shift = (int)rng_below(&seed, (uint32_t)k);

    for (int i = 0; i < k; i++)
        tensor_set(b, i, (i + shift) % k, 1);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++) {
            tensor_set(a, i, j, rng_small(&seed));
            tensor_set(c, i, j, NAN);
        }
    CHECK(tensor_mul(c, a, b) == TENSOR_OK, "the shapes fit");
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++) {
            int to = (j + shift) % k;

            CHECK(tensor_get(c, i, to) == tensor_get(a, i, j),
                  "c(%d, %d) is not a(%d, %d)", i, to, i, j);
        }
    tensor_destroy(c);
    tensor_destroy(b);
    tensor_destroy(a);
}

/* check the product with ones */
static void check_ones(int m, int k, int n)
{
    struct tensor *a = tensor_new(m, k), *b = tensor_new(k, n),
                  *c = tensor_new(m, n);

    for (int i = 0; i < k; i++) {
        for (int r = 0; r < m; r++)
            tensor_set(a, r, i, 1);
        for (int s = 0; s < n; s++)
            tensor_set(b, i, s, 1);
    }
    CHECK(tensor_mul(c, a, b) == TENSOR_OK, "the shapes fit");
    for (int i = 0; i < m * n; i++)
        CHECK(tensor_get(c, i / n, i % n) == (float)k, "an element is %g",
              (double)tensor_get(c, i / n, i % n));
    CHECK(tensor_mul(a, a, b) == TENSOR_BAD_SHAPE, "a is also an operand");
    CHECK(m == n || tensor_mul(c, b, a) == TENSOR_BAD_SHAPE,
          "b a has no place");
    tensor_destroy(c);
    tensor_destroy(b);
    tensor_destroy(a);
}

/* check what is said of a status */
static void check_errors(void)
{
    static const char *const say[] = {"no error", "below 1", "memory",
                                      "no status"};

    for (int s = 0; s < 4; s++)
        CHECK(strstr(tensor_error((enum tensor_status)s), say[s]) != NULL,
              "status %d: %s", s, tensor_error((enum tensor_status)s));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("m", 7, 1, 1000), ARG_SIZE("k", 13, 1, 1000),
                         ARG_NUMBER("--row", 0, 0, 9)};
    uint64_t seed = args_parse(argc, argv, "check the tensor", args, 3);
    int m = (int)args[0].value, k = (int)args[1].value;
    struct tensor *t;

    CHECK(tensor_create(&t, 0, 3) == TENSOR_BAD_SHAPE && !t, "0 x 3");
    CHECK(tensor_create(&t, 3, -1) == TENSOR_BAD_SHAPE && !t, "3 x -1");
    t = tensor_new(2, 3);
    CHECK(tensor_rows(t) == 2 && tensor_cols(t) == 3, "the shape is 2 x 3");
    tensor_get(t, (int)args[2].value, 0);
    tensor_destroy(t);
    check_errors();
    check_product(m, k, seed);
    check_ones(m, k, m + 1);
    printf("ok: %d x %d, and what must be refused\n", m, k);
    return 0;
}
