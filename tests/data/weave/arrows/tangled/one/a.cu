#include <cuda_runtime.h>
#include "one/b.h"
#include "machine/simt.h"
#include "measure/bench.h"
  #  include "two/c.h"
#include "b.h"
