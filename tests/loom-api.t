#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: the runtime beyond what the book calls.
. tests/tap.sh

M=$B/loom/loom
for f in numbers host pools graphs memory textures groups; do
    for b in loom inst; do
        [ $b = loom ] || { have inst && [ -z "$ONLY" ]; } || continue
        [ $b = loom ] || $MAKE -s SRC="$SRC" B="$B" "$B/inst/loom/probe_runtime" >/dev/null ||
            diag "make failed"
        ok_run "the runtime: $f, on the $b" "$B/$b/loom/probe_runtime" $f
    done
done
fails_run "the runtime: an unknown family" 'no family x: say numbers' \
    $M/probe_runtime x

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
    for h in cublasLt cufftXt cudnn nvrtc cusparse; do
        lacks "$h.h" "Loom lacks .*$h.h" "#include <$h.h>" 'int main() {}'
    done
fi
done_testing
