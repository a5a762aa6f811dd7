/* plans: which plans cuDNN has for a graph. Without a GPU, for one that is
   described in a file. */
#include <unistd.h>

#include "cudnn/engines.h"
#include "cudnn/graphs.h"
#include "tour/args.h"
#include "tour/check.h"

/* read a file whole */
static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = (char *)check_alloc(1 << 20, 1);
    size_t n;

    CHECK(f != NULL, "cannot open %s", path);
    n = fread(text, 1, (1 << 20) - 1, f);
    fclose(f);
    text[n] = 0;
    return text;
}

/* list the plans of a graph */
enum { PLANS = 100 };

/* Prints a line for each configuration. Returns the first plan, or NULL. */
static dnn_desc list_plans(struct dnn *g, cudnnBackendHeurMode_t mode)
{
    dnn_desc configs[PLANS], first = NULL;
    int64_t looked = 0, number, workspace;
    int count = dnn_ask(g, mode, configs, PLANS, &looked);

    if (g->why[0])
        return NULL;
    printf("the heuristics looked at %d configurations; %d remain\n",
           (int)looked, count);
    for (int i = 0; i < count; i++) {
        int set;
        struct dnn_knob knob[DNN_KNOBS];
        int64_t value[DNN_KNOBS];
        dnn_desc engine =
            dnn_choices(g, configs[i], &number, &set, knob, value);
        dnn_desc plan;

        printf("%2d engine %d knobs %d:", i, (int)number,
               dnn_knobs(g, engine, NULL));
        print_notes(engine);
        plan = dnn_build(g, configs[i], &workspace);
        if (plan)
            printf(" workspace %lld\n", (long long)workspace);
        else
            printf(" no plan: %s\n", g->why);
        g->why[0] = 0; /* one plan's refusal is not the graph's */
        first = first ? first : plan;
    }
    return first;
}

/* list the engines of a graph */
/* A line for each engine that finalizes. Returns the first plan, or NULL. */
static dnn_desc list_engines(struct dnn *g)
{
    int count = dnn_engines(g), able = 0, built = 0, compiled = 0;
    dnn_desc first = NULL;

    for (int number = 0; number < count; number++) {
        dnn_desc engine = dnn_engine(g, number), plan = NULL;
        struct dnn_knob knob[DNN_KNOBS];
        int64_t workspace = 0;

        if (engine) {
            printf("%2d", number);
            print_notes(engine);
            print_knobs(knob, dnn_knobs(g, engine, knob));
            plan =
                dnn_build(g, dnn_config(g, engine, 0, NULL, NULL), &workspace);
            if (plan)
                printf(": workspace %lld\n", (long long)workspace);
            else
                printf(": no plan, %s\n", cudnnGetErrorString(g->status));
            able++;
            built += plan != NULL;
            compiled += dnn_notes(engine, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE,
                                  CUDNN_TYPE_BEHAVIOR_NOTE) >>
                            CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION &
                        1;
        }
        g->why[0] = 0; /* one engine's refusal is not the graph's */
        first = first ? first : plan;
    }
    printf("%d numbers: %d engines, %d of them compiled on demand; %d plans\n",
           count, able, compiled, built);
    return first;
}

/* write a plan as JSON */
/* The text, to be freed. */
static char *plan_json(struct dnn *g, dnn_desc plan)
{
    int64_t size = 0;
    char *text;

    dnn_ok(g,
           cudnnBackendGetAttribute(
               plan, CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION,
               CUDNN_TYPE_CHAR, 0, &size, NULL),
           "the size of a plan's JSON");
    text = (char *)check_alloc((size_t)size + 1, 1);
    dnn_ok(g,
           cudnnBackendGetAttribute(
               plan, CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION,
               CUDNN_TYPE_CHAR, size, &size, text),
           "a plan's JSON");
    return text;
}

/* read a plan from JSON */
static dnn_desc plan_from(struct dnn *g, const char *json)
{
    dnn_desc plan =
        dnn_new(g, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, "a saved plan");

    if (g->handle)
        dnn_set(g, plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1,
                &g->handle);
#if CUDNN_VERSION >= 90800
    if (g->device)
        dnn_set_desc(g, plan, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, g->device);
#endif
    dnn_set(g, plan, CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION,
            CUDNN_TYPE_CHAR, (int64_t)strlen(json), json);
    return dnn_finalize(g, plan, "a saved plan") ? plan : NULL;
}

/* keep what cuDNN says of engines that it leaves out */
/* cuDNN writes warnings into a file that the environment names; we read what has
   come since the last time. */
static char log_name[] = "/tmp/cudnn_plans_XXXXXX";
static FILE *log_file;
static char reasons[1 << 20];

