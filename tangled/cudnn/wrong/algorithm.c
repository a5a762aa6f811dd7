/* wrong: compile: may be used uninitialized|is used uninitialized|is uninitialized when used */
/* The choice of an algorithm that nobody makes. */
enum algorithm { IMPLICIT_GEMM, PRECOMPUTED_GEMM, FFT };

static unsigned long workspace(enum algorithm algo)
{
    return algo == FFT ? 1 << 20 : 0;
}

int main(void)
{
    enum algorithm algo;

    return (int)workspace(algo);
}
