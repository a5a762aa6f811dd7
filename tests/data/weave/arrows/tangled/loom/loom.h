#include "two/c.h"
#include "measure/stats.h"
