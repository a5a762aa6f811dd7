/* Two ints make an int, also when their product goes into a size_t. */
/* wrong: asan: signed integer overflow: 50000 \* 50000 */
#include <stdio.h>

int main(int argc, char **argv)
{
    int rows = 50000, cols = 50000;
    size_t bytes = rows * cols * 4;

    (void)argv;
    printf("%zu bytes, %d\n", bytes, argc);
    return 0;
}
