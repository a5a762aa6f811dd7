#include "tour/tensor.h"
#include "tour/check.h"

/* define the tensor */
struct tensor {
    int rows, cols;
    float *x; /* row after row: element (r, c) is x[r * cols + c] */
};

/* say what went wrong with a tensor */
const char *tensor_error(enum tensor_status status)
{
    switch (status) {
    case TENSOR_OK:
        return "no error";
    case TENSOR_BAD_SHAPE:
        return "a size below 1, or shapes that do not fit together";
    case TENSOR_NO_MEMORY:
        return "not enough memory";
    }
    return "no status of a tensor";
}

/* create a tensor */
enum tensor_status tensor_create(struct tensor **out, int rows, int cols)
{
    struct tensor *t;

    *out = NULL;
    if (rows < 1 || cols < 1)
        return TENSOR_BAD_SHAPE;
    t = malloc(sizeof *t);
    if (t == NULL)
        return TENSOR_NO_MEMORY;
    t->rows = rows;
    t->cols = cols;
    t->x = calloc((size_t)rows * (size_t)cols, sizeof *t->x);
    if (t->x == NULL) {
        free(t);
        return TENSOR_NO_MEMORY;
    }
    *out = t;
    return TENSOR_OK;
}

/* create a tensor or stop */
struct tensor *tensor_new(int rows, int cols)
{
    struct tensor *t;
    enum tensor_status status = tensor_create(&t, rows, cols);

    CHECK(status == TENSOR_OK, "a %d x %d tensor: %s", rows, cols,
          tensor_error(status));
    return t;
}

/* destroy a tensor */
void tensor_destroy(struct tensor *t)
{
    if (t == NULL)
        return;
    free(t->x);
    free(t);
}

/* find an element */
static float *element(const struct tensor *t, int row, int col)
{
    CHECK(row >= 0 && row < t->rows && col >= 0 && col < t->cols,
          "there is no element (%d, %d) in a %d x %d tensor", row, col, t->rows,
          t->cols);
    return &t->x[(size_t)row * (size_t)t->cols + (size_t)col];
}

/* read and write an element */
float tensor_get(const struct tensor *t, int row, int col)
{
    return *element(t, row, col);
}

void tensor_set(struct tensor *t, int row, int col, float value)
{
    *element(t, row, col) = value;
}

/* tell the shape */
int tensor_rows(const struct tensor *t)
{
    return t->rows;
}

int tensor_cols(const struct tensor *t)
{
    return t->cols;
}

/* multiply two tensors */
enum tensor_status tensor_mul(struct tensor *c, const struct tensor *a,
                              const struct tensor *b)
{
    if (a->cols != b->rows || c->rows != a->rows || c->cols != b->cols ||
        c == a || c == b)
        return TENSOR_BAD_SHAPE;
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->cols; j++) {
            float sum = 0;

            for (int k = 0; k < a->cols; k++)
                sum += *element(a, i, k) * *element(b, k, j);
            *element(c, i, j) = sum;
        }
    return TENSOR_OK;
}
