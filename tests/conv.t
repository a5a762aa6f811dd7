#!/bin/sh
# Chapter 16, Convolution.
. tests/tap.sh

M=$B/loom/conv
ok_run "three modes on a line, and their algebra" $M/line
prints "E27: sizes by the formula and by counting agree; the degenerate are refused" \
    '^ok: 8400 sets of parameters counted, 100000 large ones, 17 refused' $M/sizes
prints "the reference obeys the definition, both adjoints and the flip" \
    '^ok: 315 shapes; [0-9]* input gradients' $M/adjoint

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
done_testing
