/* mnist: trains a network on handwritten digits, and uses it. */
#include "mnist/commands.h"
#include "mnist/fed.cuh"
#include "mnist/library.cuh"

int main(int argc, char **argv)
{
    static const struct path *const all[] = {&path_reference, &path_kernels,
                                             &path_library, &path_fed, NULL};

    return mnist_main(argc, argv, all);
}
