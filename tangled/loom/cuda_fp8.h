#error "Loom lacks numbers of 8 bits (cuda_fp8.h) so far"
