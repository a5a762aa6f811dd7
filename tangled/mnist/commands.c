#define _POSIX_C_SOURCE 200809L /* access, isatty, clock_gettime */
#include "mnist/commands.h"
#include "measure/clock.h"
#include "mnist/file.h"
#include "mnist/keep.h"
#include "mnist/synth.h"
#include "random/init.h"
#include "tour/args.h"
#include "tour/check.h"

#include <unistd.h>

/* find a path by its name */
static const struct path *const *paths; /* the last is NULL */

static const struct path *path_of(const struct keep *k)
{
    char name[32], all[200] = "";
    int plain = strcmp(k->precision, "fp32") == 0;

    snprintf(name, sizeof name, "%s%s%s", k->path, plain ? "" : "_",
             plain ? "" : k->precision);
    for (const struct path *const *p = paths; *p; p++) {
        if (strcmp((*p)->name, name) == 0)
            return *p;
        strcat(strcat(all, " "), (*p)->name);
    }
    stop("there is no path '%s'; there are%s", name, all);
}

/* read the settings */
#define SETTINGS                                                              \
    ARG_TEXT("--data", NULL), ARG_NUMBER("--batch", 64, 2, 4096),             \
        ARG_TEXT("--path", "reference"), ARG_TEXT("--precision", "fp32"),     \
        ARG_NUMBER("--threads", 2, 1, 8), ARG_NUMBER("--train", 0, 0, 60000), \
        ARG_NUMBER("--test", 0, 0, 10000)

enum { DATA, BATCH, PATH, PRECISION, THREADS, TRAIN, TEST, OTHERS };
enum { EPOCHS = OTHERS, LR, WIDTH, CSV, SAVE, RESUME }; /* of train */
enum { LOAD = OTHERS, FIRST, COUNT }; /* of eval and predict */

static void take_path(const struct arg *a, struct keep *k)
{
    snprintf(k->path, sizeof k->path, "%s", a[PATH].text);
    snprintf(k->precision, sizeof k->precision, "%s", a[PRECISION].text);
}

/* open a session */
struct session {
    struct digits train, test;
    struct model m;
    const struct path *path;
    struct keep keep; /* the settings that decide the weights */
    void *net;
    float *w;
    int batch;
    /* of a training */
    int epochs, steps, terminal;
    double said, begun; /* seconds: the last line; the epoch */
    float *loss;        /* of each step of this epoch */
};

static void open_digits(struct session *s, const struct arg *a)
{
    const char *from = digits_open(a[DATA].text, (int)a[TRAIN].value,
                                   (int)a[TEST].value, &s->train, &s->test);

    printf("%s: %d digits to train with, %d to test\n", from, s->train.count,
           s->test.count);
}

static void open_net(struct session *s, const struct arg *a, const char *from)
{
    s->m = model_make(s->keep.width);
    s->path = path_of(&s->keep);
    s->w = check_alloc(s->m.total, sizeof *s->w);
    s->net = s->path->open(&s->m, &s->train, &s->test, s->batch,
                           (int)a[THREADS].value);
    if (from)
        keep_load(from, &s->keep, &s->m, s->w);
    else
        model_init(&s->m, s->w, s->keep.seed);
    s->path->set(s->net, s->w);
}

static void close_session(struct session *s)
{
    s->path->close(s->net);
    digits_free(&s->train);
    digits_free(&s->test);
    free(s->w);
    free(s->loss);
}

/* say how a step went */
static void say_step(struct session *s, int step)
{
    double t = 1e-6 * clock_us();

    if (!s->terminal || t - s->said < 0.1)
        return;
    s->said = t;
    printf("\r\033[Kepoch %d of %d  step %d of %d  loss %.4f  %.0f s left",
           s->keep.epoch + 1, s->epochs, step, s->steps, s->loss[step - 1],
           (t - s->begun) / step * (s->steps - step));
    fflush(stdout);
}

