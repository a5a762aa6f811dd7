#error "Loom lacks the driver API (cudaProfiler.h)"
