/* wrong: compile: Loom lacks nvcuda::wmma .mma.h. so far */
#include <mma.h>

int main(void)
{
}
