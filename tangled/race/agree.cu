/* agree: the fast step beside its mirror, and beside the reference. */
#include "mnist/synth.h"
#include "race/exact.h"
#include "race/fast.cuh"
#include "race/mirror.h"
#include "random/init.h"
#include "tour/args.h"

/* set up the steps to compare */
/* Digits on the host and on the device; as they lie, and the other way round with
   an order that turns them back. */
struct case_of {
    int n, steps;
    float rate;
    double part; /* allow the bounds divided by this */
    struct model m;
    struct digits d;
    float *w; /* the weights of the beginning */
    unsigned char *images, *labels, *images_back, *labels_back;
    int *order;
};

struct after {
    std::vector<float> first, last; /* weights after these steps */
    float loss;                     /* of the first */
};

static void *to_device(const void *from, size_t bytes)
{
    void *p;

    CUDA_CHECK(cudaMalloc(&p, bytes));
    CUDA_CHECK(cudaMemcpy(p, from, bytes, cudaMemcpyHostToDevice));
    return p;
}

static void case_open(struct case_of *c, uint64_t seed)
{
    size_t count = (size_t)c->n * c->steps;
    std::vector<unsigned char> x(count * DIGIT_PIXELS), y(count);
    std::vector<int> order(count);

    synth_digits((int)count, seed, 0, &c->d);
    for (size_t e = 0; e < count * DIGIT_PIXELS; e++)
        if (e % 28 % 27 == 0 || e / 28 % 28 % 27 == 0) /* ink at the edge */
            c->d.pixels[e] = philox_word(seed, 8, e) & 255;
    for (size_t i = 0; i < count; i++) {
        order[i] = (int)(count - 1 - i);
        y[count - 1 - i] = c->d.labels[i];
        memcpy(&x[(count - 1 - i) * DIGIT_PIXELS],
               c->d.pixels + i * DIGIT_PIXELS, DIGIT_PIXELS);
    }
    c->m = model_make(32);
    c->w = (float *)check_alloc(c->m.total, sizeof *c->w);
    model_init(&c->m, c->w, seed);
    for (int t = BN1_W; t <= BN2_B; t++) /* scales of both signs, biases */
        if (t != CONV2_W)
            for (size_t i = 0; i < c->m.tensor[t].count; i++)
                c->w[c->m.tensor[t].at + i] +=
                    0.5f * draw_signed(philox_word(seed, 7, i)) -
                    (t % 3 == 1 && i % 5 == 0 ? 2.0f : 0);
    c->images = (unsigned char *)to_device(c->d.pixels, count * DIGIT_PIXELS);
    c->labels = (unsigned char *)to_device(c->d.labels, count);
    c->images_back = (unsigned char *)to_device(x.data(), x.size());
    c->labels_back = (unsigned char *)to_device(y.data(), count);
    c->order = (int *)to_device(order.data(), count * sizeof(int));
}

static void case_close(struct case_of *c)
{
    CUDA_CHECK(cudaFree(c->images));
    CUDA_CHECK(cudaFree(c->labels));
    CUDA_CHECK(cudaFree(c->images_back));
    CUDA_CHECK(cudaFree(c->labels_back));
    CUDA_CHECK(cudaFree(c->order));
    digits_free(&c->d);
    free(c->w);
}

/* say how far vectors are apart */
/* How far x is from y, in lengths of y; x itself is only known to within
   blur. */
static double apart(size_t n, const double *x, const double *y, double blur)
{
    double d = 0, all = 0;

    for (size_t i = 0; i < n; i++) {
        d += (x[i] - y[i]) * (x[i] - y[i]);
        all += y[i] * y[i];
    }
    d = sqrt(d) - blur;
    return d < 0 ? 0 : d / sqrt(all + 1e-300);
}

/* The same of a gradient, from the weights before and after a step: what their
   rounding to fp32 alone can make is not counted. */
static double gradient_apart(size_t n, const double *before, const float *after,
                             double rate, const double *y)
{
    doubles g(n);
    double blur = 0;

    for (size_t i = 0; i < n; i++) {
        double ulp = 0x1p-24 * fmax(fabs(before[i]), fabs(after[i])) / rate;

        blur += ulp * ulp;
        g[i] = (before[i] - after[i]) / rate;
    }
    return apart(n, g.data(), y, sqrt(blur));
}

/* bound the distance from the mirror */
/* Rounded alike, the two differ by fp32's sums and by the few numbers that these
   round the other way. A mirror whose weights were moved by some roundings of fp32
   stayed this near to itself. */
struct bounds {
    double loss, gradient, moments;
};

static struct bounds bounds_for(int n)
{
    return n < 16   ? bounds{0x1p-12, 0x1p-1, 0x1p-10}
           : n < 64 ? bounds{0x1p-13, 0x1p-3, 0x1p-10}
                    : bounds{0x1p-15, 0x1p-4, 0x1p-12};
}

