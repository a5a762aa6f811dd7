#error "Loom lacks NPP (nppi.h)"
