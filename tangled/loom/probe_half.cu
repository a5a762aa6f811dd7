/* probe_half: functions of 16 bits and inverse error functions, each with what a
   GPU makes of it. Parts: half, bfloat, inverse. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

static __device__ void is(int *count, int line, double got, double want)
{
    int same = got == want || (isnan(got) && isnan(want));

    if (!same)
        printf("not ok: line %d: %.17g, expected %.17g\n", line, got, want);
    atomicAdd(&count[!same], 1);
}
#define IS(got, want) is(count, __LINE__, (double)(float)(got), want)
#define BOTH(got, a, b) \
    IS((got).x, a);     \
    IS((got).y, b)

/* try all bits */
/* The first bits that are taken for what they are not. */
template <class T, class Raw>
static __device__ unsigned first_wrong(unsigned infinity)
{
    unsigned bits = 0;

    for (; bits < 0x10000; bits++) {
        unsigned size = bits % 0x8000;
        int sign = bits < 0x8000 ? 1 : -1;
        Raw raw = {(unsigned short)bits};
        T h(raw);

        if (__hisnan(h) != (size > infinity) ||
            __hisinf(h) != (size == infinity ? sign : 0) ||
            __heq(h, h) != (size <= infinity))
            break;
        if (size <= infinity && (((Raw)__hneg(h)).x != (bits ^ 0x8000) ||
                                 ((Raw)__habs(h)).x != size))
            break;
    }
    return bits;
}

/* try halves */
__global__ void halves(int *count, float f, float g)
{
    __half2 p = __floats2half2_rn(f, g), q = make_half2(2.0f, 0.5f);
    __half2 odd = make_half2(NAN, 1.0f);
    __half_raw raw = {0x3e00};

    BOTH(h2exp2(q), 4, 1.4140625);
    BOTH(h2sqrt(__hmul2(q, q)), 2, 0.5);
    BOTH(h2rcp(q), 0.5, 2);
    BOTH(h2log2(q), 1, -1);
    BOTH(h2floor(p), 1, -3);
    BOTH(h2ceil(p), 2, -2);
    BOTH(h2rint(p), 2, -2);
    BOTH(h2trunc(p), 1, -2);
    BOTH(h2sin(__hsub2(p, p)), 0, 0);
    BOTH(h2cos(__hsub2(p, p)), 1, 1);
    BOTH(h2tanh(__hmul2(p, __float2half2_rn(100))), 1, -1);
    IS(hexp10(__float2half(2)), 100);
    IS(hlog10(__float2half(1000)), 3);
    BOTH(__hgt2(p, q), 0, 0);
    BOTH(__hlt2(p, q), 1, 1);
    BOTH(__hne2(p, odd), 0, 1);
    BOTH(__hneu2(p, odd), 1, 1);
    BOTH(__hisnan2(odd), 1, 0);
    IS(__hbgeu2(odd, q), 1);
    IS(__hbge2(odd, q), 0);
    IS(__hbeq2(p, p), 1);
    IS(__hlt2_mask(p, __halves2half2(q.x, p.y)), 0xffff);
    IS(p == p, 1);
    BOTH(__hneg2(p), -1.5, 2.25);
    BOTH(-p, -1.5, 2.25);
    BOTH(__habs2(p), 1.5, 2.25);
    BOTH(__hadd2_sat(p, q), 1, 0);
    BOTH(__hfma2_relu(p, q, p), 4.5, 0);
    BOTH(__hfma2_sat(p, q, p), 1, 0);
    BOTH(__hcmadd(p, q, q), 6.125, -3.25);
    BOTH(__hmax2_nan(p, odd), NAN, 1);
    BOTH(__hmax2(p, odd), 1.5, 1);
    BOTH(__lows2half2(p, q), 1.5, 2);
    BOTH(__highs2half2(p, q), -2.25, 0.5);
    BOTH(__low2half2(p), 1.5, 1.5);
    BOTH(__lowhigh2highlow(p), -2.25, 1.5);
    IS(__hmul_sat(p.x, q.x), 1);
    IS(__hisinf(__float2half(-1e9f)), -1);
    IS(__half2short_rn(p.x), 2);
    IS(__half2int_ru(p.y), -2);
    IS(__half2uint_rd(p.y), 0);
    IS(__half2short_rz(__float2half(60000)), 32767);
    IS(__half2ll_rd(p.y), -3);
    IS(__uint2half_rn(2049), 2048);
    IS(__uint2half_ru(2049), 2050);
    IS(__int2half_rd(-2049), -2050);
    IS(__ull2half_rz(70000), 65504);
    IS(__float2half_rz(-2049), -2048);
    IS(__float2half_ru(1e-9f), 0x1p-24);
    IS(__half2float(__half(raw)), 1.5);
    IS(__half_as_short(p.y), (short)0xc080);
    IS(__short_as_half(0x3e00), 1.5);
    IS((first_wrong<__half, __half_raw>(0x7c00)), 0x10000);
}

