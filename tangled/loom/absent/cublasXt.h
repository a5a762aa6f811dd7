#error "Loom lacks cuBLASXt (cublasXt.h)"
