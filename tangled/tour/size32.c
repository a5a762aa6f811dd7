/* Compiles only where size_t has 32 bits: cc -m32 -ffreestanding */
#include <stddef.h>

_Static_assert(sizeof(size_t) == 4, "size_t has 32 bits here");
