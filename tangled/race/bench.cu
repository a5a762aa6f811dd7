/* bench: the race, and what is learned. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure/bench.h"
#include "measure/watch.h"
#include "mnist/synth.h"
#include "race/learn.cuh"
#include "race/peer.h"
#include "tour/args.h"

/* choose how much is raced */
enum { ROUNDS = 9, RACED = 4, SEEDS = 10, SAMPLE_US = 10000 };

struct race_size {
    int train, test, width, batch[RACED];
    int rounds, steps, most; /* samples, and the steps of one */
    int seeds, bin;          /* trainings, and steps whose losses are one row */
    int tries;               /* trainings by a recipe that is looked for */
    double watch;            /* seconds that clock and power are watched */
    struct recipe plain, to99;
};

/* say the recipes of this chapter */
static const struct recipe plain = {64, 5, 0.05, -1, 0};
static const struct recipe to99 = {256, 6, 0.4, 0.2, 2};

static struct race_size the = {
    0,   0,     32,  {64, 256, 1024, 4096}, ROUNDS, 12, 250, SEEDS, 50, 3,
    1.5, plain, to99};
static const struct race_size small = {96,
                                       32,
                                       2,
                                       {4, 8, 16, 32},
                                       2,
                                       3,
                                       3,
                                       2,
                                       4,
                                       2,
                                       0.02,
                                       {8, 2, 0.05, -1, 0},
                                       {8, 2, 0.05, 0.25, 1}};

static struct {
    struct digits train, test;
    struct model m;
    float *w;
    int *order;
} s;

static void begin(void)
{
    s.m = model_make(the.width);
    s.w = (float *)check_alloc(s.m.total, sizeof *s.w);
    s.order = (int *)check_alloc((size_t)s.train.count, sizeof *s.order);
    model_init(&s.m, s.w, 1);
    shuffle_order(s.train.count, 1, 0, s.order);
}

/* keep to a time limit */
static struct {
    double began, limit; /* seconds; 0: no limit */
    double longest;      /* the longest that opening a peer has taken */
    int sizes;           /* that are still to be raced, with this one */
} clock_of_race;

static double seconds_left(void)
{
    double gone = 1e-6 * clock_us() - clock_of_race.began;

    return clock_of_race.limit > 0 ? clock_of_race.limit - gone : 1e6;
}

/* Is there time for a peer that compiles? The tuned one is what the race is about,
   so the others leave it its time at all sizes. */
static int time_for(const char *way)
{
    double best = (clock_of_race.longest + 15) * (clock_of_race.sizes - 1);

    return seconds_left() > (strstr(way, "compiled") ? best + 45 : 12);
}

/* load a batch in each step */
struct loader {
    unsigned char *host[2]; /* pictures, labels; pinned */
    unsigned char *x[2], *y[2];
    cudaStream_t copier;
    cudaEvent_t full[2], empty[2];
    int batch;
};

static void loader_fetch(struct loader *l, int k)
{
    size_t n = (size_t)l->batch;
    size_t first = (size_t)(k % (s.train.count / l->batch)) * n;

    if (k >= 2)
        CUDA_CHECK(cudaStreamWaitEvent(l->copier, l->empty[k % 2], 0));
    CUDA_CHECK(cudaMemcpyAsync(l->x[k % 2], l->host[0] + first * DIGIT_PIXELS,
                               n * DIGIT_PIXELS, cudaMemcpyHostToDevice,
                               l->copier));
    CUDA_CHECK(cudaMemcpyAsync(l->y[k % 2], l->host[1] + first, n,
                               cudaMemcpyHostToDevice, l->copier));
    CUDA_CHECK(cudaEventRecord(l->full[k % 2], l->copier));
}

static struct loader loader_open(int batch)
{
    struct loader l = {};
    size_t count = (size_t)s.train.count, n = (size_t)batch;

