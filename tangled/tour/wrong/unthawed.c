/* A struct fresh from malloc holds whatever lay there. */
/* wrong: asan: AddressSanitizer|runtime error */
#include <stdio.h>
#include <stdlib.h>

struct picture {
    int rows, cols;
};
struct frame {
    struct picture *inside;
};

int main(void)
{
    struct frame *f = malloc(sizeof *f);

    printf("%d rows\n", f->inside->rows);
    free(f);
    return 0;
}
