#!/bin/sh
# Chapter 6, The memory hierarchy.
# depends: tests/data/once.h
. tests/tap.sh
. tests/small.sh

rectangles=$(for n in $(seq 1 66) 95 96 97 127 128 129; do
    echo "$n $((130 - n)) --seed $n"
done)

# Which kernels copy and transpose, what is predicted of strides, what probes read: the
# chapter's headers without a device, k<<<g, b>>>(x) as (launched(g, b), k)(x).
parts()
{
    m=$SRC/memory
    {
        grep '^enum { STREAM_IN' $m/move.cuh
        sed -n '/^template <class KERNEL>/,/^}/{s/shared_allowed/shared_asked/;p;}' $m/move.cuh
        grep '^enum {.*WIDE' $m/transpose.cuh
        sed -n '/^static __device__ inline int turned/,/^}/p
            /^\/\* launch an element a thread/,$p' $m/transpose.cuh
        sed -n '/^\/\* launch a copy/,$p' $m/copy.cuh
        sed -n '/^struct rung {/,/^};/p; /^static inline double rung_bytes/,/^}/p
            /inline size_t line_after/,/^}/p
            /^__global__ void read_\(strided\|scattered\)/,/^}/p' $m/probes.cuh |
            sed '/^__global__ void read_/,/^{/s/const float \*x/struct counted x/'
        sed -n '/^\/\* start to load a tile/,/^\/\* sum a tile by vectors/p' $m/box.cuh
    } | sed -E -e '/^#(include|ifndef|endif|define|line|pragma)/d' |
        sed -E -e ':a' -e 'N' -e '$!ba' -e 's/\n *<<</<<</g' \
            -e 's/([a-z_]+(<[A-Z, ]+>)?)<<<([^\n]*)>>>/(launched(\3), \1)/g' >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -o "$tap_tmp/parts" tests/data/memory/parts.cc &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" | diff - tests/data/memory/parts.txt
}
ok "copies and transposes are launched, strides predicted, probes read and boxes loaded as listed" parts

# What the probes launch, which words that come back are looked at, and what is judged: with all(g, b, k)(x)
# for k<<<g, b>>>(x).
probed()
{
    {
        cat "$SRC/kernels/fill.cuh" "$SRC/memory/probes.cuh"
        sed -n '/^template <class V, int U, int STREAM>/,/^}/p' "$SRC/memory/copy.cuh"
        sed -n '/^static void judge_\(loads\|chase\)/,/^}/{s/run_loads(/loaded(/
            s/\<chase(/hopped(/;p;}; /^static size_t lines_of/,/^}/p' "$SRC/memory/probes.cu"
    } | sed -E '/^#(include|ifndef|endif|define|line|pragma)/d' |
        sed -E -e ':a' -e 'N' -e '$!ba' -e 's/\n *<<</<<</g' \
            -e 's/([a-z_]+(<[A-Z_0-9]+>)?)<<<([^\n]*)>>>/all(\3, \1)/g' >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -O1 -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -o "$tap_tmp/probes" tests/data/memory/probes.cc &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/probes" 2>"$tap_tmp/said" |
        diff - tests/data/memory/probes.txt || { grep -v 'not ' "$tap_tmp/said" | head -n 20; false; }
}
ok "probes launch what is listed, and look at what comes back" probed

