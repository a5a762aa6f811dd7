/* tensor_map.c: makes Loom's tensor maps. */
#include <stdint.h>
#include <string.h>

#include "loom/cuda.h"
#include "loom/loom.h"
#include "loom/tensor_map.h"

/* see what is wrong with a tensor map */
/* What is wrong with the arguments, or NULL; those of a dimension are d's. */
static const char *wrong(const struct loom_tensor_map *m, int d,
                         const cuuint32_t *box, const cuuint32_t *step)
{
    uint64_t row = (uint64_t)m->box[0] * m->element;

    if (d == 0 && (uintptr_t)m->start % 16)
        return "the tensor does not begin at a multiple of 16";
    if (m->size[d] < 1 || m->size[d] > UINT64_C(1) << 32)
        return "a size is not from 1 to 2^32";
    if (box[d] < 1 || box[d] > 256)
        return "a side of the box is not from 1 to 256";
    if (step[d] < 1 || step[d] > 8)
        return "an element stride is not from 1 to 8";
    if (d && (m->stride[d] % 16 || m->stride[d] >= UINT64_C(1) << 40))
        return "a stride is not a multiple of 16 below 2^40";
    if (d == 0 && row % 16)
        return "a row of the box is not a multiple of 16 bytes";
    if (d == 0 && m->swizzle && row > 16u << m->swizzle)
        return "a row of the box is longer than the swizzle";
    return NULL;
}

/* encode a tensor map */
CUresult cuTensorMapEncodeTiled(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t dims, void *start,
    const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box,
    const cuuint32_t *step, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill)
{
    static const unsigned char bytes[] = {1, 2, 4, 4, 8, 8, 2,
                                          4, 8, 2, 4, 4, 4};
    struct loom_tensor_map m = {.mark = LOOM_TENSOR_MAP, .start = start};
    const char *what = NULL;

    (void)promotion;
    if (!map || (unsigned)type >= sizeof bytes || (unsigned)swizzle > 3)
        what = "the map, the type or the swizzle is none that Loom has";
    else if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
        what = "Loom lacks interleaved tensors so far";
    else if (dims < 1 || dims > 5)
        what = "a tensor has 1 to 5 dimensions";
    m.type = (uint8_t)type;
    m.swizzle = (uint8_t)swizzle;
    m.nan = fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    m.dims = (uint8_t)dims;
    for (unsigned d = 0; !what && d < dims; d++) {
        m.element = bytes[type];
        m.size[d] = size[d];
        m.stride[d] = d ? stride[d - 1] : m.element;
        m.box[d] = (uint16_t)box[d];
        m.step[d] = (uint8_t)step[d];
        what = wrong(&m, (int)d, box, step);
    }
    if (what) {
        loom_say("cuTensorMapEncodeTiled: %s", what);
        return CUDA_ERROR_INVALID_VALUE;
    }
    m.step[0] = 1; /* CUDA ignores it without interleaving */
    memset(map, 0, sizeof *map);
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}
_Static_assert(sizeof(struct loom_tensor_map) <= sizeof(CUtensorMap), "");