static void log_begin(void)
{
    int fd = mkstemp(log_name);

    CHECK(fd >= 0, "cannot make a file in /tmp");
    log_file = fdopen(fd, "r");
    CHECK(log_file != NULL, "cannot read %s", log_name);
    setenv("CUDNN_LOGLEVEL_DBG", "2", 1);
    setenv("CUDNN_LOGDEST_DBG", log_name, 1);
}

static void log_read(void)
{
    clearerr(log_file);
    reasons[fread(reasons, 1, sizeof reasons - 1, log_file)] = 0;
}

/* print each reason once */
/* A reason is what stands behind the first "Warning:" of an engine's stack;
   those behind it say who passed it on. */
static void print_reasons(void)
{
    char seen[1 << 12] = "";
    int first = 0;

    log_read();
    for (char *line = strtok(reasons, "\n"); line; line = strtok(NULL, "\n")) {
        char *what = strstr(line, "CUDNN_STATUS_");

        if (strstr(line, "error stack"))
            first = 1;
        if (!what || !first || strstr(line, "engineConfig"))
            continue;
        first = 0;
        if (strstr(seen, what) || strlen(seen) + strlen(what) + 2 > sizeof seen)
            continue;
        strcat(strcat(seen, what), "\n");
        printf("  %s\n", what);
    }
}

/* say in a word what came of a graph */
/* "plans": some can be built. "driver": an engine would do it, but compiles
   when the plan is built, and has no driver to load the result. "none": no
   engine. "refused": the graph itself. */
static const char *outcome(struct dnn *g, cudnnBackendHeurMode_t mode)
{
    dnn_desc configs[PLANS];
    int64_t workspace;
    int count, built = 0;

    count = dnn_ask(g, mode, configs, PLANS, NULL);
    if (g->why[0])
        return "refused";
    for (int i = 0; i < count; i++) {
        built += dnn_build(g, configs[i], &workspace) != NULL;
        g->why[0] = 0;
    }
    log_read();
    if (built)
        return "plans";
    return count > 0 || strstr(reasons, "RUNTIME_PREREQUISITE_MISSING")
               ? "driver"
               : "none";
}

/* try every graph in every way */
static void menu(cudnnHandle_t handle, const char *json)
{
    static const char *const names[] = {"float", "bf16"};
    static const char *const lies[] = {"nchw", "nhwc"};

    printf("%-17s", "graph");
    for (int i = 0; i < 4; i++)
        printf(" %s_%-6s", names[i / 2], lies[i % 2]);
    for (int k = 0; k < DNN_GRAPHS; k++) {
        printf("\n%-17s", dnn_graphs[k].name);
        for (int i = 0; i < 4; i++) {
            struct dnn_case v = {i / 2 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT,
                                 i % 2,
                                 64,
                                 32,
                                 14,
                                 14,
                                 64};
            const char *a = "refused", *b = a;
            struct dnn g;

            dnn_open(&g, handle, json);
            dnn_graphs[k].build(&g, &v);
            if (dnn_finish(&g)) {
                a = outcome(&g, CUDNN_HEUR_MODE_A);
                g.why[0] = 0;
                b = outcome(&g, CUDNN_HEUR_MODE_FALLBACK);
            }
            dnn_close(&g);
            a = *a == 'p' || (*a == 'd' && *b != 'p') ? a : *b == 'r' ? a : b;
            printf(" %-*s", i / 2 ? 11 : 12, a);
        }
    }
    printf("\n");
}

/* record the properties of a GPU */
static void record(cudnnHandle_t handle)
{
#if CUDNN_VERSION >= 90800
    struct dnn g;
    int64_t size = 0;
    char *text;

    dnn_open(&g, handle, NULL);
    g.device = dnn_new(&g, CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "a device");
    dnn_set(&g, g.device, CUDNN_ATTR_DEVICEPROP_HANDLE, CUDNN_TYPE_HANDLE, 1,
            &handle);
    dnn_finalize(&g, g.device, "the properties of the GPU");
    CHECK(!g.why[0], "%s", g.why);
    cudnnBackendGetAttribute(g.device,
                             CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
                             CUDNN_TYPE_CHAR, 0, &size, NULL);
    text = (char *)check_alloc((size_t)size + 1, 1);
    cudnnBackendGetAttribute(g.device,
                             CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
                             CUDNN_TYPE_CHAR, size, &size, text);
    printf("%s\n", text);
    free(text);
    dnn_close(&g);
#else
    (void)handle;
    CHECK(0, "this cuDNN has no device properties: they came with 9.8");
#endif
}

/* save a plan and read it back */
static void save_and_read(struct dnn *g, dnn_desc plan)
{
    char *text = plan_json(g, plan), *again;
    dnn_desc back = plan_from(g, text);

    CHECK(back != NULL, "%s", g->why);
    again = plan_json(g, back);
    CHECK(!strcmp(text, again), "the plan that was read back is another one");
    printf("%s\nread back: the same plan\n", text);
    free(text), free(again);
}

