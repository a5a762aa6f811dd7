#error "Loom lacks the Mersenne twister of cuRAND (curand_mtgp32_host.h)"