for b in $BACKENDS; do
    P=$B/$b/memory

    each probes ""
    each copy 0 1 2 3 4 5 1023 1024 1025 4095 4096 4099 65537 1048583 4097
    each patterns "1 0" "1 1" "2 0 999" "7 3" "8 0" "32 5 1" "33 0 100" \
        "0 0" "64 1 1021" "0 --banks 4" "1 --banks 16" "3 --banks 8" \
        "32 --banks 4" "33 --banks 8" "2 --banks 16"
    each transpose "0 5" "5 0" "1 1" "1 129" "129 1" "32 32" "64 64" "33 65" \
        "3 1000" "1000 3" "127 257" "131 64" "64 131" "1021 509" "260 196" \
        "67 129" "249 9" "255 33" "256 40" "257 31" "504 8" "505 70" "513 65"
    each box 0 1 7 8 9 16 17 255 256 257 1021 4099 3001 9001
    each solutions/inplace 0 1 31 32 33 129 1000 65
    ok_run "copy 0 to 129 on the $b" runs $P/copy "$(sizes 0 129)"
    ok_run "box 0 to 129 on the $b" runs $P/box "$(sizes 0 129)"
    ok_run "transpose, 72 rectangles on the $b" runs $P/transpose "$rectangles"
    fails_run "a transpose that does not exist is refused, on the $b" \
        'there is none called upside' $P/transpose 3 3 --only upside
    fails_run "banks of 5 bytes are refused, on the $b" \
        'has 4, 8 or 16 bytes, not 5' $P/patterns 1 --banks 5
    prints "E1: the memory of the notes' own card: 435 GB/s ($b)" \
        '^memory +435 GB/s$' $P/peaks --sms 46 --mhz 1725 \
        --memory 6790 --bits 256
    prints "the benchmark checks what it measures, on the $b" \
        '^memory,box_pipeline,1000,of_memcpy,[0-9.e+-]+,%$' $P/bench --small
    also "the benchmark times bulk copies beside the others ($b)" \
        '^memory,box_bulk,1000,of_memcpy,[0-9.e+-]+,%$'
done

# Loom's verdict is the host's, one or the other; but it must follow from what is printed
# (rounded: between 1.32 and 1.35 either is right). Under a seed it has four multiprocessors,
# of 256 KiB of registers and 228 KiB; its L2 is the host's, or 1 MiB where that is unknown.
chased()
{
    tap_limited "$@" >"$tap_tmp/judged" 2>&1
    l2=$(getconf LEVEL2_CACHE_SIZE)
    [ "${l2:-0}" -gt 0 ] 2>/dev/null || l2=1048576
    awk -v chip=$(((4 * (256 + 228) * 1024 + l2) / 1048576)) '
        $4 == chip && /^on the chip [0-9]+ MiB of [0-9]+: a load takes [0-9]+ cycles from L2, [0-9]+ from beyond$/ {
            near = $11; far = $15; said++ }
        /the memory answers as L2 does/ { alike++ }
        END { print near, far, alike + 0
            exit !(said == 1 && (alike ? 3 * (far - 0.5) <= 4 * (near + 0.5) : 3 * (far + 0.5) > 4 * (near - 0.5))) }' "$tap_tmp/judged"
}
ok_run "E5: loads near and far are judged on the loom" chased env LOOM_SEED=1 $B/loom/memory/probes --judge
# E74 and E5 judge themselves, but only where the clock is a GPU's
if have speed; then
    prints "E74: loads that are independent overlap, dependent ones do not" \
        '^ok: every probe' $B/gpu/memory/probes --judge
    also "E5: a load from more than the chip can hold takes a third longer" \
        '^on the chip .* from beyond$'
else
    skip "E74: loads that are independent overlap, dependent ones do not" \
        "needs a GPU, and its own speed"
    skip "E5: a load from more than the chip can hold takes a third longer" \
        "needs a GPU, and its own speed"
fi

