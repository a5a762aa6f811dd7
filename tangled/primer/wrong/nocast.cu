// C++ does not turn a void pointer into a float pointer by itself.
/* wrong: compile: invalid conversion from .void\*|cannot initialize a var */
/* wrong: nvcc: cannot be used to initialize an entity of type */
#include <stdlib.h>

int main(void)
{
    float *x = malloc(100 * sizeof *x);

    free(x);
    return 0;
}
