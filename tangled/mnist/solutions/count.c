/* count: numbers to learn and operations of a step, by the width. */
#include <stdio.h>

#include "mnist/step.h"
#include "tour/check.h"

int main(void)
{
    for (int w = 1; w <= WIDTH_MOST; w *= 2) {
        double learn =
            9 * w + 18.0 * w * w + 6 * w + 392.0 * w * w + 4 * w + 40 * w + 10;
        double first = 2 * 9 * w * 784.0, second = 36.0 * w * w * 196;
        double all = 2 * first + 3 * (second + 784.0 * w * w + 80 * w);

        CHECK(learn == (double)model_make(w).count, "width %d: %g numbers", w,
              learn);
        CHECK(w != 32 || all == 24995328, "%.0f operations", all);
        CHECK((3 * second < all / 2) == (w == 1), "width %d: %.2f", w,
              3 * second / all);
        printf("%3d %9.0f %11.0f %5.1f %%\n", w, learn, all,
               300 * second / all);
    }
    return 0;
}
