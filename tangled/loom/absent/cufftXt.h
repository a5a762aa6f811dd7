#error "Loom lacks cuFFT on several GPUs (cufftXt.h)"
