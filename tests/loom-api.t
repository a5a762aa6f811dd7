#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: the runtime beyond what the book calls.
. tests/tap.sh

for b in $BACKENDS; do
    for f in half bfloat inverse; do
        prints "functions of 16 bits and inverse ones, on the $b: $f" '^ok: 0 of [1-9][0-9]* differ$' $B/$b/loom/probe_half $f
    done
done
if ! have loom; then
    skip "Loom's own runtime" "$(tap_needs loom)"
    done_testing
fi

M=$B/loom/loom
for f in numbers host pools graphs memory textures groups clusters heap; do
    for b in loom inst; do
        [ $b = loom ] || { have inst && [ -z "$ONLY" ]; } || continue
        [ $b = loom ] || $MAKE -s SRC="$SRC" B="$B" "$B/inst/loom/probe_runtime" >/dev/null ||
            diag "make failed"
        ok_run "the runtime: $f, on the $b" "$B/$b/loom/probe_runtime" $f
    done
done
is "errors have NVIDIA's codes, names and texts" "$($M/probe_runtime errors)" \
    "$(cat tests/data/loom/errors.txt)"
# one OS thread: each takes addresses, too
ok_run "the runtime: addresses that were freed come back when no others are left" \
    sh -c "ulimit -v 200000; LOOM_THREADS=1 exec $M/probe_runtime addresses"
fails_run "the runtime: an unknown family" 'no family x: say numbers' \
    $M/probe_runtime x

# streams: what they promise holds in every order, and what they do not fails in some
S=$M/probe_streams
tap_build $S
for s in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    # under the first four a kernel that the host waits for begins early twice, and late twice
    [ $s -le 4 ] && how= || how=" brief"
    ok_run "streams keep what they promise under seed $s" \
        sh -c "LOOM_SEED=$s $S$how >$tap_tmp/seen.$s"
done
ok_run "streams keep what they promise without a seed" $S
if [ -z "$ONLY" ]; then
    sort -u "$tap_tmp"/seen.* >"$tap_tmp/seen"
    for w in "no event: 4" "no event: 6" "non-blocking: 4" "non-blocking: 6" "pinned memory in: 5" \
        "pinned memory in: 6" "pinned memory out: 5" "pinned memory out: 6"; do
        ok "among twenty seeds is one with $w" grep -qx "$w" "$tap_tmp/seen"
    done
    have inst && is "the checker finds the three races that its streams leave to luck, and no other" \
        "$($B/inst/loom/probe_streams 2>&1 | grep -c 'error: ')" 3
fi
# sweep: stops at the first seed under which the program fails
sweep()
{
    first=1
    while LOOM_SEED=$first $S luck && [ $first -lt 30 ]; do first=$((first + 1)); done
    [ $first -gt 1 ] && [ $first -lt 30 ] || return 1
    [ "$(LOOM_SEEDS=40 $S luck 2>&1 | sed -n 's/^loom: LOOM_SEED=\([0-9]*\) repeats this.*/\1/p')" = $first ]
}
tap_wanted $S luck && ok "a sweep stops at the first seed that finds something" sweep
fails_run "what nobody waits for is run at the end" 'error: writes to .* past_the_end' sh -c "$S left 2>&1 | tr '\n' ' '; exit 2"

# what Loom lacks is refused by name, also inside a template
work=$tap_tmp/work
mkdir -p "$work"
# lacks WHAT ERE TEXT...: the compiler says it, and the program is not built
lacks()
{
    l_what=$1 l_ere=$2
    shift 2
    printf '%s\n' "$@" >"$work/x.cu"
    fails_run "refused by name: $l_what" "$l_ere" ${CXX:-g++} -std=gnu++17 \
        -O1 -x c++ -I"$SRC" -isystem "$SRC/loom/absent" -isystem "$SRC/loom" \
        -include cuda_runtime.h -c -o "$work/x.o" "$work/x.cu"
}
check='template <class T> void check(T e) { if (e != cudaSuccess) exit(1); }'
if [ -z "$ONLY" ]; then
    lacks "a call inside a check" 'Loom lacks cudaIpcGetMemHandle so far' \
        "$check" 'int main() { check(cudaIpcGetMemHandle(0, 0)); }'
    lacks "a call of cuBLASLt" 'Loom lacks cublasLtMatmul so far' \
        '#include <cublasLt.h>' 'int main() { cublasLtHandle_t h; return cublasLtCreate(&h) || cublasLtMatmul(h); }'
    for h in cublasXt cufftXt cudnn nvrtc cusparse; do
        lacks "$h.h" "Loom lacks .*$h.h" "#include <$h.h>" 'int main() {}'
    done
fi
done_testing
