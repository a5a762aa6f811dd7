/* wrong: compile: CU_CHECK */
/* wrong: nvcc: CU_CHECK */
#include "stack/cuda_check.h"

int main(void)
{
    CU_CHECK(0); /* #include <cuda.h> before stack/cuda_check.h */
    return 0;
}
