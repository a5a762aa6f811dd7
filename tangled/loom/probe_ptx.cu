/* probe_ptx: PTX as strangers write it, each with what a GPU makes of it. Parts:
   words, floats, memory, boxes, warp, cluster, products, groups. Needs compute
   capability 9.0a. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom/ptx.h" /* for tensor maps alone */

static __device__ void is(int *count, int line, unsigned long long got,
                          unsigned long long want)
{
    if (got != want)
        printf("not ok: line %d, thread %d: 0x%llx, expected 0x%llx\n", line,
               (int)threadIdx.x, got, want);
    atomicAdd(&count[got != want], 1);
}
#define IS(got, want) is(count, __LINE__, got, want)

/* write words as strangers do */
__global__ void words(int *count, unsigned a, unsigned b)
{
    unsigned x, y;
    unsigned short h, g;
    unsigned long long w;

    asm("mov.b64 %0, {%1, %2};" : "=l"(w) : "r"(a), "r"(b));
    IS(w, 0x9abcdef012345678);
    asm("mov.b64 {%0, %1}, %2;" : "=r"(x), "=r"(y) : "l"(w));
    IS(x, a);
    IS(y, b);
    asm("{ .reg .b32 low; mov.b64 {low, %0}, %1; }" : "=r"(y) : "l"(w + 1));
    IS(y, b);
    asm("mov.b32 {%0, %1}, %2;" : "=h"(h), "=h"(g) : "r"(a));
    IS(h, 0x5678);
    IS(g, 0x1234);
    asm("mov.b32 %0, {%1, %2};" : "=r"(x) : "h"(g), "h"(h));
    IS(x, 0x56781234);
    asm("shf.l.wrap.b32 %0, %1, %2, 36;" : "=r"(x) : "r"(a), "r"(b));
    IS(x, 0xabcdef01);
    asm("shf.l.clamp.b32 %0, %1, %2, 36;" : "=r"(x) : "r"(a), "r"(b));
    IS(x, a);
    asm("shf.r.wrap.b32 %0, %1, %2, 8;" : "=r"(x) : "r"(a), "r"(b));
    IS(x, 0xf0123456);
    asm("shf.r.clamp.b32 %0, %1, %2, 40;" : "=r"(x) : "r"(a), "r"(b));
    IS(x, b);
    asm("bfind.u32 %0, %1;" : "=r"(x) : "r"(a));
    IS(x, 28);
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(x) : "r"(a));
    IS(x, 3);
    asm("bfind.s32 %0, %1;" : "=r"(x) : "r"(0xfffffff0));
    IS(x, 3);
    asm("bfind.u32 %0, %1;" : "=r"(x) : "r"(0));
    IS(x, 0xffffffff);
    asm("bfind.u64 %0, %1;" : "=r"(x) : "l"(w));
    IS(x, 63);
    asm("cnot.b32 %0, %1;" : "=r"(x) : "r"(a - a));
    IS(x, 1);
    asm("bmsk.clamp.b32 %0, 4, 8;" : "=r"(x));
    IS(x, 0xff0);
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(x) : "r"(0xf5), "r"(a));
    IS(x, 0x12345578);
    asm("bfi.b32 %0, %1, %2, 64, 4;" : "=r"(x) : "r"(0xf5), "r"(a));
    IS(x, a);
    asm("brev.b64 %0, %1;" : "=l"(w) : "l"(w));
    IS(w, 0x1e6a2c480f7b3d59);
    /* compare words as strangers do */
    asm("{ .reg .pred p, q;\n" /* two predicates; a second operation */
        "setp.lt.s32 p|q, %1, 0; selp.u32 %0, 1, 2, q;\n"
        "@p add.u32 %0, %0, 8; }"
        : "=r"(x)
        : "r"(b));
    IS(x, 10);
    asm("{ .reg .pred p, q; setp.eq.u32 q, %1, 0;\n"
        "setp.ne.or.u32 p, %1, 5, q; selp.u32 %0, 1, 0, p; }"
        : "=r"(x)
        : "r"(5));
    IS(x, 0);
    asm("set.gt.u32.s32 %0, %1, -1;" : "=r"(x) : "r"(a));
    IS(x, 0xffffffff);
    asm("slct.u32.s32 %0, 3, 4, %1;" : "=r"(x) : "r"(b));
    IS(x, 4);
    asm("add.sat.s32 %0, %1, %1;" : "=r"(x) : "r"(0x7fffffff));
    IS(x, 0x7fffffff);
    asm("vshl.u32.u32.u32.clamp.add %0, %1, 8, 1;" : "=r"(x) : "r"(a));
    IS(x, 0x34567801);
    asm("vshr.u32.u32.u32.wrap.add %0, %1, 36, 1;" : "=r"(x) : "r"(a));
    IS(x, 0x01234568);
    asm("dp2a.lo.u32.u32 %0, %1, %2, 1;"
        : "=r"(x)
        : "r"(0x00030002), "r"(0x07060504));
    IS(x, 1 + 2 * 4 + 3 * 5);
    asm("dp2a.hi.u32.u32 %0, %1, %2, 1;"
        : "=r"(x)
        : "r"(0x00030002), "r"(0x07060504));
    IS(x, 1 + 2 * 6 + 3 * 7);
    asm("mov.u32 %0, %%nwarpid;\n\t/* of the block's warps */"
        " mov.u32 %1, %%cluster_nctaid.x;"
        : "=r"(x), "=r"(y));
    IS(x > 0, 1);
    IS(y, 1);
}
__global__ void bits(int *count)
{
    unsigned wrong;

    asm("{ .reg .pred p; .reg .b32 r; setp.ne.b32 p, 0, 0;\n"
        "and.b32 r, 12, 10; setp.ne.or.b32 p, r, 8, p;\n"
        "or.b32 r, 12, 10; setp.ne.or.b32 p, r, 14, p;\n"
        "xor.b32 r, 12, 10; setp.ne.or.b32 p, r, 6, p;\n"
        "not.b32 r, 12; setp.ne.or.b32 p, r, -13, p;\n"
        "shl.b32 r, 3, 30; setp.ne.or.b32 p, r, 0xc0000000, p;\n"
        "shl.b32 r, 3, 32; setp.ne.or.b32 p, r, 0, p;\n"
        "shr.u32 r, 0x80000000, 31; setp.ne.or.b32 p, r, 1, p;\n"
        "shr.u32 r, 0x80000000, 32; setp.ne.or.b32 p, r, 0, p;\n"
        "shr.s32 r, 0x80000000, 31; setp.ne.or.b32 p, r, -1, p;\n"
        "shr.s32 r, 0x80000000, 40; setp.ne.or.b32 p, r, -1, p;\n"
        "popc.b32 r, 0xf0f1; setp.ne.or.b32 p, r, 9, p;\n"
        "clz.b32 r, 1; setp.ne.or.b32 p, r, 31, p;\n"
        "clz.b32 r, 0; setp.ne.or.b32 p, r, 32, p;\n"
        "brev.b32 r, 0x12; setp.ne.or.b32 p, r, 0x48000000, p;\n"
        "prmt.b32 r, 0x83020100, 0x07060504, 0x7b31;"
        " setp.ne.or.b32 p, r, 0x07ff8301, p;\n"
        "lop3.b32 r, 0xf0, 0xcc, 0xaa, 0xe4; setp.ne.or.b32 p, r, 0xe4, p;\n"
        "bfe.u32 r, 0x12345678, 8, 12; setp.ne.or.b32 p, r, 0x456, p;\n"
        "bfe.u32 r, 0x92345678, 28, 8; setp.ne.or.b32 p, r, 9, p;\n"
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(wrong));
    IS(wrong, 0);
    asm("{ .reg .pred p; .reg .b32 r; setp.ne.b32 p, 0, 0;\n"
        "bfe.u32 r, 0x92345678, 32, 8; setp.ne.or.b32 p, r, 0, p;\n"
        "bfe.u32 r, 0x92345678, 8, 0; setp.ne.or.b32 p, r, 0, p;\n"
        "bfe.s32 r, 0x12348678, 8, 8; setp.ne.or.b32 p, r, 0xffffff86, p;\n"
        "bfe.s32 r, 0x92345678, 28, 8; setp.ne.or.b32 p, r, -7, p;\n"
        "bfe.s32 r, 0x92345678, 31, 1; setp.ne.or.b32 p, r, -1, p;\n"
        "bfe.s32 r, 0x92345678, 32, 8; setp.ne.or.b32 p, r, -1, p;\n"
        "add.u32 r, 7, -3; setp.ne.or.b32 p, r, 4, p;\n"
        "sub.u32 r, 7, 10; setp.ne.or.b32 p, r, -3, p;\n"
        "sub.sat.s32 r, 0x80000000, 1; setp.ne.or.b32 p, r, 0x80000000, p;\n"
        "mul.lo.u32 r, 0x10001, 0x10003; setp.ne.or.b32 p, r, 0x40003, p;\n"
        "mul.hi.u32 r, 0x80000000, 6; setp.ne.or.b32 p, r, 3, p;\n"
        "mul.hi.s32 r, 0x80000000, 6; setp.ne.or.b32 p, r, -3, p;\n"
        "mad.lo.s32 r, -5, 7, 3; setp.ne.or.b32 p, r, -32, p;\n"
        "mad.hi.s32 r, 0x80000000, 6, 5; setp.ne.or.b32 p, r, 2, p;\n"
        "mul24.lo.u32 r, 0x1000003, 5; setp.ne.or.b32 p, r, 15, p;\n"
        "mul24.hi.u32 r, 0x800000, 0x60000;"
        " setp.ne.or.b32 p, r, 0x3000000, p;\n"
        "mad24.lo.s32 r, 0xffffff, 5, 7; setp.ne.or.b32 p, r, 2, p;\n"
        "popc.b64 r, 0xf00000000000000f; setp.ne.or.b32 p, r, 8, p;\n"
        "clz.b64 r, 0x10000000000; setp.ne.or.b32 p, r, 23, p;\n"
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(wrong));
    IS(wrong, 0);
}
__global__ void integers(int *count)
{
    unsigned wrong;

    asm("{ .reg .pred p; .reg .b32 r; .reg .b16 h; mov.b16 h, 0xfff1; "
        "setp.ne.b32 p, 0, 0;\n"
        "div.s32 r, -17, 5; setp.ne.or.b32 p, r, -3, p;\n"
        "rem.s32 r, -17, 5; setp.ne.or.b32 p, r, -2, p;\n"
        "div.u32 r, -17, 5; setp.ne.or.b32 p, r, 858993455, p;\n"
        "rem.u32 r, 17, 5; setp.ne.or.b32 p, r, 2, p;\n"
        "min.s32 r, 3, -1; setp.ne.or.b32 p, r, -1, p;\n"
        "min.u32 r, 3, -1; setp.ne.or.b32 p, r, 3, p;\n"
        "max.s32 r, 3, -1; setp.ne.or.b32 p, r, 3, p;\n"
        "max.u32 r, 3, -1; setp.ne.or.b32 p, r, -1, p;\n"
        "neg.s32 r, 5; setp.ne.or.b32 p, r, -5, p;\n"
        "abs.s32 r, -5; setp.ne.or.b32 p, r, 5, p;\n"
        "sad.s32 r, -3, 4, 5; setp.ne.or.b32 p, r, 12, p;\n"
        "sad.u32 r, 4, 3, 5; setp.ne.or.b32 p, r, 6, p;\n"
        "cvt.u32.u16 r, h; setp.ne.or.b32 p, r, 0xfff1, p;\n"
        "cvt.s32.s16 r, h; setp.ne.or.b32 p, r, -15, p;\n"
        "cvt.s32.s8 r, h; setp.ne.or.b32 p, r, -15, p;\n"
        "cvt.u32.u8 r, h; setp.ne.or.b32 p, r, 0xf1, p;\n"
        "cvt.rzi.u32.f32 r, 0f40233333; setp.ne.or.b32 p, r, 2, p;\n"
        "set.gt.u32.s32 r, 3, -4; setp.ne.or.b32 p, r, -1, p;\n"
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(wrong));
    IS(wrong, 0);
    asm("{ .reg .pred p; .reg .b64 r; setp.ne.b32 p, 0, 0;\n"
        "mul.wide.s32 r, -3, 5; setp.ne.or.b64 p, r, -15, p;\n"
        "mad.wide.u32 r, -1, 3, 4; setp.ne.or.b64 p, r, 0x300000001, p;\n"
        "min.s64 r, -4294967296, 5; setp.ne.or.b64 p, r, -4294967296, p;\n"
        "sub.u64 r, 0x100000000, 1; setp.ne.or.b64 p, r, 0xffffffff, p;\n"
        "shl.b64 r, 3, 40; setp.ne.or.b64 p, r, 0x30000000000, p;\n"
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(wrong));
    IS(wrong, 0);
}
__global__ void atomics(int *count)
{
    __shared__ unsigned s;
    unsigned at = (unsigned)__cvta_generic_to_shared(&s), wrong;

    asm volatile("{ .reg .pred p; .reg .b32 r; setp.ne.b32 p, 0, 0;\n"
                 "st.shared.b32 [%1], 5; atom.shared.add.u32 r, [%1], 7;\n"
                 "setp.ne.or.b32 p, r, 5, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 12, p;\n"
                 "st.shared.b32 [%1], 5; atom.shared.exch.b32 r, [%1], 7;\n"
                 "setp.ne.or.b32 p, r, 5, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 7, p;\n"
                 "st.shared.b32 [%1], 12; atom.shared.and.b32 r, [%1], 10;\n"
                 "setp.ne.or.b32 p, r, 12, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 8, p;\n"
                 "st.shared.b32 [%1], 12; atom.shared.or.b32 r, [%1], 10;\n"
                 "setp.ne.or.b32 p, r, 12, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 14, p;\n"
                 "st.shared.b32 [%1], 12; atom.shared.xor.b32 r, [%1], 10;\n"
                 "setp.ne.or.b32 p, r, 12, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 6, p;\n"
                 "st.shared.b32 [%1], 3; atom.shared.min.s32 r, [%1], -1;\n"
                 "setp.ne.or.b32 p, r, 3, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, -1, p;\n"
                 "st.shared.b32 [%1], 3; atom.shared.min.u32 r, [%1], -1;\n"
                 "setp.ne.or.b32 p, r, 3, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 3, p;\n"
                 "selp.b32 %0, 1, 0, p; }"
                 : "=r"(wrong)
                 : "r"(at)
                 : "memory");
    IS(wrong, 0);
    asm volatile("{ .reg .pred p; .reg .b32 r; setp.ne.b32 p, 0, 0;\n"
                 "st.shared.b32 [%1], 3; atom.shared.max.s32 r, [%1], -1;\n"
                 "setp.ne.or.b32 p, r, 3, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 3, p;\n"
                 "st.shared.b32 [%1], 3; atom.shared.max.u32 r, [%1], -1;\n"
                 "setp.ne.or.b32 p, r, 3, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, -1, p;\n"
                 "st.shared.b32 [%1], 4; atom.shared.inc.u32 r, [%1], 5;\n"
                 "setp.ne.or.b32 p, r, 4, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 5, p;\n"
                 "st.shared.b32 [%1], 5; atom.shared.inc.u32 r, [%1], 5;\n"
                 "setp.ne.or.b32 p, r, 5, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 0, p;\n"
                 "st.shared.b32 [%1], 3; atom.shared.dec.u32 r, [%1], 5;\n"
                 "setp.ne.or.b32 p, r, 3, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 2, p;\n"
                 "st.shared.b32 [%1], 0; atom.shared.dec.u32 r, [%1], 5;\n"
                 "setp.ne.or.b32 p, r, 0, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 5, p;\n"
                 "st.shared.b32 [%1], 6; atom.shared.dec.u32 r, [%1], 5;\n"
                 "setp.ne.or.b32 p, r, 6, p; ld.shared.b32 r, [%1];\n"
                 "setp.ne.or.b32 p, r, 5, p;\n"
                 "selp.b32 %0, 1, 0, p; }"
                 : "=r"(wrong)
                 : "r"(at)
                 : "memory");
    IS(wrong, 0);
}

