#include <cstdio>
#include "shared.h"
__global__ void run(int *p)
{
    *p = times(7) + total;
    total = 100;
}
int main()
{
    int *p, all, five[4] = {5, 5, 5, 5}, first;
    cudaMallocManaged(&p, sizeof *p);
    run<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    first = *p;
    cudaMemcpyToSymbol(factor, five, sizeof five);
    run<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&all, total, sizeof all);
    if (first != 22 || *p != 135 || all != 100 || host_side(2, make_float4(1, 2, 3, 4)) != 12) {
        printf("%d %d %d %d\n", first, *p, all, host_side(2, make_float4(1, 2, 3, 4)));
        return 1;
    }
    printf("ok: 3 files know the same variables\n");
    return 0;
}
