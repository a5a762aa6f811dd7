/* mnist: chapter 22's program with the fast step beside the other paths. */
#include "mnist/commands.h"
#include "mnist/library.cuh"
#include "race/path.cuh"

int main(int argc, char **argv)
{
    static const struct path *const all[] = {&path_reference,
                                             &path_kernels,
                                             &path_library,
                                             &path_fast[FAST_FP32],
                                             &path_fast[FAST_TF32],
                                             &path_fast[FAST_BF16],
                                             NULL};

    return mnist_main(argc, argv, all);
}