/* write floats as strangers do */
__global__ void floats(int *count, float f, float g)
{
    unsigned x, y = 0x3e00c080, z = 0x40003800; /* 1.5, -2.25; 2, 0.5 */
    unsigned short h, one = 0x3c00;
    float r;

    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    IS(h, 0x3e00);
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(2049.0f));
    IS(h, 0x6800);
    asm("cvt.rz.f16.f32 %0, %1;" : "=h"(h) : "f"(65535.0f));
    IS(h, 0x7bff);
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(1e-7f));
    IS(h, 0x0002);
    asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"((unsigned short)0xc080));
    IS(__float_as_uint(r), __float_as_uint(g));
    asm("cvt.rn.f16.s32 %0, %1;" : "=h"(h) : "r"(-3));
    IS(h, 0xc200);
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(1.00390625f));
    IS(h, 0x3f80);
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(f), "f"(g));
    IS(x, y);
    asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(f), "f"(g));
    IS(x, 0x3fc00000);
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
        : "=h"(h)
        : "f"(1000.0f), "f"(g));
    IS(h, 0x7ec1);
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(x) : "h"((unsigned short)0x3c41));
    IS(x, 0x3c004100);
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(x) : "f"(1.00048828125f));
    IS(x, 0x3f802000);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(x) : "f"(1e10f));
    IS(x, 0x7fffffff);
    asm("cvt.rni.u32.f32 %0, %1;" : "=r"(x) : "f"(g));
    IS(x, 0);
    asm("cvt.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(f));
    IS(__float_as_uint(r), 0x3f800000);
    asm("cvt.rn.f32.u64 %0, %1;" : "=f"(r) : "l"(0x8000008000000001));
    IS(__float_as_uint(r), 0x5f000001);
    /* compute with pairs as strangers do */
    asm("add.f16x2 %0, %1, %2;" : "=r"(x) : "r"(y), "r"(z));
    IS(x, 0x4300bf00);
    asm("fma.rn.f16x2 %0, %1, %2, %1;" : "=r"(x) : "r"(y), "r"(z));
    IS(x, 0x4480c2c0);
    asm("fma.rn.relu.f16x2 %0, %1, %2, %1;" : "=r"(x) : "r"(y), "r"(z));
    IS(x, 0x44800000);
    asm("fma.rn.f16 %0, %1, %2, %3;" /* 1 + 2^-11 + 2^-24 is above the tie */
        : "=h"(h)
        : "h"((unsigned short)0x1000), "h"(one), "h"(one));
    IS(h, 0x3c00);
    asm("mul.bf16x2 %0, %1, %2;" : "=r"(x) : "r"(0x3fc0c010), "r"(0x40003f00));
    IS(x, 0x4040bf90);
    asm("max.f16x2 %0, %1, %2;" : "=r"(x) : "r"(y), "r"(z));
    IS(x, 0x40003800);
    asm("min.NaN.f16 %0, %1, %2;"
        : "=h"(h)
        : "h"(one), "h"((unsigned short)0x7e00));
    IS(h, 0x7fff);
    asm("neg.f16x2 %0, %1;" : "=r"(x) : "r"(y));
    IS(x, 0xbe004080);
    asm("ex2.approx.f16x2 %0, %1;" : "=r"(x) : "r"(0x3c00c000));
    IS(x, 0x40003400);
    asm("tanh.approx.f16 %0, %1;" : "=h"(h) : "h"((unsigned short)0));
    IS(h, 0);
    asm("set.le.u32.f16x2 %0, %1, %2;" : "=r"(x) : "r"(y), "r"(z));
    IS(x, 0xffffffff);
    asm("set.gt.f16x2.f16x2 %0, %1, %2;" : "=r"(x) : "r"(z), "r"(y));
    IS(x, 0x3c003c00);
    asm("set.eq.f32.f32 %0, %1, %1;" : "=f"(r) : "f"(f));
    IS(__float_as_uint(r), 0x3f800000);
    asm("{ .reg .pred p; setp.ne.f32 p, %1, %2;\n"
        "selp.u32 %0, 1, 0, p; setp.neu.f32 p, %1, %2;\n"
        "@p add.u32 %0, %0, 2; setp.nan.f32 p, %1, %2;\n"
        "@p add.u32 %0, %0, 4; }"
        : "=r"(x)
        : "f"(f), "f"(__uint_as_float(0x7fc00000)));
    IS(x, 6);
    asm("copysign.f32 %0, %1, %2;" : "=f"(r) : "f"(g), "f"(f));
    IS(__float_as_uint(r), 0xbfc00000);
}
__global__ void exact(int *count)
{
    unsigned wrong;

    asm("{ .reg .pred p; .reg .b32 r; setp.ne.b32 p, 0, 0;\n"
        "rcp.rn.f32 r, 0f40400000; setp.ne.or.b32 p, r, 0x3eaaaaab, p;\n"
        "rcp.rz.f32 r, 0f40400000; setp.ne.or.b32 p, r, 0x3eaaaaaa, p;\n"
        "rcp.rm.f32 r, 0fc0400000; setp.ne.or.b32 p, r, 0xbeaaaaab, p;\n"
        "rcp.rp.f32 r, 0fc0400000; setp.ne.or.b32 p, r, 0xbeaaaaaa, p;\n"
        "sqrt.rn.f32 r, 0f40000000; setp.ne.or.b32 p, r, 0x3fb504f3, p;\n"
        "sqrt.rp.f32 r, 0f40000000; setp.ne.or.b32 p, r, 0x3fb504f4, p;\n"
        "neg.f32 r, 0f3fc00000; setp.ne.or.b32 p, r, 0xbfc00000, p;\n"
        "abs.f32 r, 0fc0100000; setp.ne.or.b32 p, r, 0x40100000, p;\n"
        "add.rn.f32 r, 0f3f800000, 0f33000000;"
        " setp.ne.or.b32 p, r, 0x3f800000, p;\n"
        "add.rp.f32 r, 0f3f800000, 0f33000000;"
        " setp.ne.or.b32 p, r, 0x3f800001, p;\n"
        "sub.rn.f32 r, 0f3fc00000, 0f40100000;"
        " setp.ne.or.b32 p, r, 0xbf400000, p;\n"
        "sub.rm.f32 r, 0f3f800000, 0f32800000;"
        " setp.ne.or.b32 p, r, 0x3f7fffff, p;\n"
        "mul.rn.f32 r, 0f3fc00000, 0fc0100000;"
        " setp.ne.or.b32 p, r, 0xc0580000, p;\n"
        "div.rn.f32 r, 0f3f800000, 0f40400000;"
        " setp.ne.or.b32 p, r, 0x3eaaaaab, p;\n"
        "div.rz.f32 r, 0f3f800000, 0f40400000;"
        " setp.ne.or.b32 p, r, 0x3eaaaaaa, p;\n"
        "min.f32 r, 0f3fc00000, 0fc0100000;"
        " setp.ne.or.b32 p, r, 0xc0100000, p;\n"
        "max.f32 r, 0f3fc00000, 0fc0100000;"
        " setp.ne.or.b32 p, r, 0x3fc00000, p;\n"
        "max.f32 r, 0f7fc00000, 0f3fc00000;"
        " setp.ne.or.b32 p, r, 0x3fc00000, p;\n"
        "add.sat.f32 r, 0f3f800000, 0f3fc00000;"
        " setp.ne.or.b32 p, r, 0x3f800000, p;\n"
        "sub.sat.f32 r, 0f3f800000, 0f3fc00000; setp.ne.or.b32 p, r, 0, p;\n"
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(wrong));
    IS(wrong, 0);
    asm("{ .reg .pred p; .reg .b32 r; setp.ne.b32 p, 0, 0;\n"
        "cvt.rni.s32.f32 r, 0f40200000; setp.ne.or.b32 p, r, 2, p;\n"
        "cvt.rni.s32.f32 r, 0f40600000; setp.ne.or.b32 p, r, 4, p;\n"
        "cvt.rzi.s32.f32 r, 0fc0300000; setp.ne.or.b32 p, r, -2, p;\n"
        "cvt.rmi.s32.f32 r, 0fc0100000; setp.ne.or.b32 p, r, -3, p;\n"
        "cvt.rpi.s32.f32 r, 0f40100000; setp.ne.or.b32 p, r, 3, p;\n"
        "cvt.rzi.s32.f32 r, 0fd01502f9; setp.ne.or.b32 p, r, 0x80000000, p;\n"
        "cvt.rzi.u32.f32 r, 0f4f9502f9; setp.ne.or.b32 p, r, -1, p;\n"
        "cvt.rzi.u32.f32 r, 0f4f32d05e; setp.ne.or.b32 p, r, 3000000000, p;\n"
        "cvt.rzi.u32.f32 r, 0f7fc00000; setp.ne.or.b32 p, r, 0, p;\n"
        "cvt.rn.f32.s32 r, -7; setp.ne.or.b32 p, r, 0xc0e00000, p;\n"
        "cvt.rz.f32.u32 r, -1; setp.ne.or.b32 p, r, 0x4f7fffff, p;\n"
        "cvt.rp.f32.f64 r, 0d3ff0000000001000;"
        " setp.ne.or.b32 p, r, 0x3f800001, p;\n"
        "fma.rn.f32 r, 0f3f800001, 0f3f7ffffe, 0fbf800000;"
        " setp.ne.or.b32 p, r, 0xa8800000, p;\n"
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(wrong));
    IS(wrong, 0);
}
__global__ void doubles(int *count)
{
    unsigned wrong;

    asm("{ .reg .pred p; .reg .b64 r; setp.ne.b32 p, 0, 0;\n"
        "add.rn.f64 r, 0d3ff8000000000000, 0d4002000000000000;"
        " setp.ne.or.b64 p, r, 0x400e000000000000, p;\n"
        "sub.rn.f64 r, 0d3ff8000000000000, 0d4002000000000000;"
        " setp.ne.or.b64 p, r, 0xbfe8000000000000, p;\n"
        "mul.rn.f64 r, 0d3ff8000000000000, 0d4002000000000000;"
        " setp.ne.or.b64 p, r, 0x400b000000000000, p;\n"
        "div.rn.f64 r, 0d3ff0000000000000, 0d4008000000000000;"
        " setp.ne.or.b64 p, r, 0x3fd5555555555555, p;\n"
        "rcp.rn.f64 r, 0d4008000000000000;"
        " setp.ne.or.b64 p, r, 0x3fd5555555555555, p;\n"
        "sqrt.rn.f64 r, 0d4000000000000000;"
        " setp.ne.or.b64 p, r, 0x3ff6a09e667f3bcd, p;\n"
        "fma.rn.f64 r, 0d3ff8000000000000, 0d4002000000000000, "
        "0dbff0000000000000;"
        " setp.ne.or.b64 p, r, 0x4003000000000000, p;\n"
        "min.f64 r, 0d3ff8000000000000, 0dc002000000000000;"
        " setp.ne.or.b64 p, r, 0xc002000000000000, p;\n"
        "max.f64 r, 0d3ff8000000000000, 0dc002000000000000;"
        " setp.ne.or.b64 p, r, 0x3ff8000000000000, p;\n"
        "neg.f64 r, 0d3ff8000000000000;"
        " setp.ne.or.b64 p, r, 0xbff8000000000000, p;\n"
        "abs.f64 r, 0dbff8000000000000;"
        " setp.ne.or.b64 p, r, 0x3ff8000000000000, p;\n"
        "div.rp.f64 r, 0d3ff0000000000000, 0d4008000000000000;"
        " setp.ne.or.b64 p, r, 0x3fd5555555555556, p;\n"
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(wrong));
    IS(wrong, 0);
}
__global__ void near(int *count)
{
    unsigned wrong;

    asm("{ .reg .pred p; .reg .b32 r; setp.ne.b32 p, 0, 0;\n"
        "rcp.approx.f32 r, 0f40400000; mul.f32 r, r, 0f42800000;"
        " cvt.rni.s32.f32 r, r; setp.ne.or.b32 p, r, 21, p;\n"
        "sqrt.approx.f32 r, 0f40400000; mul.f32 r, r, 0f42800000;"
        " cvt.rni.s32.f32 r, r; setp.ne.or.b32 p, r, 111, p;\n"
        "rsqrt.approx.f32 r, 0f40400000; mul.f32 r, r, 0f42800000;"
        " cvt.rni.s32.f32 r, r; setp.ne.or.b32 p, r, 37, p;\n"
        "ex2.approx.f32 r, 0f3fc00000; mul.f32 r, r, 0f42800000;"
        " cvt.rni.s32.f32 r, r; setp.ne.or.b32 p, r, 181, p;\n"
        "lg2.approx.f32 r, 0f40a00000; mul.f32 r, r, 0f42800000;"
        " cvt.rni.s32.f32 r, r; setp.ne.or.b32 p, r, 149, p;\n"
        "sin.approx.f32 r, 0f3f800000; mul.f32 r, r, 0f42800000;"
        " cvt.rni.s32.f32 r, r; setp.ne.or.b32 p, r, 54, p;\n"
        "cos.approx.f32 r, 0f3f800000; mul.f32 r, r, 0f42800000;"
        " cvt.rni.s32.f32 r, r; setp.ne.or.b32 p, r, 35, p;\n"
        "tanh.approx.f32 r, 0f3f800000; mul.f32 r, r, 0f42800000;"
        " cvt.rni.s32.f32 r, r; setp.ne.or.b32 p, r, 49, p;\n"
        "div.approx.f32 r, 0f40000000, 0f40400000; mul.f32 r, r, 0f42800000;"
        " cvt.rni.s32.f32 r, r; setp.ne.or.b32 p, r, 43, p;\n"
        "div.full.f32 r, 0f40000000, 0f40400000; mul.f32 r, r, 0f42800000;"
        " cvt.rni.s32.f32 r, r; setp.ne.or.b32 p, r, 43, p;\n"
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(wrong));
    IS(wrong, 0);
}
__global__ void comparisons(int *count)
{
    const unsigned floats[] = {0x1555, 0x2666, 0x3878, 0x3f80};
    const unsigned whole[] = {0x315, 0x2a6, 0x338};
    unsigned all;

    for (unsigned i = 0; i < 4; i++) {
        float f = i < 3 ? i + 1.0f : __uint_as_float(0x7fc00000);

        all = 0;
        asm("{ .reg .pred p;\n"
            "setp.lt.f32 p, %1, %2; @p add.u32 %0, %0, 1;\n"
            "setp.eq.f32 p, %1, %2; @p add.u32 %0, %0, 2;\n"
            "setp.le.f32 p, %1, %2; @p add.u32 %0, %0, 4;\n"
            "setp.gt.f32 p, %1, %2; @p add.u32 %0, %0, 8;\n"
            "setp.ne.f32 p, %1, %2; @p add.u32 %0, %0, 16;\n"
            "setp.ge.f32 p, %1, %2; @p add.u32 %0, %0, 32;\n"
            "setp.num.f32 p, %1, %2; @p add.u32 %0, %0, 64;\n"
            "setp.nan.f32 p, %1, %2; @p add.u32 %0, %0, 128;\n"
            "setp.ltu.f32 p, %1, %2; @p add.u32 %0, %0, 256;\n"
            "setp.equ.f32 p, %1, %2; @p add.u32 %0, %0, 512;\n"
            "setp.leu.f32 p, %1, %2; @p add.u32 %0, %0, 1024;\n"
            "setp.gtu.f32 p, %1, %2; @p add.u32 %0, %0, 2048;\n"
            "setp.neu.f32 p, %1, %2; @p add.u32 %0, %0, 4096;\n"
            "setp.geu.f32 p, %1, %2; @p add.u32 %0, %0, 8192;\n"
            "}"
            : "+r"(all)
            : "f"(f), "f"(2.0f));
        IS(all, floats[i]);
    }
    for (int i = 0; i < 3; i++) {
        all = 0;
        asm("{ .reg .pred p;\n"
            "setp.lt.s32 p, %1, %2; @p add.u32 %0, %0, 1;\n"
            "setp.eq.s32 p, %1, %2; @p add.u32 %0, %0, 2;\n"
            "setp.le.s32 p, %1, %2; @p add.u32 %0, %0, 4;\n"
            "setp.gt.s32 p, %1, %2; @p add.u32 %0, %0, 8;\n"
            "setp.ne.s32 p, %1, %2; @p add.u32 %0, %0, 16;\n"
            "setp.ge.s32 p, %1, %2; @p add.u32 %0, %0, 32;\n"
            "setp.lo.u32 p, %1, %2; @p add.u32 %0, %0, 64;\n"
            "setp.ls.u32 p, %1, %2; @p add.u32 %0, %0, 128;\n"
            "setp.hi.u32 p, %1, %2; @p add.u32 %0, %0, 256;\n"
            "setp.hs.u32 p, %1, %2; @p add.u32 %0, %0, 512;\n"
            "}"
            : "+r"(all)
            : "r"(i ? i + 1 : -1), "r"(2));
        IS(all, whole[i]);
    }
}

