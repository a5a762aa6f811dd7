/* parts.c: what the C files of chapter 1 do at their edges, in one process: an exit comes
   back, and what is allocated is counted. All that is said goes to standard error. */
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static jmp_buf back;
static size_t asked;    /* bytes, all together */
static int live, after; /* blocks; how many more there is memory for */

static void *counted(size_t count, size_t size)
{
    asked += count * size;
    if (after-- == 0 || count > 1 << 30)
        return NULL;
    live++;
    return calloc(count, size);
}

static void *taken(size_t size)
{
    return counted(1, size);
}

static void freed(void *p)
{
    live -= p != NULL;
    free(p);
}

__attribute__((noreturn)) static void left(int status)
{
    longjmp(back, status + 1);
}

#define calloc counted
#define malloc taken
#define free freed
#define exit left
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

#include "tour/tensor.c"
#include "tour/drawings.c"
#include "tour/net.c"
#include "tour/idx.c"

#define SAY(...) fprintf(stderr, __VA_ARGS__)

/* TRY(what): do it, and say whether it came back */
#define TRY(...)                                     \
    do {                                             \
        int left_ = setjmp(back);                    \
                                                     \
        if (left_ == 0) {                            \
            __VA_ARGS__;                             \
            SAY("ok\n");                             \
        } else                                       \
            SAY("status %d\n", left_ - 1);           \
    } while (0)

static void numbers(void)
{
    uint64_t state = 1234567;
    float x[4] = {7, 7, 7, 7};

    for (int i = 0; i < 5; i++)
        SAY("%d ", (int)rng_below(&state, 1000));
    SAY("%a %a\n", rng_to_float(UINT64_MAX), rng_to_float(UINT64_C(3) << 40));
    rng_fill_float(x, 3, 1234567);
    SAY("%.9g %.9g %.9g %g;", x[0], x[1], x[2], x[3]);
    rng_fill_small(x, 3, 1234567);
    SAY(" %g %g %g %g\n", x[0], x[1], x[2], x[3]);
}

static void checks(void)
{
    static const float a[3] = {1, 2, 3}, b[3] = {1, 2, 4};
    unsigned char p[3] = {1, 1, 1};

    TRY(CHECK_NEAR(3, 1, 2, "x"));
    TRY(CHECK_NEAR(1, 3.25, 2, "x"));
    TRY(CHECK_NEAR(INFINITY, INFINITY, 0, "x"));
    TRY(CHECK_ARRAY(a, b, 2));
    TRY(CHECK_ARRAY(a, b, 3));
    poison(p, 2);
    SAY("%x %x %x\n", p[0], p[1], p[2]);
    for (size_t size = 0; size < 3; size++)
        for (size_t count = 0; count < 3; count++) {
            asked = 0;
            freed(check_alloc(count, size));
            SAY("%zu ", asked);
        }
    SAY("\n");
    TRY(check_alloc(PTRDIFF_MAX / 2, 2));
    TRY(check_alloc(PTRDIFF_MAX / 2 + 1, 2));
    after = 0;
    TRY(check_alloc(1, 1));
    after = -1;
}

