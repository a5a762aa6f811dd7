#include "measure/stats.h"
#include "two/c.h"
#include "setup/x.h"
