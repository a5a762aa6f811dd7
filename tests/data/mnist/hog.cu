/* hog MIB COMMAND...: runs a command while so much of the GPU's memory is free. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Large pieces first, smaller ones when those are refused. */
static void take_all_but(size_t left)
{
    size_t free_bytes, total;
    void *p;

    for (size_t piece = (size_t)1 << 30; piece >= (size_t)1 << 20; piece /= 2)
        while (cudaMemGetInfo(&free_bytes, &total) == cudaSuccess &&
               free_bytes >= left + piece &&
               cudaMalloc(&p, piece) == cudaSuccess)
            ;
    if (cudaMemGetInfo(&free_bytes, &total) == cudaSuccess)
        fprintf(stderr, "hog: %zu of %zu MiB are free\n", free_bytes >> 20,
                total >> 20);
}

int main(int argc, char **argv)
{
    char *end = NULL;
    size_t mib = argc > 2 ? strtoul(argv[1], &end, 10) : 0;
    int status = 0;

    if (argc < 3 || end == argv[1] || *end != '\0') {
        fprintf(stderr, "usage: hog MIB COMMAND...\n");
        return 2;
    }
    take_all_but(mib << 20);
    if (fork() == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    wait(&status); /* what was taken is freed when this program ends */
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
