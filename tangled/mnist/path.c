#include <stdlib.h>
#include <string.h>

#include "mnist/cpu.h"
#include "mnist/path.h"
#include "tour/check.h"

/* hold what the CPU's path needs */
struct cpu_net {
    struct cpu *c;
    const struct digits *train, *test;
    const int *order;
    float *x, loss[PATH_SLOTS];
    int *label;
};

static void *open_cpu(const struct model *m, const struct digits *train,
                      const struct digits *test, int batch, int threads)
{
    struct cpu_net *net = (struct cpu_net *)check_alloc(1, sizeof *net);

    net->c = cpu_open(m, batch, threads);
    net->train = train;
    net->test = test;
    net->x = (float *)check_alloc((size_t)batch * MODEL_PIXELS, sizeof(float));
    net->label = (int *)check_alloc((size_t)batch, sizeof(int));
    return net;
}

static void close_cpu(void *p)
{
    struct cpu_net *net = (struct cpu_net *)p;

    cpu_close(net->c);
    free(net->x);
    free(net->label);
    free(net);
}

/* hand weights and an order to the CPU */
static void set_cpu(void *p, const float *w)
{
    cpu_set(((struct cpu_net *)p)->c, w);
}

static void get_cpu(void *p, float *w)
{
    cpu_get(((struct cpu_net *)p)->c, w);
}

static void order_cpu(void *p, const int *order)
{
    ((struct cpu_net *)p)->order = order;
}

/* take a step on the CPU */
static void forward_cpu(void *p, int first, int n)
{
    struct cpu_net *net = (struct cpu_net *)p;

    digits_batch(net->train, net->order, first, n, net->x, net->label);
    cpu_forward(net->c, n, net->x, 1);
}

static void step_cpu(void *p, int first, int n, float lr, int slot)
{
    struct cpu_net *net = (struct cpu_net *)p;

    forward_cpu(p, first, n);
    net->loss[slot] = (float)cpu_loss(net->c, net->label);
    cpu_backward(net->c);
    cpu_update(net->c, lr);
}

/* evaluate on the CPU */
static void losses_cpu(void *p, int count, float *loss)
{
    memcpy(loss, ((struct cpu_net *)p)->loss, (size_t)count * sizeof *loss);
}

static void moments_cpu(void *p, float *mean, float *var)
{
    cpu_moments(((struct cpu_net *)p)->c, mean, var);
}

static void logits_cpu(void *p, int test, int first, int n, float *logits)
{
    struct cpu_net *net = (struct cpu_net *)p;

    digits_batch(test ? net->test : net->train, NULL, first, n, net->x,
                 net->label);
    cpu_forward(net->c, n, net->x, 0);
    cpu_logits(net->c, logits);
}

const struct path path_reference = {.name = "reference",
                                    .group = 1,
                                    .open = open_cpu,
                                    .close = close_cpu,
                                    .set = set_cpu,
                                    .get = get_cpu,
                                    .order = order_cpu,
                                    .step = step_cpu,
                                    .losses = losses_cpu,
                                    .forward = forward_cpu,
                                    .moments = moments_cpu,
                                    .logits = logits_cpu};
