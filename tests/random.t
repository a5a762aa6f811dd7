#!/bin/sh
# Chapter 12, Random numbers.
. tests/tap.sh
. tests/small.sh

D=tests/data/random
M=$B/loom/random

prints "Philox gives the three known answers" '^ok: 3 known' $M/check_philox
prints "E20: the words that cuRAND and PyTorch drew on an H200 are ours" \
    '^ok: 3 known answers, 2 files' $M/check_philox $D/curand.txt $D/torch.txt
fails_run "a word that differs is seen" 'false.txt:1: they have' \
    $M/check_philox $D/false.txt
parts()
{
    sed -n '/^__global__ void fill_constant/,/^}/p' "$SRC/random/bench.cu" >"$tap_tmp/parts.h"
    ${CC:-cc} -c -o "$tap_tmp/ends.o" tests/data/ends.c &&
        ${CC:-cc} -w -std=c11 -D_DEFAULT_SOURCE -g -fsanitize=address,undefined \
            -fno-sanitize-recover=undefined -fsanitize-coverage=trace-pc -I"$tap_tmp" -I"$SRC" \
            -o "$tap_tmp/parts" $D/parts.c "$tap_tmp/ends.o" -lm &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" | diff - $D/parts.txt
}
ok "p-values are those of closed forms; sides, shuffles, all that is drawn and what is filled are as listed" parts
exports()
{
    $1 10 --seed 5 --show | grep -v '^ok' | cmp - $D/kinds.txt
}
prints "threads seeded by their number climb a ramp" ' 1664525 ' $M/threads

for n in 5000 60001; do
    ok_run "ends, ranges and normals: $n" $M/check_draw $n --seed $n
done
ok_run "shuffles of 0 to 1000 and all orders of 2 to 6" $M/check_shuffle 1000
prints "P14: the number of weights in place of the fan-in: all vanishes" \
    '^number of weights .*e-[12][0-9]$' $M/kaiming
prints "E22: ten rounds pass six tests, three do not; nor does a counter" \
    '^philox, 3 .*fails$' $M/quality --seed 3
prints "E22: the p-values of 100 seeds are even" '^p-values of 100' \
    $M/quality 65536 --seeds 100

for b in $BACKENDS; do
    P=$B/$b/random
    each same $small 257 1021 65537
    ok "numbers of every kind are what they were ($b)" exports $P/same
    # on Loom, loom/philox.h against random/: they share no code
    for s in 0 7 18446744073709551615; do
        ok_run "cuRAND's Philox with seed $s on the $b" $P/curand --seed $s
    done
    prints "E21: an offset of 100 skips 100 words: it begins at word 100 ($b)" \
        '^random,philox_default,100,begins,100,$' $P/bench 10
    [ $b != gpu ] || rows=$(cat "$tap_out")
    each solutions/odd 0 1 2 3 127 128 129 999
    # with this seed there is a point just within the circle, and one just without
    prints "pi by a million points on the $b" '^785298 of 1000000 ' \
        $P/solutions/pi 1000000 --seed 3040
done

has()
{
    case $rows in *",$1,"*) return 0 ;; esac
    echo "cuRAND has no $1"
    return 1
}
if have gpu; then
    for row in xorwow_seeded,100,as_default,0 mrg32k3a_legacy,100,as_default,0 \
        mtgp32_legacy,100,as_default,0 mt19937_legacy,100,as_default,1 \
        mtgp32_default,100,offset,0 mt19937_default,100,offset,0 \
        xorwow_default,100,begins,100 mrg32k3a_legacy,100,begins,100 \
        philox_dynamic,100,begins,100 mt19937_dynamic,100,order,0; do
        ok "E21: cuRAND says $row" has "$row"
    done
else
    skip "E21: the orders and offsets of five generators" "needs a GPU"
fi

if have gpu && python3 -c 'import torch' 2>/dev/null; then
    prints "E20: torch.rand on the GPU is Philox, on the CPU MT19937" \
        'on the CPU is MT19937' python3 bench/peers/random_philox.py torch
else
    skip "E20: torch.rand on the GPU is Philox, on the CPU MT19937" \
        "needs a GPU and PyTorch"
fi
if python3 -c 'import numpy' 2>/dev/null; then
    prints "numpy makes the same weights and orders" '^ok: 160 numbers' \
        python3 bench/peers/random_philox.py check $D/kinds.txt
else
    skip "numpy makes the same weights and orders" "needs numpy"
fi

solutions random
checked random
tallied random
transcripts random
small_agrees random 1
done_testing
