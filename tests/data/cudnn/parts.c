/* parts.c: chapter 19's layer over cuDNN, its graphs and what it reads of engines, with
   a cuDNN of our own: it does nothing, says what it is asked for, and destroys what is
   created. The real one takes many a wrong size, too. */
#include "cudnn/check.h"
#include "cudnn/engines.h"
#include "cudnn/graphs.h"

struct thing {
    cudnnBackendDescriptorType_t type;
    int number;     /* of all things of a graph */
    int place;      /* in the list that it was asked for with */
    char set[2000]; /* what was set */
};
static int things, alive, version = CUDNN_VERSION, quiet;
static cudnnStatus_t answer;      /* of what comes next */
static int calls, fails_at = -1; /* so many calls on, it is a failure */

static const char *type_name(int type)
{
#define NAME(x)                    \
    case CUDNN_BACKEND_##x##_DESCRIPTOR: \
        return #x;
    switch (type) {
        NAME(POINTWISE)
        NAME(CONVOLUTION)
        NAME(ENGINE)
        NAME(ENGINECFG)
        NAME(ENGINEHEUR)
        NAME(EXECUTION_PLAN)
        NAME(KNOB_CHOICE)
        NAME(KNOB_INFO)
        NAME(OPERATION_CONVOLUTION_FORWARD)
        NAME(OPERATION_CONVOLUTION_BACKWARD_FILTER)
        NAME(OPERATION_CONVOLUTION_BACKWARD_DATA)
        NAME(OPERATION_POINTWISE)
        NAME(OPERATION_GEN_STATS)
        NAME(OPERATIONGRAPH)
        NAME(VARIANT_PACK)
        NAME(TENSOR)
        NAME(MATMUL)
        NAME(OPERATION_MATMUL)
        NAME(REDUCTION)
        NAME(OPERATION_REDUCTION)
        NAME(RESAMPLE)
        NAME(OPERATION_RESAMPLE_FWD)
        NAME(OPERATION_NORM_FORWARD)
        NAME(OPERATION_RESHAPE)
    default:
        return "another";
    }
}

static cudnnStatus_t status(void)
{
    calls++;
    return fails_at >= 0 && fails_at-- == 0 ? CUDNN_STATUS_EXECUTION_FAILED : answer;
}

size_t cudnnGetVersion(void)
{
    return (size_t)version;
}

const char *cudnnGetErrorString(cudnnStatus_t s)
{
    static char text[20];

    snprintf(text, sizeof text, "status %d", (int)s);
    return text;
}

void cudnnGetLastErrorString(char *text, size_t size)
{
    snprintf(text, size, "room for %d", (int)size);
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                                           cudnnBackendDescriptor_t *d)
{
    struct thing *t;

    if (status())
        return CUDNN_STATUS_NOT_INITIALIZED;
    t = calloc(1, sizeof *t);
    t->type = type;
    t->number = ++things;
    *d = t;
    alive++;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t d)
{
    free(d);
    alive--;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t d,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t count,
                                       const void *values)
{
    struct thing *t = d;
    char *s = t->set + strlen(t->set);
    size_t room = (size_t)(t->set + sizeof t->set - s);

#define SAY(...) (s += snprintf(s, room, __VA_ARGS__), room = (size_t)(t->set + sizeof t->set - s))
    SAY(", %d:", (int)name);
    if (type == CUDNN_TYPE_CHAR)
        SAY(" \"%.*s\"", (int)count, (const char *)values);
    else
        for (int64_t i = 0; i < count; i++)
            switch ((int)type) {
            case CUDNN_TYPE_BACKEND_DESCRIPTOR: {
                struct thing *const *of = values;

                SAY(" #%d", of[i] ? of[i]->number : 0);
                break;
            }
            case CUDNN_TYPE_HANDLE:
            case CUDNN_TYPE_VOID_PTR:
                SAY(" at %d", (int)(intptr_t)((void *const *)values)[i]);
                break;
            case CUDNN_TYPE_BOOLEAN:
                SAY(" %s", ((const bool *)values)[i] ? "yes" : "no");
                break;
            case CUDNN_TYPE_INT64:
                SAY(" %d", (int)((const int64_t *)values)[i]);
                break;
            case CUDNN_TYPE_FLOAT:
                SAY(" %g", ((const float *)values)[i]);
                break;
            case CUDNN_TYPE_FRACTION:
                SAY(" %d/%d", (int)((const cudnnFraction_t *)values)[i].numerator,
                    (int)((const cudnnFraction_t *)values)[i].denominator);
                break;
            default: /* an enum, whose type is its own */
                SAY(" %d of %d", ((const int *)values)[i], (int)type);
            }
    return status();
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t d)
{
    struct thing *t = d;

    if (!quiet)
        printf("#%d %s%s\n", t->number, type_name((int)t->type), t->set);
    return status();
}

