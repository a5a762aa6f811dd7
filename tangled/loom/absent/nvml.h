#error "Loom lacks NVML (nvml.h)"
