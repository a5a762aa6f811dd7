/* commands.c: the commands of mnist. */
#include <math.h>

#include "mnist/commands.h"
#include "mnist/file.h"
#include "mnist/keep.h"
#include "mnist/report.h"
#include "mnist/synth.h"
#include "random/init.h"
#include "tour/args.h"
#include "tour/check.h"

/* find a path by its name */
static const struct path *const *paths; /* the last is NULL */

static const struct path *path_of(const struct keep *k)
{
    char name[32], all[200] = "";
    int plain = strcmp(k->precision, "fp32") == 0;

    snprintf(name, sizeof name, "%s%s%s", k->path, plain ? "" : "_",
             plain ? "" : k->precision);
    for (const struct path *const *p = paths; *p; p++) {
        size_t used = strlen(all);

        if (strcmp((*p)->name, name) == 0)
            return *p;
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "",
                 (*p)->name);
    }
    stop("there is no path '%s'; there are %s", name, all);
}

/* read the settings */
enum { DATA, BATCH, PATH, PRECISION, THREADS, TRAIN, TEST, SHARED };
enum { EPOCHS = SHARED, LR, WIDTH, CSV, SAVE, RESUME, ALL_OF_TRAIN };
enum { LOAD = SHARED, MISREAD, ALL_OF_EVAL };
enum { FIRST = MISREAD, COUNT, ALL_OF_PREDICT };

static void shared_settings(struct arg *a)
{
    a[DATA] = ARG_TEXT("--data", NULL);
    a[BATCH] = ARG_NUMBER("--batch", 64, 2, 4096);
    a[PATH] = ARG_TEXT("--path", "reference");
    a[PRECISION] = ARG_TEXT("--precision", "fp32");
    a[THREADS] = ARG_NUMBER("--threads", 2, 1, 8);
    a[TRAIN] = ARG_NUMBER("--train", 0, 0, 60000);
    a[TEST] = ARG_NUMBER("--test", 0, 0, 10000);
}

static void take_path(const struct arg *a, struct keep *k)
{
    snprintf(k->path, sizeof k->path, "%s", a[PATH].text);
    snprintf(k->precision, sizeof k->precision, "%s", a[PRECISION].text);
}

/* A learning rate: a positive number. */
static float rate_from(const char *text)
{
    char *end;
    float lr = strtof(text, &end);

    if (*text == '\0' || *end != '\0' || !(lr > 0) || !isfinite(lr))
        args_refuse("mnist train",
                    "--lr: '%s' is no learning rate; give a positive number, "
                    "such as 0.05",
                    text);
    return lr;
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
};

static void open_digits(struct session *s, const struct arg *a)
{
    const char *from = digits_open(a[DATA].text, (int)a[TRAIN].value,
                                   (int)a[TEST].value, &s->train, &s->test);

    printf("%s: %d digits to train with, %d to test\n", from, s->train.count,
           s->test.count);
}

static void open_net(struct session *s, const struct arg *a)
{
    s->m = model_make(s->keep.width);
    s->path = path_of(&s->keep);
    s->w = check_alloc(s->m.total, sizeof *s->w);
    s->net = s->path->open(&s->m, &s->train, &s->test, s->batch,
                           (int)a[THREADS].value);
}

static void close_session(struct session *s)
{
    s->path->close(s->net);
    digits_free(&s->train);
    digits_free(&s->test);
    free(s->w);
}

/* go through the epoch of a session */
/* Weights and settings from a checkpoint. */
static void load(struct session *s, const char *name)
{
    keep_load(name, &s->keep, &s->m, s->w);
    s->path->set(s->net, s->w);
}

static double train_epoch(struct session *s, struct report *r, int epoch)
{
    int steps = s->train.count / s->batch, slot = 0;
    float loss[PATH_SLOTS];
    double sum = 0;

    for (int step = 0; step < steps; step++) {
        s->path->step(s->net, step * s->batch, s->batch, s->keep.lr, slot++);
        if (slot < s->path->group && step < steps - 1)
            continue;
        s->path->losses(s->net, slot, loss);
        for (int i = 0; i < slot; i++) {
            int which = step + 2 - slot + i;

            if (!isfinite(loss[i]))
                stop("epoch %d, step %d: the loss is %g; try a smaller --lr "
                     "than %g",
                     epoch, which, loss[i], s->keep.lr);
            report_step(r, epoch, which, loss[i]);
            sum += loss[i];
        }
        slot = 0;
    }
    return sum / steps;
}

