#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: Loom's execution.
. tests/tap.sh

M=$B/loom/loom
D=tests/data/loom
rewriter=tangled/loom/rewrite.awk
[ ! -f "$SRC/loom/rewrite.awk" ] || rewriter=$SRC/loom/rewrite.awk
work=$tap_tmp/work
modules=$(sed -n "s/^MODULES_loom :=//p" "$B/rules.mk" | tr " " "\n" | sed -n "s,.*/loom/\(.*\)[.]o\$,\1,p")
mkdir -p "$work"

# ---- what a GPU does as well -------------------------------------------------
for b in $BACKENDS; do
    prints "launches, errors, memory, events, functions on the $b" \
        '^ok: launches, errors' env LOOM_QUIET=1 $B/$b/loom/probe_api
    prints "barriers, warps, groups, spinning, halves on the $b" \
        '^ok: barriers, warps' $B/$b/loom/probe_together
done
wrongs loom
solutions loom
if ! have loom; then
    skip "Loom itself" "$(tap_needs loom)"
    done_testing
fi

# ---- launches and the runtime ----------------------------------------------
prints "a launch as two loops" '^y\[0\] = 0, y\[999\] = 1998$' $M/mini/step1
tap_build $M/probe_print
for n in 1 2 7; do
    prints "the same on $n OS threads" '^ok: launches, errors' \
        env LOOM_QUIET=1 LOOM_THREADS=$n $M/probe_api
    is "kernels print in the order of the blocks on $n OS threads" \
        "$(LOOM_THREADS=$n $M/probe_print | tr '\n' ';')" \
"block 0, thread 0;block 0, thread 1;block 1, thread 0;block 1, thread 1;\
block 2, thread 0;block 2, thread 1;"
done
prints "output that nobody waited for is lost, and mourned" \
    'output \(6 calls of printf\) is lost' $M/probe_print early
for n in 0 -1 x 2x 99999 ""; do
    fails_run "LOOM_THREADS='$n' is refused" 'say a number of OS threads' \
        env "LOOM_THREADS=$n" $M/probe_api
done
for n in x 0 -1 2x ""; do
    fails_run "LOOM_SEED='$n' is refused" 'say the number of an order' \
        env "LOOM_SEED=$n" $M/probe_order
done
# a seed fixes the order of the blocks, another for each launch, on every computer
prints "under seed 7: 5000 blocks on 3 multiprocessors" "^5000 blocks on 3 multiprocessors$" \
    env LOOM_SEED=7 LOOM_THREADS=3 $M/probe_order 5000
for l in "12 blocks on 4 multiprocessors" "3 7 10 6 5 11 1 9 0 8 4 2" \
    "2 11 1 7 5 9 4 10 8 6 3 0"; do
    prints "under seed 7: $l" "^$l$" env LOOM_SEED=7 $M/probe_order
done
is "twenty seeds and two launches are forty orders" \
    "$(for n in $(seq 20); do LOOM_SEED=$n $M/probe_order; done | grep -v b | sort -u | wc -l | tr -d ' ')" 40
for n in 1 2 3; do
    for b in 1 2 255 256 257 600; do
        ok_run "each of $b blocks runs once and waits for the one before, seed $n" \
            env LOOM_SEED=$n $M/probe_order $b
    done
    prints "barriers, warps, groups, spinning under seed $n" '^ok: barriers, warps' \
        env LOOM_SEED=$n $M/probe_together
done
ok_run "blocks wait for the one before without a seed, too" \
    $M/probe_order 600
for n in x -1 0 "" 1G; do
    fails_run "LOOM_MEMORY='$n' is refused" 'say a number of mebibytes' \
        env "LOOM_MEMORY=$n" $M/probe_api
done
fails_run "a device of 1 MiB runs out of memory" 'cudaErrorMemoryAllocation' \
    env LOOM_MEMORY=1 $B/loom/kernels/vecadd 1000000
is "a refused launch says which limit, once for each" \
    "$($M/probe_api 2>&1 | grep -c 'error: kernel nothing was not launched: .* at most\|no side of')" 8
is "LOOM_QUIET=1 silences the reports" \
    "$({ LOOM_QUIET=1 $M/probe_api; LOOM_QUIET=1 $M/probe_faults free_twice; } 2>&1 |
        grep -c 'error: \|^loom: ')" 0

