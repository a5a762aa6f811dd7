#error "Loom lacks NPP (npp.h)"