/* reach memory as strangers do */
/* 16 bytes by cp.async with a hint, 64 in bulk, atomics of 16 and 2 x 16 bits. */
__global__ void memory(int *count)
{
    __shared__ __align__(16) unsigned s[32];
    __shared__ __align__(8) unsigned long long bar;
    __device__ static __align__(16) unsigned from[32], pair;
    __device__ static __align__(8) unsigned same[2] = {3, 5};
    __device__ static unsigned short half[2];
    unsigned l = threadIdx.x, at = (unsigned)__cvta_generic_to_shared(s), x;
    unsigned gate = (unsigned)__cvta_generic_to_shared(&bar);
    unsigned long long policy;
    unsigned short h;

    /* load for the whole warp */
    asm volatile("{ .reg .b32 r; ldu.global.v2.u32 {%0, r}, [%1];\n"
                 "add.u32 %0, %0, r; }"
                 : "=r"(x)
                 : "l"(same));
    IS(x, 8);
    from[l] = 7 * l + 1;
    if (l == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(gate));
    __syncthreads();
    if (l < 4) {
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;"
            : "=l"(policy));
        asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, "
                     "%2;" ::"r"(at + 16 * l),
                     "l"(from + 4 * l), "l"(policy)
                     : "memory");
        asm volatile(
            "cp.async.ca.shared.global.L2::128B [%0], [%1], 16, 8;" ::"r"(
                at + 64 + 16 * l),
            "l"(from + 16 + 4 * l)
            : "memory");
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
    __syncthreads();
    /* ask where an address is */
    asm("{ .reg .pred p, q; isspacep.shared p, %1; isspacep.global q, %2;\n"
        "selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2;\n"
        "isspacep.shared::cta p, %2; @p add.u32 %0, %0, 4; }"
        : "=r"(x)
        : "l"(s), "l"(from));
    IS(x, 3);
    IS(s[l], l < 16 || l % 4 < 2 ? 7 * l + 1 : 0);
    __syncthreads();
    if (l == 0) {
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile(
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(
                gate)
            : "memory");
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"
            "::bytes [%0], [%1], 128, [%2];" ::"r"(at),
            "l"(from), "r"(gate)
            : "memory");
    }
    do
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(x)
                     : "r"(gate)
                     : "memory");
    while (!x);
    IS(s[l], 7 * l + 1);
    /* add halves as strangers do */
    asm volatile(
        "red.relaxed.gpu.global.add.noftz.f16x2 [%0], %1;" ::"l"(&pair),
        "r"(0x3c003800)
        : "memory");
    asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(h)
                 : "l"(&half[1]), "h"((unsigned short)0x3c00)
                 : "memory");
    __syncthreads();
    IS(*(volatile unsigned *)&pair, 0x50004c00); /* 32 and 16 */
    IS(((volatile unsigned short *)half)[1], 0x5000);
    __syncthreads();
    if (l == 0) {
        asm volatile("atom.global.cas.b16 %0, [%1], %2, %3;"
                     : "=h"(h)
                     : "l"(&half[1]), "h"((unsigned short)0x5000),
                       "h"((unsigned short)0)
                     : "memory");
        IS(h, 0x5000);
        IS(half[1], 0);
        pair = 0;
    }
}