    l.batch = batch;
    CUDA_CHECK(cudaMallocHost((void **)&l.host[0], count * DIGIT_PIXELS));
    CUDA_CHECK(cudaMallocHost((void **)&l.host[1], count));
    for (size_t i = 0; i < count; i++) {
        size_t from = (size_t)s.order[i];

        memcpy(l.host[0] + i * DIGIT_PIXELS,
               s.train.pixels + from * DIGIT_PIXELS, DIGIT_PIXELS);
        l.host[1][i] = s.train.labels[from];
    }
    CUDA_CHECK(cudaStreamCreate(&l.copier));
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaMalloc((void **)&l.x[k], n * DIGIT_PIXELS));
        CUDA_CHECK(cudaMalloc((void **)&l.y[k], n));
        CUDA_CHECK(cudaEventCreate(&l.full[k]));
        CUDA_CHECK(cudaEventCreate(&l.empty[k]));
    }
    for (int k = 0; k < 2; k++)
        loader_fetch(&l, k);
    return l;
}

static void loader_close(struct loader *l)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaFreeHost(l->host[k]));
        CUDA_CHECK(cudaFree(l->x[k]));
        CUDA_CHECK(cudaFree(l->y[k]));
        CUDA_CHECK(cudaEventDestroy(l->full[k]));
        CUDA_CHECK(cudaEventDestroy(l->empty[k]));
    }
    CUDA_CHECK(cudaStreamDestroy(l->copier));
}

/* describe who takes part */
enum { PART_MOST = 24, NAME = 40 };

struct part {
    char name[NAME]; /* path_precision, or torch_way_precision */
    int peer;        /* its number there, or -1: ours */
    const struct path *path;
    void *net;
    cudaStream_t stream;
    int loaded, steps, count; /* taken so far; of a sample */
    int failed;               /* and that was said */
    struct loader from;
    double us[ROUNDS];
};

/* Ours, and at which sizes: kernels at all, loaded or not, for comparison. */
static const struct {
    const char *name;
    const struct path *path;
} ours[] = {{"kernels_fp32", &path_kernels},
            {"fast_fp32", &path_fast[FAST_FP32]},
            {"fast_tf32", &path_fast[FAST_TF32]},
            {"fast_bf16", &path_fast[FAST_BF16]}};
static const char *const peers[2] = {
    "best_bf16 eager_fp32 eager_bf16 channels_bf16 graph_fp32 graph_tf32 "
    "graph_bf16 compiled_bf16",
    "best_bf16 eager_fp32 graph_bf16"}; /* RACE_PEERS, RACE_LOADED */

static struct part open_ours(int which, int batch, int loaded)
{
    struct part p = {};

    p.peer = -1;
    p.path = ours[which].path;
    p.loaded = loaded;
    snprintf(p.name, NAME, "%s%s", ours[which].name, loaded ? "_loaded" : "");
    p.net = p.path->open(&s.m, &s.train, &s.test, batch, 1);
    p.path->set(p.net, s.w);
    p.path->order(p.net, s.order);
    p.stream = p.path == &path_kernels ? ((struct gpu *)p.net)->stream
                                       : ((struct fast_net *)p.net)->stream;
    if (loaded)
        p.from = loader_open(batch);
    return p;
}

static void close_ours(struct part *p)
{
    if (p->loaded)
        loader_close(&p->from);
    p->path->close(p->net);
}

/* sample who takes part */
static void one_step(struct part *p, int batch)
{
    int k = p->steps++, slot = k % FAST_SLOTS;
    struct fast_net *c = (struct fast_net *)p->net;
    struct loader *l = &p->from;

    if (!p->loaded) {
        p->path->step(p->net, k % (s.train.count / batch) * batch, batch, 0.05f,
                      0);
        return;
    }
    CUDA_CHECK(cudaStreamWaitEvent(p->stream, l->full[k % 2], 0));
    fast_step(c->f, l->x[k % 2], l->y[k % 2], NULL, 0, batch, 0.05f, slot,
              p->stream);
    CUDA_CHECK(cudaEventRecord(l->empty[k % 2], p->stream));
    loader_fetch(l, k + 2);
}

