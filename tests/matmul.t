#!/bin/sh
# Chapter 13, Matrix multiplication, correct.
. tests/tap.sh

parts()
{
    ${CC:-cc} -w -std=c11 -I"$SRC" -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -o "$tap_tmp/parts" tests/data/matmul/parts.c -lm &&
        [ "$("$tap_tmp/parts" 2>/dev/null)" = "$(echo "0 3 1;2 2 1;0 1 2;2 1 1;2 1 3;0 0 1;2 3 1;2 1 3;\
2 18446744073709551615 1;2 1 9;000000" | tr -d '\n')" ]
}
# What kernels and cuBLAS are told, without a device: k<<<g, b>>>(x) as (launched(g, b), k)(x).
launches()
{
    : >"$tap_tmp/cublas_v2.h"
    {
        sed -n '/^enum { TILE/p; /^struct product/,/^};/p' "$SRC/matmul/product.cuh"
        echo 'static void multiply_naive(struct product), multiply_coalesced(struct product);
            template <int A, int B> static void multiply_tiled(struct product);'
        sed -n '/^\/\* launch a kernel on a product/,$p' "$SRC/matmul/matmul.cuh"
        sed -n '/^enum { ROWS/p; /^__global__ void multiply_vector/,/^}/p' "$SRC/matmul/solutions/matvec.cu"
    } | sed -E -e '/^#/d' -e 's/kernel<<<(.*)>>>/(launched(\1), kernel)/' >"$tap_tmp/parts.h"
    ${CC:-cc} -c -o "$tap_tmp/ends.o" tests/data/ends.c &&
        ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
            -fsanitize-coverage=trace-pc -I"$tap_tmp" -I"$SRC" -include tests/data/refused.h \
            -o "$tap_tmp/launch" tests/data/matmul/launch.cc "$tap_tmp/ends.o" &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/launch" 2>/dev/null | diff - tests/data/matmul/launch.txt
}
ok "products by three kernels and by cuBLAS are told or refused as listed" launches

ok "of ten sets of arguments for a product seven are refused; how far apart elements are; three loops" parts

for s in 1 2; do
    ok_run "the CPU's products of whole numbers, seed $s" \
        $B/loom/matmul/cpu 400 --seed $s
done
for n in 1 2 3 7 16 27; do
    ok_run "no step count of $n x $n leaves Brent's bounds" \
        $B/loom/matmul/span $n
done
# steps N: how many 16 processors take, by loops
steps()
{
    $B/loom/matmul/span "$1" | awk '$1 == 16 && $2 ~ "^[0-9]+$" { print $2 }'
}
if [ -z "${PLANTED-}" ]; then
    ok "E30: with 16 processors, twice the size takes eight times the steps" \
        awk -v a="$(steps 16)" -v b="$(steps 32)" \
        'BEGIN { exit !(b / a > 7.9 && b / a < 8.1) }'
fi

for b in $BACKENDS; do
    P=$B/$b/matmul

    for p in matmul library; do
        each $p "1 1 1" "0 5 3" "5 0 3" "5 3 0" "0 0 0" "32 32 32" "33 31 65" \
            "64 96 128" "129 127 128" "1 129 64" "129 1 2" "97 101 103" \
            "3 2 4099" "500 31 17" "45 67 33"
    done
    each solutions/matvec ""
    each solutions/linear "1 1 1" "64 32 96" "37 50 10"
    each solutions/split ""
    each solutions/sixteen 16 48 128

    for p in matmul library; do
        ok_run "$p, every size below 130, on the $b" $P/$p --below 130 --seed 3
    done
    fails_run "E76: without its mask a product is wrong at 33, on the $b" \
        'wrote behind C' $P/wrong/unmasked
    prints "the benchmark verifies what it measures, on the $b" \
        '^matmul,library,66,of_library,100,%$' $P/bench --small
    fails_run "a size that is no multiple of 32 is not counted ($b)" \
        'a multiple of 32, not 100' $P/traffic 100