/* copy boxes as strangers do */
__global__ void boxes(int *count, const __grid_constant__ CUtensorMap map)
{
    __shared__ __align__(128) float s[16];
    __shared__ __align__(8) unsigned long long bar;
    unsigned at = (unsigned)__cvta_generic_to_shared(s), done;
    unsigned gate = (unsigned)__cvta_generic_to_shared(&bar);

    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(gate));
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 64;" ::"r"(gate)
        : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier"
                 "::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at),
                 "l"(&map), "r"(4), "r"(2), "r"(gate)
                 : "memory");
    do
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(gate)
                     : "memory");
    while (!done);
    for (int i = 0; i < 16; i++)
        IS((int)s[i], 8 * (2 + i / 4) + 4 + i % 4);
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                 "[%0, {%1, %2}], [%3];" ::"l"(&map),
                 "r"(0), "r"(4), "r"(at)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group 0;" ::
                     : "memory");
}

/* try boxes from the host */
static void try_boxes(int *count)
{
    const uint64_t size[] = {8, 8}, row[] = {8, 1}, stride[] = {32};
    const unsigned box[] = {4, 4};
    CUtensorMap map;
    float *a;

    if (cudaMallocManaged(&a, 256) != cudaSuccess)
        exit(1);
    for (int i = 0; i < 64; i++)
        a[i] = (float)i;
    if (ptx_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, a, row, stride,
                       box, CU_TENSOR_MAP_SWIZZLE_NONE,
                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) ||
        ptx_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, a, size,
                       stride, box, CU_TENSOR_MAP_SWIZZLE_NONE,
                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        exit(1);
    boxes<<<1, 1>>>(count, map);
    if (cudaDeviceSynchronize() != cudaSuccess)
        exit(1);
    for (int i = 0; i < 64; i++) {
        int there = i / 8 >= 4 && i % 8 < 4; /* two rows up, four columns on */

        count[a[i] != (float)(there ? i - 2 * 8 + 4 : i)]++;
    }
    cudaFree(a);
}

