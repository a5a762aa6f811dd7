#error "Loom lacks VDPAU (cuda_vdpau_interop.h)"
