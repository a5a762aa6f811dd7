/* wrong: compile: Loom lacks this_cluster so far */
#include <cooperative_groups.h>

__global__ void gather(void)
{
    cooperative_groups::this_cluster().sync();
}

int main(void)
{
    gather<<<2, 32>>>();
}
