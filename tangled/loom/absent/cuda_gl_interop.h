#error "Loom lacks OpenGL (cuda_gl_interop.h)"
