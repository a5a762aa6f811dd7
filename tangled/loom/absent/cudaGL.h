#error "Loom lacks OpenGL (cudaGL.h)"
