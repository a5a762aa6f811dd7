/* timeline: two batches of the loader, as CUPTI saw them; --rows 1: as CSV. */
#include <cupti.h>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

#include "async/batches.cuh"
#include "measure/bench.h"
#include "tour/args.h"

/* describe a record */
#define CUPTI_CHECK(call)                                              \
    do {                                                               \
        CUptiResult status_ = (call);                                  \
                                                                       \
        CHECK(status_ == CUPTI_SUCCESS, "%s: CUPTI's error %d", #call, \
              (int)status_);                                           \
    } while (0)

enum { RECORDS = 1000 };

static struct record {
    const char *kind; /* call, copy, kernel or range */
    char name[64];
    uint64_t from, to; /* ns */
    unsigned number, stream;
} records[RECORDS];
static int records_count;

/* keep a record */
static struct record *keep(const char *kind, const char *name, uint64_t from,
                           uint64_t to, unsigned number, unsigned stream)
{
    struct record *r = &records[records_count];
    char *version;

    CHECK(records_count < RECORDS, "more than %d records", RECORDS);
    records_count++;
    r->kind = kind;
    snprintf(r->name, sizeof r->name, "%s", name);
    for (char *c = r->name; *c; c++)
        if (*c == ',' || *c == ' ')
            *c = '_';
    if ((version = strstr(r->name, "_v")) && r->kind[1] == 'a')
        *version = 0;
    r->from = from;
    r->to = to;
    r->number = number;
    r->stream = stream;
    return r;
}

static void keep_marker(const CUpti_ActivityMarker2 *m)
{
    if (m->flags & CUPTI_ACTIVITY_FLAG_MARKER_START)
        keep("range", m->name, m->timestamp, 0, m->id, 0);
    for (int i = 0; m->flags & CUPTI_ACTIVITY_FLAG_MARKER_END; i++) {
        CHECK(i < records_count, "the end of a range that never began");
        if (records[i].kind[0] == 'r' && records[i].number == m->id) {
            records[i].to = m->timestamp;
            break;
        }
    }
}

/* keep a record of any kind */
static void keep_any(const CUpti_Activity *a)
{
    const char *name = "?";

    if (a->kind == CUPTI_ACTIVITY_KIND_RUNTIME) {
        const CUpti_ActivityAPI *c = (const CUpti_ActivityAPI *)a;

        cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, c->cbid, &name);
        keep("call", name, c->start, c->end, c->correlationId, 0);
    } else if (a->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
        const CUpti_ActivityKernel9 *k = (const CUpti_ActivityKernel9 *)a;

        keep("kernel", k->name, k->start, k->end, k->correlationId,
             k->streamId);
    } else if (a->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const CUpti_ActivityMemcpy5 *m = (const CUpti_ActivityMemcpy5 *)a;

        name = m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD ? "in" : "out";
        keep("copy", name, m->start, m->end, m->correlationId, m->streamId);
    } else if (a->kind == CUPTI_ACTIVITY_KIND_MARKER) {
        keep_marker((const CUpti_ActivityMarker2 *)a);
    }
}

/* give and take buffers of records */
static void CUPTIAPI trace_room(uint8_t **buffer, size_t *size, size_t *most)
{
    *size = 1 << 20;
    *most = 0; /* as many records as fit */
    *buffer = (uint8_t *)aligned_alloc(8, *size);
    CHECK(*buffer, "no memory for records");
}

static void CUPTIAPI trace_full(CUcontext, uint32_t, uint8_t *buffer, size_t,
                                size_t valid)
{
    CUpti_Activity *a = NULL;

    while (cuptiActivityGetNextRecord(buffer, valid, &a) == CUPTI_SUCCESS)
        keep_any(a);
    free(buffer);
}

/* ask for records */
static void trace_begin(void)
{
    static const CUpti_ActivityKind kinds[] = {
        CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MARKER};

    CUPTI_CHECK(cuptiActivityRegisterCallbacks(trace_room, trace_full));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        CUPTI_CHECK(cuptiActivityEnable(kinds[k]));
}

/* load in ranges */
static void fill_in_range(void *source, int batch, void *to)
{
    nvtxRangePushA("fill");
    batch_fill(source, batch, to);
    nvtxRangePop();
}

static void load_in_ranges(struct loader *l, size_t words, int batches,
                           unsigned *d_sum, cudaStream_t s)
{
    loader_send(l, 0);
    for (int b = 0; b < batches; b++) {
        const unsigned *x = (const unsigned *)loader_take(l, s);

        add_up<<<132, 256, 0, s>>>(words, x, d_sum);
        loader_give(l, s);
        if (b + 1 < batches)
            loader_send(l, b + 1);
    }
    CUDA_CHECK(cudaStreamSynchronize(s));
}

/* print the records */
static int by_time(const void *a, const void *b)
{
    const struct record *x = (const struct record *)a;
    const struct record *y = (const struct record *)b;

    return (x->from > y->from) - (x->from < y->from);
}

static void print_records(int rows)
{
    char name[100];

    qsort(records, (size_t)records_count, sizeof *records, by_time);
    for (int i = 0; i < records_count; i++) {
        const struct record *r = &records[i];
        double from = 1e-3 * (double)(r->from - records[0].from);
        double to = 1e-3 * (double)(r->to - records[0].from);

        snprintf(name, sizeof name, "%02d_%s_%s", i + 1, r->kind, r->name);
        if (rows) {
            bench_row(name, 0, "from", from, "µs");
            bench_row(name, 0, "to", to, "µs");
            bench_row(name, 0, "number", r->number, "");
            bench_row(name, 0, "stream", r->stream, "");
        } else {
            printf("%10.1f %10.1f %6u %4u  %s %s\n", from, to, r->number,
                   r->stream, r->kind, r->name);
        }
    }
}

/* run the time line */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("words", 1 << 22, 1, 1 << 26),
                         ARG_SIZE("batches", 2, 1, 20),
                         ARG_NUMBER("--rows", 0, 0, 1)};
    size_t words;
    struct loader l;
    unsigned *d_sum;
    cudaStream_t s;
    Dl_info where;

    args_parse(argc, argv, "a time line by CUPTI", args, ARG_COUNT(args));
    words = (size_t)args[0].value;
    CHECK(dladdr((void *)cuptiActivityEnable, &where), "where is CUPTI?");
    setenv("NVTX_INJECTION64_PATH", where.dli_fname, 0);
    CUDA_CHECK(cudaMalloc((void **)&d_sum, sizeof *d_sum));
    CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    loader_open(&l, words * sizeof(unsigned), fill_in_range, &words);
    load_in_ranges(&l, words, (int)args[1].value, d_sum, s);
    trace_begin();
    load_in_ranges(&l, words, (int)args[1].value, d_sum, s);
    CUPTI_CHECK(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    if (args[2].value)
        bench_begin("async-timeline");
    else
        printf("%10s %10s %6s %4s  what\n", "from us", "to us", "number", "in");
    print_records((int)args[2].value);
    loader_close(&l);
    CUDA_CHECK(cudaStreamDestroy(s));
    CUDA_CHECK(cudaFree(d_sum));
    return 0;
}
