/* predict: what conversions and divisions give */
#include "tour/check.h"

_Static_assert((unsigned char)-1 == 255, "modulo 256");
_Static_assert(7 / -2 == -3, "toward zero");
_Static_assert(-7 % 3 == -1, "the sign of the left operand");
_Static_assert(sizeof(char[10]) == 10, "an array, not a pointer");
_Static_assert(!((unsigned)-1 < 1u), "a comparison of unsigned numbers");
_Static_assert('7' - '0' == 7, "the digits stand in order in every C");

int main(void)
{
    float odd = (float)16777219, tenth = 0.1f, below = -2.7f;

    CHECK((int)below == -2, "toward zero");
    CHECK(1 / 2 * 2.0 == 0, "1 / 2 is a division of ints");
    CHECK(odd == 16777220.0f, "%.0f: a tie goes to the even one", (double)odd);
    CHECK((int)(tenth * 10) == 1, "rounding up and down cancel here");
    printf("ok: as predicted\n");
    return 0;
}
