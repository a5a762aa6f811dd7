#!/bin/sh
# Chapter 16, Convolution.
. tests/tap.sh
. tests/small.sh

M=$B/loom/conv
ok_run "three modes on a line, and their algebra" $M/line
prints "E27: sizes by the formula and by counting agree; the degenerate are refused" \
    '^ok: 8400 sets of parameters counted, 100000 large ones, 19 refused' $M/sizes
prints "the reference obeys the definition, both adjoints and the flip" \
    '^ok: 315 shapes; [0-9]* input gradients' $M/adjoint

# Which kernel is chosen for a shape, in which grid: the chapter's headers without a device,
# k<<<g, b>>>(x) as (launched(g, b), k)(x). And what a thread loads, with all bounds checked.
parts()
{
    c=$SRC/conv
    {
        sed -n '/^\/\* describe a gather/,/^#endif/p' $c/gather.cuh
        sed -n '/^\/\* launch a direct gather/,$p' $c/direct.cuh
        sed -n '/^struct place/,/^};/p; /^\/\* load nine taps/,/^\/\* load weights/p
            /^\/\* load four numbers/,/^\/\* multiply one stage/p
            /^\/\* launch an implicit product/,/^\/\* make all channels/p
            /^\/\* launch the kernel for one/,$p' $c/implicit.cuh
        sed -n '/halo_side(int/,/^}/p; /^\/\* launch a tiled/,$p' $c/tiled.cuh
        sed -n '/^\/\* launch a convolution by columns/,$p' $c/im2col.cuh
        sed -n '/^\/\* plan a filter gradient/,/^\/\* share the rows/p
            /^\/\* load four places/,/^\/\* sum nine taps/p
            /^\/\* share the rows/,/^\/\* sum one weight/p
            /^\/\* add the products of a row/,/^\/\* add up the splits/s/filter_tile(/sum_tile(/p
            /^\/\* add the products of a row/,/^\/\* add up the splits/{/sum_tile(/!p}
            /^\/\* launch a filter gradient/,$p' $c/filter.cuh
        sed -n '/^\/\* choose a kernel for a gather/,$p' $c/conv.cuh
    } | sed -E -e '/^#(include|ifndef|endif|define|line)/d' |
        sed -E -e ':a' -e 'N' -e '$!ba' -e 's/\n *<<</<<</g' \
            -e 's/([a-z_]+(<[A-Za-z]+>)?)<<<([^\n]*)>>>/(launched(\3), \1)/g' >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -o "$tap_tmp/parts" tests/data/conv/parts.cc &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" | diff - tests/data/conv/parts.txt
}
ok "42 shapes get the kernels, grids and rooms that are listed; loads keep to their arrays" parts

for b in $BACKENDS; do
    P=$B/$b/conv

    each forward "1 1 129 127 5 3 3 1 1 1" "3 5 17 19 70 3 3 1 1 1" \
        "1 3 37 1 33 5 1 1 2 1" "1 1 100 100 1 30 30 3 1 1" \
        "1 1 130 130 1 120 120 1 1 1" "--random 12"
    each gradients "--random 12"
    prints "forward, more random shapes on the $b" '^ok' \
        $P/forward --random 120 --seed 11
    prints "gradients, more random shapes on the $b" '^ok' \
        $P/gradients --random 60 --seed 12
    fails_run "a filter larger than the padded image is refused, on the $b" \
        'larger than the padded image' $P/forward 1 1 2 5 1 3 3 2 0 1
    fails_run "a tensor beyond the kernels' int is refused, on the $b" \
        'more than 2\^31 - 1024 elements' \
        $P/forward 4096 4096 128 1 1 1 1 1 0 1
    fails_run "half a shape is refused, on the $b" \
        'a shape is n c h w k' $P/forward 3 2
    fails_run "a kernel that does not exist is refused, on the $b" \
        'no kernel named foo' $P/forward --only foo
    fails_run "E16: a block as large as a 33 x 33 image is refused, on the $b" \
        'cudaErrorInvalid(Configuration|Value)' $B/$b/kernels/hello 1 1089
    prints "the benchmark checks what it measures, on the $b" \
        '^conv,second_dw_cublas,2,gflops,[0-9.e+-]+,GFLOP/s$' $P/bench --small
done

fails_run "counting wants a shape" 'give five numbers' sh tangled/conv/count.sh 2
solutions conv
checked conv
transcripts conv
small_agrees conv 1
done_testing