/* Microseconds of a step, or -1: the peer has failed. */
static double sample_part(struct part *p, struct peer *peer, int batch,
                          int steps)
{
    static cudaEvent_t start, stop;
    double us = -1;
    float ms;

    if (p->peer >= 0) {
        const char *said = peer_ask(peer, "us", "sample %d %d", p->peer, steps);

        if ((said == NULL || sscanf(said, "%lf", &us) != 1) && !p->failed) {
            printf("# %s at %d: %s\n", p->name, batch, peer->said);
            p->failed = 1;
        }
        return us;
    }
    if (start == NULL) {
        CUDA_CHECK(cudaEventCreate(&start));
        CUDA_CHECK(cudaEventCreate(&stop));
    }
    CUDA_CHECK(cudaEventRecord(start, p->stream));
    for (int k = 0; k < steps; k++)
        one_step(p, batch);
    CUDA_CHECK(cudaEventRecord(stop, p->stream));
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    return 1e3 * ms / steps;
}
/* The loss of the last step; NAN: the peer does not say. */
static double last_loss(struct part *p, struct peer *peer)
{
    double loss = NAN;
    float x;

    if (p->peer >= 0) {
        const char *said = peer_ask(peer, "loss", "loss %d", p->peer);

        if (said)
            sscanf(said, "%lf", &loss);
        return loss;
    }
    if (p->loaded) {
        struct fast_net *c = (struct fast_net *)p->net;

        CUDA_CHECK(cudaStreamSynchronize(p->stream));
        CUDA_CHECK(cudaMemcpy(&x, c->f->loss + (p->steps - 1) % FAST_SLOTS,
                              sizeof x, cudaMemcpyDeviceToHost));
    } else {
        p->path->losses(p->net, 1, &x);
    }
    return x;
}

/* race at one batch size */
/* Opens the peers that are named; returns how many there are now. */
static int open_peers(struct part *p, int count, struct peer *peer,
                      const char *names, int batch, int loaded)
{
    char list[500], *rest = list, *way;

    snprintf(list, sizeof list, "%s", names);
    while ((way = strtok_r(rest, " ", &rest)) && count < PART_MOST) {
        struct part *q = &p[count];
        const char *said;
        double seconds;

        *q = {};
        q->loaded = loaded;
        snprintf(q->name, NAME, "torch_%s%s", way, loaded ? "_loaded" : "");
        if (!time_for(way)) {
            printf("# %s at %d: left out, no time\n", q->name, batch);
            continue;
        }
        said = peer_ask(peer, "open", "open %s%s %d %.0f", way,
                        loaded ? "_loaded" : "", batch, seconds_left() - 11);
        if (said && sscanf(said, "%d %lf", &q->peer, &seconds) == 2) {
            bench_row(q->name, batch, "open_s", seconds, "s");
            clock_of_race.longest = fmax(clock_of_race.longest, seconds);
            count++;
        } else {
            printf("# %s at %d: %s\n", q->name, batch, peer->said);
        }
    }
    return count;
}
/* Clock and power, while it does nothing but its steps. */
static void watch_part(struct part *p, struct peer *peer, int batch)
{
    double us = stats_of(p->us, the.rounds).median, mhz, watt;
    FILE *f;

    if (!strstr(p->name, "kernels") && !strstr(p->name, "fast_bf16") &&
        !strstr(p->name, "best_bf16"))
        return;
    f = watch_begin(the.watch);
    sample_part(p, peer, batch, 1 + (int)(1.3e6 * the.watch / us));
    if (watch_end(f, &mhz, &watt) > 2) {
        bench_row(p->name, batch, "mhz", mhz, "MHz");
        bench_row(p->name, batch, "watt", watt, "W");
    }
}

