/* fft: the second convolution, directly and by transforms, for one picture. */
#include <math.h>
#include <stdio.h>

#include "tour/check.h"

int main(void)
{
    enum { IN = 32, OUT = 64, SIDE = 14, N = 16 };
    double direct = 2.0 * 9 * IN * OUT * SIDE * SIDE;
    double transforms = (IN + OUT) * 2.5 * N * N * log2(N * N);
    double numbers = N * (N / 2 + 1); /* complex, of a spectrum */
    double products = 8.0 * numbers * IN * OUT;
    double spectra = 2 * 8.0 * numbers * (IN + OUT); /* written and read */
    double planes = 2.0 * (IN + OUT) * SIDE * SIDE; /* read and written, bf16 */

    printf("directly: %.2f Mflop, %.1f ns on tensor cores, %.0f kB\n",
           direct / 1e6, direct / 989e3, planes / 1e3);
    printf("by transforms: %.2f Mflop, %.1f ns in fp32, %.0f kB\n",
           (transforms + products) / 1e6, (transforms + products) / 66.9e3,
           spectra / 1e3);
    CHECK(transforms + products < direct / 2, "fewer than half");
    CHECK((transforms + products) / 66.9 > 5 * direct / 989, "and slower");
    CHECK(spectra > 5 * planes, "and more bytes");
    return 0;
}
