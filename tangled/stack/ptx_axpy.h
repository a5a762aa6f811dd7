/* ptx_axpy.h: y[i] = a x[i] + y[i] in PTX 6.3 for compute capability 7.5. */
#ifndef STACK_PTX_AXPY_H
#define STACK_PTX_AXPY_H

static const char ptx_axpy[] =
    ".version 6.3\n"
    ".target sm_75\n"
    ".address_size 64\n"
    ".visible .entry axpy(.param .u32 n, .param .f32 a,\n"
    "                     .param .u64 x, .param .u64 y)\n"
    "{\n"
    "    .reg .pred %p;\n"
    "    .reg .f32 %f<4>;\n"
    "    .reg .b32 %r<6>;\n"
    "    .reg .b64 %rd<6>;\n"
    /* load the parameters in PTX */
    "    ld.param.u32 %r1, [n];\n"
    "    ld.param.f32 %f1, [a];\n"
    "    ld.param.u64 %rd1, [x];\n"
    "    ld.param.u64 %rd2, [y];\n"
    /* compute the index in PTX */
    "    mov.u32 %r2, %ctaid.x;\n"
    "    mov.u32 %r3, %ntid.x;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "    setp.ge.s32 %p, %r5, %r1;\n"
    "    @%p bra done;\n"
    /* multiply and add in PTX */
    "    mul.wide.s32 %rd3, %r5, 4;\n"
    "    add.s64 %rd4, %rd1, %rd3;\n"
    "    add.s64 %rd5, %rd2, %rd3;\n"
    "    ld.f32 %f2, [%rd4];\n"
    "    ld.f32 %f3, [%rd5];\n"
    "    fma.rn.f32 %f3, %f2, %f1, %f3;\n"
    "    st.f32 [%rd5], %f3;\n"
    "done:\n"
    "    ret;\n"
    "}\n";

#endif
