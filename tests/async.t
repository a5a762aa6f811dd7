#!/bin/sh
# Chapter 11, Streams, graphs and copies.
# depends: tests/data/once.h
. tests/tap.sh

# What is launched, copied, waited for and refused: the chapter's headers without a device,
# k<<<g, b>>>(x) as (launched(g, b), k)(x).
parts()
{
    a=$SRC/async
    cat $a/after.cuh $a/passes.cuh $a/nodes.cuh $a/device.cuh $a/arena.cuh $a/loader.cuh \
        $a/batches.cuh $a/pieces.cuh |
        sed -E -e '/^#(include|ifndef|endif|if|line)/d' -e '/^#define [A-Z_]*_CUH$/d' \
            -e 's/([a-z_]+)<<<(.*)>>>/(launched(\2), \1)/' \
            -e '/cuda(TriggerProgrammaticLaunchCompletion|GridDependencySynchronize)/d' \
            >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -std=gnu++17 -g -ffp-contract=off -fsanitize=address,undefined \
        -fno-sanitize-recover=undefined -I"$tap_tmp" -I"$SRC" -o "$tap_tmp/parts" \
        -include tests/data/refused.h tests/data/async/parts.cc &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" | diff - tests/data/async/parts.txt
}
ok "what is launched, copied, waited for and refused is as listed" parts

for b in $BACKENDS; do
    P=$B/$b/async

    each "a batch in pieces, @, on the $b" streams "0 1 3" "1 1 1" "1 5 1" "31 4 1" \
        "33 7 2" "127 3 3" "129 64 1" "1000 1 3" "1021 6 3" "5000 17 1"
    fails_run "65 pieces are refused, on the $b" 'too large' $P/streams 10 65
    each "a hand-over of @ on the $b" handoff "1 0" "1 1" "31 3" "129 101" "1021 7"
    each "batches @ on the $b" batches "1 1" "1 2" "31 3" "1000 2" "257 33" \
        "4099 5"
    each "passes @, captured, on the $b" capture "1 0 1" "1 2 3" "2 6 2" "31 4 5" \
        "257 10 2" "1000 100 3" "5003 6 1"
    fails_run "an odd number of passes is refused, on the $b" 'even' \
        $P/capture 10 3 1
    each "passes @, built, changed and updated, on the $b" build "1 2" "31 2" \
        "1000 6" "5003 100" "16384 100"
    each "scratch memory, @ rounds, on the $b" scratch 1 7
    for n in 1 1000 5000; do
        prints "E45: managed memory holds the same wherever it is, $n on the $b" \
            "^ok: $n vectors, 4 runs" $P/managed $n
    done
done
# what a missing wait spoils, it spoils in some order
for s in 1 2 3 4 5 6 7 8; do
    ok_run "a hand-over is right under seed $s" env LOOM_SEED=$s $B/loom/async/handoff 31 3
    ok_run "batches are right under seed $s" env LOOM_SEED=$s $B/loom/async/batches 31 5
done
prints "E32: a program in C has managed memory, and no nvcc built it" \
    '^ok: 5000 managed bytes' $B/loom/async/plain
ok_run "the benchmark runs on Loom" env LOOM_SEED=1 $B/loom/async/bench
fails_run "Loom names the kernel that launches a kernel" \
    'launches pass, but Loom has no kernels that launch kernels' $B/loom/async/cdp
for n in "1 0" "257 2" "5003 4"; do
    # shellcheck disable=SC2086
    ok_run "passes that start early: $n" $B/loom/async/cdp $n --early
done

if have gpu; then
    P=$B/gpu/async
    b=gpu
    SANITIZERS=memcheck     # the others: "Dynamic Parallelism is not supported"
    each cdp "1 0" "31 2" "1000 6" "5003 100" "16384 100"
    SANITIZERS=
    if $P/timeline 1000 1 >"$tap_tmp/line" 2>&1; then
        is "CUPTI sees one copy, one kernel and one fill for each batch" \
            "$($P/timeline 1000 3 | awk '/ copy in/ { c++ } / kernel / { k++ }
                / range fill/ { f++ } END { print c, k, f }')" "3 3 3"
    else
        skip "CUPTI sees one copy, one kernel and one fill for each batch" \
            "needs CUPTI: $(head -n 1 "$tap_tmp/line")"
    fi
    inc=$(dirname "$(command -v ${NVCC:-nvcc})")/../include
    where=$(${NVCC:-nvcc} --dryrun -o x x.o 2>&1 | sed -n 's/^#\$ LIBRARIES= *//p' |
        tr -d '"')
    ok "E32: a C compiler builds it against NVIDIA's runtime" ${CC:-cc} -std=c11 \
        -I"$inc" -I$SRC -o "$tap_tmp/plain" $SRC/async/plain.c \
        $where -lcudart_static -lpthread -ldl -lrt -lm
    ok "E32: and it runs" "$tap_tmp/plain"
else
    for t in "kernels launched by a kernel" \
        "CUPTI sees one copy, one kernel and one fill for each batch"; do
        skip "$t" "needs a GPU (Loom has no launches by kernels and no CUPTI)"
    done
fi

fails_run "E31: Loom launches no __device__ function" \
    'error: a __device__ function call cannot be configured' \
    awk -f tangled/loom/rewrite.awk $SRC/async/wrong/configured.cu
if have nvcc; then
    fails_run "E31: a __device__ function cannot be launched" \
        'a __device__ function call cannot be configured' \
        ${NVCC:-nvcc} -rdc=true -I$SRC -c $SRC/async/wrong/configured.cu -o /dev/null
    fails_run "E31: without -rdc=true no kernel launches" \
        'requires separate compilation mode|rdc' \
        ${NVCC:-nvcc} -std=c++17 -I$SRC -c $SRC/async/cdp.cu -o /dev/null
    ok "E31: with it one does" \
        ${NVCC:-nvcc} -std=c++17 -arch=sm_90 -rdc=true -I$SRC -c $SRC/async/cdp.cu \
        -o "$tap_tmp/cdp.o"
else
    skip "E31: a __device__ function cannot be launched" "needs nvcc"
fi

checked async cdp
tallied tests/data/async/counts.txt
wrongs async
solutions async
transcripts async
done_testing
