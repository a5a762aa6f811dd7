#error "Loom lacks cuSOLVER (cusolverRf.h)"
