#include "shared.h"
int plain(int x)
{
    int new = x + 1; /* C alone */
    return new;
}
