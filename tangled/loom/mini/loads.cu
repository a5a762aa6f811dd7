/* loads: which words a warp reads, in six ways; prints figures/loom_loads.svg */
#include <stdio.h>

enum { WAYS = 6, LOADS = 8, SECTORS = 132, WORDS = SECTORS * 8 };

/* read in six ways and write down what */
__global__ void ways(const int *in, int *out)
{
    __shared__ int tile[WORDS];
    int l = threadIdx.x;

    for (int i = l; i < WORDS; i += 32)
        tile[i] = in[i];
    __syncwarp();
    for (int k = 0; k < LOADS; k++) {
        int *mine = out + k * 32 + l;
        int row = 32 * k + l, column = 32 * l + k, padded = 33 * l + k;
        int second = 2 * l + k, three = 3 * l + k, same = k;

        mine[0 * LOADS * 32] = (in[row] + tile[row]) / 2;
        mine[1 * LOADS * 32] = (in[column] + tile[column]) / 2;
        mine[2 * LOADS * 32] = (in[padded] + tile[padded]) / 2;
        mine[3 * LOADS * 32] = (in[second] + tile[second]) / 2;
        mine[4 * LOADS * 32] = (in[three] + tile[three]) / 2;
        mine[5 * LOADS * 32] = (in[same] + tile[same]) / 2;
    }
}

/* count the sectors and the words in a bank */
static bool touched(const int *load, int first, int words)
{
    for (int l = 0; l < 32; l++)
        if (load[l] >= first && load[l] < first + words)
            return true;
    return false;
}

static int sectors_of(const int *load)
{
    int n = 0;

    for (int s = 0; s < SECTORS; s++)
        n += touched(load, 8 * s, 8);
    return n;
}

static int words_in(const int *load, int bank)
{
    int n = 0;

    for (int w = bank; w < WORDS; w += 32)
        n += touched(load, w, 1);
    return n;
}

static int passes_of(const int *load)
{
    int most = 0;

    for (int b = 0; b < 32; b++)
        if (words_in(load, b) > most)
            most = words_in(load, b);
    return most;
}

/* draw one load */
static void draw(int y, const char *title, const int *load)
{
    printf("<text x=\"4\" y=\"%d\" font-weight=\"bold\">%s: %d sectors, %d "
           "pass%s</text>\n",
           y, title, sectors_of(load), passes_of(load),
           passes_of(load) == 1 ? "" : "es");
    for (int s = 0; s < SECTORS; s++)
        printf("<rect x=\"%d\" y=\"%d\" width=\"5\" height=\"10\" fill=\"%s\" "
               "stroke=\"#6a6a64\" stroke-width=\"0.6\"/>\n",
               4 + s % 44 * 6 + s % 44 / 4 * 5, y + 7 + s / 44 * 13,
               touched(load, 8 * s, 8) ? "#1d5fa8" : "#fdfdfb");
    for (int b = 0; b < 32; b++) {
        int n = words_in(load, b);

        printf("<rect x=\"%d\" y=\"%d\" width=\"8\" height=\"%d\" "
               "fill=\"#a0430a\"/>\n",
               4 + 10 * b, y + 83 - n, n + 1);
        printf("<path d=\"M%d %dh8\" stroke=\"#6a6a64\"/>\n", 4 + 10 * b,
               y + 85);
    }
}

int main(void)
{
    static int list[WAYS * LOADS * 32], words[WORDS];
    int *in, *out;

    for (int i = 0; i < WORDS; i++)
        words[i] = i;
    if (cudaMalloc(&in, sizeof words) != cudaSuccess ||
        cudaMalloc(&out, sizeof list) != cudaSuccess)
        return 1;
    cudaMemcpy(in, words, sizeof words, cudaMemcpyHostToDevice);
    cudaMemset(out, 0xff, sizeof list);
    ways<<<1, 32>>>(in, out);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaMemcpy(list, out, sizeof list, cudaMemcpyDeviceToHost);
    /* print the picture and the table */
    static const char *const name[WAYS] = {
        "a row",          "a column",       "a column of padded rows",
        "every 2nd word", "every 3rd word", "all the same word"};

    puts("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 324 324\" "
         "width=\"324\" height=\"324\" font-family=\"sans-serif\" "
         "font-size=\"12\" fill=\"#1c1c1a\">");
    puts("<title>What 32 lanes touch, in three ways: sectors of global memory "
         "above, banks of shared memory below.</title>");
    for (int w = 0; w < 3; w++)
        draw(18 + 108 * w, name[w], list + w * LOADS * 32);
    puts("<metadata id=\"loads\">");
    for (int w = 0; w < WAYS; w++) {
        printf("%s:", name[w]);
        for (int i = 0; i < LOADS * 32; i++)
            printf(" %d", list[w * LOADS * 32 + i]);
        puts("");
    }
    puts("</metadata>\n</svg>");
    cudaFree(in);
    cudaFree(out);
    return 0;
}
