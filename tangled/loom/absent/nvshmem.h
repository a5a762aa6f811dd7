#error "Loom lacks NVSHMEM (nvshmem.h)"
