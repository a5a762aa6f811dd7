#error "Loom lacks EGL (cuda_egl_interop.h)"
