/* wrong: compile: the machine lacks nvcuda::wmma .mma.h. so far */
#include <mma.h>

int main(void)
{
}
