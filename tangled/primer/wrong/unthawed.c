/* A struct fresh from malloc holds whatever lay there. */
/* wrong: asan: AddressSanitizer|runtime error */
#include <stdio.h>
#include <stdlib.h>

struct sheet {
    int rows, cols;
};
struct frame {
    struct sheet *inside;
};

int main(void)
{
    struct frame *f = malloc(sizeof *f);

    printf("%d rows\n", f->inside->rows);
    free(f);
    return 0;
}
