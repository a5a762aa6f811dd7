/* loops.c: a launch in three dimensions as six loops. */
#include <stdio.h>

typedef struct {
    int x, y, z;
} triple;
static triple threadIdx, blockIdx, blockDim = {2, 2, 2}, gridDim = {3, 2, 1};
static int owner[2][3][5], writes;

/* write a thread's number to its element */
static void number(void)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread =
        (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

    if (x < 5 && y < 3 && z < 2) {
        owner[z][y][x] = block * 8 + thread + 1;
        writes++;
    }
}

int main(void)
{
    /* run six loops */
    for (blockIdx.z = 0; blockIdx.z < gridDim.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
                for (threadIdx.z = 0; threadIdx.z < blockDim.z; threadIdx.z++)
                    for (threadIdx.y = 0; threadIdx.y < blockDim.y;
                         threadIdx.y++)
                        for (threadIdx.x = 0; threadIdx.x < blockDim.x;
                             threadIdx.x++)
                            number();
    for (int i = 0; i < 30; i++)
        if (owner[i / 15][i / 5 % 3][i % 5] == 0)
            return 1;
    printf("%d threads wrote %d elements\n", 48, writes);
    return writes != 30;
}
