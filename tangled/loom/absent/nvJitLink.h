#error "Loom lacks linking while a program runs (nvJitLink.h)"
