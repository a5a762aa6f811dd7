#error "Loom lacks cuDNN (cudnn.h)"
