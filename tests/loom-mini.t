#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: the small Loom in seven steps.
. tests/tap.sh

run=tangled/loom/mini/run.sh
[ ! -f "$SRC/loom/mini/run.sh" ] || run=$SRC/loom/mini/run.sh

# mini STEP PROGRAM [ARGUMENTS]: under tangled/; STEP may be a solution's name
mini()
{
    case $1 in
    [2-7]) mini_step=$1 ;;
    *) mini_step=$SRC/loom/mini/solutions/$1.h ;;
    esac
    mini_file=$SRC/$2.cu
    shift 2
    TOP=$SRC timeout "$LIMIT" sh "$run" "$mini_step" "$mini_file" "$@"
}
# own HEADER FILE.cu: a reader's header, a reader's program
own()
{
    TOP=$SRC timeout "$LIMIT" sh "$run" "$@"
}
echo '#include "loom/mini/step6.h"' >"$tap_tmp/own.h"
cat >"$tap_tmp/late.cu" <<'EOT'
#include <stdio.h>
__global__ void copy(int *to, const int *from)
{
    *to = *from;
}
int main(void)
{
    int *a, *b, h;

    if (cudaMallocManaged(&a, sizeof *a) || cudaMallocManaged(&b, sizeof *b))
        return 1;
    *a = 5;
    copy<<<1, 1>>>(b, a);
    cudaMemset(b, 0, sizeof *b);
    cudaMemcpy(&h, b, sizeof h, cudaMemcpyDeviceToHost);
    copy<<<1, 1>>>(b, a);
    cudaFree(a);
    cudaDeviceSynchronize();
    printf("%d %d\n", h, *b);
    cudaFree(b);
    return 0;
}
EOT

for cc in "gcc g++" "clang clang++"; do
    set -- $cc
    if ! have $1 || ! have $2; then
        skip "the small Loom with $2" "needs $1 and $2"
        continue
    fi
    CC=$1 CXX=$2
    export CC CXX

    # ---- what the step before cannot run ------------------------------------
    fails_run "$CXX: without a barrier there is no sum" '__syncthreads' mini 2 loom/mini/sum
    fails_run "$CXX: without a meeting there is no shuffle" '__shfl_xor_sync' mini 3 simt/warp
    fails_run "$CXX: without shared memory there are no rows" '__shared__' mini 4 loom/mini/rows
    fails_run "$CXX: step 2 refuses what it lacks" 'error' mini 2 loom/mini/rows
    ok_run "$CXX: step 4 lets a divergent barrier pass" mini 4 sync/wrong/branch
    ok_run "$CXX: step 5 lets a race pass" mini 5 sync/wrong/row

    # ---- what each step runs ------------------------------------------------
    for n in 0 1 33 1000; do
        prints "$CXX: step 2 adds $n numbers" "^ok: $n sums by 4 variants" mini 2 kernels/vecadd $n
    done
    for s in 3 4 5 6 7; do
        prints "$CXX: step $s adds by halves" '^the sum of 0 to 255 is 32640$' mini $s loom/mini/sum
    done
    for s in 4 5 6 7; do
        prints "$CXX: step $s lets lanes meet" '^ok: 129 elements, six answers' mini $s simt/warp 129
    done
    for s in 5 6 7; do
        prints "$CXX: step $s turns rows around" '^ok: 8 rows' mini $s loom/mini/rows
        fails_run "$CXX: step $s names a divergent barrier" \
            'error: divergent barrier: others wait at .*[0-9]$' mini $s sync/wrong/branch
        fails_run "$CXX: step $s names a deadlock" \
            'error: deadlock: no thread can go on, and 1 of 4 have returned' \
            mini $s loom/mini/wrong/stuck
    done
    for s in 6 7; do
        fails_run "$CXX: step $s finds the race of chapter 8" \
            'error: race on shared memory: thread \(32,0,0\) of block \(0,0,0\) writes what thread \(31,0,0\) of block \(0,0,0\) has read' \
            mini $s sync/wrong/row
        prints "$CXX: step $s knows that lanes have met" '^ok: rows, columns' mini $s loom/mini/patterns
        fails_run "$CXX: step $s knows that a vote orders nothing" \
            'race on global memory: thread \(0,0,0\) of block \(0,0,0\) reads what thread \(31,0,0\)' \
            mini $s loom/mini/wrong/vote
        fails_run "$CXX: step $s forgets no reader" \
            'race on global memory: thread \(0,0,0\) of block \(0,0,0\) writes what thread \(1,0,0\) of block \(0,0,0\) has read' \
            mini $s loom/mini/wrong/three
        fails_run "$CXX: step $s finds a race between lanes" \
            'race on shared memory: thread \(1,0,0\) of block' mini $s sync/wrong/warp
    done
    prints "$CXX: step 7 counts a column" \
        'global read of 4 bytes: 1 requests, 32.00 lanes, 32.00 sectors' mini 7 loom/mini/patterns
    also "$CXX: step 7 counts a row" 'global read of 4 bytes: 1 requests, 32.00 lanes, 4.00 sectors'
    also "$CXX: step 7 counts the turns of a loop" 'shared write of 4 bytes: 33 requests, 32.00 lanes, 1.00'
    also "$CXX: step 7 counts the passes of a column" \
        'shared read of 4 bytes: 1 requests, 32.00 lanes, 32.00 passes'

    # ---- the solutions ------------------------------------------------------
    prints "$CXX: in the order of their numbers the shift is right" '^0 of 63 are wrong$' \
        mini 5 loom/mini/solutions/shift
    prints "$CXX: the other way around it is wrong" '^62 of 63 are wrong$' \
        mini backwards loom/mini/solutions/shift
    prints "$CXX: what is right is right backwards, too" '^ok: 8 rows' mini backwards loom/mini/rows
    prints "$CXX: a named barrier" '^ok: rotated by 3 and by 5$' mini named loom/mini/solutions/named
    prints "$CXX: votes of 29 lanes" '^ok: any, all and match' mini vote loom/mini/solutions/vote
    prints "$CXX: a counter for atomics" '^256 atomics, at most 8 lanes on one address$' \
        mini atomics loom/mini/solutions/bins
    prints "$CXX: a barrier of a cluster" '^ok: four clusters' mini cluster loom/mini/solutions/cluster
    prints "$CXX: launches that are put off" '^before: 1, after: 7$' mini later loom/mini/solutions/early
    prints "$CXX: a launch that is put off comes before what follows" '^0 5$' \
        own "$SRC/loom/mini/solutions/later.h" "$tap_tmp/late.cu"
    fails_run "$CXX: a header of your own finds the race, too" 'error: race on shared memory' \
        own "$tap_tmp/own.h" "$SRC/sync/wrong/row.cu"
