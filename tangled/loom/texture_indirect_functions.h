/* texture_indirect_functions.h: all of it is in cuda_runtime.h. */
#include "loom/cuda_runtime.h"
