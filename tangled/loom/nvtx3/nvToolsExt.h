/* nvtx3/nvToolsExt.h: it is one folder higher. */
#include "loom/nvToolsExt.h"
