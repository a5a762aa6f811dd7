/* wrong: run: a row of A has 5 numbers, but its ld is 4 */
#include "matmul/reference.h"

int main(void)
{
    float a[20] = {0}, b[10] = {0}, c[8];

    matmul_reference('N', 'N', 4, 2, 5, 1, a, 4, b, 2, 0, c, 2);
    return 0;
}