# ---- mistakes --------------------------------------------------------------
# (without a seed, which would say in what order)
caught()
{
    fails_run "caught: $1" "$2" env -u LOOM_SEED $M/probe_faults $1
}
touch="(writes to|accesses)"
caught past_guard "^[^ ]*:[0-9]+: error: $touch \
0x[0-9a-f]*, 0 bytes past the end of an allocation of 6144 bytes made at .*:[0-9]"
caught past_guard '^        y\[i\] = value;$'
caught past_guard '^        \^$'
caught past_guard '^  in kernel set, block \(6,0,0\), thread \(0,0,0\)$'
caught past_guard '^  launched at [^ ]*:[0-9]+$'
caught past_canary 'error: some thread wrote to 0x[0-9a-f]*, 0 bytes past the end of an allocation of 4000 bytes'
caught before "error: $touch 0x[0-9a-f]*, 4 bytes before an allocation of 4096 bytes"
caught freed "error: $touch 0x[0-9a-f]*, byte [0-9]+ of a freed allocation of 4096"
fails_run "the first thread is the first" 'byte 0 of a freed' env -u LOOM_SEED LOOM_THREADS=1 $M/probe_faults freed
caught null 'near the null pointer'
caught stack 'needs more stack than there is'
caught assertion 'error: .*insist.*Assertion .*limit. failed'
caught assertion 'in kernel insist, block \([01],0,0\), thread \(32,0,0\)'
caught trap ':[0-9]+: error: executes __trap'
caught trap 'in kernel give_up, block \(1,0,0\)'
caught read_on_host ':[0-9]+: error: the host (reads from|accesses) 0x[0-9a-f]*, byte 12 of an allocation of 4096'
for m in past_guard past_canary before freed null; do
    caught $m 'after the launch: cudaSuccess'
    caught $m 'after waiting: cudaErrorIllegalAddress'
    caught $m 'afterwards: cudaErrorIllegalAddress, cudaErrorIllegalAddress'
done
caught assertion 'after waiting: cudaErrorAssert'
caught trap 'after waiting: cudaErrorLaunchFailure'
refused()
{
    prints "refused: $1" "$2" $M/probe_faults $1
    prints "refused: $1, with cudaErrorInvalidValue" \
        '^after the launch: cudaErrorInvalidValue' $M/probe_faults $1
}
refused free_twice 'cudaFree: the pointer was freed before'
refused free_inside 'cudaFree: the pointer is not the beginning of an allocation'
refused copy_backwards 'cudaMemcpy of 16 bytes: the destination is not device memory'
refused copy_too_much 'destination has fewer bytes than that behind it'
refused copy_device 'source is device memory, where host memory should be'
prints "new device memory is poisoned" '^poison: 0xffffffff' $M/probe_faults poison
fails_run "an unknown mistake" 'say one mistake of these: past_guard' $M/probe_faults x

# ---- threads together ------------------------------------------------------
prints "fibers take turns and keep their variables" '^200 turns, 0 wrong$' $M/probe_fibers
tap_build $M/probe_together $M/probe_stuck
for n in 1 3; do
    prints "the same on $n OS threads" '^ok: barriers, warps' \
        env LOOM_THREADS=$n $M/probe_together
done
# on a busy computer the watchman interrupts every kernel somewhere
crowd()
{
    for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        { LOOM_QUIET=1 $M/probe_api >"$work/crowd.$n" 2>&1 || echo "$n"; } &
    done
    wait
}
is "the loop over threads and the first switch of a block are functions of their own, in the section of the turns" \
    "$(nm $B/loom/loom/block.o | grep -c -e ' t run_directly$' -e ' t leave_home$')" 2
is "sixteen programs at once run each thread once" "$(crowd)" ""
stuck()
{
    fails_run "named: $1" "$2" env LOOM_LIMIT=1 $M/probe_stuck $1
}
stuck diverge '^  in kernel diverge, block \([01],0,0\), thread \(0,0,0\)$'
stuck diverge '^[^ ]*:[0-9]+: error: divergent barrier: it is at .*:[0-9]+, while thread \(63,0,0\) waits at .*:[0-9]+'
fails_run "named: middle, in the order of the threads" 'error: divergent barrier: it is at .*:[0-9]+, while' \
    env -u LOOM_SEED LOOM_LIMIT=1 $M/probe_stuck middle
