#error "Loom lacks nvJPEG (nvjpeg.h)"
