/* transforms: plans of every kind beside the reference. */
#ifdef __LOOM__ /* the candidates as well; on a GPU the benchmark checks them */
#define FFT_TRIALS
#endif
#include "fft/trial.cuh"

int main(int argc, char **argv)
{
    return try_plans(argc, argv);
}
