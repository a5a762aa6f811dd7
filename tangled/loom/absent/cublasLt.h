#error "Loom lacks cuBLASLt (cublasLt.h)"
