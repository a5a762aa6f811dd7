#error "Loom lacks cuSOLVER (cusolver_common.h)"
