/* curand: cuRAND's Philox is the book's, in kernels and from the host. */
#include <curand.h>
#include <curand_kernel.h>
#include <inttypes.h>
#include <stdio.h>

#include "kernels/launch.h"
#include "random/kinds.h"
#include "tour/args.h"

/* draw with cuRAND in a kernel */
enum { DRAWN = 16 };
static int show; /* the first numbers of each half */

/* Thread t draws from stream `stream` + t, from `offset` on: eight words in
   several ways, four floats, and four words 1000 places after them. */
__global__ void draw_device(uint64_t seed, uint64_t stream, uint64_t offset,
                            uint32_t *out)
{
    curandStatePhilox4_32_10_t state;
    uint64_t t = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t *o = out + t * DRAWN;
    uint4 w;
    float4 f;

    /* draw words in several ways */
    curand_init(seed, stream + t, offset, &state);
    for (int i = 0; i < 3; i++)
        o[i] = curand(&state);
    w = curand4(&state);
    o[3] = w.x, o[4] = w.y, o[5] = w.z, o[6] = w.w;
    o[7] = curand(&state);
    f = curand_uniform4(&state);
    o[8] = __float_as_uint(f.x), o[9] = __float_as_uint(f.y);
    o[10] = __float_as_uint(f.z), o[11] = __float_as_uint(f.w);
    skipahead(1000, &state);
    w = curand4(&state);
    o[12] = w.x, o[13] = w.y, o[14] = w.z, o[15] = w.w;
}

/* compare cuRAND's device half */
static void check_device(uint64_t seed, uint64_t stream, uint64_t offset)
{
    enum { THREADS = 64 };
    uint32_t h[THREADS * DRAWN], *d;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof h));
    draw_device<<<2, THREADS / 2>>>(seed, stream, offset, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    for (int k = 0; k < THREADS * DRAWN; k++) {
        int i = k % DRAWN;
        uint32_t want = philox_word(seed, stream + (uint64_t)(k / DRAWN),
                                    offset + (uint64_t)(i < 12 ? i : i + 1000));

        if (i >= 8 && i < 12)
            want = float_bits(draw_curand(want));
        if (show && offset == 0 && k < 8 * DRAWN && i < 12)
            printf("%s %" PRIu64 " %d %d %08x\n", i < 8 ? "word" : "float",
                   seed, k / DRAWN, i, h[k]);
        CHECK(h[k] == want,
              "thread %d, item %d, offset %" PRIu64 ": %08x, not %08x",
              k / DRAWN, i, offset, h[k], want);
    }
}

/* ask for words or floats */
#define RAND(call)                                                    \
    do {                                                              \
        curandStatus_t s = (call);                                    \
        CHECK(s == CURAND_STATUS_SUCCESS, "%s: status %d", #call, s); \
    } while (0)

static uint32_t *generate(curandGenerator_t g, int on_device, int floats, int n)
{
    size_t bytes = (size_t)n * sizeof(uint32_t);
    uint32_t *h = (uint32_t *)check_alloc((size_t)n, sizeof *h), *d = h;

    if (on_device)
        CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    if (floats)
        RAND(curandGenerateUniform(g, (float *)d, (size_t)n));
    else
        RAND(curandGenerate(g, d, (size_t)n));
    if (on_device) {
        CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaFree(d));
    }
    return h;
}

/* compare cuRAND's host half */
static void check_host(curandGenerator_t g, int on_device, uint64_t seed,
                       uint64_t offset, curandOrdering_t order)
{
    static const int count[] = {3, 64, 1, 1000, (1 << 18) + 5};
    uint64_t m = offset;

    /* set seed, order and offset */
    RAND(curandSetPseudoRandomGeneratorSeed(g, seed));
    RAND(curandSetGeneratorOrdering(g, order));
    RAND(curandSetGeneratorOffset(g, offset));
    for (int c = 0; c < 5; m += (uint64_t)count[c++]) {
        uint32_t *h = generate(g, on_device, c % 2, count[c]);

        for (int i = 0; i < count[c]; i++) {
            uint32_t w = philox_curand(seed, m + (uint64_t)i);

            w = c % 2 ? float_bits(draw_curand(w)) : w;
            if (show && on_device && c == 4 && offset == 1 && i % 4099 == 0)
                printf("host %" PRIu64 " 0 %" PRIu64 " %08x\n", seed,
                       m + (uint64_t)i, h[i]);
            CHECK(h[i] == w, "word %" PRIu64 ": %08x, not %08x",
                  m + (uint64_t)i, h[i], w);
        }
        free(h);
    }
}

/* ask both halves */
static void ask_host(int on_device, uint64_t seed, curandOrdering_t order)
{
    static const uint64_t offset[] = {0, 1, 100, 262142, 1048577};

    for (int i = 0; i < 5; i++) {
        curandGenerator_t g;

        RAND((on_device ? curandCreateGenerator : curandCreateGeneratorHost)(
            &g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
        check_host(g, on_device, seed + (uint64_t)i, offset[i], order);
        RAND(curandDestroyGenerator(g));
    }
}

static void ask(uint64_t seed)
{
    for (uint64_t offset = 0; offset < 9; offset++)
        check_device(seed, offset * 1000, offset);
    check_device(seed << 40, 0, (UINT64_C(1) << 34) - 10);
    check_device(~seed, (UINT64_C(1) << 32) - 30, UINT64_C(1) << 50);
    for (int on_device = 0; on_device < 2; on_device++) {
        ask_host(on_device, seed, CURAND_ORDERING_PSEUDO_BEST);
        ask_host(on_device, seed, CURAND_ORDERING_PSEUDO_DEFAULT);
        ask_host(on_device, seed, CURAND_ORDERING_PSEUDO_LEGACY);
    }
    printf("ok: Philox in kernels, on the device and on the host\n");
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--show")};
    uint64_t seed = args_parse(argc, argv, "cuRAND against the book", args,
                               ARG_COUNT(args));

    show = args[0].value != 0;
    ask(seed);
    return 0;
}
