#include "nowhere/c.h"