done
unset CC CXX

# ---- the other processor ------------------------------------------------------
# arm STEP PROGRAM [ARGUMENTS]: for aarch64
arm()
{
    CC="aarch64-linux-gnu-gcc -static" CXX="aarch64-linux-gnu-g++ -static" \
        UNDER=qemu-aarch64 mini "$@"
}
if have aarch64-linux-gnu-g++ && have qemu-aarch64; then
    prints "aarch64: step 2 adds" '^ok: 1000 sums by 4 variants' arm 2 kernels/vecadd 1000
    prints "aarch64: step 3 adds by halves" '^the sum of 0 to 255 is 32640$' arm 3 loom/mini/sum
    prints "aarch64: step 4 lets lanes meet" '^ok: 129 elements, six answers' arm 4 simt/warp 129
    prints "aarch64: step 5 turns rows around" '^ok: 8 rows' arm 5 loom/mini/rows
    fails_run "aarch64: step 5 names a divergent barrier" 'error: divergent barrier: others wait at' \
        arm 5 sync/wrong/branch
    fails_run "aarch64: step 6 finds the race of chapter 8" \
        'error: race on shared memory: thread \(32,0,0\)' arm 6 sync/wrong/row
    prints "aarch64: step 7 counts a column" \
        'shared read of 4 bytes: 1 requests, 32.00 lanes, 32.00 passes' \
        arm 7 loom/mini/patterns
else
    skip "the small Loom on aarch64" "needs aarch64-linux-gnu-g++ and qemu-aarch64"
fi

# ---- the figure that can be moved ----------------------------------------------
drawn_small() { mini 5 loom/mini/loads 2>&1 | cmp - figures/loom_loads.svg; }
drawn() { "$@" 2>&1 | cmp - figures/loom_loads.svg; }
ok_run "the figure is what the lanes wrote, on the small Loom" drawn_small
for b in $BACKENDS; do
    ok_run "the figure is what the lanes wrote, on the $b" drawn $B/$b/loom/mini/loads
done

# ---- what run.sh refuses ------------------------------------------------------
fails_run "a step that there is not" 'there is no step 9: say 2 to 7' sh $run 9 x.cu
fails_run "a file that there is not" 'there is no file x.cu$' sh $run 3 x.cu
fails_run "no file" '^usage: run.sh STEP' sh $run 3

