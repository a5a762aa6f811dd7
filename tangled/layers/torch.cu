/* torch: the layers beside what PyTorch has computed: layers_vectors.py. */
#define EPS 1e-5 /* and not 1e-5f: float64 is compared to the last digits */
#include <stdio.h>

#include "grad/gradcheck.h"
#include "layers/try_linear.cuh"
#include "layers/try_norm.cuh"
#include "layers/try_pool.cuh"
#include "layers/try_relu.cuh"
#include "layers/try_xent.cuh"
#include "tour/args.h"

/* read PyTorch's cases */
static double *read_numbers(FILE *f, size_t n, const struct layer_case *c,
                            int floats)
{
    double *v = (double *)check_alloc(n, sizeof *v);

    for (size_t i = 0; i < n; i++) {
        CHECK(fscanf(f, "%lf", &v[i]) == 1,
              "case %s: array %d has %zu numbers, %zu are wanted", c->name,
              c->count, i, n);
        v[i] = floats ? (float)v[i] : v[i];
    }
    return v;
}

static void read_array(FILE *f, int result, struct layer_case *c)
{
    struct array *a;
    char name[16];
    size_t n;

    CHECK(fscanf(f, "%15s %zu", name, &n) == 2 && n <= 1 << 20,
          "case %s: array %d has no name and size", c->name, c->count);
    a = case_array(c, name, n, strcmp(name, "which") ? 4 : 1);
    a->torch = read_numbers(f, n, c, !result);
    if (result) {
        a->torch32 = read_numbers(f, n, c, 1);
        return;
    }
    for (size_t i = 0; i < n; i++)
        a->h[i] = (float)a->torch[i];
    case_put(a);
}
/* Reads at most `most` cases from a file of layers_vectors.py; how many. */
static int read_cases(const char *path, struct layer_case *c, int most)
{
    FILE *f = fopen(path, "r");
    char word[512];
    int count = 0;

    CHECK(f, "%s: cannot be read", path);
    while (fscanf(f, "%15s", word) == 1)
        if (word[0] == '#') {
            CHECK(fgets(word, sizeof word, f), "%s: ends in its head", path);
        } else if (!strcmp(word, "case")) {
            struct layer_case *now = &c[count++];
            int *s = now->size;

            CHECK(count <= most && fscanf(f, "%15s %d %d %d %d", now->name, s,
                                          s + 1, s + 2, s + 3) == 5,
                  "%s: case %d has no name and four sizes", path, count);
            now->recorded = 1;
        } else {
            CHECK(count > 0 && (!strcmp(word, "in") || !strcmp(word, "out")),
                  "%s: '%s' is no case, in or out", path, word);
            read_array(f, word[0] == 'o', &c[count - 1]);
        }
    CHECK(count > 0, "%s: there is no case in it", path);
    fclose(f);
    return count;
}

/* run a batch norm with given statistics */
static void given_kernels(struct layer_case *c)
{
    int n = c->size[0], k = c->size[1], hw = c->size[2] * c->size[3];
    size_t nx = (size_t)n * k * hw;

    batchnorm_apply_run(n, k, hw, EPS, input(c, "x", nx)->d,
                        input(c, "mean", k)->d, input(c, "var", k)->d,
                        input(c, "scale", k)->d, input(c, "shift", k)->d,
                        output(c, "y", nx, 4)->d, 0);
}

static void run_given(struct layer_case *c)
{
    int n = c->size[0], k = c->size[1], hw = c->size[2] * c->size[3];
    size_t nx = (size_t)n * k * hw;

    batchnorm_apply(n, k, hw, EPS, input(c, "x", nx)->wide,
                    input(c, "mean", k)->wide, input(c, "var", k)->wide,
                    input(c, "scale", k)->wide, input(c, "shift", k)->wide,
                    output(c, "y", nx, 4)->wide);
    case_kernels(c, given_kernels);
}

/* choose the layer of a case */
typedef void runner(struct layer_case *c);

