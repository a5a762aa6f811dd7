#error "Loom lacks NPP (npps.h)"