/* Ten times the thing's place, and some more for each attribute. */
cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t d,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t room,
                                       int64_t *count, void *values)
{
    struct thing *t = d;
    int64_t there = name == CUDNN_ATTR_ENGINEHEUR_RESULTS ? (room ? 3 : 7)
        : name == CUDNN_ATTR_ENGINE_KNOB_INFO             ? (t && t->place ? 20 : 2)
        : name == CUDNN_ATTR_ENGINECFG_KNOB_CHOICES       ? 3
                                                          : 1;

    if (!t)
        return CUDNN_STATUS_BAD_PARAM;
    if (!quiet)
        printf("of #%d %s %d, %d of type %d\n", t->number, type_name((int)t->type), (int)name,
               (int)room, (int)type);
    for (int i = 0; i < room && i < there; i++)
        switch ((int)name) {
        case CUDNN_ATTR_ENGINEHEUR_RESULTS:
        case CUDNN_ATTR_ENGINE_KNOB_INFO:
        case CUDNN_ATTR_ENGINECFG_KNOB_CHOICES:
        case CUDNN_ATTR_ENGINECFG_ENGINE:
            if (((struct thing **)values)[i])
                ((struct thing **)values)[i]->place = 10 * t->place + i + 1;
            break;
        case CUDNN_ATTR_KNOB_INFO_TYPE:
        case CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE:
            *(int *)values = 20 * (t->place % 10) + 2;
            break;
        case CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE:
            there = 3;
            ((int *)values)[i] = (int[]){0, 4, 5}[i];
            break;
        case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
            there = 4;
            ((int *)values)[i] = (int[]){t->place ? 0 : 1, 8, 9, 10}[i];
            break;
        default:
            *(int64_t *)values = 1000 * (int64_t)name + t->place;
        }
    *count = there;
    return status();
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                                  cudnnBackendDescriptor_t pack)
{
    if (!quiet)
        printf("run at %d, plan #%d, pack #%d\n", (int)(intptr_t)handle,
               ((struct thing *)plan)->number, ((struct thing *)pack)->number);
    return status();
}

static void closed(struct dnn *g)
{
    if (g->why[0])
        printf("%d: %s\n", (int)g->status, g->why);
    dnn_close(g);
    if (alive || g->owned || g->owned_count || g->owned_room)
        printf("%d are left\n", alive);
    things = alive = 0;
}

static void graphs(const struct dnn_case *v, int count)
{
    struct dnn g;

    for (int i = 0; i < count; i++) {
        dnn_open(&g, NULL, NULL);
        printf("%s%s\n", dnn_graphs[i].name, v->nhwc ? " nhwc" : "");
        if (dnn_graph_named(dnn_graphs[i].name) != &dnn_graphs[i])
            printf("is not found by its name\n");
        dnn_graphs[i].build(&g, v);
        if (!dnn_finish(&g))
            printf("refused\n");
        printf("%d operations, %d tensors\n", g.op_count, (int)g.tensors);
        closed(&g);
    }
}

/* The softmax of rows whose images are no squares, as attention's are. */
static void rows(void)
{
    struct dnn g;
    struct dnn_tensor s, p;

    dnn_open(&g, NULL, NULL);
    printf("softmax of 2 x 3 x 5 rows of 7\n");
    s = dnn_image(&g, CUDNN_DATA_FLOAT, false, 2, 3, 5, 7, false);
    p = dnn_image(&g, CUDNN_DATA_FLOAT, false, 2, 3, 5, 7, false);
    softmax_rows(&g, s, p);
    dnn_finish(&g);
    closed(&g);
}

/* A graph's way to a run, with the handle of a GPU or the description of one. */
static void way(const struct dnn_case *v, cudnnHandle_t handle, const char *json)
{
    struct dnn g;
    dnn_desc configs[5], engine, config, plan, pack;
    struct dnn_knob knob[DNN_KNOBS];
    int64_t looked = 0, number = 0, value[DNN_KNOBS], workspace = 0;
    int64_t ids[2] = {4, 5};
    void *memory[2] = {(void *)6, (void *)7};
    int count;

    printf("%s\n", json ? "described" : "with a handle");
    dnn_open(&g, handle, json);
    quiet = 1;
    graph_relu(&g, v);
    quiet = 0;
    dnn_finish(&g);
    count = dnn_ask(&g, CUDNN_HEUR_MODE_B, configs, 5, &looked);
    printf("%d of %d, engines: %d\n", count, (int)looked, dnn_engines(&g));
    printf("not asked how many: %d\n", dnn_ask(&g, CUDNN_HEUR_MODE_A, configs, 5, NULL));
    engine = dnn_choices(&g, configs[1], &number, &count, knob, value);
    printf("number %d sets %d:", (int)number, count);
    for (int i = 0; i < count; i++)
        printf(" %d=%d", knob[i].kind, (int)value[i]);
    printf("\n");
    quiet = 1;
    printf("notes:");
    print_notes(engine);
    printf("\nmore knobs than there is room for: %d:", dnn_knobs(&g, engine, knob));
    print_knobs(knob, 20);
    printf("\n");
    quiet = 0;
    printf("tensor cores: %d\n", dnn_uses_tensor_cores(engine));
    engine = dnn_engine(&g, 9);
    printf("tensor cores: %d\n", dnn_uses_tensor_cores(engine));
    printf("knobs: %d\n", dnn_knobs(&g, engine, NULL));
    count = dnn_knobs(&g, engine, knob);
    print_knobs(knob, count);
    printf("\n");
    knob[1].kind = 43;
    print_knobs(knob, 2);
    knob[1].kind = 44;
    print_knobs(knob, 2);
    printf("\n");
    dnn_config(&g, engine, 0, NULL, NULL);
    value[0] = 70, value[1] = 71;
    config = dnn_config(&g, engine, 2, knob, value);
    plan = dnn_build(&g, config, &workspace);
    printf("workspace %d\n", (int)workspace);
    pack = dnn_pack(&g, 2, ids, memory, (void *)8);
    printf("%d\n", dnn_run(&g, plan, pack));
    answer = CUDNN_STATUS_EXECUTION_FAILED;
    printf("%d\n", dnn_run(&g, plan, pack));
    answer = CUDNN_STATUS_SUCCESS;
    printf("%d\n", dnn_run(&g, plan, pack));
    printf("%d\n", dnn_ok(&g, CUDNN_STATUS_SUCCESS, "what is right"));
    closed(&g);
}