static void tensors(void)
{
    static const int shape[][2] = {{0, 3}, {3, 0}, {-1, 3}, {1, 1}, {2, 3}};
    struct tensor *t[64], *c;
    int wrong = 0, fit = 0;

    for (int i = 0; i < 5; i++) {
        asked = 0;
        SAY("%d", tensor_create(&c, shape[i][0], shape[i][1]));
        SAY(":%d:%zu ", c != NULL, asked - (asked ? sizeof *c : 0));
        tensor_destroy(c);
    }
    for (after = 0; after < 2;) {
        int room = after, status = tensor_create(&c, 2, 3);

        SAY("%d:%d:%d ", status == TENSOR_NO_MEMORY, c == NULL, live);
        after = room + 1;
    }
    after = -1;
    for (int s = 0; s < 4; s++)
        SAY("%.8s,", tensor_error((enum tensor_status)s));
    SAY("\n");
    c = tensor_new(2, 3);
    for (int row = -1; row < 3; row++)
        for (int col = -1; col < 4; col++) {
            int left_ = setjmp(back);

            if (left_ == 0)
                tensor_set(c, row, col, 1);
            SAY("%d", left_);
        }
    SAY("\n");
    tensor_destroy(c);
    for (int i = 0; i < 64; i++) /* a, b and c of 1 or 2 rows and columns */
        t[i] = tensor_new(1 + i / 32 % 2, 1 + i / 16 % 2);
    for (int i = 0; i < 64; i++) {
        struct tensor *a = tensor_new(1 + (i & 1), 1 + (i >> 1 & 1)),
                      *b = tensor_new(1 + (i >> 2 & 1), 1 + (i >> 3 & 1));
        int fits = (i >> 1 & 1) == (i >> 2 & 1) && (i & 1) == i / 32 % 2 &&
                   (i >> 3 & 1) == i / 16 % 2;

        wrong += (tensor_mul(t[i], a, b) == TENSOR_OK) != fits;
        fit += fits;
        tensor_destroy(a);
        tensor_destroy(b);
    }
    SAY("%d of 64 shapes fit, %d wrong; ", fit, wrong);
    SAY("%d%d%d\n", tensor_mul(t[63], t[63], t[62]),
        tensor_mul(t[63], t[62], t[63]), tensor_mul(t[63], t[62], t[62]));
    for (int i = 0; i < 64; i++)
        tensor_destroy(t[i]);
    tensor_destroy(NULL);
    SAY("%d left\n", live);
}

/* A net whose letters are all dots but for one. */
static void letters(int digit, int cell, int letter)
{
    static char line[2 * (NET_SIDE + 1)][5 * (NET_SIDE + 2) + 1];
    const char *lines[2 * (NET_SIDE + 1)];
    struct net nn;
    int other = 0;

    for (int i = 0; i < 2 * (NET_SIDE + 1); i++) {
        memset(line[i], '.', sizeof line[i] - 1);
        lines[i] = line[i];
    }
    line[digit / 5 * 8 + cell / 7][digit % 5 * 9 + cell % 7] = (char)letter;
    TRY(net_thaw(&nn, lines);
        for (int d = 0; d < NET_DIGITS; d++) for (int i = 0; i < NET_INPUTS; i++)
            other += tensor_get(nn.w1, d, i) != 0;
        SAY("%g, %d others, ", tensor_get(nn.w1, digit, cell), other - 1);
        net_free(&nn); SAY("%d ", nn.w1 == NULL));
}

static void nets(void)
{
    static const int side[] = {7, 14, 21, 28, 70};
    struct tensor *x = tensor_new(NET_INPUTS, 3), *s = tensor_new(NET_DIGITS, 11);
    int wrong = 0;

    for (int k = 0; k < 5; k++) {
        int n = side[k], cell = n / 7;
        unsigned char *p = check_alloc((size_t)n * n, 1);
        uint64_t state = (uint64_t)n;

        for (int i = 0; i < n * n; i++)
            p[i] = i < n ? 255 : (unsigned char)rng_below(&state, 256);
        net_pool(x, 1, p, n);
        for (int i = 0; i < 49; i++) {
            double ink = 0;

            for (int r = 0; r < cell * cell; r++)
                ink += p[(i / 7 * cell + r / cell) * n + i % 7 * cell + r % cell];
            wrong += tensor_get(x, i, 1) !=
                     floor(ink * 9 / (255. * cell * cell) + 0.5);
        }
        wrong += tensor_get(x, 49, 1) != 9;
        for (int i = 0; i < 50; i++)
            wrong += tensor_get(x, i, 0) != 0 || tensor_get(x, i, 2) != 0;
        free(p);
    }
    SAY("%d wrong; ", wrong);
    for (int d = 0; d < NET_DIGITS; d++)
        tensor_set(s, d, d, 1);
    for (int d = 0; d < NET_DIGITS; d++)
        tensor_set(s, d, 10, d % 3 == 1 ? 2.5f : -1);
    for (int d = 0; d <= NET_DIGITS; d++)
        SAY("%d", net_answer(s, d));
    SAY("\n");
    TRY(net_pool(x, 0, (const unsigned char *)"", 0));
    TRY(net_pool(x, 0, (const unsigned char *)"", 1));
    TRY(net_pool(x, 0, (const unsigned char *)"", -7));
    letters(0, 0, 'a');
    letters(9, 48, 'z');
    letters(7, 49, 'c');
    letters(4, 12, '.');
    letters(3, 8, 'a' - 1);
    letters(6, 20, 'z' + 1);
    tensor_destroy(x);
    tensor_destroy(s);
}

