#error "Loom lacks nvcuda::wmma (mma.h) so far"
