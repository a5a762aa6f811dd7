/* keep: three floats into a file, and back */
#include "tour/check.h"

int main(void)
{
    float x[3] = {1, 2, 3}, y[4];
    FILE *file = fopen("floats.bin", "wb");

    CHECK(file != NULL, "floats.bin cannot be written here");
    CHECK(fwrite(x, sizeof x[0], 3, file) == 3, "not all was written");
    CHECK(fclose(file) == 0, "the end was not written");
    file = fopen("floats.bin", "rb");
    CHECK(file != NULL, "floats.bin is not there");
    CHECK(fread(y, sizeof y[0], 4, file) == 3, "want 3 floats, and no more");
    fclose(file);
    printf("%g %g %g\n", y[0], y[1], y[2]);
    return 0;
}