/* write for a warp as strangers do */
__global__ void warp(int *count)
{
    __shared__ unsigned s;
    unsigned l = threadIdx.x % 32, w = threadIdx.x / 32, x, y;

    asm volatile("{ .reg .pred p; .reg .b32 r;\n" /* cub::WarpScan's */
                 "shfl.sync.up.b32 r|p, %1, 4, 0x1800, 0xffffffff;\n"
                 "@p add.u32 r, r, 100;\n"
                 "mov.u32 %0, r; }"
                 : "=r"(x)
                 : "r"(l));
    IS(x, l % 8 < 4 ? l : l - 4 + 100);
    asm volatile("{ .reg .pred p;\n"
                 "shfl.sync.down.b32 %0|p, %2, 1, 0x1f, 0xffffffff;\n"
                 "selp.u32 %1, 1, 0, p; }"
                 : "=r"(x), "=r"(y)
                 : "r"(l));
    IS(x, l == 31 ? 31 : l + 1);
    IS(y, l < 31);
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 5;\n"
                 "vote.sync.ballot.b32 %0, p, 0xffffffff;\n"
                 "vote.sync.uni.pred q, p, 0xffffffff;\n"
                 "@q add.u32 %0, %0, 100;\n"
                 "vote.sync.any.pred q, !p, 0xffffffff;\n"
                 "@q add.u32 %0, %0, 200; }"
                 : "=r"(x)
                 : "r"(l));
    IS(x, 31 + 200);
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;"
                 : "=r"(x)
                 : "r"(l / 16));
    IS(x, l < 16 ? 0xffff : 0xffff0000);
    asm volatile("{ .reg .pred p;\n"
                 "match.all.sync.b32 %0|p, %1, 0xffffffff;\n"
                 "@!p add.u32 %0, %0, 3; }"
                 : "=r"(x)
                 : "r"(l / 16));
    IS(x, 3);
    /* reduce as strangers do */
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;"
                 : "=r"(x)
                 : "r"((int)l - 7));
    IS(x, (unsigned)-7);
    asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;"
                 : "=r"(x)
                 : "r"(1u << l));
    IS(x, 0xffffffff);
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
                 : "=r"(x)
                 : "r"(2 * l | (2 * l + 1) << 16));
    y = l % 4 * 16 + l / 4; /* element (r, c) is 8 r + c */
    IS(x, y | (y + 8) << 16);
    asm volatile("{ .reg .pred p; setp.ge.u32 p, %1, 60;\n"
                 "barrier.cta.red.popc.aligned.u32 %0, 0, p; }"
                 : "=r"(x)
                 : "r"(threadIdx.x)
                 : "memory");
    IS(x, 4);
    if (threadIdx.x == 0)
        s = 9;
    if (w == 0) {
        asm volatile("bar.arrive 3, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 3, 64;" ::: "memory");
        IS(s, 9);
    }
}

