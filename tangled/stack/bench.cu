/* bench.cu: how long does loading a kernel of k instructions take, as PTX that
   is compiled, as PTX in the cache, and as a cubin? Needs a GPU. */
#include <cuda.h>
#include <unistd.h>

#include "measure/bench.h"
#include "stack/ptx_axpy.h"

/* read a clock */
static double milliseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* write a kernel of k more instructions */
/* PTX as in ptx_axpy with k more fma, or with k comments as long and one fma;
   `salt` makes it a text of its own. The caller frees it. */
static char *long_ptx(int k, unsigned salt, int comments)
{
    const char *margin = comments ? "//  " : "    ";
    const char *store = strstr(ptx_axpy, "    st.f32");
    size_t head = (size_t)(store - ptx_axpy);
    size_t room = sizeof ptx_axpy + 48 * ((size_t)k + 1);
    char *text = (char *)check_alloc(room, 1), *end;

    memcpy(text, ptx_axpy, head);
    end = text + head;
    for (int i = 0; i <= k; i++)
        end += sprintf(end, "%sfma.rn.f32 %%f3, %%f3, 0f%08X, %%f1;\n",
                       i < k ? margin : "    ",
                       i < k ? 0x3f800000u + (unsigned)i : 0x40000000u + salt);
    strcpy(end, store);
    return text;
}

/* compile PTX to a cubin */
/* Compiles PTX for the present device; the caller frees the cubin. */
static void *cubin_of(const char *ptx)
{
    CUlinkState link;
    void *inside, *cubin;
    size_t size;

    CU_CHECK(cuLinkCreate(0, NULL, NULL, &link));
    CU_CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)ptx, strlen(ptx) + 1,
                           "kernel", 0, NULL, NULL));
    CU_CHECK(cuLinkComplete(link, &inside, &size));
    cubin = check_alloc(size, 1);
    memcpy(cubin, inside, size);
    CU_CHECK(cuLinkDestroy(link));
    return cubin;
}

/* time one load */
static double time_load(const void *image)
{
    CUmodule module;
    CUfunction f;
    double start = milliseconds();

    CU_CHECK(cuModuleLoadData(&module, image));
    CU_CHECK(cuModuleGetFunction(&f, module, "axpy"));
    start = milliseconds() - start;
    CU_CHECK(cuModuleUnload(module));
    return start;
}

/* measure the loads of one size */
enum { WAYS = 4, SAMPLES = 9 };

static void measure(int k, double ms[WAYS][SAMPLES], int sample)
{
    static unsigned salt;
    char *ptx = long_ptx(k, ++salt, 0), *other = long_ptx(k, ++salt, 0);
    char *comments = long_ptx(k, ++salt, 1);
    void *cubin = cubin_of(other);

    ms[0][sample] = time_load(ptx);
    ms[1][sample] = time_load(ptx);
    ms[2][sample] = time_load(cubin);
    time_load(comments);
    ms[3][sample] = time_load(comments);
    free(ptx);
    free(other);
    free(comments);
    free(cubin);
}

/* measure the loads of all sizes */
int main(void)
{
    static const char *const ways[WAYS] = {"first", "cached", "cubin",
                                           "comments"};
    static const int lengths[] = {1, 64, 512, 4096, 16384};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    static double ms[LENGTHS][WAYS][SAMPLES];
    char cache[] = "/tmp/stack_bench.XXXXXX", command[64];

    CHECK(mkdtemp(cache) != NULL, "cannot make the folder %s", cache);
    setenv("CUDA_CACHE_PATH", cache, 1);
    CUDA_CHECK(cudaFree(NULL)); /* starts the runtime and its context */
    CU_CHECK(cuInit(0));
    bench_begin("stack");
    for (int sample = 0; sample < SAMPLES; sample++)
        for (int i = 0; i < LENGTHS; i++)
            measure(lengths[i], ms[i], sample);
    for (int i = 0; i < LENGTHS; i++)
        for (int way = 0; way < WAYS; way++)
            bench_spread(ways[way], lengths[i], "ms",
                         stats_of(ms[i][way], SAMPLES), 1, "ms");
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    return system(command) != 0;
}
