/* traffic: products whose requests are counted: here by formula, from outside
   by Loom or by ncu. */
#include <stdio.h>
#include <string.h>

#include "matmul/matmul.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* predict what a warp asks for */
/* Sectors of a request: all lanes want one number; neighbors; a row apart. */
enum { ONE = 1, ALONG = 4, ACROSS = 32 };

struct asks {
    int a, b, c; /* sectors of a request */
    int deep;    /* steps of k for one request of A and one of B */
};

/* lanes: 'i' when a warp's lanes run down a column of C, 'j' when along a row,
   't' for tiles. */
static struct asks asks_of(char lanes, char ta, char tb)
{
    struct asks s = {ALONG, ALONG, ALONG, TILE};

    if (lanes == 't')
        return s;
    s.a = lanes == 'j' ? ONE : ta == 'N' ? ACROSS : ALONG;
    s.b = lanes == 'i' ? ONE : tb == 'N' ? ALONG : ACROSS;
    s.c = lanes == 'i' ? ACROSS : ALONG;
    s.deep = 1;
    return s;
}

/* list what is counted */
static const struct counted {
    const char *name;
    char lanes, ta, tb;
    void (*run)(char ta, char tb, int m, int n, int k, float alpha,
                const float *a, int lda, const float *b, int ldb, float beta,
                float *c, int ldc, cudaStream_t stream);
} counted[] = {
    {"naive", 'i', 'N', 'N', matmul_naive},
    {"naive_nt", 'i', 'N', 'T', matmul_naive},
    {"naive_tn", 'i', 'T', 'N', matmul_naive},
    {"coalesced", 'j', 'N', 'N', matmul_coalesced},
    {"coalesced_nt", 'j', 'N', 'T', matmul_coalesced},
    {"coalesced_tn", 'j', 'T', 'N', matmul_coalesced},
    {"tiled", 't', 'N', 'N', matmul_tiled},
    {"tiled_nt", 't', 'N', 'T', matmul_tiled},
    {"tiled_tn", 't', 'T', 'N', matmul_tiled},
};

/* multiply once and predict */
static void count_one(const struct counted *v, int n, uint64_t seed)
{
    struct asks s = asks_of(v->lanes, v->ta, v->tb);
    size_t size = (size_t)n * n, warps = size / 32, tiled = s.deep == TILE;
    size_t asked = warps * (n / s.deep); /* requests of A, and of B */
    float *h = (float *)check_alloc(2 * size, sizeof *h), *d;

    rng_fill_float(h, 2 * size, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, 3 * size * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, 2 * size * 4, cudaMemcpyHostToDevice));
    v->run(v->ta, v->tb, n, n, n, 1, d, n, d + size, n, 0, d + 2 * size, n, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    printf("%s,%d,global_read_requests,%zu\n", v->name, n, 2 * asked);
    printf("%s,%d,global_read_sectors,%zu\n", v->name, n, (s.a + s.b) * asked);
    printf("%s,%d,global_write_sectors,%zu\n", v->name, n, s.c * warps);
    if (tiled) {
        printf("%s,%d,shared_read_passes,%zu\n", v->name, n, 2 * warps * n);
        printf("%s,%d,shared_write_passes,%zu\n", v->name, n, 2 * asked);
    }
    CUDA_CHECK(cudaFree(d));
    free(h);
}

/* count the products that were asked for */
static int count_those(const char *only, int n, uint64_t seed)
{
    int found = 0;

    for (size_t k = 0; k < sizeof counted / sizeof *counted; k++)
        if (!strcmp(only, "all") || !strcmp(only, counted[k].name)) {
            count_one(&counted[k], n, seed);
            found++;
        }
    return found;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 128, 32, 8192),
                         ARG_TEXT("--only", "all")};
    uint64_t seed =
        args_parse(argc, argv, "products to count", args, ARG_COUNT(args));
    int n = (int)args[0].value;

    if (n % TILE)
        args_refuse(argv[0], "n must be a multiple of %d, not %d", TILE, n);
    if (count_those(args[1].text, n, seed) == 0)
        args_refuse(argv[0], "there is no product called %s", args[1].text);
    return 0;
}