/* show one graph */
#define NOT_ASKED CUDNN_HEUR_MODES_COUNT

static int show(cudnnHandle_t handle, const char *json,
                const struct dnn_named *graph, const struct dnn_case *v,
                cudnnBackendHeurMode_t mode, int engines, int why, int save)
{
    struct dnn g;
    dnn_desc plan = NULL;
    int bad;

    dnn_open(&g, handle, json);
    graph->build(&g, v);
    if (dnn_finish(&g)) {
        printf("%s: a graph of %d operations and %d tensors\n", graph->name,
               g.op_count, (int)g.tensors);
        if (mode == NOT_ASKED || (!handle && !json)) {
            if (mode != NOT_ASKED)
                printf("no GPU, and no --device FILE: "
                       "this is as far as it goes\n");
            dnn_close(&g);
            return 0;
        }
        plan = engines ? list_engines(&g) : list_plans(&g, mode);
    }
    if (why)
        print_reasons();
    if (plan && save)
        save_and_read(&g, plan);
    bad = g.why[0] || !plan;
    fflush(stdout);
    if (g.why[0])
        fprintf(stderr, "%s: %s\n", graph->name, g.why);
    else if (!plan)
        fprintf(stderr, "%s: no engine gives a plan\n", graph->name);
    dnn_close(&g);
    return bad;
}

/* read the arguments */
enum { GRAPH, DEVICE, TYPE, NHWC, MODE, ENGINES, MENU, WHY, JSON, RECORD };

/* The place of a word in a list that ends with NULL; stops if it is not there. */
static int place_in(const char *const *list, const char *what, const char *word)
{
    for (int i = 0; list[i]; i++)
        if (!strcmp(list[i], word))
            return i;
    fprintf(stderr, "plans: %s \"%s\" is not among:", what, word);
    for (int i = 0; list[i]; i++)
        fprintf(stderr, " %s", list[i]);
    fprintf(stderr, "\n");
    exit(2);
}

int main(int argc, char **argv)
{
    /* name the options */
    struct arg args[] = {ARG_TEXT("--graph", "conv"), ARG_TEXT("--device", ""),
                         ARG_TEXT("--type", "float"), ARG_FLAG("--nhwc"),
                         ARG_TEXT("--mode", "a"),     ARG_FLAG("--engines"),
                         ARG_FLAG("--menu"),          ARG_FLAG("--why"),
                         ARG_FLAG("--json"),          ARG_FLAG("--record")};
    /* list what an option takes */
    static const char *const types[] = {"float", "half", "bf16", NULL};
    static const cudnnDataType_t type[] = {CUDNN_DATA_FLOAT, CUDNN_DATA_HALF,
                                           CUDNN_DATA_BFLOAT16};
    static const char *const modes[] = {"a", "b", "fallback", "none", NULL};
    static const cudnnBackendHeurMode_t mode[] = {
        CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK,
        NOT_ASKED};
    const char *names[DNN_GRAPHS + 1] = {0};
    struct dnn_case v = {CUDNN_DATA_FLOAT, false, 64, 32, 14, 14, 64};
    cudnnHandle_t handle = NULL;
    char *json = NULL;
    int bad = 0, graph;

    args_parse(argc, argv, "the plans of a graph", args, ARG_COUNT(args));
    /* look the words up */
    log_begin(); /* before the first call of cuDNN */
    for (int i = 0; i < DNN_GRAPHS; i++)
        names[i] = dnn_graphs[i].name;
    graph = place_in(names, "--graph", args[GRAPH].text);
    v.type = type[place_in(types, "--type", args[TYPE].text)];
    v.nhwc = args[NHWC].value;
    if (*args[DEVICE].text)
        json = read_text(args[DEVICE].text);
    else if (cudnnGetVersion() / 10000 == 9)
        cudnnCreate(&handle); /* where there is no GPU it stays NULL */
    /* do what is asked */
    if (args[RECORD].value) {
        CHECK(handle != NULL, "--record needs a GPU");
        record(handle);
    } else if (args[MENU].value) {
        CHECK(handle || json, "--menu needs a GPU, or --device FILE");
        menu(handle, json);
    } else {
        bad = show(handle, json, &dnn_graphs[graph], &v,
                   mode[place_in(modes, "--mode", args[MODE].text)],
                   (int)args[ENGINES].value, (int)args[WHY].value,
                   (int)args[JSON].value);
    }
    if (handle)
        cudnnDestroy(handle);
    fclose(log_file);
    unlink(log_name);
    free(json);
    return bad;
}
