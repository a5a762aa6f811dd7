#error "Loom lacks CUPTI (cupti.h)"
