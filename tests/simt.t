#!/bin/sh
# Chapter 4, Warps.
. tests/tap.sh
. tests/small.sh

# The chapter's headers with one thread at a time and no device: k<<<g, b>>>(x) as
# (launched(g, b), each(k))(x).
parts()
{
    {
        sed -n '/^\/\* follow chains in each/,$p' "$SRC/simt/latency.cuh"
        sed -n '/^\/\* note when and where/,$p' "$SRC/simt/resident.cuh"
        sed -n '/^\/\* add without the guard/,$p; /^enum/p' "$SRC/simt/guard.cuh"
        sed -n '/^static void walk_reference/,/^}/p; /^struct walk/,/^};/p
            /^static void check_walk/,$p' "$SRC/simt/divergence.cuh"
        sed -n '/^\/\* add up over a warp/,/^\/\* give one/p' "$SRC/simt/warp.cuh"
        sed -n '/^static __device__ int sum_over/,/^}/p' "$SRC/simt/solutions/activemask.cu"
        sed -n '/^__global__ void sum_rows_eight/,/^}/p' "$SRC/simt/rows.cuh"
        sed -n '/^typedef void/p; /^static void rows_reference/,/^}/p
            /^static void check_rows/,$p' "$SRC/simt/rows.cuh"
        sed -n '/^__global__ void hand_over/,/^}/p' "$SRC/simt/handoff.cu"
        sed -n '/^enum { CASES/,/^__global__/p' "$SRC/simt/solutions/switch.cu" | sed '$d'
    } | sed -E -e '/^#(include|endif|line)/d' -e 's/([a-z_]+(<[0-9]>)?)<<<(.*)>>>/(launched(\3), each(\1))/' >"$tap_tmp/parts.h"
    ${CC:-cc} -c -o "$tap_tmp/ends.o" tests/data/ends.c &&
        ${CXX:-g++} -w -std=gnu++17 -g -O1 -ffp-contract=off -fsanitize=address,undefined \
            -fno-sanitize-recover=undefined -fsanitize-coverage=trace-pc -I"$tap_tmp" -I"$SRC" \
            -include tests/data/refused.h -o "$tap_tmp/parts" tests/data/simt/parts.cc "$tap_tmp/ends.o" &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" 2>/dev/null | diff - tests/data/simt/parts.txt
}
ok "instructions per cycle, chains, stays and cases of a warp, and what is launched, are as listed" parts

for b in $BACKENDS; do
    P=$B/$b/simt

    each smid "1 1" "1 1024" "264 128" "1000 100" "7 33"
    each resident 1 24 "96 33" "50 1024" "300 64" "24 256 49152"
    each latency "1 1 --sms 3" "2 100 --sms 3" "16 50 --sms 3" \
        "33 5 --sms 3" "64 8 --sms 3" "3 17 --sms 3"
    each divergence $small 1021 "100 0" 129 "256 3" "257 3"
    each guard $small 255 256 1000 257
    each handoff "1 1" "2 2" "3 32"
    each warp $small 1021 65537 129
    each rows "0 5" "5 0" "1 1" "1 33" "33 1" "7 31" "1 4" "2 36" "100 32" \
        "129 65" "31 257" "31 260" "256 4" "257 4"
    prints "E62: a multiply-add has three operands and rounds once ($b)" \
        '^ok: fused, 2\^-24 is left' $P/fma
    prints "the benchmark prints rows for the paths, on the $b" \
        '^simt,by_warps,32,times,[0-9.e+-]+,times$' $P/bench 10
    also "the benchmark prints rows for the library, on the $b" \
        '^simt,rows_library,32,of_library,100,%$'
    also "the benchmark prints rows for the stays, on the $b" \
        '^simt,resident_48k_stay,0,end,[0-9.e+-]+,µs$'
    fails_run "smid refuses a block of 2000 threads, on the $b" 'too large' \
        $P/smid 1 2000
    prints "E4: 64 warps, 2048 threads, run on an SM ($b)" \
        '^ok: 64 warps on each SM' $P/latency 64 8 --sms 2
    prints "E11: the guard divides one warp of a thousand elements ($b)" \
        '^ok: 1000 elements, 32 warps, 1 of them' $P/guard 1000
    prints "E11: and none when 32 divides the size ($b)" \
        '^ok: 4096 elements, .*, 0 of them' $P/guard 4096
    ok_run "warp 0 to 129 on the $b" runs $P/warp "$(sizes 0 129)"
