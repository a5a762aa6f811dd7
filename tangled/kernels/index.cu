/* index: which thread of which block gets which element, in 1, 2 and 3
   dimensions; the formula on the device against counting on the host. */
#include <stdio.h>
#include <string.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* find my element in one, two or three dimensions */
struct element {
    unsigned x, y, z;
};

static __device__ struct element my_element(void)
{
    struct element e;

    e.x = blockIdx.x * blockDim.x + threadIdx.x;
    e.y = blockIdx.y * blockDim.y + threadIdx.y;
    e.z = blockIdx.z * blockDim.z + threadIdx.z;
    return e;
}

/* flatten three indices */
/* The place of (x, y, z) in an array of nx columns and ny rows a layer,
   row-major; any number of layers. */
static __host__ __device__ inline size_t flat(unsigned x, unsigned y,
                                              unsigned z, size_t nx, size_t ny)
{
    return ((size_t)z * ny + y) * nx + x;
}

/* record who computed each element */
struct place {
    unsigned block[3], thread[3];
};

__global__ void record(struct place *out, unsigned nx, unsigned ny, unsigned nz)
{
    struct element e = my_element();

    if (e.x < nx && e.y < ny && e.z < nz) {
        struct place *p = &out[flat(e.x, e.y, e.z, nx, ny)];

        p->block[0] = blockIdx.x;
        p->block[1] = blockIdx.y;
        p->block[2] = blockIdx.z;
        p->thread[0] = threadIdx.x;
        p->thread[1] = threadIdx.y;
        p->thread[2] = threadIdx.z;
    }
}

/* count through the elements on the host */
static void tick(unsigned *block, unsigned *thread, unsigned size)
{
    if (++*thread == size) {
        *thread = 0;
        ++*block;
    }
}

static void enumerate(struct place *out, const unsigned n[3], dim3 b)
{
    struct place p, *first = out;

    memset(&p, 0, sizeof p);
    for (unsigned z = 0; z < n[2]; z++) {
        p.block[1] = p.thread[1] = 0;
        for (unsigned y = 0; y < n[1]; y++) {
            p.block[0] = p.thread[0] = 0;
            for (unsigned x = 0; x < n[0]; x++) {
                CHECK(flat(x, y, z, n[0], n[1]) == (size_t)(out - first),
                      "flat(%u, %u, %u) on the host", x, y, z);
                *out++ = p;
                tick(&p.block[0], &p.thread[0], b.x);
            }
            tick(&p.block[1], &p.thread[1], b.y);
        }
        tick(&p.block[2], &p.thread[2], b.z);
    }
}

/* show the first elements */
static void show(const struct place *p, const unsigned n[3])
{
    size_t count = (size_t)n[0] * n[1] * n[2];

    for (size_t i = 0; i < count && i < 32; i++)
        printf("%2zu = row %zu, column %zu: block (%u, %u), thread (%u, %u)\n",
               i, i / n[0], i % n[0], p[i].block[0], p[i].block[1],
               p[i].thread[0], p[i].thread[1]);
}

/* compare the formula with the count */
static void compare(const unsigned n[3], dim3 block, int verbose)
{
    size_t count = (size_t)n[0] * n[1] * n[2], bytes;
    struct place *h_got, *h_want, *d_out;
    dim3 grid((unsigned)ceil_div(n[0], block.x),
              (unsigned)ceil_div(n[1], block.y),
              (unsigned)ceil_div(n[2], block.z));

    bytes = count * sizeof *d_out;
    h_got = (struct place *)check_alloc(count, sizeof *h_got);
    h_want = (struct place *)check_alloc(count, sizeof *h_want);
    CUDA_CHECK(cudaMalloc((void **)&d_out, bytes));
    CUDA_CHECK(cudaMemset(d_out, 0xff, bytes));
    record<<<grid, block>>>(d_out, n[0], n[1], n[2]);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h_got, d_out, bytes, cudaMemcpyDeviceToHost));
    /* compare every place, then free */
    enumerate(h_want, n, block);
    for (size_t i = 0; i < count; i++)
        CHECK(memcmp(&h_got[i], &h_want[i], sizeof *h_got) == 0,
              "element %zu, blocks of %u x %u x %u: thread (%u, %u, %u) of "
              "block (%u, %u, %u) wrote it, or nobody did",
              i, block.x, block.y, block.z, h_got[i].thread[0],
              h_got[i].thread[1], h_got[i].thread[2], h_got[i].block[0],
              h_got[i].block[1], h_got[i].block[2]);
    if (verbose)
        show(h_got, n);
    CUDA_CHECK(cudaFree(d_out));
    free(h_got);
    free(h_want);
}

/* compare for seven shapes of block */
static void compare_shapes(const unsigned n[3], int verbose)
{
    dim3 shape[] = {dim3(4),       dim3(32),     dim3(4, 2),    dim3(2, 3, 2),
                    dim3(8, 8, 4), dim3(1, 128), dim3(1, 1, 64)};

    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
        compare(n, shape[s], verbose && s == 2);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("nx", 5, 1, 65536),
                         ARG_SIZE("ny", 3, 1, 4096), ARG_SIZE("nz", 2, 1, 4096),
                         ARG_FLAG("--show")};
    unsigned n[3];

    args_parse(argc, argv, "who gets which element", args, ARG_COUNT(args));
    for (int d = 0; d < 3; d++)
        n[d] = (unsigned)args[d].value;
    compare_shapes(n, args[3].value != 0);
    printf("ok: %u x %u x %u elements, 7 shapes of block\n", n[0], n[1], n[2]);
    return 0;
}
