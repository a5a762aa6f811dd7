#error "the machine lacks nvcuda::wmma (mma.h) so far"
