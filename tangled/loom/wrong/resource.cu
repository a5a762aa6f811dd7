/* wrong: compile: Loom lacks cudaGraphicsResource_t so far */
static int same(cudaGraphicsResource_t a, cudaGraphicsResource_t b)
{
    return a == b;
}

int main(void)
{
}