/* go through the epoch of a session */
static void train_epoch(struct session *s)
{
    int slot = 0;

    for (int step = 1; step <= s->steps; step++) {
        s->path->step(s->net, (step - 1) * s->batch, s->batch, s->keep.lr,
                      slot++);
        if (slot < s->path->group && step < s->steps)
            continue;
        s->path->losses(s->net, slot, s->loss + step - slot);
        for (int i = step - slot; i < step; i++)
            if (!isfinite(s->loss[i]))
                stop("epoch %d, step %d: the loss is %g; try a smaller --lr "
                     "than %g",
                     s->keep.epoch + 1, i + 1, s->loss[i], s->keep.lr);
        say_step(s, step);
        slot = 0;
    }
}

/* begin a CSV file */
/* A new file in its place, with the rows that it has of earlier epochs. */
static FILE *csv_begin(const char *csv, int epoch)
{
    static char columns[] = "epoch,step,loss,accuracy\n";
    int there = access(csv, F_OK) == 0;
    size_t size, n = strlen(columns);
    char *text = there ? file_read(csv, &size) : columns, *end, *next;
    FILE *to;

    if (strncmp(text, columns, n) != 0)
        stop("%s: is no CSV file of this trainer; it stays", csv);
    end = text + n;
    while (atoi(end) < epoch && (next = strchr(end, '\n')) != NULL)
        end = next + 1;
    to = file_begin(csv);
    fwrite(text, 1, (size_t)(end - text), to);
    if (there)
        free(text);
    return to;
}

/* say how an epoch went */
static void say_epoch(struct session *s, const char *csv, double right)
{
    double t = 1e-6 * clock_us(), sum = 0;
    int epoch = s->keep.epoch + 1;
    FILE *to;

    for (int i = 0; i < s->steps; i++)
        sum += s->loss[i];
    printf("%sepoch %d of %d  loss %.4f  test %.2f%%  %.1f s\n",
           s->terminal ? "\r\033[K" : "", epoch, s->epochs, sum / s->steps,
           100 * right, t - s->begun);
    fflush(stdout);
    s->begun = t;
    if (csv == NULL)
        return;
    to = csv_begin(csv, epoch);
    for (int i = 0; i < s->steps; i++)
        fprintf(to, "%d,%d,%.9g,\n", epoch, i + 1, s->loss[i]);
    fprintf(to, "%d,%d,%.9g,%.9g\n", epoch, s->steps, sum / s->steps, right);
    file_commit(to, csv);
}

/* compare the settings with the checkpoint's */
static void resume(struct session *s, int argc, char **argv,
                   const struct arg *a)
{
    struct st_pair now[KEEP_PAIRS], then[KEEP_PAIRS];
    struct keep k;

    keep_load(a[RESUME].text, &k, NULL, NULL);
    if (s->keep.data != k.data)
        stop("%s was made from other digits than these", a[RESUME].text);
    keep_texts(&s->keep, now);
    keep_texts(&k, then);
    for (int i = 0; i < KEEP_PAIRS; i++)
        for (int j = 1; j < argc; j++)
            if (strncmp(argv[j], "--", 2) == 0 &&
                strcmp(argv[j] + 2, now[i].key) == 0 &&
                strcmp(now[i].value, then[i].value) != 0)
                stop("%s %s contradicts the checkpoint, which was made with "
                     "%s; leave it out to go on",
                     argv[j], now[i].value, then[i].value);
    s->keep = k;
}

/* begin a training */
static void begin(struct session *s, int argc, char **argv, const struct arg *a,
                  uint64_t seed)
{
    char *end;
    float lr = strtof(a[LR].text, &end);

    if (*end != '\0' || !(lr > 0) || !isfinite(lr))
        args_refuse("mnist train",
                    "--lr: '%s' is no learning rate; give a positive number, "
                    "such as 0.05",
                    a[LR].text);
    s->keep = (struct keep){.lr = lr, .seed = seed};
    s->keep.batch = (int)a[BATCH].value;
    s->keep.width = (int)a[WIDTH].value;
    take_path(a, &s->keep);
    open_digits(s, a);
    s->keep.data = digits_mark(&s->train);
    if (a[RESUME].text)
        resume(s, argc, argv, a);
    s->batch = s->keep.batch;
    if (s->train.count < s->batch)
        stop("%d digits do not fill a batch of %d", s->train.count, s->batch);
    s->epochs = (int)a[EPOCHS].value;
    s->steps = s->train.count / s->batch;
    s->loss = check_alloc((size_t)s->steps, sizeof *s->loss);
    open_net(s, a, a[RESUME].text);
}