/* compare steps with the mirror */
static void compare_steps(const struct case_of *c, struct after *after)
{
    struct fast *f = fast_create(&c->m, c->n, FAST_BF16);
    struct mirror s = {c->m, doubles(c->w, c->w + c->m.total),
                       doubles(c->m.count), doubles(c->m.total - c->m.count),
                       0};
    std::vector<float> w(c->m.total), moments(s.moments.size());
    struct bounds most = bounds_for(c->n);
    double far = 0, far_moment = 0, far_loss = 0;

    CHECK(f->fused != NULL, "no fused step here: %s", f->by);
    fast_set(f, c->w);
    for (int k = 0; k < c->steps; k++) {
        doubles before(s.w), now(s.moments.size());
        float loss;

        fast_step(f, c->images, c->labels, NULL, k * c->n, c->n, c->rate, k, 0);
        mirror_step(&s, c->d.pixels + (size_t)k * c->n * DIGIT_PIXELS,
                    c->d.labels + k * c->n, c->n, c->rate);
        fast_get(f, w.data());
        CUDA_CHECK(cudaMemcpy(&loss, f->loss + k, 4, cudaMemcpyDeviceToHost));
        if (k == 0)
            *after = {w, w, loss};
        CHECK(fabs(loss - s.loss) <= most.loss / c->part * (1 + s.loss),
              "step %d: the loss is %.8g, its mirror's %.8g", k + 1, loss,
              s.loss);
        far_loss = fmax(far_loss, fabs(loss - s.loss) / (1 + s.loss));
        for (int t = 0; t < LEARNED; t++) {
            size_t at = c->m.tensor[t].at, count = c->m.tensor[t].count;
            double d =
                gradient_apart(count, &before[at], &w[at], c->rate, &s.g[at]);

            far = fmax(far, d);
            CHECK(d <= most.gradient / c->part,
                  "step %d: the gradient of %s is off by %.2g of its length",
                  k + 1, c->m.tensor[t].name, d);
        }
        fast_measure(f, c->images, NULL, 0, 0, moments.data());
        for (size_t i = 0; i < now.size(); i++)
            now[i] = moments[i];
        for (int t = BN1_MEAN, at = 0; t < TENSORS;
             at += (int)c->m.tensor[t++].count) {
            double d = apart(c->m.tensor[t].count, &now[at], &s.moments[at], 0);

            far_moment = fmax(far_moment, d);
            CHECK(d <= most.moments / c->part,
                  "step %d: %s is off by %.2g of its length", k + 1,
                  c->m.tensor[t].name, d);
        }
        s.w.assign(w.begin(), w.end()); /* go on from the same weights */
    }
    printf("mirror: loss within %.1e, gradients within %.1e, moments within "
           "%.1e\n",
           far_loss, far, far_moment);
    after->last = w;
    fast_destroy(f);
}

/* take the same steps another way */
/* A larger room, pictures through an order, another step before each, which ends
   where this one goes on but for one thing: the same bits. */
static void compare_ways(const struct case_of *c,
                         const std::vector<float> &last)
{
    struct fast *f = fast_create(&c->m, c->n + 5, FAST_BF16);
    std::vector<float> w(c->m.total), o((size_t)c->n * DIGIT_KINDS);
    cudaStream_t s;

    CUDA_CHECK(cudaStreamCreate(&s));
    fast_set(f, c->w);
    fast_step(f, c->images, c->labels, c->order, 0, (c->n + 1) / 2, 1, 3, s);
    fast_set(f, c->w);
    for (int k = 0; k < c->steps; k++) {
        if (k > 0) {
            fast_step(f, k % 4 == 3 ? c->images : c->images_back,
                      k % 4 == 2 ? c->labels : c->labels_back,
                      k % 4 == 1 ? NULL : c->order, (k - 1) * c->n, c->n,
                      k % 4 == 0 ? 1 : c->rate, k - 1, s);
            fast_set(f, w.data());
        }
        fast_step(f, c->images_back, c->labels_back, c->order, k * c->n, c->n,
                  c->rate, k, s);
        fast_get(f, w.data());
    }
    CHECK(memcmp(w.data(), last.data(), c->m.count * sizeof(float)) == 0,
          "the same steps another way give other bits");
    fast_answers(f, c->images, 0, c->n, o.data());
    for (float v : o)
        CHECK(isfinite(v), "an answer is %g", v);
    CUDA_CHECK(cudaStreamDestroy(s));
    fast_destroy(f);
}

/* compare with the reference */
/* The gradients of the first step in double, without any rounding. Among few
   pictures one maximum that goes to another pixel counts for much. */
static void compare_with_reference(const struct case_of *c,
                                   const std::vector<float> &w, float loss)
{
    doubles g(c->m.count), true_g(c->m.count);
    double far = 0, exact, most = 0x1p-1 / (c->n < 16 ? 1 : c->part);

    exact = exact_gradients(32, c->w, &c->d, c->n, true_g.data());
    for (int t = 0; t < LEARNED; t++) {
        size_t at = c->m.tensor[t].at, count = c->m.tensor[t].count;
        double d;

        for (size_t i = at; i < at + count; i++)
            g[i] = ((double)c->w[i] - w[i]) / c->rate;
        d = apart(count, &g[at], &true_g[at], 0);
        far = fmax(far, d);
        CHECK(d <= most, "%s: the gradient in bf16 is off by %.2g",
              c->m.tensor[t].name, d);
    }
    printf("reference: gradients within %.1e, loss %.6g for %.6g\n", far, loss,
           exact);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("batch", 3, 1, 4096),
                         ARG_SIZE("steps", 2, 1, FAST_SLOTS),
                         ARG_SIZE("part", 1, 1, 1024)};
    uint64_t seed =
        args_parse(argc, argv, "compares the fast step", args, ARG_COUNT(args));
    struct case_of c = {(int)args[0].value, (int)args[1].value, 0.1f,
                        (double)args[2].value};
    struct after after;

    case_open(&c, seed);
    compare_steps(&c, &after);
    compare_ways(&c, after.last);
    compare_with_reference(&c, after.first, after.loss);
    case_close(&c);
    printf("ok: %d pictures, %d steps\n", c.n, c.steps);
    return 0;
}
