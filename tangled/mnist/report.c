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
static int old_rows(struct report *r, int first_epoch, struct fault *why)
{
    unsigned char *bytes;
    const char *line, *end, *next;
    size_t size, n = strlen(columns);

    fputs(columns, r->rows);
    if (r->csv == NULL || access(r->csv, F_OK) != 0)
        return 0;
    if (file_read(r->csv, &bytes, &size, why) != 0)
        return -1;
    line = (const char *)bytes;
    end = line + size;
    if (size < n || memcmp(line, columns, n) != 0) {
        free(bytes);
        return fault_say(why, "%s: is no CSV file of this trainer; it stays",
                         r->csv);
    }
    for (line += n; line < end && atoi(line) < first_epoch; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        if (next++ == NULL)
            break;
        fwrite(line, 1, (size_t)(next - line), r->rows);
    }
    free(bytes);
    return 0;
}

/* begin and end a report */
struct report *report_begin(const char *csv, int epochs, int steps,
                            int first_epoch, struct fault *why)
{
    struct report *r = check_alloc(1, sizeof *r);

    *r = (struct report){.epochs = epochs,
                         .steps = steps,
                         .csv = csv,
                         .terminal = isatty(STDOUT_FILENO),
                         .begun = 1e-6 * clock_us()};
    r->rows = open_memstream(&r->text, &r->size);
    CHECK(r->rows != NULL, "no memory for the report");
    if ((csv == NULL || file_try(csv, why) == 0) &&
        old_rows(r, first_epoch, why) == 0)
        return r;
    report_end(r);
    return NULL;
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

/* replace the CSV file */
static int report_save(struct report *r, struct fault *why)
{
    struct file_new *f = file_begin(r->csv, why);

    CHECK(fflush(r->rows) == 0, "no memory for the report");
    if (f == NULL)
        return -1;
    return file_put(f, r->text, r->size, why) != 0 ? file_abandon(f)
                                                   : file_commit(f, why);
}

int report_epoch(struct report *r, int epoch, double loss, double right,
                 struct fault *why)
{
    double t = 1e-6 * clock_us();

    printf("%sepoch %d of %d  loss %.4f  test %.2f%%  %.1f s\n",
           r->terminal ? "\r\033[K" : "", epoch, r->epochs, loss, 100 * right,
           t - r->begun);
    r->begun = t;
    fprintf(r->rows, "%d,%d,%.9g,%.9g\n", epoch, r->steps, loss, right);
    fflush(stdout);
    return r->csv != NULL ? report_save(r, why) : 0;
}
