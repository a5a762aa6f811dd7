/* torch: the layers beside what PyTorch has computed: layers_vectors.py. */
#include <stdio.h>

/* include all layers */
#include "grad/gradcheck.h"
#include "layers/batchnorm.cuh"
#include "layers/linear.cuh"
#include "layers/maxpool.cuh"
#include "layers/reference_d.h"
#include "layers/relu.cuh"
#include "layers/xent.cuh"
#include "tour/args.h"

#define EPS 1e-5

/* read the recorded cases */
enum { ITEMS = 12 };

/* An array of a case: an input, or a result that PyTorch has computed in
   float64 and in float32, and this program by its reference and its kernels. */
struct item {
    char name[16];
    int result;
    size_t n;
    double *v, *v32, *ours, *kernel;
    float *d;
};

struct record {
    char name[16];
    int size[4], items, first; /* first: the first result, y or the loss */
    struct item item[ITEMS];
    void (*run)(struct record *r, int kernels);
};
static double *read_numbers(FILE *f, size_t n, const struct record *r,
                            const char *name)
{
    double *v = (double *)check_alloc(n, sizeof *v);

    for (size_t i = 0; i < n; i++)
        CHECK(fscanf(f, "%lf", &v[i]) == 1,
              "case %s: %s has %zu numbers, %zu are wanted", r->name, name, i,
              n);
    return v;
}

static void make_floats(double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = (float)v[i];
}

static void read_item(FILE *f, int result, struct record *r)
{
    struct item *a = &r->item[r->items++];

    CHECK(r->items <= ITEMS && fscanf(f, "%15s %zu", a->name, &a->n) == 2 &&
              a->n <= 1 << 20,
          "case %s: array %d has no name and size", r->name, r->items);
    a->result = result;
    a->v = read_numbers(f, a->n, r, a->name);
    if (!result)
        make_floats(a->v, a->n);
    if (result) {
        a->v32 = read_numbers(f, a->n, r, a->name);
        make_floats(a->v32, a->n);
        a->ours = (double *)check_alloc(a->n, sizeof *a->ours);
        a->kernel = (double *)check_alloc(a->n, sizeof *a->kernel);
    }
}
/* Reads at most `most` cases from a file of layers_vectors.py; how many. */
static int read_records(const char *path, struct record *r, int most)
{
    FILE *f = fopen(path, "r");
    char word[512];
    int count = 0;

    CHECK(f, "%s: cannot be read", path);
    while (fscanf(f, "%15s", word) == 1)
        if (word[0] == '#') {
            CHECK(fgets(word, sizeof word, f), "%s: ends in its head", path);
        } else if (!strcmp(word, "case")) {
            struct record *now = &r[count++];
            int *s = now->size;

            CHECK(count <= most && fscanf(f, "%15s %d %d %d %d", now->name, s,
                                          s + 1, s + 2, s + 3) == 5,
                  "%s: case %d has no name and four sizes", path, count);
        } else {
            CHECK(count > 0 && (!strcmp(word, "in") || !strcmp(word, "out")),
                  "%s: '%s' is no case, in or out", path, word);
            read_item(f, word[0] == 'o', &r[count - 1]);
        }
    fclose(f);
    return count;
}

/* find the arrays of a case */
static struct item *find(struct record *r, const char *name, size_t n)
{
    for (int k = 0; k < r->items; k++)
        if (!strcmp(r->item[k].name, name)) {
            CHECK(r->item[k].n == n, "case %s: %s has %zu numbers, not %zu",
                  r->name, name, r->item[k].n, n);
            return &r->item[k];
        }
    CHECK(0, "case %s has no %s", r->name, name);
    return NULL;
}

/* An input, a result of the reference, and either of them on the device. */
static double *in(struct record *r, const char *name, size_t n)
{
    return find(r, name, n)->v;
}

static double *out(struct record *r, const char *name, size_t n)
{
    return find(r, name, n)->ours;
}

static float *dev(struct record *r, const char *name, size_t n)
{
    return find(r, name, n)->d;
}