static void drawn(void)
{
    unsigned char p[PAPER * PAPER + 1];
    uint64_t sum = 0;

    memset(p, 7, sizeof p);
    draw_line(p, 9, "#.+ +#+.##+#");
    draw_line(p, 0, "#\n#");
    for (size_t i = 0; i < sizeof p; i++)
        if (p[i] != 7)
            SAY("%zu:%d ", i, p[i]);
    SAY("\n");
    for (int digit = 0; digit < 10; digit++) {
        memset(p, 7, sizeof p);
        draw_digit(p, digit);
        for (size_t i = 0; i < sizeof p; i++)
            sum = rng_mix(sum + p[i]);
    }
    SAY("%016llx\n", (unsigned long long)sum);
}

/* file(name, bytes, size...): a file of 4-byte numbers, then bytes */
static void file(const char *name, int bytes, int sizes, const uint32_t *size)
{
    FILE *f = fopen(name, "wb");

    for (int i = 0; i < sizes; i++)
        for (int shift = 24; shift >= 0; shift -= 8)
            putc((int)(size[i] >> shift & 255), f);
    for (int i = 0; i < bytes; i++)
        putc(i + 1, f);
    fclose(f);
}

static void read_file(const char *dir, const char *name)
{
    struct idx set;

    asked = 0;
    TRY(set = idx_read(dir, name);
        SAY("%d x %d x %d, %zu bytes, last %d ", set.count, set.rows, set.cols, asked,
            set.count == 0 || set.rows == 0 || set.cols == 0
                ? -1 : set.data[set.count * set.rows * set.cols - 1]);
        idx_free(&set); SAY("%d ", set.data == NULL));
}