stuck starve '^[^ ]*:[0-9]+: error: deadlock: no thread can go on, and 0 of 64'
stuck starve ':[0-9]+: 40 threads, from \(0,0,0\) on, wait at a barrier'
stuck starve ':[0-9]+: 24 threads, from \(40,0,0\) on, wait for lanes'
stuck upper ':[0-9]+: 16 threads, from \(0,0,32\) on, wait for lanes'
stuck upper ':[0-9]+: 48 threads, from \(0,0,0\) on, wait at a barrier'
stuck mix 'divergent warp operation: lane 31 is at .*lane 0, with the same mask'
stuck outside 'lane 16 calls a warp operation with the mask 0x0000ffff'
stuck atomic '^[^ ]*:[0-9]+: error: the kernel does not end: for 1 seconds .* spins'
stuck atomic '^    while .atomicAdd'
stuck volatile '^[^ ]*:[0-9]+: error: the kernel does not end: for 1 seconds .* spins'
stuck volatile '^    while .*volatile int'
stuck atomic '^cudaErrorLaunchTimeout'
stuck idle '^[^ ]*:[0-9]+: error: the kernel does not end: for 1 seconds .* spins'
stuck clock '^[^ ]*:[0-9]+: error: the kernel does not end: for 1 seconds .* spins'
stuck clock '^    while .clock64'
stuck asleep '^[^ ]*:[0-9]+: error: the kernel sleep_on does not end, and cannot be stopped'
stuck grid 'not cooperative: use cudaLaunchCooperativeKernel'
stuck ragged '^[^ ]*:[0-9]+: error: the kernel does not end: for 1 seconds'
stuck leave 'deadlock: the block waits for the whole grid, but 1 of its blocks have ended'
stuck shared 'was not launched: dynamic shared memory is at most 48 KiB, unless'
stuck many 'blocks of a cooperative launch must all fit'
for n in x -1 ""; do
    fails_run "LOOM_LIMIT='$n' is refused" 'say a number of seconds' \
        env "LOOM_LIMIT=$n" $M/probe_api
done

# ---- a reader's own file, and bad input ------------------------------------
run()
{
    name=$1; shift
    [ -d "$work/run" ] || lend "$work/run"
    printf '%s\n' "$@" >"$work/$name.cu"
    LC_ALL=C $MAKE -s --no-print-directory SRC="$SRC" B="$work/run" run FILE="$work/$name.cu"
}
host='int main(void) { float *y; cudaMalloc(&y, 4096);'
prints "make run: a file of one's own" '^fine$' run fine '#include <stdio.h>' \
    '__global__ void k(int *p) { if (!p) printf("fine\n"); }' \
    'int main(void) { k<<<1, 1>>>(0); return cudaDeviceSynchronize(); }'
ok_run "make run: a header of the book's, in which a kernel is launched" \
    run header '#include "kernels/batch.cuh"' 'int main(void) { return 0; }'
fails_run "a file that does not parse" '/syntax.cu:2:[0-9]*: error: expected' \
    run syntax '__global__ void k(int n)' '{ int i = ; }' 'int main(void) { }'
fails_run "a launch that does not parse" '/launch.cu:2: error: this launch has no end' \
    run launch '__global__ void k(int n) { }' 'int main(void) { k<<<1, 2(0); }'
fails_run "and is shown with a caret" '^ +\^$' \
    run launch '__global__ void k(int n) { }' 'int main(void) { k<<<1, 2(0); }'
fails_run "a name that does not exist" '/name.cu:1:[0-9]*: error:.*cudaMalok' \
    run name 'int main(void) { void *p; cudaMalok(&p, 4); }'
LOOM_LIMIT=1; export LOOM_LIMIT
fails_run "a kernel that never ends" '/never.cu:2: error: the kernel does not end: for 1 sec' \
    run never "__global__ void k(volatile float *y)" "{ while (y[0] == y[0]) y[1] = 2; }" "$host" "y = NULL; cudaMallocManaged(&y, 8); y[0] = 0; k<<<1, 2>>>(y); cudaDeviceSynchronize(); }"
LOOM_LIMIT=100
for n in argc-1 0; do
    fails_run "a division by $n" '/divide.cu:1: error: divides an integer|launched at .*/divide.cu:2' \
        run divide '__global__ void k(int *y, int d) { y[threadIdx.x] = 10 / d; }' \
        "int main(int argc, char **) { int *y; cudaMallocManaged(&y, 128); k<<<1, 32>>>(y, ($n)); return cudaDeviceSynchronize(); }"
done
for n in 0 2048; do
    fails_run "a block of $n threads" '/block.cu:1: error: kernel k was not launched: (no side|a block has at most 1024)' \
        run block "__global__ void k(float *y) { *y = 0; } $host k<<<1, $n>>>(y); }"
done
fails_run "such a program ends with 2" 'Error 2' run block \
    "__global__ void k(float *y) { *y = 0; } $host k<<<1, 0>>>(y); }"
fails_run "a program that fails ends with its own code" 'Error 1' run one \
    'int main(void) { return 1; }'
readelf_says()
{
    run static "__global__ void k(float *y)" "{" "    __shared__ float t[$1];" \
        "    t[threadIdx.x] = y[0]; __syncthreads(); y[0] = t[5];" "}" "$host k<<<1, 32>>>(y); }"
    readelf -sWC "$work/run/run/program.o" |
        awk -v source="$work/run/run/source.cu" -f "${rewriter%rewrite.awk}shared.awk" 2>&1
}
fails_run "64 KB of static shared memory" \
    '/static.cu:3: error: k\(float\*\) has 65536 bytes of static shared memory; 49152 is the most' readelf_says 16384