/* meet in a cluster as strangers do */
__global__ void __cluster_dims__(2, 1, 1) cluster(int *count)
{
    __shared__ unsigned s;
    unsigned there, other = blockIdx.x ^ 1;

    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there)
                 : "r"((unsigned)__cvta_generic_to_shared(&s)), "r"(other));
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\n"
                 "barrier.cluster.wait.aligned;" ::
                     : "memory");
    if (threadIdx.x == 0)
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there),
                     "r"(5 + blockIdx.x)
                     : "memory");
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
    IS(s, 5 + other);
}

/* multiply as strangers do */
static __device__ int a_at(int i, int k)
{
    return (3 * i + 5 * k) % 7 - 1;
}
static __device__ int b_at(int k, int j)
{
    return (2 * k + 3 * j) % 5;
}

/* A whole number from -1 to 5 as an element. */
static __device__ unsigned encoded(char type, int v)
{
    unsigned f = __float_as_uint((float)v);

    return type == 't'   ? f
           : type == 'b' ? f >> 16
           : type == 'h'
               ? v ? (f >> 16 & 0x8000) | ((f - 0x38000000) << 1 >> 14 & 0x7fff)
                   : 0
           : type == 'i' ? (unsigned)v & 255
                         : (unsigned)v & 15;
}

