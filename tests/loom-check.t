#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: the checker finds what is wrong, and nothing else.
. tests/tap.sh

work=$tap_tmp/work
mkdir -p "$work"
M=$B/inst/loom/mistakes
D=tests/data/loom

if ! have inst; then
    skip "checking" "needs the instrumented Loom"
    done_testing
fi
# (of a program without the checker nothing is run below)
case " $ONLY " in "  " | *" inst/"*) ;; *) done_testing ;; esac
build()
{
    $MAKE -s SRC="$SRC" B="$B" "$@" >"$work/make" 2>&1 || diag "$(cat "$work/make")"
}
[ -z "$ONLY" ] && build $M
tap_wanted $M && build $M

# what each mistake must be called; one that makes none has no words
cat >"$work/words" <<'EOF'
bounds out of bounds: thread .127,0,0. of block .1,0,0. reads 4 bytes
bounds_dynamic out of bounds of 128 bytes of dynamic shared memory
bounds_static out of bounds: .* uses index 32 of an array .float ?\[32\]
bounds_pointer out of bounds of shared memory: .* reads 4 bytes
bounds_variable out of bounds: .* uses index 16 of an array .float ?\[16\]
race_warp race on shared memory
race_volatile race on shared memory
race_lanes race on global memory: .* writes what .* has written
vote race on global memory: .* (reads|writes) what .* has (read|written)
no_vote
three race on global memory: thread .* (reads|writes) what thread .* has (read|written)
alike race on global memory: thread .* (reads|writes) what thread .* has (read|written)
met
agree
meet
meet_all
by_value
object
by_call
race_call race on global memory: .* (reads|writes) what .* has (read|written)
race_block race on shared memory: .* (reads|writes) what .* has (read|written)
race_again race on shared memory: .* (reads|writes) what .* has (read|written)
race_blocks race on global memory: .* (reads|writes) what .* has (read|written)
no_barrier race on global memory: .* (reads|writes) what .* has (read|written)
barrier
fence_each
one_fence race on global memory: .* (reads|writes) what .* has (read|written)
counted race on global memory: .* reads what .* has written
no_syncwarp race on global memory: .* (reads|writes) what .* has (read|written)
syncwarp
one_read race on global memory: .* (reads|writes) what .* has (read|written)
all_reads
own_read
write_behind race on global memory: .* writes what .* has read
benign
no_fence race on global memory: .* (reads|writes) what .* has (read|written)
no_release race on global memory: .* (reads|writes) what .* has (read|written)
no_acquire race on global memory: .* (reads|writes) what .* has (read|written)
inactive shuffle from an inactive lane: .* asks lane 2[0-9]
unset_global uninitialized global memory: thread .* reads 4 bytes
unset_shared uninitialized shared memory: .* reads 4 bytes
misaligned misaligned address: .* reads 8 bytes
misaligned_4 misaligned address: .* reads 16 bytes
freed use after free: .* reads 4 bytes
twice cudaFree: the pointer was freed before
host_heap host memory in a kernel: .* reads 4 bytes
host_static host memory in a kernel: .* reads 4 bytes
device_pointer device memory on the host: the host writes
device_variable device memory on the host: the host writes
look_early race on global memory: (the host reads what thread .* of add_one has written|thread .* writes what the host has read, in add_one)
look_later
look_at_copy race on global memory: (the host reads what a call in a stream has written|a call in a stream writes what the host has read)
look_behind_copy
change_copy race on global memory: (the host writes what a call in a stream has read|a call in a stream reads what the host has written)
change_later
two_streams race on global memory: thread .* (reads|writes|updates) what thread .* of add_one has (read|written), in add_one
event
event_later
apart race on global memory: thread .* (reads|writes|updates) what thread .* of add_one has (read|written), in add_one
legacy
flags
told
fences
EOF

