/* compat.h: which CUDA versions start on which, as three comparisons.
   Versions are 1000 * major + 10 * minor (12.8 is 12080). Source: NVIDIA,
   CUDA Compatibility, and the CUDA Programming Guide, "The CUDA platform". */
#ifndef STACK_COMPAT_H
#define STACK_COMPAT_H

/* compare a runtime with the driver */
enum start { START_NO, START_MINOR, START_YES };

/* Does a program with this runtime start on a driver for CUDA `driver`? */
static inline enum start runtime_starts(int driver, int runtime)
{
    if (runtime <= driver)
        return START_YES;
    if (driver >= 11000 && runtime / 1000 == driver / 1000)
        return START_MINOR; /* not every call; and see ptx_needs */
    return START_NO;
}

/* compare an image with a device */
enum fit { FIT_NO, FIT_JIT, FIT_NATIVE };

/* Can a device of compute capability `cc` (90 for 9.0) use an image for
   target `arch` (75, 90, 120 …) with suffix '\0', 'a' or 'f'? Assumes that
   the driver knows the PTX version. Not for embedded boards (Tegra, such as
   Orin, 8.7): a cubin is promised to run there on its own target only. */
static inline enum fit image_fits(int is_ptx, int arch, char suffix, int cc)
{
    int same_major = cc / 10 == arch / 10 && cc >= arch;
    int runs = is_ptx ? cc >= arch : same_major;

    if (suffix == 'a')
        runs = cc == arch;
    else if (suffix == 'f')
        runs = same_major;
    if (!runs)
        return FIT_NO;
    return is_ptx ? FIT_JIT : FIT_NATIVE;
}

/* compare a PTX version with the driver */
/* The oldest CUDA version whose driver compiles PTX of version `isa` (10 *
   major + minor, so 87 is 8.7). Below 7.0 it answers 10.2, whose driver
   knows them all. */
static inline int ptx_needs(int isa)
{
    if (isa >= 90)
        return 13000 + 10 * (isa - 90);
    if (isa >= 86)
        return 12000 + 10 * (isa - 79); /* 8.6 12.7, 8.7 12.8, 8.8 12.9 */
    if (isa >= 80)
        return 12000 + 10 * (isa - 80);
    if (isa >= 70)
        return 11000 + 10 * (isa - 70);
    return 10020;
}

#endif
