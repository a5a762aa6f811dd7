/* refuse: an operation on a node that is not there. */
#include "grad/tape.h"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("operation", 0, 0, 4)};
    struct tape t = {NULL, 0, 0};

    args_parse(argc, argv, "use node 0 of an empty tape", args, 1);
    switch (args[0].value) {
    case 0:
        return tape_add(&t, 0, 0);
    case 1:
        return tape_mul(&t, 0, 0);
    case 2:
        return tape_relu(&t, 0);
    case 3:
        tape_backward(&t, 0);
        return 0;
    default:
        tape_forward(&t, 0, NULL);
        return 0;
    }
}
