#error "Loom lacks cuSOLVER (cusolverDn.h)"
