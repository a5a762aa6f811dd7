#include "two/c.h"
