#include "one/b.h"
#include "two/d.h"
