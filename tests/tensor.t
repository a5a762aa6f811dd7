#!/bin/sh
# Chapter 15, Libraries and tensor cores.
. tests/tap.sh

for b in $BACKENDS; do
    P=$B/$b/tensor

    each bgemm "1 1 1" "0 5 3" "5 0 3" "5 3 0" "33 31 65" "64 64 64" \
        "128 256 64" "129 127 128" "3 2 1030" "45 67 33" "7 260 70" \
        "260 300 136" "72 136 72"
    ok_run "bgemm, every size below 40, on the $b" $P/bgemm --below 40 --seed 3
    each library "1 1 1" "0 5 3" "5 3 0" "45 67 33" "129 127 128"
    each cluster "0 7 1" "1000 7 3" "10000 100000 8" "4097 1 2"
    fails_run "bins that do not fit are refused ($b)" \
        '200000 bins do not fit in the shared memory of 2 blocks' $P/cluster 10 200000 2
    prints "the benchmark verifies what it measures, on the $b" \
        '^tensor,bgemm,136,of_cublas,' $P/bench --small
    also "E24: there is a ratio for more than one size ($b)" '^tensor,bgemm,64,of_cublas,'
    fails_run "E23: a variant that writes nothing is not taken for right ($b)" \
        'nothing: row 0 of 64 is wrong' $P/bench --nothing
    prints "E63: tensor cores multiply by warps and by warpgroups ($b)" \
        '^ok: .* bgemm wmma mma' $P/bgemm 45 67 33
    [ "$b" = loom ] || {
        ok_run "an epilogue by cuBLASLt, on the $b" $P/epilogue
        ok_run "an epilogue by cuBLASLt, another shape, on the $b" $P/epilogue 256 512 128
        ok_run "host matrices by cuBLASXt, on the $b" $P/xt
        ok_run "host matrices by cuBLASXt, thin ones, on the $b" $P/xt 1 300 7
        prints "types and epilogues are verified and timed, on the $b" \
            '^tensor,type_three,64,error,' $P/bench --small --types
    }
    ok_run "the tiles that bgemm chooses are listed, on the $b" \
        sh -c "$P/tune --choose | diff - tests/data/tensor/tiles.txt"
    prints "the tuner tries its tiles, on the $b" \
        '^(136: fastest is |nothing to tune)' $P/tune --small
    prints "other first steps, and a C written by threads, on the $b" \
        '^(136: fastest is |nothing to tune)' $P/tune --small --turn 1 --threads
done

# What is launched, without a device: k<<<g, b>>>(x) as launched(g, b), k(x).
launches()
{
    t=$SRC/tensor
    {
        sed -n '/^\/\* describe a product of bf16/,/^\/\* write pairs/p' $t/product.cuh
        sed -n '/^\/\* describe a product by tensor maps/,/^\/\* fill a box/p' $t/group.cuh
        sed -n '/^struct bgemm {/,/^};/p; /^\/\* make a product \*/,$p' $t/launch.cuh
        sed '/^#ifndef __LOOM__/,/^\/\* choose a tile/d' $t/bgemm.cuh
        echo 'static struct { struct bgemm h; } ladder;'
        sed -n '/^\/\* The arguments/,/^static/p' $t/rung.cuh | sed '$d'
        sed -n '/^\/\* fill matrices of bf16/,/^}/p
            /^\/\* hold the matrices/,/^typedef/p' $t/measured.cuh
        sed -n '/^    multiply_wmma(/,/^}/{/^#if/d; s/^ *multiply_wmma/static void wmma_by/; p}' $t/warp.cuh
        cat $t/rungs.cuh
    } | sed -E -e '/^#(include|ifndef|endif|line)/d' -e '/^#define [A-Z_]*_CUH$/d' |
        sed -E -e ':a' -e 'N' -e '$!ba' \
            -e 's/([a-z0-9_]+(<[A-Z, ]*>)?)\n? *<<<([^;]*)>>>/launched(\3), \1/g' >"$tap_tmp/parts.h"
    sed -n '/^ *\/\* bring the tiles \*/,/^            }$/p' $t/group.cuh >"$tap_tmp/bring.h"
    ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -include tests/data/launch.h -include tests/data/refused.h -o "$tap_tmp/launch" \
        tests/data/tensor/launch.cc || return
    ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/launch" | diff tests/data/tensor/launch.txt -
}
ok "so many blocks, boxes and steps as are listed; all registers are given out; wmma is given what it can load" launches

if have inst; then
    for a in "45 67 33" "129 130 72" "72 70 264"; do
        ok_run "no race and no bad access: bgemm $a" $B/inst/tensor/bgemm $a --few
    done
    for s in 1 2 3; do
        ok_run "no race and no bad access under seed $s: bgemm" \
            env LOOM_SEED=$s $B/inst/tensor/bgemm 40 70 136 --few
    done
    ok_run "no race and no bad access: cluster" $B/inst/tensor/cluster 3000 9000 4
fi

solutions tensor
transcripts tensor
done_testing
