/* freeze: learn ten pictures from the training digits, print letters.h */
#include "tour/args.h"
#include "tour/check.h"
#include "tour/idx.h"
#include "tour/net.h"

/* hold what is learned */
struct learner {
    int64_t w[NET_DIGITS][NET_INPUTS];   /* now */
    int64_t sum[NET_DIGITS][NET_INPUTS]; /* over all pictures seen */
    int64_t margin;                      /* by how much to win */
    char letter[NET_DIGITS][NET_INPUTS];
};

enum { LETTERS = 26 };

/* learn from one picture */
static void learn_one(struct learner *me, const int *x, int label)
{
    int64_t score[NET_DIGITS] = {0};
    int rival = label == 0; /* 1 or 0: some digit that is not the label */

    for (int d = 0; d < NET_DIGITS; d++)
        for (int i = 0; i < NET_INPUTS; i++)
            score[d] += me->w[d][i] * x[i];
    for (int d = 0; d < NET_DIGITS; d++)
        if (d != label && score[d] > score[rival])
            rival = d;
    if (score[label] <= score[rival] + me->margin)
        for (int i = 0; i < NET_INPUTS; i++) {
            me->w[label][i] += x[i];
            me->w[rival][i] -= x[i];
        }
    for (int d = 0; d < NET_DIGITS; d++)
        for (int i = 0; i < NET_INPUTS; i++)
            me->sum[d][i] += me->w[d][i];
}

/* learn from all pictures */
static void learn(struct learner *me, const char *dir, int rounds)
{
    struct idx pictures = idx_read(dir, "train-images-idx3-ubyte");
    struct idx labels = idx_read(dir, "train-labels-idx1-ubyte");
    size_t area = (size_t)pictures.rows * pictures.cols;
    struct tensor *x = tensor_new(NET_INPUTS, 1);
    int one[NET_INPUTS];

    /* check that the training set makes sense */
    CHECK(pictures.count == labels.count && pictures.rows == pictures.cols,
          "%s: %d pictures of %d x %d and %d labels do not go together", dir,
          pictures.count, pictures.rows, pictures.cols, labels.count);
    for (int n = 0; n < labels.count; n++)
        CHECK(labels.data[n] < NET_DIGITS, "%s: label %d is %d, want 0 to 9",
              dir, n, labels.data[n]);
    for (int round = 0; round < rounds; round++)
        for (int n = 0; n < pictures.count; n++) {
            net_pool(x, 0, pictures.data + n * area, pictures.rows);
            for (int i = 0; i < NET_INPUTS; i++)
                one[i] = (int)tensor_get(x, i, 0);
            learn_one(me, one, labels.data[n]);
        }
    tensor_destroy(x);
    idx_free(&pictures);
    idx_free(&labels);
}

/* shift each cell until its smallest weight is 0 */
static int64_t shift_to_zero(struct learner *me)
{
    int64_t largest = 1;

    for (int i = 0; i < NET_INPUTS; i++) {
        int64_t least = me->sum[0][i];

        for (int d = 1; d < NET_DIGITS; d++)
            if (me->sum[d][i] < least)
                least = me->sum[d][i];
        for (int d = 0; d < NET_DIGITS; d++) {
            me->sum[d][i] -= least;
            if (me->sum[d][i] > largest)
                largest = me->sum[d][i];
        }
    }
    return largest;
}

/* round the weights to letters */
static void round_to_letters(struct learner *me)
{
    int64_t largest = shift_to_zero(me);

    for (int d = 0; d < NET_DIGITS; d++)
        for (int i = 0; i < NET_INPUTS; i++) {
            int64_t v = (me->sum[d][i] * 2 * LETTERS + largest) / (2 * largest);

            me->letter[d][i] = (char)(v == 0 ? '.' : 'a' + v - 1);
        }
}

/* print the letters */
static void print_letters(const struct learner *me)
{
    printf("/* letters.h: ten pictures of digits; written by tour/freeze */\n"
           "static net_letters frozen = {\n");
    for (int line = 0; line < 2 * (NET_SIDE + 1); line++) {
        int first = line / (NET_SIDE + 1) * 5, row = line % (NET_SIDE + 1);

        printf("%s    \"", line == NET_SIDE + 1 ? "\n" : "");
        for (int d = first; d < first + 5; d++)
            printf("%-*.*s", d < first + 4 ? NET_SIDE + 2 : 0,
                   row < NET_SIDE ? NET_SIDE : 1,
                   &me->letter[d][row * NET_SIDE]);
        printf("\",\n");
    }
    printf("};\n");
}

/* learn, round, print */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--data", ""),
                         ARG_NUMBER("--rounds", 5, 1, 100),
                         ARG_NUMBER("--margin", 20000, 0, 1000000)};
    struct learner *me;

    args_parse(argc, argv, "learn ten pictures of digits, print letters.h",
               args, ARG_COUNT(args));
    CHECK(args[0].text[0], "say where the training set is: --data DIR");
    me = check_alloc(1, sizeof *me);
    me->margin = args[2].value;
    learn(me, args[0].text, (int)args[1].value);
    round_to_letters(me);
    print_letters(me);
    free(me);
    return 0;
}