/* Each call in turn fails: its reason is kept, and nothing that stands on it is asked for. */
static void refusals(const struct dnn_case *v)
{
    char last[DNN_WORDS] = "";

    quiet = 1;
    for (int at = 0; fails_at < 0; at++) {
        struct dnn g;
        dnn_desc configs[2], engine, plan, pack, other;
        struct dnn_knob knob[DNN_KNOBS];
        int64_t value[DNN_KNOBS] = {0}, workspace, number = 0, id = 1;
        void *memory = NULL;
        int count, set = 0, ran;

        dnn_open(&g, (cudnnHandle_t)3, NULL);
        fails_at = at;
        calls = 0;
        graph_max_pool(&g, v);
        dnn_finish(&g);
        count = dnn_ask(&g, CUDNN_HEUR_MODE_A, configs, 2, NULL);
        engine = dnn_choices(&g, g.why[0] ? NULL : configs[0], &number, &set, knob, value);
        other = g.why[0] ? NULL : dnn_engine(&g, 9);
        set = g.why[0] ? 0 : dnn_knobs(&g, other, knob);
        plan = dnn_build(&g, g.why[0] ? NULL : dnn_config(&g, engine, 1, knob, value), &workspace);
        pack = dnn_pack(&g, 1, &id, &memory, NULL);
        ran = dnn_run(&g, plan, pack);
        if (strcmp(g.why, last)) {
            strcpy(last, g.why);
            printf("%d, %d calls: %d operations, %d configs, %d plan, %d pack, %d run: %d, %.*s\n",
                   at, calls, g.op_count, count, plan != NULL, pack != NULL, ran, (int)g.status,
                   (int)strcspn(g.why, ":"), g.why);
        }
        g.why[0] = 0;
        closed(&g);
    }
    fails_at = -1;
    quiet = 0;
}

/* What is said of a cuDNN of another version, and of too many operations. */
static void limits(const struct dnn_case *v)
{
    static const int versions[] = {89999, 90000, 90707, 90800, 99999, 100000};
    struct dnn g;

    for (int i = 0; i < 12; i++) {
        version = versions[i % 6];
        dnn_open(&g, NULL, i < 6 ? NULL : "{}");
        closed(&g);
    }
    version = CUDNN_VERSION;
    dnn_open(&g, NULL, NULL);
    quiet = 1;
    for (int i = 0; i < DNN_OPS; i++)
        graph_relu(&g, v);
    printf("%d operations, as many as there is room for: %s\n", g.op_count, g.why);
    graph_relu(&g, v);
    quiet = 0;
    closed(&g);
    for (int s = -1000; s < 8000; s += 1000)
        printf("%d: %s\n", s + 999, dnn_words((cudnnStatus_t)(s + 999)));
}

int main(void)
{
    struct dnn_case planes = {CUDNN_DATA_FLOAT, false, 2, 3, 5, 7, 11};
    struct dnn_case pixels = {CUDNN_DATA_HALF, true, 2, 3, 5, 7, 11};

    graphs(&pixels, DNN_GRAPHS);
    graphs(&planes, 1);
    rows();
    way(&pixels, (cudnnHandle_t)3, NULL);
    refusals(&planes);
    printf("con: %s\n", dnn_graph_named("con") ? "found" : "none");
    DNN_CHECK(CUDNN_STATUS_SUCCESS);
#if CUDNN_VERSION >= 90800
    way(&pixels, NULL, "{}");
    limits(&pixels);
#endif
    DNN_CHECK(CUDNN_STATUS_BAD_PARAM);
    printf("not ended\n");
    return 0;
}