static void print_part(struct part *p, struct peer *peer, int batch)
{
    double loss = last_loss(p, peer), launches, busy;

    bench_spread(p->name, batch, "us", stats_of(p->us, the.rounds), 1, "µs");
    bench_row(p->name, batch, "steps", the.rounds * (double)p->count, "");
    if (loss == loss)
        bench_row(p->name, batch, "loss", loss, "");
    if (p->peer < 0)
        return;
    if (!p->loaded && peer_ask(peer, "launches", "launches %d", p->peer) &&
        sscanf(peer->said, "launches %lf %lf", &launches, &busy) == 2) {
        bench_row(p->name, batch, "launches", launches, "");
        bench_row(p->name, batch, "busy_us", busy, "µs");
    }
    peer_ask(peer, "closed", "close %d", p->peer);
}
/* How often as fast as the fastest peer: its time in each round by ours. */
static void print_ratios(struct part *p, int count, int batch)
{
    const struct part *best = NULL;
    const char *metric = "of_other_torch";

    for (int i = 0; i < count; i++)
        if (strncmp(p[i].name, "torch_best_", 11) == 0)
            metric = "of_best_torch";
    for (int i = 0; i < count; i++)
        if (p[i].peer >= 0 &&
            (!best || stats_of(p[i].us, the.rounds).median <
                          stats_of(best->us, the.rounds).median))
            best = &p[i];
    if (best == NULL)
        return;
    printf("# best peer at %d: %s\n", batch, best->name);
    for (int i = 0; i < count; i++)
        if (p[i].peer < 0)
            bench_spread(p[i].name, batch, metric,
                         stats_ratio(best->us, p[i].us, the.rounds), 1, "x");
}

/* race at all batch sizes */
static void race_at(struct peer *peer, int batch, int loaded)
{
    static struct part part[PART_MOST];
    const char *asked = getenv(loaded ? "RACE_LOADED" : "RACE_PEERS");
    int own = sizeof ours / sizeof *ours, count = 0, took = 0;

    for (int k = loaded ? 1 : 0; k < own; k++)
        part[count++] = open_ours(k, batch, loaded);
    own = count;
    if (peer->to)
        count = open_peers(part, count, peer, asked ? asked : peers[loaded],
                           batch, loaded);
    for (int i = 0; i < count; i++) {
        double us = sample_part(&part[i], peer, batch, the.steps);

        part[i].count = us > 0 && us < SAMPLE_US / the.most
                            ? the.most
                            : (int)fmax(the.steps, SAMPLE_US / us);
    }
    /* sample everybody in turns */
    for (int round = 0; round < the.rounds; round++)
        for (int i = 0; i < count; i++) {
            struct part *p = &part[(round + i) % count];

            p->us[round] = sample_part(p, peer, batch, p->count);
        }
    for (int i = 0; i < count; i++) { /* who has failed has no rows */
        if (!part[i].failed) {
            part[took] = part[i];
            if (!loaded)
                watch_part(&part[took], peer, batch);
            print_part(&part[took++], peer, batch);
        }
    }
    print_ratios(part, took, batch);
    for (int i = 0; i < own; i++)
        close_ours(&part[i]);
}
static void write_numbers(const char *dir, const char *name, const void *from,
                          size_t bytes)
{
    char path[100];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "wb");
    CHECK(f && fwrite(from, 1, bytes, f) == bytes && fclose(f) == 0,
          "%s cannot be written", path);
}

static void race_in_time(struct peer *peer, int batch, int loaded)
{
    double before = seconds_left();

    if (before < 12) {
        printf("# the race at %d%s: left out, no time\n", batch,
               loaded ? ", loaded" : "");
        return;
    }
    race_at(peer, batch, loaded);
    printf("# the race at %d%s took %.0f s\n", batch, loaded ? ", loaded" : "",
           before - seconds_left());
}

/* At this batch size alone, or with 0 at all. */
static void race(const char *command, int batch)
{
    struct peer peer;
    char dir[] = "/tmp/race-peer-XXXXXX", whole[700];

    CHECK(mkdtemp(dir) != NULL, "no folder in /tmp");
    write_numbers(dir, "weights.bin", s.w, s.m.total * sizeof *s.w);
    write_numbers(dir, "order.bin", s.order,
                  (size_t)s.train.count * sizeof *s.order);
    snprintf(whole, sizeof whole, "%s %s", command, dir);
    peer = peer_start(*command ? whole : "");
    if (peer_ask(&peer, "version", "version"))
        printf("# library: %s\n", strchr(peer.said, ' ') + 1);
    else
        printf("# no peer: %s\n", peer.said);
    for (int i = 0; i < RACED; i++) {
        clock_of_race.sizes = batch ? 1 : RACED - i;
        for (int loaded = 0; loaded < 2; loaded++)
            if (batch == 0 || batch == the.batch[i])
                race_in_time(&peer, the.batch[i], loaded);
    }
    peer_stop(&peer);
    snprintf(whole, sizeof whole, "rm -r %s", dir);
    CHECK(system(whole) == 0, "%s is left behind", dir);
}

