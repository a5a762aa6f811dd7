/* train: a network of neurons on a tape learns two moons. */
#include <stdio.h>

#include "grad/neurons.h"
#include "tour/args.h"

enum { ROWS = 17, COLUMNS = 64 };

/* draw the plane */
static void draw(struct tape *t, const struct mlp *s, const struct moons *m)
{
    char picture[ROWS][COLUMNS + 1] = {{0}};

    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            double x[2] = {(c + 0.5) / 16 - 2, 1.0625 - (r + 0.5) / 8};

            picture[r][c] = neurons_ask(t, s, x) > 0 ? '.' : ' ';
        }
    for (int i = 0; i < m->n; i++) {
        int c = (int)((m->x[2 * i] + 2) * 16);
        int r = (int)((1.0625 - m->x[2 * i + 1]) * 8);

        if (r >= 0 && r < ROWS && c >= 0 && c < COLUMNS)
            picture[r][c] = m->t[i] > 0 ? 'o' : 'x';
    }
    for (int r = 0; r < ROWS; r++)
        printf("%s|\n", picture[r]);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("points", 200, 2, 100000),
                         ARG_SIZE("epochs", 64, 1, 100000)};
    uint64_t seed = args_parse(argc, argv, "learn two moons on a tape", args,
                               ARG_COUNT(args));
    int points = (int)args[0].value, epochs = (int)args[1].value, room;
    struct mlp s = {3, {2, 16, 16, 1}};
    struct moons seen = moons_make(points, 0.25, seed);
    struct moons unseen = moons_make(1000, 0.25, seed + 1);
    struct tape t = {NULL, 0, 0};

    /* train and look now and then */
    neurons_begin(&t, &s, seed);
    neurons_ask(&t, &s, seen.x);
    room = t.room;
    printf("%zu parameters; a tape of %d nodes\n", mlp_count(&s), room);
    printf("epoch   loss  right  of unseen points\n");
    for (int e = 0; e < epochs; e++) {
        double loss = neurons_epoch(&t, &s, &seen, 0.05, seed, e);

        if ((e & (e + 1)) == 0 || e == epochs - 1)
            printf("%5d  %.3f  %.1f%%  %.1f%%\n", e + 1, loss,
                   neurons_right(&t, &s, &seen),
                   neurons_right(&t, &s, &unseen));
    }
    draw(&t, &s, &seen);
    CHECK(t.room == room, "the tape grew to %d nodes", t.room);
    moons_free(&seen);
    moons_free(&unseen);
    tape_free(&t);
    return 0;
}
