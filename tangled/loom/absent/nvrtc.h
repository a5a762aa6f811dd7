#error "Loom lacks compiling while a program runs (nvrtc.h)"
