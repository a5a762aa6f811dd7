#include <cuda_runtime.h>
#include "one/b.h"
#include "loom/loom.h"
#include "measure/bench.h"
  #  include "two/c.h"
#include "b.h"
