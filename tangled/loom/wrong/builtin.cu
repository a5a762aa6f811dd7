/* wrong: compile: (read-only object|cannot assign to variable 'threadIdx') */
/* wrong: nvcc: modifiable lvalue */
__global__ void move(void)
{
    threadIdx.x = 7;
}

int main(void)
{
    move<<<1, 32>>>();
}