/* move a case to the device and back */
static void to_device(struct record *r)
{
    for (int k = 0; k < r->items; k++) {
        struct item *a = &r->item[k];
        float *h = (float *)check_alloc(a->n, sizeof *h);

        for (size_t i = 0; i < a->n; i++)
            h[i] = a->result ? NAN : (float)a->v[i];
        CUDA_CHECK(cudaMalloc((void **)&a->d, a->n * sizeof *h));
        CUDA_CHECK(
            cudaMemcpy(a->d, h, a->n * sizeof *h, cudaMemcpyHostToDevice));
        free(h);
    }
}

static void from_device(struct record *r)
{
    for (int k = 0; k < r->items; k++) {
        struct item *a = &r->item[k];
        float *h = (float *)check_alloc(a->n, sizeof *h);

        CUDA_CHECK(
            cudaMemcpy(h, a->d, a->n * sizeof *h, cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < a->n && a->result; i++)
            a->kernel[i] = h[i];
        CUDA_CHECK(cudaFree(a->d));
        free(h);
    }
}

/* run the loss, once or twice */
static void xent_ours(struct record *r, int b, int k, int twice,
                      const int *label)
{
    size_t n = (size_t)b * k;
    double logp[1024], again[1024], *dx = out(r, "dx", n);

    *out(r, "loss", 1) = xent_forward(b, k, in(r, "x", n), label, logp);
    xent_backward(b, k, logp, label, dx);
    if (twice) {
        *out(r, "loss", 1) = xent_forward(b, k, logp, label, again);
        xent_backward(b, k, again, label, again);
        log_softmax_backward(b, k, logp, again, dx);
    }
}

static void xent_kernels(struct record *r, int b, int k, int twice,
                         const int *label)
{
    size_t n = (size_t)b * k;
    float *d, *x = dev(r, "x", n), *dx = dev(r, "dx", n);
    int *at = (int *)dev(r, "label", b);

    CUDA_CHECK(cudaMalloc((void **)&d, (2 * n + b) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(at, label, b * sizeof *at, cudaMemcpyHostToDevice));
    log_softmax_forward_run(b, k, x, d, 0);
    xent_forward_run(b, k, twice ? d : x, at, d + n, d + 2 * n,
                     dev(r, "loss", 1), 0);
    xent_backward_run(b, k, d + n, at, dx, 0);
    if (twice)
        log_softmax_backward_run(b, k, d, dx, dx, 0);
    CUDA_CHECK(cudaFree(d));
}

/* run the layers on a case */
static void run_linear(struct record *r, int kernels)
{
    int b = r->size[0], k = r->size[1], m = r->size[2];
    size_t nx = (size_t)b * k, nw = (size_t)m * k, ny = (size_t)b * m;

    if (kernels) {
        linear_forward_run(b, k, m, dev(r, "x", nx), dev(r, "w", nw),
                           dev(r, "bias", m), dev(r, "y", ny), 0);
        linear_backward_run(b, k, m, dev(r, "x", nx), dev(r, "w", nw),
                            dev(r, "dy", ny), dev(r, "dx", nx),
                            dev(r, "dw", nw), dev(r, "dbias", m), 0);
        return;
    }
    linear_forward(b, k, m, in(r, "x", nx), in(r, "w", nw), in(r, "bias", m),
                   out(r, "y", ny));
    linear_backward(b, k, m, in(r, "x", nx), in(r, "w", nw), in(r, "dy", ny),
                    out(r, "dx", nx), out(r, "dw", nw), out(r, "dbias", m));
}

static void run_relu(struct record *r, int kernels)
{
    size_t n = r->size[0];

    if (kernels) {
        relu_forward_run(n, dev(r, "x", n), dev(r, "y", n), 0);
        relu_backward_run(n, dev(r, "y", n), dev(r, "dy", n), dev(r, "dx", n),
                          0);
        return;
    }
    relu_forward(n, in(r, "x", n), out(r, "y", n));
    relu_backward(n, out(r, "y", n), in(r, "dy", n), out(r, "dx", n));
}
static void run_norm(struct record *r, int kernels)
{
    int n = r->size[0], c = r->size[1], hw = r->size[2] * r->size[3];
    size_t nx = (size_t)n * c * hw;
    double mean[64], var[64];
    float *d;

    CHECK(c <= 64, "%d channels", c);
    if (!kernels) {
        batchnorm_moments(n, c, hw, in(r, "x", nx), mean, var);
        batchnorm_apply(n, c, hw, EPS, in(r, "x", nx), mean, var,
                        in(r, "scale", c), in(r, "shift", c), out(r, "y", nx));
        batchnorm_backward(n, c, hw, EPS, in(r, "x", nx), mean, var,
                           in(r, "scale", c), in(r, "dy", nx), out(r, "dx", nx),
                           out(r, "dscale", c), out(r, "dshift", c));
        return;
    }
    CUDA_CHECK(cudaMalloc((void **)&d, 512 + batchnorm_space(c)));
    batchnorm_forward_run(n, c, hw, EPS, dev(r, "x", nx), dev(r, "scale", c),
                          dev(r, "shift", c), dev(r, "y", nx), d, d + 64,
                          d + 128, 0);
    batchnorm_backward_run(n, c, hw, EPS, dev(r, "x", nx), d, d + 64,
                           dev(r, "scale", c), dev(r, "dy", nx),
                           dev(r, "dx", nx), dev(r, "dscale", c),
                           dev(r, "dshift", c), d + 128, 0);
    CUDA_CHECK(cudaFree(d));
}
static void run_given(struct record *r, int kernels)
{
    int n = r->size[0], c = r->size[1], hw = r->size[2] * r->size[3];
    size_t nx = (size_t)n * c * hw;

    if (kernels)
        batchnorm_apply_run(n, c, hw, EPS, dev(r, "x", nx), dev(r, "mean", c),
                            dev(r, "var", c), dev(r, "scale", c),
                            dev(r, "shift", c), dev(r, "y", nx), 0);
    else
        batchnorm_apply(n, c, hw, EPS, in(r, "x", nx), in(r, "mean", c),
                        in(r, "var", c), in(r, "scale", c), in(r, "shift", c),
                        out(r, "y", nx));
}

static void run_pool(struct record *r, int kernels)
{
    int p = r->size[0], h = r->size[1], w = r->size[2];
    size_t nx = (size_t)p * h * w, ny = (size_t)p * (h / 2) * (w / 2);
    unsigned char which[4096];

    CHECK(ny <= sizeof which, "%zu windows", ny);
    if (kernels) {
        unsigned char *d = (unsigned char *)dev(r, "which", ny);

        maxpool_forward_run(p, h, w, dev(r, "x", nx), dev(r, "y", ny), d, 0);
        maxpool_backward_run(p, h, w, dev(r, "dy", ny), d, dev(r, "dx", nx), 0);
        /* make numbers of the places */
        float number[4096];

        CUDA_CHECK(cudaMemcpy(which, d, ny, cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < ny; i++)
            number[i] = which[i];
        CUDA_CHECK(
            cudaMemcpy(d, number, ny * sizeof *number, cudaMemcpyHostToDevice));
        return;
    }
    maxpool_forward(p, h, w, in(r, "x", nx), out(r, "y", ny), which);
    maxpool_backward(p, h, w, in(r, "dy", ny), which, out(r, "dx", nx));
    for (size_t i = 0; i < ny; i++)
        out(r, "which", ny)[i] = which[i];
}
static void run_soft(struct record *r, int kernels)
{
    int rows = r->size[0], cols = r->size[1];
    size_t n = (size_t)rows * cols;

    if (kernels) {
        log_softmax_forward_run(rows, cols, dev(r, "x", n), dev(r, "y", n), 0);
        log_softmax_backward_run(rows, cols, dev(r, "y", n), dev(r, "dy", n),
                                 dev(r, "dx", n), 0);
        return;
    }
    log_softmax_forward(rows, cols, in(r, "x", n), out(r, "y", n));
    log_softmax_backward(rows, cols, out(r, "y", n), in(r, "dy", n),
                         out(r, "dx", n));
}

static void run_xent(struct record *r, int kernels)
{
    int b = r->size[0], k = r->size[1], twice = !strcmp(r->name, "xent_twice");
    size_t n = (size_t)b * k;
    int label[64];

    CHECK(b <= 64 && n <= 1024, "%d samples of %d", b, k);
    for (int i = 0; i < b; i++)
        label[i] = (int)in(r, "label", b)[i];
    if (kernels)
        xent_kernels(r, b, k, twice, label);
    else
        xent_ours(r, b, k, twice, label);
}

/* say how far apart the results are */
static double apart(const double *a, const double *b, size_t n)
{
    double off = 0, all = 0;

    for (size_t i = 0; i < n; i++) {
        off += (a[i] - b[i]) * (a[i] - b[i]);
        all += b[i] * b[i];
    }
    return off == 0 ? 0 : sqrt(off / all);
}

static double nudged_loss(void *work)
{
    struct record *r = (struct record *)work;
    double sum = 0;
    int loss = !strcmp(r->item[r->first].name, "loss");
    size_t n = r->item[r->first].n;

    r->run(r, 0);
    for (size_t i = 0; i < n; i++)
        sum += r->item[r->first].ours[i] * (loss ? 1 : in(r, "dy", n)[i]);
    return sum;
}
static void show(struct record *r, const struct item *a)
{
    double ours = apart(a->ours, a->v, a->n);
    double kernel = apart(a->kernel, a->v, a->n);
    int smooth = !strstr(r->name, "kink") && !strstr(r->name, "ties");

    printf("%-12s %-6s %8.1e %8.1e %8.1e", r->name, a->name, ours, kernel,
           apart(a->v32, a->v, a->n));
    CHECK(ours <= 0x1p-44, "%s: %s is off by %.3g in double", r->name, a->name,
          ours);
    CHECK(kernel <= 0x1p-17, "%s: %s is off by %.3g in float", r->name, a->name,
          kernel);
    if (a->name[0] == 'd' && smooth) {
        struct item *x = NULL;

        for (int k = 0; k < r->items; k++)
            if (!strcmp(r->item[k].name, a->name + 1))
                x = &r->item[k];
        CHECK(x, "%s: nothing for %s to be the gradient of", r->name, a->name);
        /* compare with differences */
        struct gradcheck g = gradcheck(nudged_loss, r, x->v, x->n, a->v);

        printf(" %8.1e", g.error);
        GRADCHECK(a->name, g, 1e-6);
        r->run(r, 0);
    }
    printf("\n");
}

/* choose the layer of a case */
static void choose(struct record *r)
{
    static const struct {
        const char *name;
        void (*run)(struct record *, int);
    } layers[] = {{"linear", run_linear},    {"relu", run_relu},
                  {"norm_given", run_given}, {"norm", run_norm},
                  {"pool", run_pool},        {"log_softmax", run_soft},
                  {"xent", run_xent}};

    for (size_t k = 0; k < sizeof layers / sizeof *layers && !r->run; k++)
        if (!strncmp(r->name, layers[k].name, strlen(layers[k].name)))
            r->run = layers[k].run;
    CHECK(r->run, "there is no layer %s", r->name);
    while (r->first < r->items && !r->item[r->first].result)
        r->first++;
    CHECK(r->first < r->items, "case %s has no result", r->name);
}

/* compare with the recorded cases */
int main(int argc, char **argv)
{
    static struct record r[32];
    struct arg args[] = {ARG_TEXT("--file", "tests/data/layers/torch.txt")};
    int cases;

    args_parse(argc, argv, "the layers beside PyTorch's", args, 1);
    cases = read_records(args[0].text, r, 32);
    printf("%-19s %8s %8s %8s %8s\n", "off float64 by", "double", "kernel",
           "float32", "nudges");
    for (int k = 0; k < cases; k++) {
        choose(&r[k]);
        to_device(&r[k]);
        r[k].run(&r[k], 1);
        from_device(&r[k]);
        r[k].run(&r[k], 0);
        for (int i = 0; i < r[k].items; i++)
            if (r[k].item[i].result &&
                (r[k].run != run_given || r[k].item[i].name[0] == 'y'))
                show(&r[k], &r[k].item[i]);
    }
    printf("ok: %d cases of PyTorch's\n", cases);
    return 0;
}
