/* few: the same with few kernels, which is compiled more quickly. */
#define FFT_FEW
#ifndef __LOOM__
#define FFT_UNMIXED
#endif
#include "fft/trial.cuh"

int main(int argc, char **argv)
{
    return try_plans(argc, argv);
}
