/* whose: which thread takes which element, in every small launch; prints
   figures/kernels_whose.svg */
#include <stdio.h>
#include <string.h>

#include "kernels/launch.h"
#include "tour/args.h"

enum { BLOCKS = 5, THREADS = 8, MOST = BLOCKS * THREADS, LIST = 2 * MOST };

/* write down who takes each element */
static __device__ void sign(char *place)
{
    place[0] = (char)('0' + blockIdx.x);
    place[1] = (char)('0' + threadIdx.x);
}

__global__ void whose_one(int n, char *list)
{
    /* find my element in 32 bits */
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sign(list + 2 * i);
}

__global__ void whose_stride(size_t n, char *list)
{
    /* find my first element and the step */
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (; i < n; i += step)
        sign(list + 2 * i);
}

/* ask the threads */
static void ask(int grid, int block, int n, int strides, char *d_list,
                char *list)
{
    CUDA_CHECK(cudaMemset(d_list, '-', LIST));
    if (strides)
        whose_stride<<<grid, block>>>((size_t)n, d_list);
    else
        whose_one<<<grid, block>>>(n, d_list);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(list, d_list, LIST, cudaMemcpyDeviceToHost));
}

/* count people into seats */
static void seat(int grid, int block, int n, int strides, char *list)
{
    int b = 0, t = 0;

    memset(list, '-', LIST);
    for (int i = 0; i < n && b < grid; i++) {
        list[2 * i] = (char)('0' + b);
        list[2 * i + 1] = (char)('0' + t);
        if (++t < block)
            continue;
        t = 0;
        if (++b == grid && strides)
            b = 0;
    }
}

/* try every number of elements */
static void try_sizes(int grid, int block, int strides, char *d_list,
                      char *longest)
{
    char got[LIST], want[LIST];

    ask(grid, block, MOST, strides, d_list, longest);
    for (int n = 0; n <= MOST; n++) {
        ask(grid, block, n, strides, d_list, got);
        seat(grid, block, n, strides, want);
        CHECK(memcmp(got, want, LIST) == 0,
              "<<<%d, %d>>>, n %d:\n%.*s\nwant\n%.*s", grid, block, n, LIST,
              got, LIST, want);
        CHECK(memcmp(got, longest, 2 * n) == 0,
              "<<<%d, %d>>>, n %d: not the beginning of the longest", grid,
              block, n);
    }
}

/* draw three blocks of four threads */

/* draw a thread */
static int place(const char *list, int b, int t)
{
    for (int i = 0; i < MOST; i++)
        if (list[2 * i] == '0' + b && list[2 * i + 1] == '0' + t)
            return i;
    return -1;
}

static void box(int x, int y, int w, int h, const char *fill,
                const char *stroke)
{
    printf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" "
           "fill=\"%s\" stroke=\"%s\"/>\n",
           x, y, w, h, fill, stroke);
}

static void label(int x, int y, const char *format, int number)
{
    printf("<text x=\"%d\" y=\"%d\">", x, y);
    printf(format, number);
    puts("</text>");
}

static void draw_thread(int x, int t, const char *color, int takes, int i)
{
    box(x, 38, 48, 30, "#fdfdfb", color);
    label(x + 24, 58, "t %d", t);
    label(x + 24, 100, "i = %d", i);
    if (takes < 0) {
        printf("<path d=\"M%d 108v30m-14 2h28\" stroke=\"#a0430a\" "
               "stroke-width=\"3\"/>\n<text x=\"%d\" y=\"177\">guard</text>\n",
               x + 24, x + 24);
        return;
    }
    printf("<path d=\"M%d 108v36\" stroke=\"#6a6a64\"/>\n"
           "<path d=\"M%d 144h9l-4.5 9z\" fill=\"#6a6a64\"/>\n",
           x + 24, x + 19);
    box(x, 156, 48, 32, "#fdfdfb", "#1c1c1a");
    label(x + 24, 177, "z[%d]", takes);
}

static void draw(char *d_list)
{
    enum { GRID = 3, BLOCK = 4, N = 11 };
    static const char *const color[GRID] = {"#1d5fa8", "#3b7a12", "#a0430a"};
    char list[LIST], all[LIST];

    ask(GRID, BLOCK, N, 0, d_list, list);
    ask(GRID, BLOCK, MOST, 0, d_list, all);
    puts("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 206\" "
         "width=\"720\" height=\"206\" font-family=\"sans-serif\" "
         "font-size=\"14\" text-anchor=\"middle\" fill=\"#1c1c1a\">");
    printf("<title>Three blocks of four threads over eleven elements. Thread 2 "
           "of block 1 has i = %d and takes z[%d]. Thread 3 of block 2 has i = "
           "%d and takes nothing.</title>\n",
           place(all, 1, 2), place(list, 1, 2), place(all, 2, 3));
    for (int b = 0; b < GRID; b++) {
        box(18 + 230 * b, 4, 226, 122, "#f4f4ee", color[b]);
        label(131 + 230 * b, 26, "block %d", b);
        for (int t = 0; t < BLOCK; t++)
            draw_thread(23 + 230 * b + 56 * t, t, color[b], place(list, b, t),
                        place(all, b, t));
    }
}

int main(int argc, char **argv)
{
    char *d_list, one[LIST], stride[LIST];

    args_parse(argc, argv, "draw who takes which element", NULL, 0);
    CUDA_CHECK(cudaMalloc((void **)&d_list, LIST));
    draw(d_list);
    printf("<metadata id=\"whose\">\n");
    for (int grid = 1; grid <= BLOCKS; grid++)
        for (int block = 1; block <= THREADS; block++) {
            try_sizes(grid, block, 0, d_list, one);
            try_sizes(grid, block, 1, d_list, stride);
            printf("%d %d %.*s %.*s\n", grid, block, LIST, one, LIST, stride);
        }
    printf("</metadata>\n</svg>\n");
    CUDA_CHECK(cudaFree(d_list));
    return 0;
}
