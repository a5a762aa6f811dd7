/* choose.c: which image of a fat binary does a device take? */
#include <stdio.h>

#include "stack/compat.h"
#include "tour/check.h"

struct image {
    int is_ptx, arch;
    char suffix;
};

static int choose(const struct image *images, int n, int cc)
{
    enum fit best_fit = FIT_NO;
    int best = -1;

    for (int i = 0; i < n; i++) {
        const struct image *p = &images[i];
        enum fit fit = image_fits(p->is_ptx, p->arch, p->suffix, cc);

        if (fit > best_fit ||
            (fit == best_fit && best >= 0 && p->arch > images[best].arch)) {
            best_fit = fit;
            best = i;
        }
    }
    return best;
}

/* try five devices */
int main(void)
{
    static const struct image images[] = {{0, 80, 0}, {0, 86, 0}, {1, 86, 0}};
    static const int devices[] = {75, 80, 86, 89, 90};
    static const int expected[] = {-1, 0, 1, 1, 2};

    for (int i = 0; i < 5; i++) {
        int got = choose(images, 3, devices[i]);

        printf("%d takes image %d\n", devices[i], got);
        CHECK(got == expected[i], "device %d should take %d", devices[i],
              expected[i]);
    }
    return 0;
}
