#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: the small Loom in seven steps.
. tests/tap.sh
. tests/small.sh

run=tangled/loom/mini/run.sh
[ ! -f "$SRC/loom/mini/run.sh" ] || run=$SRC/loom/mini/run.sh

drawn() { "$@" 2>&1 | cmp - figures/loom_loads.svg; }
for b in $BACKENDS; do
    ok_run "the figure is what the lanes wrote, on the $b" drawn $B/$b/loom/mini/loads
done
if ! have loom; then
    skip "the small Loom" "$(tap_needs loom)"
    done_testing
fi

# mini STEP PROGRAM [ARGUMENTS]: under tangled/; STEP may be a solution's name. Step 1 is a program
mini()
{
    case $1 in
    1)
        ${CC:-cc} -std=c11 -o "$tap_tmp/step1" "$SRC/loom/mini/step1.c" && "$tap_tmp/step1"
        return
        ;;
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
# sizes_of mini...: the program is compiled once, and runs with each of these
printf 'for n in 0 1 33 1000; do "$@" $n || exit; done\n' >"$tap_tmp/each"
sizes_of()
{
    UNDER="sh $tap_tmp/each" "$@"
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
    prints "$CC: step 1 is two loops" '^y\[0\] = 0, y\[999\] = 1998$' mini 1
    prints "$CXX: step 2 adds 0 numbers" "^ok: 0 sums by 4 variants" sizes_of mini 2 kernels/vecadd
    for n in 1 33 1000; do
        also "$CXX: step 2 adds $n numbers" "^ok: $n sums by 4 variants"
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
        fails_run "$CXX: step $s keeps what lanes wrote together" \
            'race on global memory: thread \(2,0,0\) of block \(0,0,0\) reads what thread \(0,0,0\) of' \
            mini $s loom/mini/wrong/alike
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
    fails_run "$CXX: backwards another thread finds the barrier divergent" 'thread \(47,0,0\)' \
        mini backwards sync/wrong/branch
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

# ---- what the chapter counts ---------------------------------------------------
# switched THREADS: how often the sum of step 3 switches, with so many threads
switched()
{
    { echo 'static unsigned long switched;'
      sed 's/\(loom_switch(&\)/(void)__atomic_add_fetch(\&switched, 1, 0), \1/' "$SRC/loom/mini/step3.h"
      printf '#include <stdio.h>\n__attribute__((destructor)) static void say() { printf("%%lu switches\\n", switched); }\n'
    } >"$tap_tmp/switched.h"
    sed "s/N = 256/N = $1/" "$SRC/loom/mini/sum.cu" >"$tap_tmp/sum.cu"
    own "$tap_tmp/switched.h" "$tap_tmp/sum.cu"
}
cat >"$tap_tmp/doubles.cu" <<'EOT'
__global__ void copy(double *a)
{
    __shared__ double row[32];

    row[threadIdx.x] = 1;
    __syncwarp();
    a[32 + threadIdx.x] = a[threadIdx.x] + row[threadIdx.x ^ 1];
}
int main(void)
{
    double *a;

    if (cudaMalloc(&a, 64 * sizeof *a))
        return 1;
    copy<<<1, 32>>>(a);
    return 0;
}
EOT
prints "256 threads add 256 numbers with 4608 switches" '^4608 switches$' switched 256
prints "64 threads add 64 numbers with 896 switches" '^896 switches$' switched 64
prints "32 doubles are eight sectors" 'global read of 8 bytes: 1 requests, 32.00 lanes, 8.00 sectors' \
    own "$SRC/loom/mini/step7.h" "$tap_tmp/doubles.cu"
also "32 doubles are two passes" 'shared read of 8 bytes: 1 requests, 32.00 lanes, 2.00 passes'

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
ok_run "the figure is what the lanes wrote, on the small Loom" drawn_small

# ---- what run.sh refuses ------------------------------------------------------
fails_run "a step that there is not" 'there is no step 9: say 2 to 7' sh $run 9 x.cu
fails_run "a file that there is not" 'there is no file x.cu$' sh $run 3 x.cu
fails_run "no file" '^usage: run.sh STEP' sh $run 3

# ---- the same as the full Loom ----------------------------------------------
small_agrees loom 9
done_testing