/* test what was learned */
static double percent_right(struct learner *l, const struct digits *test,
                            int batch)
{
    return 100.0 * train_right(l->path, l->net, test, 1, batch, NULL) /
           test->count;
}

/* Rows of a metric over all seeds. */
static void print_seeds(const char *variant, const char *metric,
                        const double *x, int n, const char *unit)
{
    struct stats of = stats_of(x, n);
    double mean = 0, squares = 0;
    const struct {
        const char *what;
        double value;
    } row[] = {{"", of.median}, {"_least", of.min}, {"_most", of.max}};
    char name[NAME];

    for (int i = 0; i < 3; i++) {
        snprintf(name, NAME, "%s%s", metric, row[i].what);
        bench_row(variant, n, name, row[i].value, unit);
    }
    for (int i = 0; i < n; i++)
        mean += x[i] / n;
    for (int i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    snprintf(name, NAME, "mean_%s", metric);
    bench_row(variant, n, name, mean, unit);
    snprintf(name, NAME, "sd_%s", metric);
    bench_row(variant, n, name, n > 1 ? sqrt(squares / (n - 1)) : 0, unit);
}

/* learn plainly from ten seeds */
static void print_curve(const char *variant, const float *loss, int steps)
{
    for (int first = 0; first + the.bin <= steps; first += the.bin) {
        double mean[SEEDS] = {};
        struct stats of;
        int at = first + the.bin / 2;

        for (int k = 0; k < the.seeds; k++)
            for (int i = 0; i < the.bin; i++)
                mean[k] += loss[(size_t)k * steps + first + i] / the.bin;
        of = stats_of(mean, the.seeds);
        bench_row(variant, at, "loss", of.median, "");
        bench_row(variant, at, "loss_least", of.min, "");
        bench_row(variant, at, "loss_most", of.max, "");
    }
}

/* Rows of variant for each seed, and of curve for all together. */
static void learn_plainly(enum fast_precision precision, const char *variant,
                          const char *curve)
{
    const struct recipe *r = &the.plain;
    int steps = r->epochs * (s.train.count / r->batch);
    float *loss = (float *)check_alloc((size_t)the.seeds * steps, sizeof *loss);
    struct learner l =
        learner_open(&s.m, &s.train, &s.test, r->batch, precision);
    double right[SEEDS];
    char all[NAME];

    for (int k = 0; k < the.seeds; k++) {
        learn(&l, r, (uint64_t)k + 1, loss + (size_t)k * steps);
        right[k] = percent_right(&l, &s.test, r->batch);
        bench_row(variant, k + 1, "accuracy", right[k], "%");
    }
    snprintf(all, NAME, "%s_all", variant);
    print_seeds(all, "accuracy", right, the.seeds, "%");
    print_curve(curve, loss, steps);
    learner_close(&l);
    free(loss);
}

/* learn in the shortest time from ten seeds */
static void learn_shortly(void)
{
    const struct recipe *r = &the.to99;
    struct learner l =
        learner_open(&s.m, &s.train, &s.test, r->batch, FAST_BF16);
    double right[SEEDS], seconds[SEEDS];

    learn(&l, r, 100, NULL);
    for (int k = 0; k < the.seeds; k++) {
        seconds[k] = learn(&l, r, (uint64_t)k + 1, NULL);
        right[k] = percent_right(&l, &s.test, r->batch);
        bench_row("to99", k + 1, "s", seconds[k], "s");
        bench_row("to99", k + 1, "accuracy", right[k], "%");
    }
    print_seeds("to99_all", "s", seconds, the.seeds, "s");
    print_seeds("to99_all", "accuracy", right, the.seeds, "%");
    learner_close(&l);
}

/* look for a recipe */
static void try_recipe(struct learner *l, const struct recipe *r,
                       const struct digits *held, int seeds)
{
    double right[SEEDS], seconds[SEEDS];
    char name[80];

    for (int k = 0; k < seeds; k++) {
        seconds[k] = learn(l, r, (uint64_t)k + 101, NULL);
        right[k] = percent_right(l, held, r->batch);
    }
    snprintf(name, sizeof name, "b%d_e%d_r%g_u%g_s%d", r->batch, r->epochs,
             r->rate, r->rise, r->shift);
    print_seeds(name, "held_out", right, seeds, "%");
    bench_row(name, seeds, "s", stats_of(seconds, seeds).median, "s");
    fflush(stdout);
}

static void search(enum fast_precision precision, int hold, int seeds)
{
    struct digits learned = s.train, held = s.train;
    struct learner l = {};
    struct recipe r;
    char line[200], rest;
    int batch = 0;

    CHECK(hold < s.train.count, "%d digits, and %d to hold out", s.train.count,
          hold);
    learned.count = s.train.count - hold;
    held.count = hold;
    held.pixels += (size_t)learned.count * DIGIT_PIXELS;
    held.labels += learned.count;
    printf("# %d digits to learn from, %d held out\n", learned.count, hold);
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        CHECK(sscanf(line, "%d %d %lf %lf %d %c", &r.batch, &r.epochs, &r.rate,
                     &r.rise, &r.shift, &rest) == 5 &&
                  r.batch >= 2 && r.batch <= learned.count && r.epochs >= 1 &&
                  r.rate > 0 && r.rise < 1 && r.shift >= 0 && r.shift <= 14,
              "not a recipe (batch epochs rate rise shift): %s", line);
        if (r.batch != batch && batch)
            learner_close(&l);
        if (r.batch != batch)
            l = learner_open(&s.m, &learned, &held, r.batch, precision);
        batch = r.batch;
        try_recipe(&l, &r, &held, seeds);
    }
    if (batch)
        learner_close(&l);
}

