/* traffic: products whose requests are counted: by formula here, by the
   machine and by ncu from outside. */
#include <stdio.h>
#include <string.h>

#include "matmul/matmul.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* predict what a warp asks for */
/* Sectors of a request of a warp: lanes that ask for one number, for numbers
   side by side (from a multiple of 32 bytes on), or for numbers a row apart. */
enum { ONE = 1, ALONG = 4, ACROSS = 32 };

struct asks {
    int a, b, c; /* sectors of one request */
    int deep;    /* steps of k for one request of A and one of B */
};

/* lanes: 'i' when a warp's lanes run down a column of C, 'j' along a row, 't'
   in a tile. */
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
static void count(const struct counted *v, int n, uint64_t seed)
{
    struct asks s = asks_of(v->lanes, v->ta, v->tb);
    size_t size = (size_t)n * n, warps = size / 32, steps = n / s.deep;
    float *h = (float *)check_alloc(2 * size, sizeof *h), *d;

    rng_fill_float(h, 2 * size, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, 3 * size * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, 2 * size * 4, cudaMemcpyHostToDevice));
    v->run(v->ta, v->tb, n, n, n, 1, d, n, d + size, n, 0, d + 2 * size, n, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    printf("%s,%d,global_read_requests,%zu\n", v->name, n, warps * steps * 2);
    printf("%s,%d,global_read_sectors,%zu\n", v->name, n,
           warps * steps * (s.a + s.b));
    printf("%s,%d,global_write_sectors,%zu\n", v->name, n, warps * s.c);
    printf("%s,%d,shared_read_passes,%zu\n", v->name, n,
           s.deep == TILE ? 2 * warps * n : 0);
    printf("%s,%d,shared_write_passes,%zu\n", v->name, n,
           s.deep == TILE ? 2 * warps * steps : 0);
    CUDA_CHECK(cudaFree(d));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 128, 32, 8192),
                         ARG_TEXT("--only", "all")};
    uint64_t seed =
        args_parse(argc, argv, "products to count", args, ARG_COUNT(args));
    int n = (int)args[0].value, found = 0;

    if (n % TILE)
        args_refuse(argv[0], "n must be a multiple of %d, not %d", TILE, n);
    for (size_t k = 0; k < sizeof counted / sizeof *counted; k++)
        if (!strcmp(args[1].text, "all") ||
            !strcmp(args[1].text, counted[k].name)) {
            count(&counted[k], n, seed);
            found = 1;
        }
    if (!found)
        args_refuse(argv[0], "there is no product called %s", args[1].text);
    return 0;
}