/* the command train */
static int train_main(int argc, char **argv)
{
    struct arg a[] = {SETTINGS,
                      ARG_NUMBER("--epochs", 1, 0, 10000),
                      ARG_TEXT("--lr", "0.05"),
                      ARG_NUMBER("--width", 32, 1, WIDTH_MOST),
                      ARG_TEXT("--csv", NULL),
                      ARG_TEXT("--save", NULL),
                      ARG_TEXT("--resume", NULL)};
    uint64_t seed =
        args_parse(argc, argv, "trains the network", a, ARG_COUNT(a));
    struct session s = {.terminal = isatty(STDOUT_FILENO)};
    int *order;

    if (a[SAVE].text == NULL)
        a[SAVE].text = a[RESUME].text;
    if (a[SAVE].text && a[CSV].text && strcmp(a[SAVE].text, a[CSV].text) == 0)
        args_refuse("mnist train", "--save and --csv name the same file");
    if (a[SAVE].text)
        file_try(a[SAVE].text);
    begin(&s, argc, argv, a, seed);
    if (s.keep.epoch >= s.epochs && a[RESUME].text)
        printf("%s: epoch %d is done; --epochs %d asks for no more\n",
               a[RESUME].text, s.keep.epoch, s.epochs);
    if (a[CSV].text)
        file_commit(csv_begin(a[CSV].text, s.keep.epoch + 1), a[CSV].text);
    order = check_alloc((size_t)s.train.count, sizeof *order);
    s.begun = 1e-6 * clock_us();
    /* train epoch after epoch */
    for (int e = s.keep.epoch; e < s.epochs; e++) {
        double right;

        shuffle_order(s.train.count, s.keep.seed, (uint64_t)e, order);
        s.path->order(s.net, order);
        train_epoch(&s);
        train_calibrate(s.path, s.net, &s.m, s.train.count, s.batch, s.w);
        right = train_right(s.path, s.net, &s.test, 1, s.batch, NULL);
        say_epoch(&s, a[CSV].text, right / s.test.count);
        s.keep.epoch = e + 1;
        if (a[SAVE].text)
            keep_save(a[SAVE].text, &s.keep, &s.m, s.w);
    }
    free(order);
    close_session(&s);
    return 0;
}

/* open a trained network */
static void open_trained(struct session *s, const struct arg *a)
{
    if (a[LOAD].text == NULL)
        stop("which network? give --load FILE, a file that mnist train --save "
             "has written");
    keep_load(a[LOAD].text, &s->keep, NULL, NULL);
    take_path(a, &s->keep);
    s->batch = (int)a[BATCH].value;
    open_digits(s, a);
    open_net(s, a, a[LOAD].text);
}

/* the command eval */
static int eval_main(int argc, char **argv)
{
    struct arg a[] = {SETTINGS, ARG_TEXT("--load", NULL)};
    struct session s = {0};
    int right;

    args_parse(argc, argv, "tests a trained network", a, ARG_COUNT(a));
    open_trained(&s, a);
    right = train_right(s.path, s.net, &s.test, 1, s.batch, NULL);
    printf("%d of %d test digits are right: %.2f %%\n", right, s.test.count,
           100.0 * right / s.test.count);
    close_session(&s);
    return 0;
}

/* show digits */
enum { INK = 128, WIDE = 26, ACROSS = 3, CAPTION = 32 };

static void show_row(const struct digits *d, int first, int count)
{
    static const char *const block[] = {" ", "▀", "▄", "█"};

    for (int r = 0; r < DIGIT_SIDE; r += 2) {
        char line[ACROSS * WIDE * 3 + 1], *to = line, *end = line;

        for (int i = 0; i < count * WIDE; i++) {
            const unsigned char *p = d->pixels + r * DIGIT_SIDE + 1 + i % WIDE +
                                     (size_t)(first + i / WIDE) * DIGIT_PIXELS;
            int which = (p[0] >= INK) + 2 * (p[DIGIT_SIDE] >= INK);

            to += sprintf(to, "%s", block[which]);
            end = which ? to : end;
        }
        if (end > line)
            printf("%.*s\n", (int)(end - line), line);
    }
}