static void files(void)
{
    static const uint32_t head[][4] = {
        {0x803, INT_MAX, 0, 4096},       {0x803, 0x80000000u, 0, 1},
        {0x803, INT_MAX, 4096, 0},       {0x803, 1, 4097, 0},
        {0x803, 1, 0, 4097},             {0x800, 1, 1, 1},
        {0x802, 1, 1, 1},                {0x801 + 256, 1, 1, 1}};
    static const int shape[][3] = {{3, 1, 1}, {3, 1, 2}, {3, 2, 1}, {2, 3, 4}, {0, 5, 6}};
    static unsigned char data[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 10, 11, 12,
                                   13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
    static char dir[5000];
    struct idx big = {1, 1, 1 << 20, NULL};

    for (int i = 0; i < 8; i++) {
        file("f", 0, 4, head[i]);
        read_file(".", "f");
    }
    file("f", 3, 2, (const uint32_t[]){0x801, 3});
    read_file(".", "f");
    file("f", 2, 2, (const uint32_t[]){0x801, 3});
    read_file(".", "f");
    file("f", 4, 2, (const uint32_t[]){0x801, 3});
    read_file(".", "f");
    file("f", 0, 3, (const uint32_t[]){0x803, 3, 2});
    read_file(".", "f");
    read_file("", "");
    for (int i = 0; i < 5; i++) {
        struct idx set = {shape[i][0], shape[i][1], shape[i][2], data};
        struct stat s;

        idx_write(".", "g", &set);
        stat("g", &s);
        SAY("%d ", (int)s.st_size);
        read_file(".", "g");
    }
    TRY(idx_write("/dev", "full", &(struct idx){1, 1, 1, data}));
    big.data = check_alloc(1 << 20, 1);
    TRY(idx_write("/dev", "full", &big));
    /* names of 4092 and 4093 bytes, of 4095 and 4096 */
    file("f", 3, 2, (const uint32_t[]){0x801, 3});
    for (int n = 4090; n < 4095; n++) {
        memset(dir, '/', sizeof dir);
        for (int i = 0; i < n; i += 2)
            dir[i] = '.';
        dir[n - (n % 2 ? 0 : 1)] = n % 2 ? '\0' : '/';
        dir[n] = '\0';
        read_file(dir, "f");
        TRY(idx_write(dir, "f", &(struct idx){1, 1, 1, data}));
        file("f", 3, 2, (const uint32_t[]){0x801, 3});
    }
    /* compressed, and then with something behind it */
    if (system("gzip -c f >h.gz; mkdir -p \"it's\"; cp h.gz \"it's\"; cat h.gz f >i.gz") != 0)
        SAY("no gzip\n");
    read_file(".", "h");
    read_file("it's", "h");
    read_file(".", "i");
}

static void mark(int pictures, int rows, int cols, int labels, int n)
{
    static const char *const name[] = {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};
    struct net nn = {tensor_new(NET_DIGITS, NET_INPUTS)};
    unsigned char *p = check_alloc((size_t)pictures * rows * cols, 1), l[20];

    for (int d = 0; d < NET_DIGITS; d++) {
        tensor_set(nn.w1, d, d, 1); /* a picture is the digit whose cell is full */
        if (d < pictures && rows == 7 && cols == 7)
            p[d * 49 + d] = 255;
    }
    for (int d = 0; d < 20; d++)
        l[d] = (unsigned char)(d == 4 ? 5 : d);
    idx_write(".", name[0], &(struct idx){pictures, rows, cols, p});
    idx_write(".", name[1], &(struct idx){labels, 1, 1, l});
    free(p);
    TRY(SAY("%d right ", net_mark(&nn, ".", n)));
    net_free(&nn);
}

static void words(const char *program, ...)
{
    struct arg args[] = {ARG_SIZE("n", 10, 2, 1000), ARG_NUMBER("--k", 5, 1, 9),
                         ARG_TEXT("--to", "here"), ARG_FLAG("--loud"),
                         ARG_SIZE("m", 20, 0, INT64_MAX)};
    char *argv[8] = {(char *)program};
    int argc = program != NULL;
    uint64_t seed = 0;
    va_list list;

    va_start(list, program);
    for (char *w; program && (w = va_arg(list, char *)) != NULL;)
        argv[argc++] = w;
    va_end(list);
    TRY(seed = args_parse(argc, argv, "about", args, ARG_COUNT(args));
        SAY("n %lld k %lld to %s loud %lld m %lld seed %llu ", (long long)args[0].value,
            (long long)args[1].value, args[2].text, (long long)args[3].value,
            (long long)args[4].value, (unsigned long long)seed));
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    after = -1;
    words(NULL, NULL);
    words("prog", NULL);
    words("/prog", "7", "--loud", "9223372036854775807", "--seed", "0", NULL);
    words("x/prog", "--to", "there", "--seed", "18446744073709551615", "1000", "0", NULL);
    for (char c = '/'; c <= ':'; c++)
        words("prog", "--k", (char[]){c, 0}, NULL);
    words("prog", "2", "--help", NULL);
    words("prog", "1", NULL);
    words("prog", "2", NULL);
    words("prog", "1001", NULL);
    words("prog", "-/", NULL);
    words("prog", "-0", NULL);
    words("prog", "-9", NULL);
    words("prog", "-:", NULL);
    words("prog", "--to", NULL);
    words("prog", "--seed", "-", NULL);
    words("prog", "2", "2", "2", NULL);
    words("/a/prog", "-9", NULL);
    words("prog", "--seed", "18446744073709551616", NULL);
    words("prog", "--seed", "18446744073709551620", NULL);
    words("prog", "n", NULL);
    numbers();
    checks();
    tensors();
    nets();
    drawn();
    files();
    mark(10, 7, 7, 10, 10);
    mark(10, 7, 7, 10, 4);
    mark(10, 7, 7, 9, 9);
    mark(10, 7, 7, 10, 11);
    mark(4, 7, 14, 4, 4);
    return 0;
}
