/* refuse: an operation on a node that is not there. */
#include "grad/tape.h"

int main(void)
{
    struct tape t = {NULL, 0, 0};

    return tape_relu(&t, 0);
}
