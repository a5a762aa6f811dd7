/* order: rows of a run that was killed between its two files */
#include "mnist/file.h"
#include "mnist/report.h"
#include "tour/args.h"
#include "tour/check.h"

static const char *csv;

/* run a few epochs */
static int run(int first, int last)
{
    struct report *r = report_begin(csv, last, 2, first);
    size_t size;
    char *bytes;
    int rows = 0;

    for (int e = first; e <= last; e++) {
        report_step(r, e, 1, 1.0 / e);
        report_step(r, e, 2, 0.5 / e);
        report_epoch(r, e, 1, 1);
    }
    report_end(r);
    bytes = file_read(csv, &size);
    for (size_t i = 0; i < size; i++)
        rows += bytes[i] == '\n';
    free(bytes);
    return rows - 1;
}

/* compare the two orders */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--file", "order.csv")};

    args_parse(argc, argv, "which file first?", args, 1);
    csv = args[0].text;
    CHECK(run(1, 3) == 9, "a run that nobody disturbs has nine rows");
    CHECK(run(1, 2) == 6, "killed after the rows of epoch 2");
    CHECK(run(2, 3) == 9, "the checkpoint has epoch 1: epoch 2 comes again");
    CHECK(run(1, 1) == 3, "killed before the rows of epoch 2");
    CHECK(run(3, 3) == 6, "the checkpoint has epoch 2: its rows are missing");
    remove(csv);
    printf("rows first, checkpoint last\n");
    return 0;
}
