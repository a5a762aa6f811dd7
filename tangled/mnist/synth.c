#define _POSIX_C_SOURCE 200809L /* mkdir */
#include "mnist/synth.h"
#include "random/philox.h"
#include "tour/args.h"
#include "tour/check.h"

#include <errno.h>
#include <sys/stat.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define SYNTH_STREAMS (UINT64_C(0xd16175) << 40) /* nobody else's */

/* list the strokes of the digits */
static const char *const strokes[DIGIT_KINDS][4] = {
    {"50 11 07 1d 5e 9d a7 91 50", "80 42 16 1b 3e 6d 99 a4 90 70",
     "60 20 04 0a 2e 8e aa a4 80 50", "30 08 2e 7e a9 a4 80 40"},
    {"50 50 5e 5e", "23 50 50 5e 5e", "70 70 3e 3e",
     "24 50 50 5e 5e / 2e 2e 8e 8e"},
    {"13 20 80 a4 87 0e 0e ae ae", "02 30 90 95 3c 0d 0b 3b 6e ae",
     "12 40 90 a5 5a 1e 1e 9d 9d", "03 10 70 95 4a 0d 2b 5e 9e ac"},
    {"12 40 a0 a6 47 47 a7 ae 4f 0c", "11 50 a1 a6 46 46 a7 ad 5e 0c",
     "10 10 90 90 56 56 a7 ad 4e 0d", "02 40 91 95 46 98 9d 4e 1d"},
    {"60 60 09 09 a9 a9 / 74 74 7e 7e", "10 10 17 17 97 97 / 91 91 8e 8e",
     "70 70 09 09 a9 a9 / 70 70 7e 7e", "20 08 3a a7 / 91 98 7e 7e"},
    {"90 90 20 20 16 16 75 a9 8e 1e", "20 20 16 16 85 aa 6e 0d / 20 20 90 90",
     "a0 30 30 26 26 85 99 7e 3e 0c", "80 20 16 56 98 8d 4e 0e"},
    {"80 33 08 1d 6e a9 76 29 1b", "70 24 0a 3e 8e aa 77 27 0a",
     "90 20 09 3e 9d 98 48 1b", "50 22 19 2e 7e 8a 48 2a"},
    {"00 00 a0 a0 4e 4e", "02 00 00 a0 a0 57 4e 4e",
     "10 10 90 90 3e 3e / 27 27 87 87", "11 50 a0 93 69 5e"},
    {"50 11 35 9a 7e 3e 1a 75 91 50", "81 40 02 45 9a 8e 2e 0b 46 a2 80",
     "50 10 05 57 a5 90 50 / 57 08 1e 5e 9e a8 57",
     "91 50 12 57 9b 5e 1c 57 a3 91"},
    {"a3 60 10 16 58 a5 a2 a2 9e 9e", "93 60 11 06 48 97 92 98 6e 3e",
     "80 30 04 38 87 91 91 8e 8e", "a2 70 20 06 57 a3 a1 6e 6e"},
};

struct dice {
    uint64_t seed, stream, thrown;
};

/* Uniform in [low, high), in 2^24 steps. */
static double dice(struct dice *d, double low, double high)
{
    uint32_t word = philox_word(d->seed, d->stream, d->thrown++);

    return low + (high - low) * ((word >> 8) * 0x1p-24);
}

/* A whole number from 0 to n - 1. */
static int dice_below(struct dice *d, int n)
{
    uint64_t word = philox_word(d->seed, d->stream, d->thrown++);

    return (int)(word * (uint64_t)n >> 32);
}

/* hold a path of the pen */
enum { PATH_MOST = 512 };

struct path {
    int count;
    double x[PATH_MOST], y[PATH_MOST];
    char lifted[PATH_MOST]; /* the pen comes here through the air */
};

static void path_add(struct path *p, double x, double y, int lifted)
{
    CHECK(p->count < PATH_MOST, "a path of more than %d points", PATH_MOST);
    p->x[p->count] = x;
    p->y[p->count] = y;
    p->lifted[p->count++] = (char)lifted;
}