/* finish an epoch */
static void finish_epoch(struct session *s, struct report *r, int epoch,
                         double loss, const char *save)
{
    double right;

    train_calibrate(s->path, s->net, &s->m, s->train.count, s->batch, s->w);
    right = train_right(s->path, s->net, &s->test, 1, s->batch, NULL);
    report_epoch(r, epoch, loss, right / s->test.count);
    s->keep.epoch = epoch;
    if (save)
        keep_save(save, &s->keep, &s->m, s->w);
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
    s->keep = (struct keep){.batch = (int)a[BATCH].value,
                            .width = (int)a[WIDTH].value,
                            .lr = rate_from(a[LR].text),
                            .seed = seed};
    take_path(a, &s->keep);
    if (!a[RESUME].text)
        path_of(&s->keep); /* before any digit is read */
    open_digits(s, a);
    s->keep.data = digits_mark(&s->train);
    if (a[RESUME].text)
        resume(s, argc, argv, a);
    s->batch = s->keep.batch;
    if (s->train.count < s->batch)
        stop("%d digits do not fill a batch of %d", s->train.count, s->batch);
    open_net(s, a);
    if (a[RESUME].text) {
        load(s, a[RESUME].text);
    } else {
        model_init(&s->m, s->w, s->keep.seed);
        s->path->set(s->net, s->w);
    }
}

/* the command train */
static int train_main(int argc, char **argv)
{
    struct arg a[ALL_OF_TRAIN];
    struct session s;
    struct report *r;
    uint64_t seed;
    int *order;

    shared_settings(a);
    a[EPOCHS] = ARG_NUMBER("--epochs", 1, 0, 10000);
    a[LR] = ARG_TEXT("--lr", "0.05");
    a[WIDTH] = ARG_NUMBER("--width", 32, 1, WIDTH_MOST);
    a[CSV] = ARG_TEXT("--csv", NULL);
    a[SAVE] = ARG_TEXT("--save", NULL);
    a[RESUME] = ARG_TEXT("--resume", NULL);
    seed = args_parse(argc, argv, "trains the network", a, ALL_OF_TRAIN);
    if (a[SAVE].text == NULL)
        a[SAVE].text = a[RESUME].text;
    if (a[SAVE].text && a[CSV].text && strcmp(a[SAVE].text, a[CSV].text) == 0)
        args_refuse("mnist train", "--save and --csv name the same file");
    if (a[SAVE].text)
        file_try(a[SAVE].text);
    begin(&s, argc, argv, a, seed);
    if (s.keep.epoch >= a[EPOCHS].value && a[RESUME].text)
        printf("%s: epoch %d is done; --epochs %d asks for no more\n",
               a[RESUME].text, s.keep.epoch, (int)a[EPOCHS].value);
    r = report_begin(a[CSV].text, (int)a[EPOCHS].value, s.train.count / s.batch,
                     s.keep.epoch + 1);
    order = check_alloc((size_t)s.train.count, sizeof *order);
    /* train epoch after epoch */
    for (int e = s.keep.epoch; e < a[EPOCHS].value; e++) {
        shuffle_order(s.train.count, s.keep.seed, (uint64_t)e, order);
        s.path->order(s.net, order);
        finish_epoch(&s, r, e + 1, train_epoch(&s, r, e + 1), a[SAVE].text);
    }
    report_end(r);
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
    path_of(&s->keep);
    s->batch = (int)a[BATCH].value;
    open_digits(s, a);
    open_net(s, a);
    load(s, a[LOAD].text);
}

/* the command eval */
static void keep_misread(const char *name, const struct digits *d,
                         const unsigned char *answer)
{
    FILE *f = file_begin(name);

    fprintf(f, "number,label,answer,pixels\n");
    for (int i = 0; i < d->count; i++) {
        const unsigned char *x = d->pixels + (size_t)i * DIGIT_PIXELS;

        if (answer[i] == d->labels[i])
            continue;
        fprintf(f, "%d,%d,%d,", i, d->labels[i], answer[i]);
        for (int p = 0; p < DIGIT_PIXELS; p++)
            fprintf(f, "%02x%s", x[p], p < DIGIT_PIXELS - 1 ? "" : "\n");
    }
    file_commit(f, name);
}

static int eval_main(int argc, char **argv)
{
    struct arg a[ALL_OF_EVAL];
    struct session s;
    unsigned char *answer;
    int right;

    shared_settings(a);
    a[LOAD] = ARG_TEXT("--load", NULL);
    a[MISREAD] = ARG_TEXT("--misread", NULL);
    args_parse(argc, argv, "tests a trained network", a, ALL_OF_EVAL);
    if (a[MISREAD].text)
        file_try(a[MISREAD].text);
    open_trained(&s, a);
    answer = check_alloc((size_t)s.test.count, 1);
    right = train_right(s.path, s.net, &s.test, 1, s.batch, answer);
    if (a[MISREAD].text)
        keep_misread(a[MISREAD].text, &s.test, answer);
    free(answer);
    printf("%d of %d test digits are right: %.2f %%\n", right, s.test.count,
           100.0 * right / s.test.count);
    close_session(&s);
    return 0;
}

