#error "Loom lacks NCCL (nccl.h)"