/* measure the race */
enum { SMALL, RACE, PLAIN, TO99, SEARCH, PEER, BATCH, PRECISION, OPTIONS };

static enum fast_precision precision_named(const char *name)
{
    static const char *const names[] = {"bf16", "tf32", "fp32"};

    for (int k = 0; k < 3; k++)
        if (strcmp(name, names[k]) == 0)
            return (enum fast_precision)k;
    args_refuse("bench", "--precision: there is no %s, but bf16, tf32, fp32",
                name);
}

int main(int argc, char **argv)
{
    struct arg a[OPTIONS];
    enum fast_precision precision;
    const char *limit = getenv("RACE_SECONDS");
    int all;

    a[SMALL] = ARG_FLAG("--small");
    a[RACE] = ARG_FLAG("--race");
    a[PLAIN] = ARG_FLAG("--plain");
    a[TO99] = ARG_FLAG("--to99");
    a[SEARCH] = ARG_FLAG("--search");
    a[PEER] = ARG_TEXT("--peer", "python3 bench/peers/race.py");
    a[BATCH] = ARG_NUMBER("--batch", 0, 0, 4096);
    a[PRECISION] = ARG_TEXT("--precision", "bf16");
    args_parse(argc, argv, "races, learns, looks for a recipe", a, OPTIONS);
    precision = precision_named(a[PRECISION].text);
    all =
        !a[RACE].value && !a[PLAIN].value && !a[TO99].value && !a[SEARCH].value;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was measured is kept */
    clock_of_race.began = 1e-6 * clock_us();
    clock_of_race.limit = limit ? atof(limit) : 0;
    if (a[SMALL].value)
        the = small;
    digits_open(a[SMALL].value ? "synth" : NULL, the.train, the.test, &s.train,
                &s.test);
    begin();
    bench_begin(a[SEARCH].value ? "race-search" : "race");
    if (a[SEARCH].value)
        search(precision, s.train.count / 6, the.tries);
    if (all || a[TO99].value)
        learn_shortly();
    if (all || a[PLAIN].value) {
        learn_plainly(FAST_FP32, "plain_fp32", "curve_fp32");
        learn_plainly(FAST_BF16, "plain_bf16", "curve_bf16");
    }
    if (all || a[RACE].value)
        race(a[PEER].text, (int)a[BATCH].value);
    digits_free(&s.train);
    digits_free(&s.test);
    free(s.w);
    free(s.order);
    return 0;
}
