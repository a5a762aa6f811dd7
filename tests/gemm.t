#!/bin/sh
# Chapter 14, Matrix multiplication, tuned.
# depends: tests/data/gemm
. tests/tap.sh

# For a warp one lane arrives at the barrier of a stage. racecheck does not see that the
# others' writes go before it: of one warp that hands 32 numbers to another like that it
# calls 31 a race, and 32 when the reader does not wait; when each lane arrives, none.
RACECHECK="--kernel-name-exclude kns=multiply_bulk"

for b in $BACKENDS; do
    P=$B/$b/gemm

    for p in gemm rungs; do
        each $p "1 1 1" "0 5 3" "5 0 3" "5 3 0" "0 0 0" \
            "64 96 128" "129 127 128" "1 129 64" "129 1 2" "97 101 103" \
            "3 2 1027" "200 31 17" "45 67 33" "7 260 70" "33 31 65"
        ok_run "$p, every size below 70, on the $b" $P/$p --below 70 --seed 3
    done
    each bulk "1 1 1" "0 5 3" "5 3 0" "96 132 68" "129 68 100" "36 64 132" "33 31 65"
    prints "tries 260 132 100: each candidate serves a product, on the $b" \
        '^12 served' $P/tries 260 132 100 --seed 7
    prints "tries 33 31 65: none serves rows of odd length, on the $b" \
        '^0 served' $P/tries 33 31 65 --seed 7
    prints "the benchmark verifies what it measures, on the $b" \
        '^gemm,sgemm_shapes,3,of_cublas_geomean,' \
        $P/bench --small --shapes tests/data/gemm/few.txt
    ok_run "what sgemm chooses for each shape is listed, for two cards, on the $b" \
        sh -c "$P/tune --plans | diff - tests/data/gemm/plans.txt"
    prints "the tuner prints its table and compares plans, on the $b" \
        '33 x 33 x 33 NN: .* loses' $P/tune --small
    prints "the tuner times the candidates, on the $b" \
        '^gemm,bulk_wide,68,of_cublas,' $P/tune --small --tries
    prints "each kernel runs once for the profiler, on the $b" \
        '^bulk_wide$' $P/once 68
    fails_run "a file of shapes must hold shapes ($b)" \
        'shape 1 must be m n k' $P/tune --small --shapes tests/data/gemm/wrong.txt
    fails_run "a file of shapes must be there ($b)" \
        '--shapes names a file' $P/tune --small --shapes none.txt
done

# What is launched, without a device: k<<<g, b>>>(x) as launched(g, b), k(x).
launches()
{
    g=$SRC/gemm
    {
        sed -n '/^\/\* name the ways in/,/^\/\* say what a thread copies/p
            /^enum { STRIP/p; /int2 find_tile(/,/^}/p' $g/tiles.cuh
        sed -n '/^struct product {/,/^};/p' "$SRC/matmul/product.cuh"
        sed -n '/^\/\* describe a product with a short/,/^\/\* write an element/p
            /^\/\* describe sums to be added/,$p' $g/few.cuh | sed '$d; s/^    add_parts(/    add_parts_by(/'
        sed -n '/^\/\* launch the sum of the parts/,$p' $g/launch.cuh | sed '$d'
        sed -n '/^\/\* name the sizes of tiles in bulk/,/^\/\* order the tiles/p
            /^\/\* say what a tensor map can/,$p' $g/bulk.cuh | sed '$d'
        sed -n '/^\/\* launch a small product/,$p' $g/small.cuh | sed '$d'
        sed -n '/^template <int COUNT, int GAP>/,/^}/p' $g/tiles.cuh
        sed -n '/^\/\* multiply by patches/,/^\/\* launch a rung/p' $g/rungs.cuh | sed '$d'
        cat $g/sgemm.cuh
    } | sed '/^#include/d; /^#line/d' | sed -E -e ':a' -e 'N' -e '$!ba' \
        -e 's/([a-z0-9_]+(<[A-Z, ]*>)?)\n? *<<<([^;]*)>>>/launched(\3), \1/g' >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -std=gnu++17 -ffp-contract=off -fsanitize=undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -include tests/data/launch.h -o "$tap_tmp/launch" tests/data/gemm/launch.cc || return
    "$tap_tmp/launch" | diff tests/data/gemm/launch.txt -
}
ok "plans, what they are thought to take, and their launches are as listed; parts add up; rungs fetch all, once" launches

is "what ncu prints becomes rows, of the longest kernel behind each mark" \
    "$(awk -v n=64 -v names=tests/data/gemm/names.txt \
        -v metrics=tests/data/gemm/metrics.txt -f tangled/gemm/profile.awk \
        tests/data/gemm/ncu.csv 2>/dev/null)" "$(cat tests/data/gemm/ncu.want)"
is "of a loop in machine code, what is counted, and which loads are late" \
    "$(awk 'function line(s) { printf "        /*%04x*/  %s ;\n", 16 * n++, s }
        BEGIN {
            print "\t\tFunction : f"
            for (i = 0; i < 80; i++) {
                if (i == 0 || i == 50) line("@!P0 LDG.E R4, desc[UR4][R6.64]")
                line(i % 2 ? "FFMA R8, R1, R2, R8" : "FFMA R9, R1, R2, R9")
            }
            line("@P1 BRA 0x0")
        }' | awk -f tangled/gemm/sass.awk)" f,83,80,0,80,2,1,50
is "the benchmark's list has 60 shapes" "$(grep -vc '^#' \
    "$(sed -n 's/.*"--shapes", "\(.*\)").*/\1/p' tangled/gemm/bench.cu)")" 60

if have inst; then
    for a in "45 67 33" "--below 12"; do
        ok_run "no race and no bad access: gemm $a" $B/inst/gemm/gemm $a
        ok_run "no race and no bad access: rungs $a" $B/inst/gemm/rungs $a
    done
    ok_run "no race and no bad access: bulk 36 64 132" \
        $B/inst/gemm/bulk 36 64 132
fi

solutions gemm
transcripts gemm
done_testing
