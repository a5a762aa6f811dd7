#include "two/c.h"
#include "measure/stats.h"
#include "setup/x.h"

int main(void)
{
}