/* Register r of a (or b): `bits` for an element, n its first row or column. */
static __device__ unsigned dealt(char type, int bits, int is_b, int row,
                                 int half)
{
    int per = 32 / bits, first = ((int)threadIdx.x % 4 + 4 * half) * per;
    unsigned all = 0;

    for (int i = 0; i < per; i++)
        all |= encoded(type, is_b ? b_at(first + i, row) : a_at(row, first + i))
               << i * bits % 32;
    return all;
}

static __device__ int summed(int i, int j, int k)
{
    int sum = i - j;

    for (int n = 0; n < k; n++)
        sum += a_at(i, n) * b_at(n, j);
    return sum;
}

/* multiply in each shape */
#define DEAL(type, bits)                                   \
    for (int i = 0; i < 4; i++)                            \
        a[i] = dealt(type, bits, 0, g + i % 2 * 8, i / 2); \
    for (int i = 0; i < 2; i++)                            \
    b[i] = dealt(type, bits, 1, g, i)
#define START(d)                \
    for (int i = 0; i < 4; i++) \
    d[i] = g + i / 2 * 8 - (2 * t + i % 2)
#define SUMS(k, d)              \
    for (int i = 0; i < 4; i++) \
    IS((int)d[i], summed(g + i / 2 * 8, 2 * t + i % 2, k))

