#include "mnist/model.h"
#include "random/init.h"
#include "tour/check.h"

/* lay out the tensors */
static void add_tensor(struct model *m, int t, const char *name,
                       const int shape[4])
{
    struct model_tensor *into = &m->tensor[t];

    into->name = name;
    into->at = m->total;
    into->count = 1;
    for (into->rank = 0; into->rank < 4 && shape[into->rank] > 0; into->rank++)
        into->count *= (size_t)shape[into->rank];
    memcpy(into->shape, shape, sizeof into->shape);
    m->total += into->count;
    if (t < MODEL_LEARNED)
        m->count = m->total;
}
struct model model_make(int width)
{
    int a = width, b = 2 * width, h = 4 * width;
    struct model m = {width, a, b, h, 0, 0, {{NULL, 0, {0}, 0, 0}}};
    const struct {
        const char *name;
        int shape[4];
    } row[MODEL_TENSORS] = {
        /* name the tensors and their shapes */
        {"conv1.weight", {a, 1, 3, 3}},
        {"bn1.weight", {a}},
        {"bn1.bias", {a}},
        {"conv2.weight", {b, a, 3, 3}},
        {"bn2.weight", {b}},
        {"bn2.bias", {b}},
        {"fc1.weight", {h, 49 * b}},
        {"fc1.bias", {h}},
        {"fc2.weight", {MODEL_DIGITS, h}},
        {"fc2.bias", {MODEL_DIGITS}},
        {"bn1.running_mean", {a}},
        {"bn1.running_var", {a}},
        {"bn2.running_mean", {b}},
        {"bn2.running_var", {b}},
    };

    CHECK(width >= 1 && width <= MODEL_WIDTH_MOST, "a model of width %d",
          width);
    for (int t = 0; t < MODEL_TENSORS; t++)
        add_tensor(&m, t, row[t].name, row[t].shape);
    return m;
}

/* draw the initial weights */
void model_init(const struct model *m, float *w, uint64_t seed)
{
    for (int t = 0; t < MODEL_TENSORS; t++) {
        const struct model_tensor *s = &m->tensor[t];
        int ones = t == 1 || t == 4 || t == 11 || t == 13;
        int fan_in = 1;

        for (int d = 1; d < s->rank; d++)
            fan_in *= s->shape[d];
        if (s->rank > 1)
            init_uniform(w + s->at, s->count, 1 / sqrtf((float)fan_in), seed,
                         (uint64_t)t);
        else
            for (size_t i = 0; i < s->count; i++)
                w[s->at + i] = ones ? 1 : 0;
    }
}

/* list the tensors for a file */
int model_tensors(const struct model *m, float *w, struct st_tensor *t)
{
    for (int i = 0; i < MODEL_TENSORS; i++) {
        t[i].name = m->tensor[i].name;
        t[i].rank = m->tensor[i].rank;
        memcpy(t[i].shape, m->tensor[i].shape, sizeof t[i].shape);
        t[i].data = w + m->tensor[i].at;
    }
    return MODEL_TENSORS;
}
