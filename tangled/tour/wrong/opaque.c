/* Outside of tensor.c nobody knows what a struct tensor is made of. */
/* wrong: compile: invalid use of undefined type|incomplete definition of type */
#include "tour/tensor.h"

int main(void)
{
    struct tensor *t;

    if (tensor_create(&t, 2, 3) != TENSOR_OK)
        return 1;
    return t->rows != 2;
}