/* name the instructions */
static __device__ void add_floats(int k, float f[4], const unsigned *a,
                                  const unsigned *b)
{
    if (k == 8)
        asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
            "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    else if (k == 9)
        asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 "
            "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    else if (k == 4)
        asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

static __device__ void add_whole(int k, int q[4], const unsigned *a,
                                 const unsigned *b)
{
    if (k == 16)
        asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 "
            "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+r"(q[0]), "+r"(q[1]), "+r"(q[2]), "+r"(q[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    else if (k == 32)
        asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+r"(q[0]), "+r"(q[1]), "+r"(q[2]), "+r"(q[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else if (k == 33)
        asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+r"(q[0]), "+r"(q[1]), "+r"(q[2]), "+r"(q[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else if (k == 34)
        asm("mma.sync.aligned.m16n8k32.row.col.s32.s4.u4.s32 "
            "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+r"(q[0]), "+r"(q[1]), "+r"(q[2]), "+r"(q[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    else if (k == 64)
        asm("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+r"(q[0]), "+r"(q[1]), "+r"(q[2]), "+r"(q[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* multiply with sums of 16 bits */
static __device__ void narrow_products(int *count, const unsigned *a,
                                       const unsigned *b, int g, int t)
{
    for (int k = 8; k <= 16; k += 8) {
        unsigned d[2];
        float f[4];

        START(f);
        for (int i = 0; i < 2; i++)
            asm("cvt.rn.f16x2.f32 %0, %1, %2;"
                : "=r"(d[i])
                : "f"(f[2 * i + 1]), "f"(f[2 * i]));
        if (k == 16)
            asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, "
                "{%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                : "+r"(d[0]), "+r"(d[1])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                  "r"(b[1]));
        else
            asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, "
                "{%2, %3}, {%4}, {%0, %1};"
                : "+r"(d[0]), "+r"(d[1])
                : "r"(a[0]), "r"(a[1]), "r"(b[0]));
        for (int i = 0; i < 4; i++)
            asm("cvt.f32.f16 %0, %1;"
                : "=f"(f[i])
                : "h"((unsigned short)(d[i / 2] >> 16 * (i % 2))));
        SUMS(k, f);
    }
}

/* multiply each after the other */
__global__ void products(int *count)
{
    int g = (int)threadIdx.x / 4, t = (int)threadIdx.x % 4, q[4];
    unsigned a[4], b[2];
    float f[4];

    DEAL('h', 16);
    narrow_products(count, a, b, g, t);
    START(f);
    add_floats(8, f, a, b);
    SUMS(8, f);
    DEAL('b', 16);
    START(f);
    add_floats(9, f, a, b);
    SUMS(8, f);
    DEAL('t', 32);
    START(f);
    add_floats(4, f, a, b);
    SUMS(4, f);
    DEAL('i', 8);
    START(q);
    add_whole(16, q, a, b);
    SUMS(16, q);
    START(q);
    add_whole(32, q, a, b);
    SUMS(32, q);
    START(q);
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, "
        "{%0, %1};"
        : "+r"(q[0]), "+r"(q[1])
        : "r"(a[0]), "r"(b[0]));
    IS(q[0], summed(g, 2 * t, 16));
    for (int i = 0; i < 4; i++)
        q[i] = i % 2 ? 0x7ffffff0 : 0x40000001; /* no float is that */
    add_whole(33, q, a, b);
    for (int i = 0; i < 4; i++) {
        int j = 2 * t + i % 2, row = g + i / 2 * 8;
        long long sum = summed(row, j, 32) - (row - j) +
                        (i % 2 ? 0x7ffffff0LL : 0x40000001);

        IS(q[i], (int)(sum < 0x7fffffff ? sum : 0x7fffffff));
    }
    DEAL('n', 4);
    START(q);
    add_whole(34, q, a, b);
    SUMS(32, q);
    START(q);
    add_whole(64, q, a, b);
    SUMS(64, q);
}

/* multiply in groups as strangers do */
enum { FAR = 220 << 10 };

/* So much that on Loom dynamic shared memory begins behind it. */
__global__ void wide(int *count)
{
    __shared__ char s[40 << 10];

    IS(s[count[0] % sizeof s] = 1, 1);
}

/* lay out a matrix */
/* A matrix whose rows run along k, as blocks of 8 x 8 numbers, each 128 bytes. */
static __device__ unsigned long long matrix(const void *p)
{
    return (((unsigned)__cvta_generic_to_shared(p) & 0x3ffff) >> 4) |
           128ull >> 4 << 16 | 256ull >> 4 << 32;
}

static __device__ void put(unsigned short *to, int i, int k, int x, int half)
{
    unsigned short h;

    if (half)
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"((float)x));
    else
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"((float)x));
    to[i / 8 * 128 + k / 8 * 64 + i % 8 * 8 + k % 8] = h;
}

/* multiply in three ways */
static __device__ void multiply(float *d, const unsigned short *a,
                                const unsigned short *b, int how)
{
#if defined(__LOOM__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
    const unsigned *r =
        (const unsigned *)a + threadIdx.x / 32 % 4 * 128 + threadIdx.x % 32;

    asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
    if (how == 0)
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                     "{%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}\n"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "l"(matrix(a)), "l"(matrix(b)), "r"(1));
    else if (how == 1)
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, -1, 1, 0;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(r[0]), "r"(r[64]), "r"(r[32]), "r"(r[96]),
                       "l"(matrix(b)));
    else
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                     "{%0, %1, %2, %3}, %4, %5, %6, 1, 1, 0, 0;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "l"(matrix(a)), "l"(matrix(b)), "n"(0));
    asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(0) : "memory");
#endif
}

/* map what has the same 18 bits */
static __device__ void map_next(const void *p)
{
    (void)p;
#ifdef __LOOM__
    unsigned at = (unsigned)__cvta_generic_to_shared(p) - (1 << 18), there;

    for (int by = -1024; threadIdx.x == 0 && by <= 1024; by += 1024)
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                     : "=r"(there)
                     : "r"(at + by), "r"(blockIdx.x ^ 1));
#endif
}

__global__ void __cluster_dims__(2, 1, 1) groups(int *count)
{
    extern __shared__ __align__(128) unsigned short matrices[];
    __shared__ __align__(128) unsigned short a[64 * 16];
    unsigned short *b = matrices + FAR / 2;
    int t = (int)threadIdx.x;

    map_next(b);
    for (int how = 0; how < 3; how++) {
        float d[4];

        for (int i = t; i < 64 * 16; i += 256)
            put(a, i / 16, i % 16, (i / 16 + i % 16) % 5 - 2, how == 1);
        if (t < 128)
            put(b, t / 16, t % 16, (t / 16 + 3 * t) % 7 - 3, how == 1);
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        for (int i = 0; i < 4; i++)
            d[i] = (float)(10 * t + i);
        multiply(d, a, b, how);
        for (int i = 0; i < 4; i++) {
            int row = t / 32 % 4 * 16 + t % 32 / 4 + i / 2 * 8;
            int column = t % 4 * 2 + i % 2, sum = 0;

            for (int k = 0; k < 16; k++)
                sum += ((row + k) % 5 - 2) *
                       ((column + 3 * (16 * column + k)) % 7 - 3);
            IS((int)d[i], (how < 2 ? 10 * t + i : 0) + (how == 1 ? -sum : sum));
        }
        __syncthreads();
    }
}

/* choose what strangers do */
int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    int *count;

    if (cudaMallocManaged(&count, 2 * sizeof *count) != cudaSuccess)
        return 1;
    memset(count, 0, 2 * sizeof *count);
    if (strstr("words", only))
        words<<<1, 1>>>(count, 0x12345678, 0x9abcdef0);
    if (strstr("words", only)) {
        bits<<<1, 1>>>(count);
        integers<<<1, 1>>>(count);
        atomics<<<1, 1>>>(count);
    }
    if (strstr("floats", only))
        floats<<<1, 1>>>(count, 1.5f, -2.25f);
    if (strstr("floats", only)) {
        exact<<<1, 1>>>(count);
        doubles<<<1, 1>>>(count);
        near<<<1, 1>>>(count);
        comparisons<<<1, 1>>>(count);
    }
    if (strstr("memory", only))
        memory<<<1, 32>>>(count);
    if (strstr("boxes", only))
        try_boxes(count);
    if (strstr("warp", only))
        warp<<<1, 64>>>(count);
    if (strstr("cluster", only))
        cluster<<<2, 64>>>(count);
    if (strstr("products", only))
        products<<<1, 32>>>(count);
    if (strstr("groups", only)) {
        cudaFuncSetAttribute(
            groups, cudaFuncAttributeMaxDynamicSharedMemorySize, FAR + 256);
        groups<<<2, 256, FAR + 256>>>(count);
        wide<<<1, 1>>>(count);
    }
    if (cudaDeviceSynchronize() != cudaSuccess || count[0] == 0)
        return 1;
    printf("%s: %d of %d differ\n", count[1] ? "not ok" : "ok", count[1],
           count[0] + count[1]);
    return count[1] != 0;
}
