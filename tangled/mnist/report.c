#define _POSIX_C_SOURCE 200809L /* open_memstream, clock_gettime */
#include "mnist/report.h"
#include "measure/clock.h"
#include "mnist/file.h"
#include "tour/check.h"

#include <unistd.h>

static const char columns[] = "epoch,step,loss,accuracy\n";

struct report {
    int epochs, steps, terminal;
    double shown, begun; /* seconds: the line; the epoch */
    const char *csv;
    FILE *rows; /* writes into text */
    char *text;
    size_t size;
};

/* take over the rows of an earlier run */
static void old_rows(struct report *r, int first_epoch)
{
    size_t size, n = strlen(columns);
    char *text = file_read(r->csv, &size), *line = text, *next;

    if (strncmp(text, columns, n) != 0)
        stop("%s: is no CSV file of this trainer; it stays", r->csv);
    for (line += n; atoi(line) < first_epoch; line = next) {
        next = strchr(line, '\n');
        if (next++ == NULL)
            break;
        fwrite(line, 1, (size_t)(next - line), r->rows);
    }
    free(text);
}

/* begin and end a report */
struct report *report_begin(const char *csv, int epochs, int steps,
                            int first_epoch)
{
    struct report *r = check_alloc(1, sizeof *r);

    *r = (struct report){.epochs = epochs,
                         .steps = steps,
                         .csv = csv,
                         .terminal = isatty(STDOUT_FILENO),
                         .begun = 1e-6 * clock_us()};
    r->rows = open_memstream(&r->text, &r->size);
    CHECK(r->rows != NULL, "no memory for the report");
    fputs(columns, r->rows);
    if (csv != NULL)
        file_try(csv);
    if (csv != NULL && access(csv, F_OK) == 0)
        old_rows(r, first_epoch);
    return r;
}

void report_end(struct report *r)
{
    fclose(r->rows);
    free(r->text);
    free(r);
}

/* report a step */
void report_step(struct report *r, int epoch, int step, double loss)
{
    double t = 1e-6 * clock_us();

    fprintf(r->rows, "%d,%d,%.9g,\n", epoch, step, loss);
    if (!r->terminal || t - r->shown < 0.1)
        return;
    r->shown = t;
    printf("\r\033[Kepoch %d of %d  step %d of %d  loss %.4f  %.0f s left",
           epoch, r->epochs, step, r->steps, loss,
           (t - r->begun) / step * (r->steps - step));
    fflush(stdout);
}

/* report an epoch */
void report_epoch(struct report *r, int epoch, double loss, double right)
{
    double t = 1e-6 * clock_us();
    FILE *f;

    printf("%sepoch %d of %d  loss %.4f  test %.2f%%  %.1f s\n",
           r->terminal ? "\r\033[K" : "", epoch, r->epochs, loss, 100 * right,
           t - r->begun);
    r->begun = t;
    fprintf(r->rows, "%d,%d,%.9g,%.9g\n", epoch, r->steps, loss, right);
    fflush(stdout);
    if (r->csv == NULL)
        return;
    CHECK(fflush(r->rows) == 0, "no memory for the report");
    f = file_begin(r->csv);
    fwrite(r->text, 1, r->size, f);
    file_commit(f, r->csv);
}
