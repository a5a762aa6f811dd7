#error "Loom lacks cuSOLVER (cusolverSp.h)"
