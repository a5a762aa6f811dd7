/* transforms: plans of every kind beside the reference. */
#include "fft/trial.cuh"

int main(int argc, char **argv)
{
    return try_plans(argc, argv);
}