done

# ---- what Loom counts is what the formula says -----------------------
# rows of the formula that Loom's count does not have
differ()
{
    $B/inst/matmul/$1 128 $3 | sed 's/^/matmul,/; s/$/,count/' >"$tap_tmp/formula"
    LOOM_THREADS=1 LOOM_COUNT=csv:matmul,$2,128 $B/inst/matmul/$1 128 $3 \
        >"$tap_tmp/counted" 2>/dev/null
    [ "$(wc -l <"$tap_tmp/formula")" -ge 3 ] || echo "nothing was predicted"
    grep -vxF -f "$tap_tmp/counted" "$tap_tmp/formula"
}
if have inst && [ -z "${PLANTED-}" ]; then
    for p in traffic matmul solutions/sixteen; do tap_build $B/inst/matmul/$p; done
    for v in naive naive_nt naive_tn coalesced coalesced_nt coalesced_tn \
        tiled tiled_nt tiled_tn; do
        is "$v asks for the sectors that were predicted" \
            "$(differ traffic $v "--only $v")" ""
    done
    is "tiles of sixteen ask for twice the sectors" \
        "$(LOOM_THREADS=1 LOOM_COUNT=csv:matmul,sixteen,128 \
            $B/inst/matmul/solutions/sixteen 128 2>/dev/null |
            sed -n 's/^matmul,sixteen,128,global_read_sectors,\(.*\),count/\1/p')" \
        32768
else
    skip "requests cost what was predicted" "needs the instrumented Loom"
fi
if have inst; then
    for a in "45 67 33" "--below 20"; do
        ok_run "no race and no bad access: matmul $a" $B/inst/matmul/matmul $a
    done
fi

# ---- what the compiler makes of the tiles --------------------------------------
# the tiled kernels that load 16 bytes of shared memory at once
wide_loads()
{
    cuobjdump -sass $B/gpu/matmul/traffic |
        awk '/Function :/ { f = $NF } /LDS\.128/ { print f }' |
        sed -n 's/.*multiply_tiledI\(.*\)EEv.*/\1/p' | sort -u | tr '\n' ' '
}
if have cuobjdump && have nvcc; then
    $MAKE -s SRC="$SRC" B="$B" $B/gpu/matmul/traffic >"$tap_tmp/make" 2>&1 || tap_diag <"$tap_tmp/make"
    is "a tile of A is read by 16 bytes, a turned one is not" \
        "$(wide_loads)" "Li0ELi0 Li0ELi1 "
else
    skip "a tile of A is read by 16 bytes" "needs nvcc and cuobjdump"
fi
fails_run "the script that counts says what it wants to know" \
    'loom, or the GPU' sh tangled/matmul/traffic.sh

# ---- what was measured ------------------------------------------------------
# recorded file 'awk condition over v[variant, size, metric]'
recorded()
{
    awk -F, '!/^#/ { v[$2, $3, $4] = $5 } END { exit !('"$2"') }' "$1"
}
csv=bench/results/h200/matmul.csv
if [ -f $csv ]; then
    for n in 1024 2048 4096; do
        ok "each step of the ladder is faster than the one before, at $n" \
            recorded $csv "v[\"naive\", $n, \"us\"] > v[\"coalesced\", $n, \"us\"] &&
            v[\"coalesced\", $n, \"us\"] > v[\"tiled\", $n, \"us\"] &&
            v[\"tiled\", $n, \"us\"] > v[\"library\", $n, \"us\"]"
    done
fi
gpu=bench/results/h200/matmul-count.csv
loom=bench/results/loom/matmul-count.csv
if [ -f $gpu ] && [ -f $loom ]; then
    is "ncu and Loom agree about global memory, in every row" \
        "$(grep ',128,global_' $loom | grep -v write_requests |
            grep -vxF -f $gpu)" ""
fi

wrongs matmul
solutions matmul
checked matmul
tallied matmul
transcripts matmul
done_testing
