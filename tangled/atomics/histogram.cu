/* histogram: every kernel on every kind of data against the reference. */
#include <stdio.h>
#include <string.h>

#include "atomics/histogram.cuh"
#include "tour/args.h"

/* compare a histogram with the reference */
enum { PAD = 64, GUARD = 2 };

static void compare(const struct histogram *h, size_t n, size_t offset, int sms,
                    unsigned char *h_in, unsigned char *d_in, unsigned *d_out)
{
    unsigned want[BINS], got[BINS + GUARD];
    unsigned char *back = (unsigned char *)check_alloc(n + 2 * PAD, 1);

    histogram_reference(n, h_in + PAD + offset, want);
    CUDA_CHECK(cudaMemset(d_out, 0xff, sizeof got));
    histogram(h, n, d_in + PAD + offset, d_out, sms);
    CUDA_CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(back, d_in, n + 2 * PAD, cudaMemcpyDeviceToHost));
    for (int b = 0; b < BINS; b++)
        CHECK(got[b] == want[b], "%s, %zu bytes at %zu: bin %d is %u, not %u",
              h->name, n, offset, b, got[b], want[b]);
    CHECK(got[BINS] == 0xffffffffu && got[BINS + 1] == 0xffffffffu,
          "%s wrote behind the bins", h->name);
    CHECK(memcmp(back, h_in, n + 2 * PAD) == 0, "%s changed its input",
          h->name);
    free(back);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 0, (int64_t)1 << 31),
                         ARG_SIZE("offset", 0, 0, 15),
                         ARG_SIZE("sms", device_sms(), 1, 1024),
                         ARG_NUMBER("--kinds", KINDS, 1, KINDS),
                         ARG_TEXT("--only", NULL),
                         ARG_FLAG("--data")};
    uint64_t seed =
        args_parse(argc, argv, "histograms of bytes", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value, offset = (size_t)args[1].value;
    unsigned char *h_in = (unsigned char *)check_alloc(n + 2 * PAD, 1), *d_in;
    unsigned *d_out;
    int sms = (int)args[2].value, kinds = (int)args[3].value;
    const char *only = args[4].text;

    CUDA_CHECK(cudaMalloc((void **)&d_in, n + 2 * PAD));
    CUDA_CHECK(cudaMalloc((void **)&d_out, (BINS + GUARD) * sizeof *d_out));
    /* try every kind and kernel */
    for (int kind = 0; kind < kinds; kind++) {
        memset(h_in, 0x5a, n + 2 * PAD);
        histogram_data((enum kind)kind, n, seed, h_in + PAD + offset);
        if (args[5].value)
            fwrite(h_in + PAD + offset, 1, n, stdout);
        CUDA_CHECK(cudaMemcpy(d_in, h_in, n + 2 * PAD, cudaMemcpyHostToDevice));
        for (int k = 0; k < HISTOGRAMS; k++)
            if (only == NULL || strcmp(only, histograms[k].name) == 0)
                compare(&histograms[k], n, offset, sms, h_in, d_in, d_out);
    }
    printf("ok: %zu bytes at %zu, %d kinds of data\n", n, offset, kinds);
    return 0;
}
