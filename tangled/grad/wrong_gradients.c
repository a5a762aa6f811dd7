/* wrong_gradients: every wrong gradient trains, and every one is found out. */
#include <stdio.h>

#include "grad/gallery.h"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("steps", 400, 1, 1000000)};

    args_parse(argc, argv, "train with wrong gradients", args, 1);
    printf("gradient    loss before  after   right  error\n");
    for (int k = 0; k < GALLERY; k++) {
        enum gallery kind = (enum gallery)k;
        struct gallery_end e =
            gallery_train(kind, (int)args[0].value, 0.02, NULL);

        printf("%-10s  %11.3f  %5.3f  %4.1f %%  %.1g\n", gallery_name[k],
               e.before, e.loss, e.right, e.error);
        CHECK(e.loss < e.before, "the loss of %s grows", gallery_name[k]);
        CHECK(kind == RIGHT ? e.error < 1e-6 : e.error > 0.1,
              "the error of %s is %g", gallery_name[k], e.error);
    }
    return 0;
}