# ---- what Loom counts is what was predicted --------------------------
# counted PROGRAM KIND ARGUMENTS: what one request costs, as Loom says
counted()
{
    sh tangled/memory/count.sh "$1" $3 | sed -n "s/^$2: .*, \(.*\) [a-z]* each/\1/p"
}
predicted()
{
    $B/loom/memory/$1 $2 | sed -n 's/^predicted: \([0-9]*\) .*/\1/p'
}
if have inst && [ -z "${PLANTED-}" ]; then
    for p in patterns transpose box; do tap_build $B/inst/memory/$p; done
    for n in "1 0" "1 1" "1 7" "2 0" "3 1" "4 5" "5 0" "6 5" "7 5" "8 0" "9 3" \
        "64 0" "0 3"; do
        is "stride $n costs the sectors that were predicted" \
            "$(counted patterns 'global read' "$n")" "$(predicted patterns "$n")"
    done
    for s in 4 8 16; do
        for n in 1 2 3 4 6 8 16 31 32 33 64; do
            is "banks of $s bytes, stride $n, cost the passes predicted" \
                "$(counted patterns 'shared read' "$n --banks $s")" \
                "$(predicted patterns "$n --banks $s")"
        done
    done
    # one, of every kind of request: sectors read and written, passes
    # written and read
    for t in write:4:32:: read:32:4:: tile:4:4:1:32 padded:4:4:1:1 \
        swizzled:4:4:1:1 vectors:16:16:4:4 down:16:16:4:4 streamed:16:16:4:4; do
        is "transpose ${t%%:*}: sectors and passes as predicted" \
            "$(for k in 'global read' 'global write' 'shared write' \
                'shared read'; do
                printf :%s "$(counted transpose "$k" "128 64 --only ${t%%:*}")"
            done)" ":${t#*:}"
    done
else
    skip "requests cost what was predicted" "needs the instrumented Loom"
fi
! have inst || ok_run "the pipelines have no race, says the checker" $B/inst/memory/box 9001

# ---- what the compiler says -------------------------------------------------
# stack KERNEL [OPTIONS]: bytes of stack and of spills, from ptxas's report
report()
{
    k=$1
    shift
    ${NVCC:-nvcc} -arch=sm_90a -I$SRC -cubin -o /dev/null -Xptxas -v "$@" \
        $SRC/memory/probes.cu 2>&1 | awk -f tangled/memory/ptxas.awk |
        sed -n "s/^$k .*registers, *//p"
}
is "the compiler's report is read right" "$(awk -f tangled/memory/ptxas.awk \
    tests/data/memory/ptxas.txt)" "$(cat tests/data/memory/ptxas.want)"
if have nvcc; then
    is "E33: sixteen counters with an unknown index are 64 bytes of stack" \
        "$(report count_by_index)" \
        "64 bytes of stack, spills: 0 stored, 0 loaded"
    is "E33: and none when every index is known" "$(report count_by_asking)" \
        "0 bytes of stack, spills: 0 stored, 0 loaded"
    is "64 sums fit into registers" "$(report keep_many)" \
        "0 bytes of stack, spills: 0 stored, 0 loaded"
    ok "and spill when there are 32 registers" sh -c "case \"$(report \
        keep_many -maxrregcount=32)\" in *'0 stored'*|'') exit 1;; esac"
else
    skip "E33: sixteen counters with an unknown index are 64 bytes of stack" \
        "needs nvcc"
fi

# ---- what was measured ------------------------------------------------------
# recorded 'awk condition over v[variant, size, metric]': in the H200's results
recorded()
{
    awk -F, '!/^#/ { v[$2, $3, $4] = $5 } END { exit !('"$1"') }' \
        bench/results/h200/memory.csv
}
if grep -q '^memory,chase,' bench/results/h200/memory.csv 2>/dev/null; then
    ok "E5: recorded: a load from beside the chip takes a third longer" \
        recorded 'v["chase", 268435456, "cycles"] > 4 / 3 * v["chase", 8388608, "cycles"]'
    ok "the ladder: each memory is slower than the one before" recorded \
        'v["registers", 0, "tbps"] > v["shared", 0, "tbps"] &&
         v["shared", 0, "tbps"] > v["l2", 0, "tbps"] &&
         v["l2", 0, "tbps"] > v["memory", 0, "tbps"]'
    for n in 16777216 268435456 268828591; do
        ok "a copy of $n floats is at least 0.98 of cudaMemcpy" recorded \
            "v[\"copy_float4\", $n, \"of_copy\"] >= 98"
    done
    # short ones are in a graph, where cudaMemcpy is ahead of every kernel
    ok "a copy of 1048576 floats is at least 0.92 of cudaMemcpy" recorded \
        'v["copy_float4", 1048576, "of_copy"] >= 92'
    ok "a transpose of 1048576 floats is at least 0.93 of copy_float4" recorded \
        'v["transpose", 1048576, "of_copy"] > 0.93 * v["copy_float4", 1048576, "of_copy"]'
    for n in 16777216 268435456; do
        ok "a transpose of $n floats is at least 0.95 of the copy" recorded \
            "v[\"transpose\", $n, \"of_copy\"] >= 95"
    done
    ok "a transpose of 16381 x 16411 is ahead of cuBLAS" recorded \
        'v["transpose", 268828591, "us"] < v["geam", 268828591, "us"]'
else
    skip "E5: recorded: a load from beside the chip takes a third longer" \
        "needs results of the H200"
fi

wrongs memory
solutions memory
checked memory
tallied tests/data/memory/counts.txt
transcripts memory
small_agrees memory 2
done_testing
