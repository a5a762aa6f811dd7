/* wrong: compile: Loom lacks cudaSurfaceObject_t so far */
__global__ void draw(cudaSurfaceObject_t surface)
{
    (void)surface;
}

int main(void)
{
}
