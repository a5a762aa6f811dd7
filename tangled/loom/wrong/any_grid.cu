/* wrong: compile: in CUDA a thread_group of the grid waits for nobody */
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void wait_for_all(void)
{
    cg::thread_group any = cg::this_grid();

    any.sync();
}

int main(void)
{
    void *none[] = {NULL};

    cudaLaunchCooperativeKernel((void *)wait_for_all, dim3(2), dim3(32), none);
}
