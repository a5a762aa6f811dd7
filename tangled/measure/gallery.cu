/* gallery: show a wrong time and what catches it. */
#include "measure/gallery.cuh"
#include "tour/args.h"

/* catch a wrong time */
/* What is wrong with a time of `wrong` us, or NULL when nothing shows. */
static const char *catch_time(double wrong, double honest, double floor)
{
    if (wrong < floor)
        return "the bytes cannot move so fast";
    if (wrong > 1.15 * honest)
        return "an honest measurement is shorter";
    if (wrong < honest / 1.15)
        return "an honest measurement is longer";
    return NULL;
}

/* find an exhibit by its name */
static const struct exhibit *find_exhibit(const char *name)
{
    for (int k = 0; k < EXHIBITS; k++)
        if (strcmp(exhibits[k].name, name) == 0)
            return &exhibits[k];
    args_refuse("gallery",
                "there is no timing '%s': early, cold, waiting, "
                "cached or unrun",
                name);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--timing", "early"),
                         ARG_NUMBER("--n", 0, 0, 1 << 26)};
    uint64_t seed = args_parse(argc, argv, "show one of five wrong timings",
                               args, ARG_COUNT(args));
    const struct exhibit *e = find_exhibit(args[0].text);
    size_t n = args[1].value ? (size_t)args[1].value : e->n;
    struct gallery g = gallery_new(n, seed);
    double wrong = e->time(&g), honest = time_honestly(&g);
    double floor = roof_floor(roof_of_card(), 12.0 * n, n);
    const char *caught = catch_time(wrong, honest, floor);

    printf("%s: %.2f us; honest: %.2f us; floor: %.2f us\n", e->name, wrong,
           honest, floor);
    CUDA_CHECK(cudaFree(g.d));
    CHECK(caught, "this time looks right");
    printf("caught: %s\n", caught);
    return 0;
}