static runner *choose(const char *name)
{
    static const struct {
        const char *name;
        runner *run;
    } layers[] = {{"linear", run_linear},    {"relu", run_relu},
                  {"norm_given", run_given}, {"norm", run_norm},
                  {"pool", run_pool},        {"xent", run_xent}};

    for (size_t k = 0; k < sizeof layers / sizeof *layers; k++)
        if (!strncmp(name, layers[k].name, strlen(layers[k].name)))
            return layers[k].run;
    CHECK(0, "there is no layer %s", name);
    return NULL;
}

/* nudge a case */
struct nudge {
    struct layer_case *c;
    runner *run;
};

/* make a loss of a layer */
static double nudged_loss(void *work)
{
    struct nudge *s = (struct nudge *)work;
    struct layer_case *c = s->c;
    double sum = 0;

    s->run(c);
    for (int k = 0; k < c->count; k++)
        if (!strcmp(c->all[k].name, "loss"))
            return c->all[k].wide[0];
    for (int k = 0; k < c->count; k++)
        if (!strcmp(c->all[k].name, "y")) {
            const double *dy = input(c, "dy", c->all[k].n)->wide;

            for (size_t i = 0; i < c->all[k].n; i++)
                sum += c->all[k].wide[i] * dy[i];
        }
    return sum;
}

/* How far the gradient a is from differences. */
static double nudge(struct layer_case *c, runner *run, const struct array *a)
{
    struct nudge work = {c, run};
    struct array *x = input(c, a->name + 1, a->n);
    double *slope = (double *)check_alloc(a->n, sizeof *slope);
    struct gradcheck g;

    memcpy(slope, a->wide, a->n * sizeof *slope);
    c->nudging = 1;
    g = gradcheck(nudged_loss, &work, x->wide, x->n, slope);
    run(c); /* as it was before the nudges */
    c->nudging = 0;
    GRADCHECK(a->name, g, 1e-6);
    free(slope);
    return g.error;
}

/* compare a case with PyTorch */
static double apart(const struct array *a, int which)
{
    double off = 0, all = 0;

    for (size_t i = 0; i < a->n; i++) {
        double v = which == 0   ? a->wide[i]
                   : which == 1 ? case_got(a, i)
                                : a->torch32[i];

        off += (v - a->torch[i]) * (v - a->torch[i]);
        all += a->torch[i] * a->torch[i];
    }
    return off == 0 ? 0 : sqrt(off / all);
}

static void show(struct layer_case *c, runner *run, const struct array *a)
{
    double ours = apart(a, 0), kernel = apart(a, 1);
    int smooth = !strstr(c->name, "kink") && !strstr(c->name, "ties");

    printf("%-12s %-6s %8.1e %8.1e %8.1e", c->name, a->name, ours, kernel,
           apart(a, 2));
    if (a->name[0] == 'd' && smooth)
        printf(" %8.1e", nudge(c, run, a));
    printf("\n");
    CHECK(ours <= 0x1p-44, "%s: %s is off by %.3g in double", c->name, a->name,
          ours);
    CHECK(kernel <= 0x1p-17, "%s: %s is off by %.3g in float", c->name, a->name,
          kernel);
}

/* compare all cases with PyTorch */
int main(int argc, char **argv)
{
    static struct layer_case c[32];
    struct arg args[] = {ARG_TEXT("--file", "tests/data/layers/torch.txt")};
    int cases;

    args_parse(argc, argv, "the layers beside PyTorch's", args, 1);
    cases = read_cases(args[0].text, c, 32);
    printf("%-19s %8s %8s %8s %8s\n", "off float64 by", "double", "kernel",
           "float32", "nudges");
    for (int k = 0; k < cases; k++) {
        runner *run = choose(c[k].name);

        run(&c[k]);
        for (int i = 0; i < c[k].count; i++)
            if (c[k].all[i].torch32 &&
                (run != run_given || c[k].all[i].name[0] == 'y'))
                show(&c[k], run, &c[k].all[i]);
    }
    printf("ok: %d cases of PyTorch's\n", cases);
    return 0;
}