# all_found PROGRAM: every mistake ends with 2 and is called by its name
all_found()
{
    while read -r m words; do
        case $1:$m in */clang*:misaligned_4) continue ;; esac   # it cannot
        timeout 60 $1 $m >"$work/$m" 2>&1
        status=$?
        if [ -z "$words" ]; then
            [ $status = 0 ] && ! grep -q error: "$work/$m" && continue
        else
            [ $status = 2 ] && grep -Eq "^[^ :]+:[0-9]+: error: $words" "$work/$m" && continue
        fi
        echo "$m: exit status $status, wanted: ${words:-no report}"
        head -5 "$work/$m"
        return 1
    done <"$work/words"
}

# ---- what is found ---------------------------------------------------------
# said PROGRAM MISTAKE: and how it ended
said() { cat "$work/$2"; return $status; }
while read -r m words; do
    tap_wanted $M $m || continue
    timeout 60 $M $m >"$work/$m" 2>&1
    status=$?
    if [ -z "$words" ]; then
        ok_run "$m is no mistake" said $M $m
    else
        is "$m ends with 2" "$status" 2
        fails_run "$m is found" "^[^ :]+:[0-9]+: error: $words" said $M $m
    fi
done <"$work/words"
# reports FILE: what it reports, of which threads, without the places; and what it leaves
reports()
{
    sed -E -n "s/^ *[^ ]*:[0-9]+: //; s/, in [a-z_]+( \([0-9]+ times\))?\$//; s/'float\[/'float [/"'
        /^(error|warning|left|[0-9]+$|  in kernel)/p' "$1"
}
# A seed fixes the order, and so all that is said of a mistake, and what it computes.
while read -r m words; do
    tap_wanted $M $m || continue
    case ${CXX-}:$m in *clang*:misaligned_4) continue ;; esac   # it cannot
    t="$m is found where it is, and leaves what it should"
    tap_named "$t" || continue
    LOOM_SEED=1 $M $m left >"$work/said" 2>&1
    is "$t" "$(reports "$work/said")" \
        "$(sed -n "/^$m:\$/,/^\$/p" $D/mistakes.txt | sed '1d;/^$/d')"
done <"$work/words"
# three lanes, one of which returns: no order of theirs hides the race
for m in three alike; do
    tap_named "$m is found under 20 seeds" || continue
    is "$m is found under 20 seeds" \
        "$(for s in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            LOOM_SEED=$s $M $m 2>&1 | grep -c 'error: race'; done | sort | uniq -c | tr -s ' ')" " 20 1"
done
tap_named "no_vote and met are no mistake under 20 seeds" &&
is "no_vote and met are no mistake under 20 seeds" \
    "$(for s in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        LOOM_SEED=$s $M no_vote 2>&1; LOOM_SEED=$s $M met 2>&1; done)" ""
is "no mistake has been forgotten" "$($M | sort)" "$(sed 's/ .*//' "$work/words" | sort)"
tap_named "chapter 4's shuffle from lanes that have left is found" &&
is "chapter 4's shuffle from lanes that have left is found" \
    "$(build $B/inst/simt/wrong/left; $B/inst/simt/wrong/left 2>&1 | grep -c 'error: shuffle from an inactive lane')" 1

# ---- what a report looks like ----------------------------------------------
is "a race shows two lines of the source, with carets under the places" \
    "$(grep -A2 -E 'has read|note' "$work/race_block" | head -6 | sed 's/^[^ ].*\(error\|note\).*/\1/')" \
"error
    row[t] = y[t];
    ^
note
    y[t] = row[255 - t];
    ^"
is "an index out of bounds has a caret under the array" \
    "$(sed -n 2,3p "$work/bounds_static")" \
"    y[threadIdx.x] = row[threadIdx.x + 1] + other[threadIdx.x];
                     ^"
is "each pair of places is reported once" \
    "$(grep -c 'writes what' "$work/race_block")" 1
is "a race seen from both sides is reported once" "$(grep -c error: "$work/race_again")" 1
ok "an index past the end names the allocation and its line" \
    grep -Eq '0 bytes past the end of an allocation of 1024 bytes made at [^ ]+:[0-9]+' "$work/bounds"
ok "behind a pointer, the variable that lies there is named" \
    grep -Eq 'they are at 0x[0-9a-f]+, .* of [a-z]+.*, [0-9]+ bytes' "$work/bounds_pointer"
