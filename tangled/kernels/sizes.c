/* sizes: the kernels' index arithmetic at sizes that no array here has. */
#include <limits.h>
#include <stdio.h>

#include "kernels/sizes.h"
#include "tour/args.h"

/* fake an index space */
static struct {
    unsigned x;
} gridDim, blockDim, blockIdx, threadIdx;

/* count what the 64-bit loop visits */
static void visit_64(size_t n, unsigned block)
{
    size_t visits = 0, expected = 0;

    gridDim.x = 1024;
    blockDim.x = block;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < block; threadIdx.x++) {
            /* find my first element and the step */
            size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
            size_t step = (size_t)gridDim.x * blockDim.x;
            CHECK(i == expected++, "thread %u of block %u starts at %zu",
                  threadIdx.x, blockIdx.x, i);
            CHECK(step == (size_t)1024 * block, "a step of %zu", step);
            if (i < n)
                visits += ceil_div(n - i, step);
        }
    CHECK(visits == n, "%zu visits to %zu elements", visits, n);
    printf("64 bits: each of %zu elements once\n", n);
}

/* place the last thread of the largest grid */
static void last_thread(unsigned block)
{
    gridDim.x = 2147483647;
    blockDim.x = block;
    blockIdx.x = gridDim.x - 1;
    threadIdx.x = block - 1;
    /* find my first element and the step */
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    CHECK(step == (size_t)2147483647 * block && i == step - 1,
          "the last of 2147483647 blocks of %u starts at %zu, step %zu", block,
          i, step);
}

/* count what the 32-bit guard lets through */
static void visit_32(size_t size, unsigned block)
{
    int n = (int)size; /* what the kernel receives */
    size_t inside = 0, outside = 0;

    gridDim.x = (unsigned)ceil_div(size, block);
    blockDim.x = block;
    for (unsigned b = 0; b < gridDim.x; b++)
        for (unsigned t = 0; t < block; t++) {
            blockIdx.x = b;
            threadIdx.x = t;
            /* count what a thread does with 32 bits */
            /* find my element in 32 bits */
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n && i >= 0)
                inside++;
            else if (i < n)
                outside++;
        }
    printf("32 bits: n is %d; %zu elements are added, %zu writes fall "
           "outside\n",
           n, inside, outside);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 2147483649, 0, (int64_t)1 << 40),
                         ARG_SIZE("block", 256, 1, 1024)};

    args_parse(argc, argv, "index arithmetic without an array", args,
               ARG_COUNT(args));
    visit_64((size_t)args[0].value, (unsigned)args[1].value);
    last_thread((unsigned)args[1].value);
    if (args[0].value < (int64_t)1 << 32)
        visit_32((size_t)args[0].value, (unsigned)args[1].value);
    return 0;
}