/* range: the arguments --first and --count. */
static void show_digits(const struct digits *d, const struct arg *range,
                        char (*caption)[CAPTION])
{
    int first = (int)range[0].value, count = (int)range[1].value;

    for (int at = 0; at < count; at += ACROSS) {
        int n = count - at < ACROSS ? count - at : ACROSS;

        show_row(d, first + at, n);
        for (int i = 0; i < n; i++)
            printf("%-*s", i < n - 1 ? WIDE : 0, caption[at + i]);
        printf("\n\n");
    }
}

static void check_range(const struct digits *d, const char *part,
                        const struct arg *range)
{
    if (range[0].value + range[1].value > d->count)
        stop("there are %d digits in part %s: 0 to %d", d->count, part,
             d->count - 1);
}

/* the command show */
static int show_main(int argc, char **argv)
{
    struct arg a[] = {ARG_TEXT("--data", NULL), ARG_TEXT("--part", "t10k"),
                      ARG_NUMBER("--first", 0, 0, 100000000),
                      ARG_NUMBER("--count", 10, 1, 1000)};
    static char text[1000][CAPTION];
    struct digits d[2], *of;

    args_parse(argc, argv, "digits in the terminal", a, ARG_COUNT(a));
    of = &d[strcmp(a[1].text, "t10k") == 0];
    if (of == d && strcmp(a[1].text, "train") != 0)
        args_refuse(argv[0], "--part is train or t10k, not '%s'", a[1].text);
    digits_open(a[0].text, 0, 0, &d[0], &d[1]);
    check_range(of, a[1].text, &a[2]);
    for (int64_t i = 0, at = a[2].value; i < a[3].value; i++, at++)
        snprintf(text[i], CAPTION, "#%d: %d", (int)at, of->labels[at]);
    show_digits(of, &a[2], text);
    digits_free(&d[0]);
    digits_free(&d[1]);
    return 0;
}

/* the command predict */
static int predict_main(int argc, char **argv)
{
    struct arg a[] = {SETTINGS, ARG_TEXT("--load", NULL),
                      ARG_NUMBER("--first", 0, 0, 9999),
                      ARG_NUMBER("--count", 4, 1, 10000)};
    struct session s = {0};
    static char text[10000][CAPTION];

    args_parse(argc, argv, "says which digits it sees", a, ARG_COUNT(a));
    open_trained(&s, a);
    check_range(&s.test, "t10k", &a[FIRST]);
    for (int i = 0; i < a[COUNT].value; i++) {
        int at = (int)a[FIRST].value + i, right;
        float o[DIGIT_KINDS], sum = 0;
        unsigned char best;

        s.path->answers(s.net, 1, at, 1, o);
        right = train_count(1, o, &s.test.labels[at], &best);
        for (int k = 0; k < DIGIT_KINDS; k++)
            sum += expf(o[k] - o[best]);
        snprintf(text[i], CAPTION, "#%d: %d (%.0f %%)%s", at, best, 100 / sum,
                 right ? "" : " wrong");
    }
    show_digits(&s.test, &a[FIRST], text);
    close_session(&s);
    return 0;
}

/* choose a command */
int mnist_main(int argc, char **argv, const struct path *const *all)
{
    static const struct {
        char *name;
        int (*run)(int argc, char **argv);
    } command[] = {{"mnist train", train_main},
                   {"mnist eval", eval_main},
                   {"mnist predict", predict_main},
                   {"mnist show", show_main},
                   {"mnist synth", synth_main}};
    int help = argc > 1 && strcmp(argv[1], "--help") == 0;

    paths = all;
    for (size_t i = 0; argc > 1 && i < sizeof command / sizeof *command; i++)
        if (strcmp(argv[1], command[i].name + strlen("mnist ")) == 0) {
            argv[1] = command[i].name;
            return command[i].run(argc - 1, argv + 1);
        }
    if (argc > 1 && !help)
        fprintf(stderr, "mnist: there is no command %s\n", argv[1]);
    fprintf(help ? stdout : stderr,
            "usage: mnist train|eval|predict|show|synth [options]\n"
            "       mnist COMMAND --help says more\n");
    return help ? 0 : 2;
}
