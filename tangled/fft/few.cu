/* few: the same with few kernels, which is compiled more quickly. */
#define FFT_FEW
#include "fft/trial.cuh"

int main(int argc, char **argv)
{
    return try_plans(argc, argv);
}
