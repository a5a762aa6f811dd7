/* check_philox: the known answers of Random123, and numbers that cuRAND and
   PyTorch gave on a GPU. */
#include <inttypes.h>
#include <stdio.h>

#include "random/kinds.h"
#include "tour/check.h"

static const uint32_t known[3][10] = {
    {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
    {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
     0x6d5451fd},
    {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
     0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};

/* check the numbers that others gave */
static void check_file(const char *name)
{
    FILE *f = fopen(name, "r");
    uint64_t seed, stream, place;
    uint32_t bits, w;
    char kind[10];
    int line = 0;

    CHECK(f != NULL, "%s: cannot be read", name);
    while (fscanf(f, "%9s%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNx32, kind,
                  &seed, &stream, &place, &bits) == 5) {
        line++;
        w = philox_word(seed, stream, place);
        if (strcmp(kind, "host") == 0) /* in the order of cuRAND's host half */
            w = philox_curand(seed, place);
        else if (strcmp(kind, "float") == 0)
            w = float_bits(draw_curand(w));
        else if (strcmp(kind, "torch") == 0)
            w = draw_curand(w) == 1 ? 0 : float_bits(draw_curand(w));
        CHECK(w == bits, "%s:%d: they have %08x, we %08x", name, line, bits, w);
    }
    CHECK(line > 0 && feof(f), "%s:%d: not kind, seed, stream, place and bits",
          name, line + 1);
    fclose(f);
}

/* check the known answers */
int main(int argc, char **argv)
{
    for (int i = 0; i < 3; i++) {
        const uint32_t *k = known[i];
        struct philox c = {{k[0], k[1], k[2], k[3]}};

        c = i == 2 ? philox_at(UINT64_C(0x299f31d0a4093822),
                               UINT64_C(0x0370734413198a2e),
                               UINT64_C(0x85a308d3243f6a88))
                   : philox_mix(c, k[4], k[5]);
        CHECK(memcmp(c.w, k + 6, sizeof c.w) == 0,
              "known answer %d: %08x %08x %08x %08x", i, c.w[0], c.w[1], c.w[2],
              c.w[3]);
    }
    for (int i = 1; i < argc; i++)
        check_file(argv[i]);
    printf("ok: 3 known answers, %d files\n", argc - 1);
    return 0;
}
