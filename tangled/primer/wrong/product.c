/* Two ints make an int, also when their product goes into a size_t. */
/* wrong: asan: signed integer overflow: 40000 \* 160000 */
#include <stdio.h>

int main(int argc, char **argv)
{
    int rows = 40000, row_bytes = 40000 * 4;
    size_t bytes = rows * row_bytes;

    (void)argv;
    printf("%zu bytes, %d\n", bytes, argc);
    return 0;
}