/* try bfloats */
__global__ void bfloats(int *count, float f, float g)
{
    __nv_bfloat162 p = __floats2bfloat162_rn(f, g);
    __nv_bfloat162 q = make_bfloat162(2.0f, 0.5f);

    BOTH(h2exp2(q), 4, 1.4140625);
    BOTH(h2floor(p), 1, -3);
    BOTH(__hlt2(p, q), 1, 1);
    IS(__hbne2(p, q), 1);
    BOTH(__hneg2(p), -1.5, 2.25);
    BOTH(__hfma2_relu(p, q, p), 4.5, 0);
    BOTH(__lows2bfloat162(p, q), 1.5, 2);
    BOTH(__high2bfloat162(p), -2.25, -2.25);
    IS(__float2bfloat16_rz(1.0078f), 1);
    IS(__float2bfloat16_ru(1.0001f), 1.0078125);
    IS(__bfloat162int_rn(p.y), -2);
    IS(__uint2bfloat16_rn(257), 256);
    IS(__int2bfloat16_rd(-257), -258);
    IS(__short_as_bfloat16(0x3fc0), 1.5);
    IS(htanh(__float2bfloat16(50)), 1);
    IS((first_wrong<__nv_bfloat16, __nv_bfloat16_raw>(0x7f80)), 0x10000);
}

/* try inverse functions */
#define NEAR(got, want, units) IS(fabs((got) - (want)) <= units * fabs(want), 1)

__global__ void inverses(int *count, double x)
{
    NEAR(erfinv(x), 0.22531205501217809, 3e-15);
    NEAR(erfcinv(x), 0.81341984759761854, 3e-15);
    NEAR(normcdfinv(x), -0.67448975019608171, 3e-15);
    NEAR(erfinvf((float)x), 0.22531205501217809, 3e-7);
    NEAR(erfcinvf((float)x), 0.81341984759761854, 3e-7);
    NEAR(normcdfinvf((float)x), -0.67448975019608171, 3e-7);
    for (int i = -60; i <= 60; i++) {
        double t = i / 10.0 + x / 100;

        NEAR(normcdf(normcdfinv(normcdf(t))), normcdf(t), 1e-13);
        if (i > -6 && i < 6)
            NEAR(erfinv(erf(t)), t, 1e-14);
    }
    NEAR(erfcinv(1e-300), 26.209469960516, 1e-12);
    NEAR(erfinv(x / 1e6), 2.2155673136319312e-07, 3e-15);
    IS(erfinv(1.0), INFINITY);
    IS(erfinv(-1.0), -INFINITY);
    IS(erfcinv(1.0), 0);
    IS(erfinv(1.5), NAN);
    NEAR(cyl_bessel_i0(2.0), 2.2795853023360673, 1e-14);
    NEAR(cyl_bessel_i1f(-2.0f), -1.5906368546373291, 1e-6);
    NEAR(norm4d(1.0, 2.0, 2.0, 4.0), 5.0, 1e-15);
    NEAR(rnorm4df(1.0f, 2.0f, 2.0f, 4.0f), 0.2, 1e-6);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    int *count;

    if (cudaMallocManaged(&count, 2 * sizeof *count) != cudaSuccess)
        return 1;
    memset(count, 0, 2 * sizeof *count);
    if (strstr("half", only))
        halves<<<1, 1>>>(count, 1.5f, -2.25f);
    if (strstr("bfloat", only))
        bfloats<<<1, 1>>>(count, 1.5f, -2.25f);
    if (strstr("inverse", only))
        inverses<<<1, 1>>>(count, 0.25);
    if (cudaDeviceSynchronize() != cudaSuccess || count[0] == 0)
        return 1;
    printf("%s: %d of %d differ\n", count[1] ? "not ok" : "ok", count[1],
           count[0] + count[1]);
    return count[1] != 0;
}
