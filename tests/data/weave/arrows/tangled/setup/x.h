#include "measure/stats.h"
