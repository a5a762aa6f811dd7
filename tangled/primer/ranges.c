/* ranges: what integers hold and what conversions do */
#include <limits.h>

#include "tour/check.h"

/* state what the compiler must confirm */
_Static_assert(INT16_MIN == -32768 && INT16_MAX == 32767, "16 bits, signed");
_Static_assert(UINT16_MAX == 65535, "16 bits, unsigned: 65536 values");
_Static_assert(INT_MAX == 2147483647, "int is CUDA's int");
_Static_assert((size_t)-1 > 0, "size_t is unsigned");
_Static_assert(SIZE_MAX == UINTPTR_MAX, "size_t is as wide as an address");
_Static_assert((int)3.99f == 3, "toward zero");
_Static_assert((unsigned char)300 == 44, "300 modulo 256");
_Static_assert((unsigned)-1 > 1, "an int that meets an unsigned becomes one");

/* check what conversions do */
static void check_conversions(int rows, int cols)
{
    size_t bytes = (size_t)rows * (size_t)cols * sizeof(float);
    uint32_t wrapped = (uint32_t)rows * (uint32_t)cols * 4u;
    float big = 16777216.0f; /* 2^24 */
    uint32_t bits;

    CHECK(bytes == UINT64_C(10000000000), "%zu bytes", bytes);
    CHECK(wrapped == UINT64_C(10000000000) % (UINT64_C(1) << 32),
          "%u, want the product modulo 2^32", wrapped);
    CHECK(big + 1 == big, "2^24 + 1 is not a float");
    CHECK((int)-3.99f == -3, "toward zero from below, too");
    memcpy(&bits, &big, sizeof bits);
    CHECK(bits == 0x4b800000, "2^24 as bits: %#x", bits);
    printf("%zu bytes; in 32 bits, %u\n", bytes, wrapped);
}

int main(void)
{
    check_conversions(50000, 50000);
    printf("int ends at %d, size_t at %zu\n", INT_MAX, SIZE_MAX);
    return 0;
}
