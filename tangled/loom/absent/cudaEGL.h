#error "Loom lacks EGL (cudaEGL.h)"