static int hex(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static void path_read(struct path *p, const char *s, struct dice *d)
{
    const char *before = "--";
    int lifted = 1;

    p->count = 0;
    for (; *s != '\0'; s += strcspn(s, " "), s += *s == ' ') {
        int last = p->count - 1;

        if (*s == '/') {
            lifted = 1;
            continue;
        }
        if (!lifted && strncmp(s, before, 2) == 0) {
            path_add(p, p->x[last], p->y[last], 0);
        } else {
            double x = hex(s[0]) + dice(d, -0.7, 0.7);
            double y = hex(s[1]) + dice(d, -0.7, 0.7);

            path_add(p, x, y, lifted);
        }
        before = s;
        lifted = 0;
    }
}

/* cut the corners */
static void path_smooth(struct path *p)
{
    struct path q;

    q.count = 0;
    for (int i = 0; i < p->count; i++) {
        double x = p->x[i], y = p->y[i], u, v;
        int last = i + 1 == p->count || p->lifted[i + 1];

        if (last || p->lifted[i]) /* the ends of a stroke stay */
            path_add(&q, x, y, p->lifted[i]);
        if (last)
            continue;
        u = p->x[i + 1];
        v = p->y[i + 1];
        path_add(&q, 0.75 * x + 0.25 * u, 0.75 * y + 0.25 * v, 0);
        path_add(&q, 0.25 * x + 0.75 * u, 0.25 * y + 0.75 * v, 0);
    }
    *p = q;
}

enum { FIELD = 4 };

static double field_at(const double f[FIELD][FIELD], double u, double v)
{
    int i = (int)u, j = (int)v;
    double a = u - i, b = v - j, top, bottom;

    a = a * a * (3 - 2 * a); /* level at the points of the grid */
    b = b * b * (3 - 2 * b);
    top = (1 - a) * f[j][i] + a * f[j][i + 1];
    bottom = (1 - a) * f[j + 1][i] + a * f[j + 1][i + 1];
    return (1 - b) * top + b * bottom;
}

static double within(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* bend and slant a path */
static void path_bend(struct path *p, struct dice *d)
{
    double wide = dice(d, 0.65, 1.1), slant = dice(d, -0.1, 0.4);
    double t = dice(d, -0.1, 0.1); /* up to 11 degrees either way */
    double cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
    double dx[FIELD][FIELD], dy[FIELD][FIELD];

    for (int i = 0; i < FIELD * FIELD; i++) {
        dx[i / FIELD][i % FIELD] = dice(d, -1, 1);
        dy[i / FIELD][i % FIELD] = dice(d, -1, 1);
    }
    for (int i = 0; i < p->count; i++) {
        double u = within((p->x[i] + 1) / 4, 0, 2.999);
        double v = within((p->y[i] + 1) / 5.4, 0, 2.999);
        double y = p->y[i] + field_at(dy, u, v) - 7;
        double x = (p->x[i] + field_at(dx, u, v) - 5) * wide - slant * y;

        p->x[i] = cosine * x - sine * y;
        p->y[i] = sine * x + cosine * y;
    }
}

static void path_fit(struct path *p, double side)
{
    double x0 = p->x[0], x1 = x0, y0 = p->y[0], y1 = y0, scale;

    for (int i = 1; i < p->count; i++) {
        x0 = p->x[i] < x0 ? p->x[i] : x0;
        x1 = p->x[i] > x1 ? p->x[i] : x1;
        y0 = p->y[i] < y0 ? p->y[i] : y0;
        y1 = p->y[i] > y1 ? p->y[i] : y1;
    }
    scale = side / (x1 - x0 > y1 - y0 ? x1 - x0 : y1 - y0);
    for (int i = 0; i < p->count; i++) {
        p->x[i] = 14 + (p->x[i] - (x0 + x1) / 2) * scale;
        p->y[i] = 14 + (p->y[i] - (y0 + y1) / 2) * scale;
    }
}

/* ink a piece of a stroke */
/* The distance of (x, y) from the piece between points i - 1 and i. */
static double away(const struct path *p, int i, double x, double y)
{
    double ax = p->x[i - 1], ay = p->y[i - 1];
    double dx = p->x[i] - ax, dy = p->y[i] - ay, square = dx * dx + dy * dy;
    double t = square > 0 ? ((x - ax) * dx + (y - ay) * dy) / square : 0;

    t = within(t, 0, 1);
    dx = ax + t * dx - x;
    dy = ay + t * dy - y;
    return sqrt(dx * dx + dy * dy);
}

/* darken the pixels around it */
static void ink(unsigned char *pixels, const struct path *p, int i, double half)
{
    double x = p->x[i], y = p->y[i], u = p->x[i - 1], v = p->y[i - 1];
    int left = (int)within((x < u ? x : u) - half - 1, 0, 27);
    int right = (int)within((x < u ? u : x) + half + 1, 0, 27);
    int top = (int)within((y < v ? y : v) - half - 1, 0, 27);
    int bottom = (int)within((y < v ? v : y) + half + 1, 0, 27);

    for (int r = top; r <= bottom; r++)
        for (int c = left; c <= right; c++) {
            double cover = half + 0.5 - away(p, i, c + 0.5, r + 0.5);
            int shade = (int)(255 * within(cover, 0, 1) + 0.5);

            if (shade > pixels[r * DIGIT_SIDE + c])
                pixels[r * DIGIT_SIDE + c] = (unsigned char)shade;
        }
}

/* center a picture by its mass */
static void centre(unsigned char *pixels)
{
    unsigned char old[DIGIT_PIXELS];
    double mass = 0, x = 0, y = 0;
    int right, down;

    memcpy(old, pixels, sizeof old);
    for (int i = 0; i < DIGIT_PIXELS; i++) {
        mass += old[i];
        x += old[i] * (i % DIGIT_SIDE + 0.5);
        y += old[i] * (i / DIGIT_SIDE + 0.5);
    }
    right = (int)within(18.5 - x / mass, 0, 8) - 4; /* 14, rounded, + 4 */
    down = (int)within(18.5 - y / mass, 0, 8) - 4;
    memset(pixels, 0, sizeof old);
    for (int i = 0; i < DIGIT_PIXELS; i++) {
        int r = i / DIGIT_SIDE + down, c = i % DIGIT_SIDE + right;

        if (r >= 0 && r < DIGIT_SIDE && c >= 0 && c < DIGIT_SIDE)
            pixels[r * DIGIT_SIDE + c] = old[i];
    }
}

static void draw(int digit, struct dice *d, unsigned char *pixels)
{
    const char *style = strokes[digit][dice_below(d, 4)];
    double half, side;
    struct path p;

    path_read(&p, style, d);
    for (int i = 0; i < 3; i++)
        path_smooth(&p);
    path_bend(&p, d);
    half = dice(d, 0.6, 1.7); /* half the width of the pen */
    side = dice(d, 0.9, 1) * (20 - 2 * half);
    path_fit(&p, side);
    memset(pixels, 0, DIGIT_PIXELS);
    for (int i = 1; i < p.count; i++)
        if (!p.lifted[i])
            ink(pixels, &p, i, half);
    centre(pixels);
}

void synth_digits(int count, uint64_t seed, uint64_t part, struct digits *d)
{
    d->count = count;
    d->pixels = check_alloc((size_t)count, DIGIT_PIXELS);
    d->labels = check_alloc((size_t)count, 1);
    for (int i = 0; i < count; i++) {
        struct dice own = {seed, SYNTH_STREAMS + (part << 32) + (uint64_t)i, 0};

        d->labels[i] = (unsigned char)dice_below(&own, DIGIT_KINDS);
        draw(d->labels[i], &own, d->pixels + (size_t)i * DIGIT_PIXELS);
    }
}

/* find the folder with digits */
/* The folder with MNIST, or NULL for the book's own digits. */
static const char *digits_folder(const char *where)
{
    const char *set = getenv("MNIST_DIR");
    struct stat about;

    if (where != NULL)
        return strcmp(where, "synth") == 0 ? NULL : where;
    if (set != NULL && *set != '\0')
        return set;
    return stat("data/mnist", &about) == 0 ? "data/mnist" : NULL;
}

const char *digits_open(const char *where, int most_train, int most_test,
                        struct digits *train, struct digits *test)
{
    static char from[500];
    const char *dir = digits_folder(where), *part[] = {"train", "t10k"};
    struct digits *d[] = {train, test};
    int most[] = {most_train, most_test}, all[] = {10000, 2000};

    for (int i = 0; i < 2; i++) {
        if (dir == NULL)
            synth_digits(most[i] ? most[i] : all[i], 1, (uint64_t)i, d[i]);
        else
            digits_load(dir, i, d[i]);
        if (most[i] > d[i]->count)
            stop("%s: part %s has %d digits; %d were asked for", dir, part[i],
                 d[i]->count, most[i]);
        d[i]->count = most[i] ? most[i] : d[i]->count;
    }
    if (dir == NULL)
        return "the book's own digits";
    snprintf(from, sizeof from, "the digits in %s", dir);
    return from;
}

/* write the digits as IDX files */
int synth_main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--data", NULL),
                         ARG_NUMBER("--train", 10000, 1, 1000000),
                         ARG_NUMBER("--test", 2000, 1, 1000000)};
    uint64_t seed = args_parse(argc, argv, "draw digits, write them as IDX",
                               args, ARG_COUNT(args));
    int count[] = {(int)args[1].value, (int)args[2].value};
    const char *dir = args[0].text;

    if (dir == NULL)
        args_refuse(argv[0], "--data says into which new folder to write");
    if (mkdir(dir, 0777) != 0)
        stop("%s: %s; name a new folder", dir, strerror(errno));
    for (int i = 0; i < 2; i++) {
        struct digits d;

        synth_digits(count[i], seed, (uint64_t)i, &d);
        digits_save(dir, i, &d);
        digits_free(&d);
    }
    printf("%d digits to train and %d to test with, seed %" PRIu64 ", in %s\n",
           count[0], count[1], seed, dir);
    return 0;
}
