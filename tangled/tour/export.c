/* export: write the ten drawings as a training set and a test set */
#include "tour/args.h"
#include "tour/check.h"
#include "tour/drawings.h"
#include "tour/idx.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--to", "")};
    unsigned char labels[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct idx x = {10, PAPER, PAPER, NULL}, y = {10, 1, 1, labels};

    args_parse(argc, argv, "write the ten drawings as IDX files", args, 1);
    CHECK(args[0].text[0], "say where to write: --to DIR");
    x.data = check_alloc(10, PAPER * PAPER);
    for (int d = 0; d < 10; d++)
        draw_digit(x.data + d * PAPER * PAPER, d);
    idx_write(args[0].text, "train-images-idx3-ubyte", &x);
    idx_write(args[0].text, "train-labels-idx1-ubyte", &y);
    idx_write(args[0].text, "t10k-images-idx3-ubyte", &x);
    idx_write(args[0].text, "t10k-labels-idx1-ubyte", &y);
    idx_free(&x);
    printf("ok: 10 pictures of %d x %d and their labels, twice\n", PAPER,
           PAPER);
    return 0;
}
