#error "Loom lacks the FFTW forms of cuFFT (cufftw.h)"
