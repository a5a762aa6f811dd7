/* divergence.cuh: a kernel with 32 paths, and who takes which. */
#ifndef SIMT_DIVERGENCE_CUH
#define SIMT_DIVERGENCE_CUH

#include "kernels/launch.h"
#include "simt/where.cuh"
#include "tour/rng.h"

/* walk one of thirty-two paths */
#define PATH(k)                                                  \
    case k:                                                      \
        _Pragma("unroll 16") for (int t = 0; t < turns; t++) x = \
            fmaf(x, 1 - ((k) + 1) / 1024.0f, (float)((k) + 1));  \
        break;
#define PATHS_4(k) PATH(k) PATH((k) + 1) PATH((k) + 2) PATH((k) + 3)
#define PATHS_16(k) \
    PATHS_4(k) PATHS_4((k) + 4) PATHS_4((k) + 8) PATHS_4((k) + 12)

/* Element i takes path i / group % paths: group 1 gives neighboring lanes
   different paths, group 32 neighboring warps. 1 <= paths <= 32. */
__global__ void walk(int n, int group, int paths, int turns, float *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x;

    if (i >= n)
        return;
    x = data[i];
    switch (i / group % paths) {
        PATHS_16(0)
        PATHS_16(16)
    }
    data[i] = x;
}

/* walk on the CPU */
static void walk_reference(int n, int group, int paths, int turns, float *data)
{
    for (int i = 0; i < n; i++) {
        int path = i / group % paths;
        float factor = 1 - (float)(path + 1) / 1024, more = (float)(path + 1);

        for (int t = 0; t < turns; t++)
            data[i] = fmaf(data[i], factor, more);
    }
}

/* hold a walk */
struct walk {
    int n, group, turns;
    float *d_data;
};

static void run_walk(void *work, int paths, int)
{
    struct walk *w = (struct walk *)work;

    walk<<<blocks_for((size_t)w->n, 256), 256>>>(w->n, w->group, paths,
                                                 w->turns, w->d_data);
    CUDA_LAUNCH_CHECK();
}

/* check a walk */
static void check_walk(struct walk w, int paths, uint64_t seed)
{
    enum { MARGIN = 1024 };
    size_t all = (size_t)w.n + MARGIN, bytes = all * sizeof(float);
    float *h = (float *)check_alloc(all, sizeof(float));
    float *want = (float *)check_alloc(all, sizeof(float));

    rng_fill_float(h, all, seed);
    memcpy(want, h, bytes);
    walk_reference(w.n, w.group, paths, w.turns, want);
    CUDA_CHECK(cudaMalloc((void **)&w.d_data, bytes));
    CUDA_CHECK(cudaMemcpy(w.d_data, h, bytes, cudaMemcpyHostToDevice));
    if (w.n > 0)
        run_walk(&w, paths, 0);
    CUDA_CHECK(cudaMemcpy(h, w.d_data, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < all; i++)
        CHECK(h[i] == want[i],
              "%d paths, group %d: element %zu is %.9g, not %.9g", paths,
              w.group, i, h[i], want[i]);
    CUDA_CHECK(cudaFree(w.d_data));
    free(h);
    free(want);
}

#endif