ok "a variable of the host is named" grep -Eq 'byte 0 of host, 256 bytes of the host' "$work/host_static"
ok "a variable of the device is named" grep -Eq 'byte 0 of weight, 64 bytes' "$work/device_variable"
ok "a race between blocks names both" \
    grep -Eq 'of block \([0-9],0,0\) reads what .* of block \([0-9],0,0\) has written' "$work/race_blocks"
ok "in a warp, __syncwarp is what is missing" grep -q 'no __syncwarp() lies between' "$work/race_warp"
ok "volatile is no excuse in a warp" grep -q 'no __syncwarp() lies between' "$work/race_volatile"
ok "behind a flag, a fence is what is missing" \
    grep -q 'a flag said so, but no __threadfence() follows' "$work/no_acquire"
is "a pair of lines has the number of times" \
    "$(sed -n 's/.*in turn \(([0-9]* times)\).*/\1/p' "$work/race_block")" "(256 times)"
is "the race stands before what it made uninitialized" \
    "$(sed -n 's/.*error: \([a-z]*\).*/\1/p' "$work/race_block")" "race
uninitialized"
is "stores that change nothing are a warning" \
    "$(sed -n 's/.*: warning: \(benign race\) on .*; \(no store changes anything\), .* \(([0-9]* times)\)$/\1, \2 \3/p' "$work/benign")" \
    "benign race, no store changes anything (7 times)"
is "LOOM_QUIET=1 silences the report, and the exit code stays" \
    "$(LOOM_QUIET=1 $M race_block 2>&1; echo $?)" 2

