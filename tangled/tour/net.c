#include "tour/net.h"
#include "tour/check.h"
#include "tour/idx.h"

/* turn a letter into a number */
static int letter_value(char letter)
{
    CHECK(letter == '.' || (letter >= 'a' && letter <= 'z'),
          "'%c' is no weight; a weight is . or a letter from a to z", letter);
    return letter == '.' ? 0 : letter - 'a' + 1;
}

/* thaw the net */
void net_thaw(struct net *nn, net_letters letters)
{
    nn->w1 = tensor_new(NET_DIGITS, NET_INPUTS);
    for (int digit = 0; digit < NET_DIGITS; digit++)
        for (int i = 0; i < NET_INPUTS; i++) {
            int band = digit / 5 * (NET_SIDE + 1);
            const char *line = letters[band + i / NET_SIDE];
            char letter = line[digit % 5 * (NET_SIDE + 2) + i % NET_SIDE];

            tensor_set(nn->w1, digit, i, (float)letter_value(letter));
        }
}

/* free the net */
void net_free(struct net *nn)
{
    tensor_destroy(nn->w1);
    nn->w1 = NULL;
}

/* shrink a picture */
void net_pool(struct tensor *x, int column, const unsigned char *picture,
              int side)
{
    int cell = side / NET_SIDE, full = 255 * cell * cell;

    CHECK(side > 0 && side % NET_SIDE == 0,
          "a picture of side %d; it must be a multiple of %d", side, NET_SIDE);
    for (int i = 0; i < NET_CELLS; i++) {
        int top = i / NET_SIDE * cell, left = i % NET_SIDE * cell, ink = 0;

        for (int r = top; r < top + cell; r++)
            for (int c = left; c < left + cell; c++)
                ink += picture[r * side + c];
        tensor_set(x, i, column, (float)((ink * NET_INK + full / 2) / full));
    }
    tensor_set(x, NET_CELLS, column, NET_INK);
}

/* score pictures */
struct tensor *net_scores(const struct net *nn, const struct tensor *x)
{
    struct tensor *scores = tensor_new(NET_DIGITS, tensor_cols(x));
    enum tensor_status status = tensor_mul(scores, nn->w1, x);

    CHECK(status == TENSOR_OK, "scores: %s", tensor_error(status));
    return scores;
}

/* find the largest score */
int net_answer(const struct tensor *scores, int column)
{
    int best = 0;

    for (int digit = 1; digit < NET_DIGITS; digit++)
        if (tensor_get(scores, digit, column) >
            tensor_get(scores, best, column))
            best = digit;
    return best;
}

/* count the right answers */
int net_mark(const struct net *nn, const char *dir, int n)
{
    struct idx pictures = idx_read(dir, "t10k-images-idx3-ubyte");
    struct idx labels = idx_read(dir, "t10k-labels-idx1-ubyte");
    size_t area = (size_t)pictures.rows * pictures.cols;
    struct tensor *x, *scores;
    int right = 0;

    /* check that pictures and labels go together */
    CHECK(pictures.count == labels.count && pictures.rows == pictures.cols,
          "%s: %d pictures of %d x %d and %d labels do not go together", dir,
          pictures.count, pictures.rows, pictures.cols, labels.count);
    CHECK(n <= pictures.count, "%s: there are %d pictures, %d are wanted", dir,
          pictures.count, n);
    x = tensor_new(NET_INPUTS, n);
    for (int i = 0; i < n; i++)
        net_pool(x, i, pictures.data + i * area, pictures.rows);
    scores = net_scores(nn, x);
    for (int i = 0; i < n; i++)
        right += net_answer(scores, i) == labels.data[i];
    tensor_destroy(scores);
    tensor_destroy(x);
    idx_free(&pictures);
    idx_free(&labels);
    return right;
}
