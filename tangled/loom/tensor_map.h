/* tensor_map.h: what is in Loom's tensor maps. */
#ifndef LOOM_TENSOR_MAP_H
#define LOOM_TENSOR_MAP_H

#include <stdint.h>

/* As long as CUDA's; strides in bytes, of all dimensions but the first. */
struct loom_tensor_map {
    uint64_t mark; /* LOOM_TENSOR_MAP */
    char *start;
    uint64_t size[5], stride[5];
    uint16_t box[5];
    uint8_t step[5], dims, type, element, swizzle, nan;
};
#define LOOM_TENSOR_MAP UINT64_C(0x70616d20726f736e)
#endif