# ---- your own file ---------------------------------------------------------
cat >"$work/mine.cu" <<'EOF'
#include <stdio.h>
__global__ void turn(float *y)
{
    __shared__ float row[64];

    row[threadIdx.x] = y[threadIdx.x];
    y[threadIdx.x] = row[63 - threadIdx.x];
}
int main(int argc, char **argv)
{
    float *y;
    cudaMalloc(&y, 64 * sizeof *y);
    cudaMemset(y, 0, 64 * sizeof *y);
    turn<<<1, argc > 1 ? atoi(argv[1]) : 64>>>(y);
    return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
[ -n "$ONLY" ] || lend "$work/own"
fails_run "make run CHECK=1 checks a file that is not the book's" \
    'mine.cu:[67]: error: race on shared memory' \
    $MAKE -s SRC="$SRC" B="$work/own" run FILE="$work/mine.cu" CHECK=1
# Blocks are told apart by their whole numbers, not by some bits of these. The same
# program calls what only clang does, and sets the clock to near where it is set back.
cat >"$work/far.cu" <<'EOF'
__global__ void far(unsigned apart, int *p)
{
    if (blockIdx.x % apart == 0)
        *p = (int)blockIdx.x;
}
#include <new>
#include <stdio.h>
struct object {
    virtual int f() { return 1; }
};
extern "C" {
void __tsan_vptr_read(void **p);
#define BOTH(n) \
    void __tsan_read_write##n(void *p); \
    void __tsan_unaligned_read_write##n(void *p);
BOTH(1) BOTH(2) BOTH(4) BOTH(8) BOTH(16)
extern unsigned inst_now;
}
__global__ void touch(char *p, int how)
{
#undef BOTH
#define BOTH(n, k) \
    case 2 * k: __tsan_read_write##n(p); break; \
    case 2 * k + 1: __tsan_unaligned_read_write##n(p + 1); break;
    switch (how) {
        BOTH(1, 0) BOTH(2, 1) BOTH(4, 2) BOTH(8, 3) BOTH(16, 4)
    default:
        __tsan_vptr_read((void **)p);
        new (p) object;
    }
}
__global__ void sum(const char *p, int n, int *s)
{
    for (int i = 0; i < n; i++)
        *s += p[i];
}
__device__ int variable[64];
__global__ void pass(int *p)
{
    __shared__ int own[64];
    int t = threadIdx.x;

    for (int i = 0; i < 64; i++) {
        own[t ^ i] = variable[t ^ i] = p[t ^ i] = i;
        __syncthreads();
    }
}
int main(int argc, char **argv)
{
    unsigned apart = argc > 1 ? 1u << atoi(argv[1]) : 1;
    int *p, *s;

    cudaMalloc(&p, 64);
    if (argc > 2) {
        int how = atoi(argv[2]);

        cudaMalloc(&s, sizeof *s);
        cudaMemset(s, 0, sizeof *s);
        touch<<<1, 1>>>((char *)p, how);
        cudaDeviceSynchronize();
        /* what was touched, then a byte more */
        for (int more = 0; more < 2; more++) {
            puts(more ? "more" : "again");
            fflush(stdout);
            sum<<<1, 1>>>((char *)p + how % 2, (how < 10 ? 1 << how / 2 : 8) + more, s);
            cudaDeviceSynchronize();
        }
        return 0;
    }
    cudaFree(p);
    cudaMalloc(&p, 256);
    if (argc > 1 && *argv[1] == 'e') {
        inst_now = 2999999990;
        for (int i = 0; i < 3; i++) {
            pass<<<1, 64>>>(p);
            cudaDeviceSynchronize();
            printf("%d\n", inst_now > 3000000000);
            fflush(stdout);
        }
    }
    far<<<apart + 1, 1>>>(apart, p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
# far_apart PROGRAM ARGUMENTS: the program is named for ONLY.
far_apart()
{
    own=$work/far
    [ -x "$own/run/program" ] || {
        lend "$own"
        $MAKE -s SRC="$SRC" B="$own" run CHECK=1 FILE="$work/far.cu" >"$work/make" 2>&1
    }
    shift
    "$own/run/program" "$@"
}
for bits in 16 20 24; do
    fails_run "two blocks that write, 2^$bits blocks apart" \
        'far.cu:4: error: race on global memory: .* writes what .* has written' far_apart $M $bits
done
# brief: what is reported, in few words
brief()
{
    "$@" 2>&1 | sed -n 's/^[^ ]*:\([0-9]*\): error: \([a-z]*\) .* \([a-z]* [0-9]* bytes\) .*/\2: \3/p
        s/^[^ ]*:\([0-9]*\): error: \([a-z]*\) .*/\2 in line \1/p; /^[a-z0-9]*$/p' | tr '\n' ' '
}
t="what reads and writes in one call is known to do both, of its bytes and no others"
tap_wanted $M && tap_named "$t" &&
is "$t" "$(for how in 0 1 2 3 4 5 6 7 8 9 10; do brief far_apart $M 0 $how; done)" \
    "$(for n in 1 1 2 2 4 4 8 8 16 16 8; do
        printf 'uninitialized: reads %d bytes again more uninitialized: reads 1 bytes ' $n; done)"
t="when the clock is set back, what was written before is no race, and what is one is found"
tap_wanted $M && tap_named "$t" &&
is "$t" "$(brief far_apart $M e)" "1 0 0 race in line 4 "
cat >"$work/codes.cu" <<'EOF'
#include <stdlib.h>
int main(int argc, char **argv)
{
    return argc > 1 ? atoi(argv[1]) : 0;
}
EOF
prints "of a checked program the exit code 7 becomes 1, and is printed" \
    'the program ended with 7' \
    sh -c "$MAKE -s SRC='$SRC' B='$work/own' run FILE='$work/codes.cu' CHECK=1 >/dev/null &&
        ! $work/own/run/program 7 2>&1 && { $work/own/run/program 7; [ \$? = 1 ]; }"
cat >"$work/sides.cu" <<'EOF'
__global__ void k(void) { if (threadIdx.x < 7) __syncthreads(); else __syncthreads(); }
int main(void) { k<<<1, 64>>>(); return cudaDeviceSynchronize() != cudaSuccess; }
EOF
fails_run "two barriers on one line are two" \
    'divergent barrier: it is at .*:1, column [0-9]+, while thread .* waits at .*:1, column [0-9]+' \
    $MAKE -s SRC="$SRC" B="$work/own" run FILE="$work/sides.cu"
prints "make run COUNT=1 prints a table" 'mine.cu:6 +shared write +4 +2 +32.00 +1.00 passes +1.00' \
    sh -c "$MAKE -s SRC='$SRC' B='$work/own' run FILE='$work/mine.cu' COUNT=1 || true"

# ---- undefined behavior -----------------------------------------------------------
# Planted bugs are tried in a Loom that stops at it (tests/planted.mk), but not with the
# checker and the counter, which have a sanitizer's calls for their own. They can trap.
trapping()
{
    set --
    for c in "$SRC"/loom/*.c; do
        m=$(basename "$c" .c)
        case $m in
        cublas_v2 | cufft | curand | xorwow | probe_*) ;;
        check* | count)
            ${CC:-cc} -std=c11 -D_DEFAULT_SOURCE -O1 -fsanitize=undefined \
                -fsanitize-undefined-trap-on-error -I"$SRC" -c -o "$work/$m.o" "$c" || return 1
            set -- "$@" "$work/$m.o"
            ;;
        *) set -- "$@" "$B/loom/loom/$m.o" ;;
        esac
    done
    ${CXX:-g++} -o "$work/trapping" $M.o "$@" -lm -lpthread
}
if [ -z "$ONLY" ]; then
    ok "checker and counter are built to stop at undefined behavior" trapping
    export LOOM_COUNT=1
    ok "they find every mistake, count, and stop nowhere" all_found "$work/trapping"
    unset LOOM_COUNT
fi

# ---- orders ----------------------------------------------------------------------
# under_seeds N: every mistake is found, and nothing else, under each of N seeds
under_seeds()
{
    for s in $(seq $1); do
        LOOM_SEED=$s all_found $M || { echo "under seed $s"; return 1; }
    done
}
if [ -z "$ONLY" ]; then
    ok "every mistake is found under five seeds" under_seeds 5
fi
tap_wanted $M no_acquire && fails_run "LOOM_SEEDS stops at the first finding and names its seed" \
    '^loom: LOOM_SEED=1 repeats this; the program ended with 2' \
    env LOOM_SEEDS=9 $M no_acquire
tap_wanted $M fences && prints "LOOM_SEEDS says that nothing was found" \
    '^loom: nothing found under the seeds 3 to 11' env LOOM_SEEDS=9 LOOM_SEED=3 $M fences
for n in x 0 -1 ""; do
    fails_run "LOOM_SEEDS='$n' is refused" 'say a number of seeds' env "LOOM_SEEDS=$n" $M fences
done

# ---- what does not end ----------------------------------------------------------
for how in idle clock; do
    tap_wanted $B/inst/loom/probe_stuck $how && fails_run "a kernel that touches nothing and does not end: $how" \
        'error: the kernel does not end: for 1 seconds .* spins' env LOOM_LIMIT=1 $B/inst/loom/probe_stuck $how
done

# ---- no false report ------------------------------------------------------------
checked loom mistakes probe_faults probe_stuck probe_count probe_streams
ok_run "the 32 probes are clean" $B/inst/loom/probe_count
prints "Loom's own test passes with the checker" '^ok: launches' \
    env LOOM_QUIET=1 $B/inst/loom/probe_api

# ---- every compiler, at the ends of the levels: all else here is g++'s -O1 ---
for cc in "gcc g++" "clang clang++"; do
    [ -z "$ONLY" ] || break
    set -- $cc
    if ! have $1 || ! have $2; then
        skip "checking with $2" "needs $1 and $2"
        continue
    fi
    for o in -O0 -O3; do
        V=$work/$1$o
        lend "$V"                 # what is not instrumented is there
        $MAKE -s SRC="$SRC" B="$V" CC=$1 CXX=$2 INSTFLAGS=$o \
            $V/inst/loom/probe_count $V/inst/loom/mistakes \
            >"$work/make" 2>&1 || diag "$(cat "$work/make")"
        ok_run "$2 $o: the 32 probes are clean" $V/inst/loom/probe_count
        ok "$2 $o: every mistake is found" all_found $V/inst/loom/mistakes
        rm -rf "$V"
    done
done
done_testing