# ---- the same as the full Loom ----------------------------------------------
# what <of a run>: the verdicts with their lines, and the table, in one form for both
what()
{
    awk '
    function base(s) { sub(/:$/, "", s); sub(/.*\//, "", s); return s }
    /error: race on/ { at = base($1); kind = $5; next }
    /note: the other/ {
        there = base($1)
        print "race", kind, (at < there ? at " " there : there " " at)
    }
    /error: divergent barrier/ { print "divergent barrier", base($1) }
    /error: deadlock/ { print "deadlock" }
    # the table of the full Loom, that of the small one
    $2 ~ /^(global|shared)$/ && $3 ~ /^(read|write)$/ && $NF + 0 > 0 {
        sum(base($1) " " $2 " " $3 " " $4, $5, $6, $7)
    }
    $2 ~ /^(global|shared)$/ && $NF == "each" {
        sum(base($1) " " $2 " " $3 " " $5, $7, $9, $11)
    }
    function sum(key, n, lanes, cost) {
        requests[key] += n; all[key] += n * lanes; paid[key] += n * cost
    }
    END {
        for (key in requests)
            printf "%s: %d requests, %.1f lanes, %.1f paid\n", key,
                requests[key], all[key] / requests[key] + 0.004, paid[key] / requests[key] + 0.004
    }' | LC_ALL=C sort -u
}
# tried: the programs of the book that compile against step 7, one a line
tried()
{
    tried_tree=$tap_tmp/tree
    for tried_file in "$SRC"/*/*.cuh; do
        tried_to=$tried_tree/${tried_file#"$SRC"/}
        mkdir -p "${tried_to%/*}"
        awk -f "${run%/*}/rewrite.awk" "$tried_file" >"$tried_to"
    done
    : >"$tried_tree/cuda_runtime.h"
    mkdir -p "$tap_tmp/head"    # step 7 is read once for all
    cp "$SRC/loom/mini/step7.h" "$tap_tmp/head"
    ${CXX:-g++} -x c++-header -std=gnu++17 -w -I"$tried_tree" -I"$SRC" \
        "$tap_tmp/head/step7.h" -o "$tap_tmp/head/step7.h.gch" || return
    for tried_file in "$SRC"/*/*.cu "$SRC"/*/wrong/*.cu "$SRC"/loom/mini/*.cu "$SRC"/loom/mini/wrong/*.cu; do
        awk -f "${run%/*}/rewrite.awk" "$tried_file" >"$tap_tmp/tried.cu"
        tried_file=${tried_file#"$SRC"/}
        ! ${CXX:-g++} -x c++ -std=gnu++17 -fsyntax-only -w -fmax-errors=1 -I"$tried_tree" -I"$SRC" \
            -include "$tap_tmp/head/step7.h" "$tap_tmp/tried.cu" 2>/dev/null ||
            echo "${tried_file%.cu}"
    done
}
# same PROGRAM: under both, with the first of these sizes that it takes, or none
same()
{
    same_full=none same_small=none
    tap_build "$B/inst/$1" 2>/dev/null
    [ -x "$B/inst/$1" ] || return 1
    for same_n in 129 9 ""; do
        LOOM_COUNT=1 timeout 60 "$B/inst/$1" $same_n >"$tap_tmp/full" 2>&1
        same_full=$?
        ! grep -q -- 'see .* --help' "$tap_tmp/full" || continue
        mini 7 "$1" $same_n >"$tap_tmp/small" 2>&1
        same_small=$?
        break
    done
    case $same_full:$same_small in
    [02]:[02]) same_count=$((same_count + 1)) ;;
    *) return 1 ;; # it failed, or ran out of memory or time
    esac
    same_small="status $same_small
$(what <"$tap_tmp/small")" same_full="status $same_full
$(what <"$tap_tmp/full")"
    same_why=$(known_to_differ $1)
    if [ -n "$same_why" ]; then
        ok "the small Loom and the full one differ on $1: $same_why" [ "$same_small" != "$same_full" ]
    else
        is "the small Loom and the full one agree on $1" "$same_small" "$same_full"
    fi
}
# known_to_differ PROGRAM: why, for those that do
known_to_differ()
{
    case $1 in
    kernels/wrong/noguard | sync/wrong/beyond) echo "only the full one knows bounds" ;;
    sync/wrong/unset) echo "only the full one knows what nobody has written" ;;
    simt/wrong/left) echo "only the full one knows that a lane has no value" ;;
    simt/wrong/mask) echo "the small one takes a wrong mask for a deadlock" ;;
    atomics/wrong/lock_look) echo "only the full one knows flags and locks" ;;
    reduce/rows) echo "a shuffle of 8 bytes is compiled otherwise" ;;
    esac
}
if ! have inst; then
    skip "the small Loom and the full one agree" "needs the instrumented Loom"
elif [ -z "$ONLY" ]; then
    same_count=0
    for p in $(tried); do
        same $p || echo "# not compared: $p, statuses $same_full and $same_small"
    done
    ok "at least 25 programs run on both" [ $same_count -ge 25 ]
fi
done_testing
