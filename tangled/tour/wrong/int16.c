/* An int16_t does not go up to 65536. */
/* wrong: compile: static assertion failed|static_assert failed */
#include <stdint.h>

_Static_assert(INT16_MAX == 65536, "the largest int16_t");

int main(void)
{
    return 0;
}