/* show digits */
enum { INK = 128, WIDE = 26, ACROSS = 3 }; /* the lightest ink; columns */

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

/* Each over its caption (NULL: their numbers and labels). */
static void show_digits(const struct digits *d, int first, int count,
                        char (*caption)[32])
{
    for (int i = 0; i < count; i++) {
        char text[32];
        int last = i % ACROSS == ACROSS - 1 || i == count - 1;

        if (i % ACROSS == 0)
            show_row(d, first + i, count - i < ACROSS ? count - i : ACROSS);
        snprintf(text, sizeof text, "#%d: %d", first + i, d->labels[first + i]);
        printf("%-*s%s", last ? 0 : WIDE, caption ? caption[i] : text,
               last ? "\n\n" : "");
    }
}

/* the command show */
static int show_main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--data", NULL), ARG_TEXT("--part", "t10k"),
                         ARG_NUMBER("--first", 0, 0, 100000000),
                         ARG_NUMBER("--count", 10, 1, 1000)};
    struct digits d[2], *of;
    int first, count;
    const char *from;

    args_parse(argc, argv, "digits in the terminal", args, ARG_COUNT(args));
    of = &d[strcmp(args[1].text, "t10k") == 0];
    if (of == d && strcmp(args[1].text, "train") != 0)
        args_refuse(argv[0], "--part is train or t10k, not '%s'", args[1].text);
    first = (int)args[2].value;
    count = (int)args[3].value;
    from = digits_open(args[0].text, 0, 0, &d[0], &d[1]);
    if (count > of->count - first)
        stop("%s: there are %d in part %s; --first %d and --count %d ask for "
             "more",
             from, of->count, args[1].text, first, count);
    show_digits(of, first, count, NULL);
    digits_free(&d[0]);
    digits_free(&d[1]);
    return 0;
}

/* the command predict */
static void predict(struct session *s, int first, int count)
{
    char text[100][32];

    for (int i = 0; i < count; i++) {
        float o[DIGIT_KINDS], sum = 0;
        unsigned char best, label = s->test.labels[first + i];
        int right;

        s->path->answers(s->net, 1, first + i, 1, o);
        right = train_count(1, o, &label, &best);
        for (int k = 0; k < DIGIT_KINDS; k++)
            sum += expf(o[k] - o[best]);
        snprintf(text[i], sizeof text[i], "#%d: %d (%.0f %%)%s", first + i,
                 best, 100 / sum, right ? "" : " wrong");
    }
    show_digits(&s->test, first, count, text);
}

static int predict_main(int argc, char **argv)
{
    struct arg a[ALL_OF_PREDICT];
    struct session s;

    shared_settings(a);
    a[LOAD] = ARG_TEXT("--load", NULL);
    a[FIRST] = ARG_NUMBER("--first", 0, 0, 9999);
    a[COUNT] = ARG_NUMBER("--count", 4, 1, 100);
    args_parse(argc, argv, "says which digits it sees", a, ALL_OF_PREDICT);
    open_trained(&s, a);
    if (a[FIRST].value + a[COUNT].value > s.test.count)
        stop("there are %d test digits: 0 to %d", s.test.count,
             s.test.count - 1);
    predict(&s, (int)a[FIRST].value, (int)a[COUNT].value);
    close_session(&s);
    return 0;
}

/* choose a command */
int mnist_main(int argc, char **argv, const struct path *const *all)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } command[] = {{"train", train_main},
                   {"eval", eval_main},
                   {"predict", predict_main},
                   {"show", show_main},
                   {"synth", synth_main}};
    static char name[64];
    int help;

    paths = all;
    for (size_t i = 0; argc > 1 && i < sizeof command / sizeof *command; i++)
        if (strcmp(argv[1], command[i].name) == 0) {
            snprintf(name, sizeof name, "mnist %s", argv[1]);
            argv[1] = name;
            return command[i].run(argc - 1, argv + 1);
        }
    help = argc > 1 && strcmp(argv[1], "--help") == 0;
    if (argc > 1 && !help)
        fprintf(stderr, "mnist: there is no command %s\n", argv[1]);
    fprintf(help ? stdout : stderr,
            "usage: mnist train|eval|predict|show|synth [options]\n"
            "       mnist COMMAND --help says more\n");
    return help ? 0 : 2;
}