done

# A warp to play with: one path uses every slot, 32 use one in 32 of theirs.
prints "paths: one path" '^5 instructions issued, 160 of 160' \
    $B/loom/simt/paths 1 3
prints "paths: 32 paths" '^98 instructions issued, 160 of 3136' \
    $B/loom/simt/paths 32 3
fails_run "paths refuses 33 paths" 'too large' $B/loom/simt/paths 33

prints "E10: two paths in a warp take turns: 8 instructions instead of 5" \
    '^8 instructions issued, 160 of 256' $B/loom/simt/paths 2 3

# And what a GPU took for it, as it was recorded.
ok "E10: recorded: 32 paths in a warp take turns, 32 by warps do not" awk -F, '
    $2 == "within" && $3 == 32 && $4 == "times" && $5 > 10 { n++ }
    $2 == "by_warps" && $3 == 32 && $4 == "times" && $5 < 2 { n++ }
    END { exit n != 2 }' bench/results/h200/simt.csv

for n in 32 100 1000; do
    ok_run "loops of unequal length, $n of them" \
        $B/loom/simt/solutions/lengths $n
done

prints "on Loom __activemask names who voted, in every warp" \
    '^ok: 60 warps; __activemask agreed in 60$' $B/loom/simt/solutions/activemask

# What only a GPU can show; under a sanitizer, times mean nothing.
G=$B/gpu/simt
if have speed; then
    prints "blocks are dealt out to all SMs" \
        'one SM; ([0-9]+) of \1 SMs used' $G/smid 4000 128
    prints "E3: eight blocks of 256 threads are on an SM together" \
        '8 fit on an SM, 8 were together \(2048 threads\)' \
        $G/resident 4000 256 --turns 2000
    prints "E3: four, when each wants 48 KiB of shared memory" \
        '4 fit on an SM, 4 were together' \
        $G/resident 2000 256 49152 --turns 2000
    prints "E4: 2048 threads are resident on the 128 lanes of an SM" \
        'together \(2048 threads\)' $G/resident 1000 1024 --turns 2000
    prints "64 warps of a chain issue more than three instructions a cycle" \
        '^chain: (3\.[0-9]+|4\.0)' $G/latency 64 4096 --rates
    prints "one warp of a chain issues one in four cycles or so" \
        '^chain: 0\.2' $G/latency 1 4096 --rates
else
    skip "E3: eight blocks of 256 threads are on an SM together" "needs a GPU"
    skip "E4: 2048 threads are resident on the 128 lanes of an SM" \
        "needs a GPU"
fi

# The short if of the chapter has no branch: what nvcc makes of it.
if have nvcc && have cuobjdump; then
    predicated()
    {
        make -s $B/gpu/simt/guard >/dev/null &&
            cuobjdump -sass $B/gpu/simt/guard |
            sed -n '/Function : .*choose/,/BRA/p' >"$tap_tmp/sass" &&
            grep -Eq '@!?P[0-9] FFMA' "$tap_tmp/sass" &&
            ! grep -Eq '@!?P[0-9] +BRA' "$tap_tmp/sass"
    }
    ok "a short if is predicated and does not branch" predicated
else
    skip "a short if is predicated and does not branch" \
        "needs nvcc and cuobjdump"
fi

wrongs simt
solutions simt
checked simt
tallied simt
transcripts simt
small_agrees simt 6
done_testing
