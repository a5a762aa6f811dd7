#error "Loom lacks cuFile (cufile.h)"
