#error "Loom lacks cuTENSOR (cutensor.h)"