ok_run "48 KB of static shared memory" readelf_says 12288

# ---- the rewriter ----------------------------------------------------------
for awk in awk mawk gawk "gawk --posix" original-awk; do
    have ${awk%% *} || continue
    for f in $D/refused/*.cu; do
        (cd "${f%/*}" && exec $awk -f "$OLDPWD/$rewriter" "${f##*/}") \
            >"$work/out" 2>"$work/err"
        is "${f##*/} is refused by $awk, with 1" "$?" 1
        ok "${f##*/}: $awk says where and why" \
            grep -Eq "^$(sed -n '1s/.*refused: //p' "$f")" "$work/err"
    done
    $awk -f $rewriter $D/alone.cu | sed 1d >"$work/out"
    ok "what is no launch is left alone by $awk" cmp $D/alone.cu "$work/out"
    $awk -f $rewriter $D/shared.cu | sed 1d >"$work/out"
    is "dynamic shared memory becomes C++, by $awk" \
        "$(grep -o '__thread [^;]*\|.*= .*loom_dynamic' "$work/out" | sed 's/^ *//; s/ __a.*_dynamic.*//')" \
        "__thread float tile[]
__thread unsigned char bytes[]
__thread std::pair<int, float> pairs[]
T *const in_template
int *const rows
float (*const table)[4][8]"
    $awk -f $rewriter $D/hard.cu >"$work/$(echo $awk | tr -d ' -').cu"
    is "$awk keeps every line of hard.cu" \
        "$($awk -f $rewriter $D/hard.cu | sed 1d | grep -vc 'pushsection .loom')" \
        "$(wc -l <$D/hard.cu | tr -d ' ')"
    ok "$awk and awk write the same" cmp "$work/awk.cu" "$work/$(echo $awk | tr -d ' -').cu"
    $awk -f $rewriter /dev/null >"$work/out"
    is "an empty file stays empty with $awk" "$(wc -c <"$work/out" | tr -d ' ')" 0
done

# ---- NVIDIA's header says the same -----------------------------------------
cuda=$(dirname "$(dirname "$(command -v "${NVCC:-nvcc}" || echo /none/bin/nvcc)")")
same()
{
    codes=$(sed -n 's/^    X(Error[A-Za-z]*, \([0-9]*\),.*/\1/p' \
        "$SRC/loom/cuda_runtime_api.h")
    all=$(sed -n 's/^    X(\([A-Z][A-Za-z0-9]*\), [0-9]*,.*/\1/p' "$SRC/loom/cuda_runtime_api.h" |
        sed '/^Error/d; /^Success/d; s/.*/X(&)/' | tr '\n' ' ')
    ${CC:-cc} "-DATTRIBUTES(X)=$all" -I"$cuda/include" $D/constants.c -o "$work/nvidia" \
        -L"$cuda/lib64" -lcudart &&
        LD_LIBRARY_PATH=$cuda/lib64 "$work/nvidia" 0 $codes >"$work/nvidia.txt" &&
        ${CC:-cc} "-DATTRIBUTES(X)=$all" -I"$SRC/loom" -I"$SRC" $D/constants.c -o "$work/ours" \
            $(for m in $modules; do echo "$M/$m.o"; done) -lm -lpthread &&
        "$work/ours" 0 $codes >"$work/ours.txt" &&
        diff "$work/nvidia.txt" "$work/ours.txt" &&
        test "$(wc -l <"$work/ours.txt")" -gt 200
}
if have nvcc && [ -f "$cuda/include/cuda_runtime_api.h" ]; then
    ok "constants, codes and texts are NVIDIA's" same
else
    skip "constants, codes and texts are NVIDIA's" "needs nvcc"
fi

# ---- the map of the workshop ------------------------------------------------
# mapped: every file of Loom stands in it, and every test of Loom's
mapped()
{
    sed -n '/^## A map/,/^: Which page/s/^| //p' book/05w-loom-workshop.md |
        grep -o '`[^` ]*`' | tr -d '`' | sort -u >"$tap_tmp/names"
    (cd tangled/loom && for f in *; do
        while read -r pattern; do
            case $f in ${pattern%/}) continue 2 ;; esac
        done <"$tap_tmp/names"
        echo "$f stands nowhere"
    done)
    for f in tests/loom*.t; do
        f=${f##*/}
        grep -qxF "${f%.t}" "$tap_tmp/names" || echo "the test ${f%.t} stands nowhere"
    done
    (cd tangled/loom && while read -r pattern; do
        ls -d -- $pattern >/dev/null 2>&1 || [ -f "../../tests/$pattern.t" ] ||
            [ "$pattern" = tangled/loom/ ] || echo "nothing is called $pattern"
    done) <"$tap_tmp/names"
}
is "the map of the workshop has every file" "$(mapped)" ""

transcripts loom
done_testing
