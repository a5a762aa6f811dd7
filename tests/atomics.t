#!/bin/sh
# Chapter 9, Atomics.
. tests/tap.sh
. tests/small.sh

sum_of() { "$@" | cksum; }

# What is launched, and what the benchmark asks of memory: its headers with one thread and
# no device, k<<<g, b>>>(x) as (launched(g, b), k)(x).
parts()
{
    {
        sed -n '/^\/\* list the histograms/,$p' "$SRC/atomics/histogram.cuh"
        cat "$SRC/atomics/price.cuh" "$SRC/atomics/read.cuh" "$SRC/atomics/sums.cuh"
    } | sed -E -e '/^#(include|ifndef|endif|define|line)/d' -e 's/THREADS = 1024/THREADS = 1/' \
        -e 's/([a-z_]+(->[a-z_]+|\[[a-z]+\])?)<<<(.*)>>>/(launched(\3), \1)/' >"$tap_tmp/parts.h"
    sed -n '/^static __device__ inline int warp_sum/,/^}/p' "$SRC/atomics/versus.cuh" >"$tap_tmp/warp_sum.h"
    {
        sed -n '/^\/\* count in global memory/,/^\/\* ask how many SMs/p' "$SRC/atomics/histogram.cuh"
        sed -n '/^static __device__ int block_sum/,/^int main/p' "$SRC/atomics/last.cu" | sed '$d'
        sed -n '/^\/\* add up a warp/,/^\/\* run one of the seven/p' "$SRC/atomics/versus.cuh"
        sed -n '/^static __device__ inline float atomic_max/,/^struct result/p' "$SRC/atomics/cas.cu" | sed '$d'
        sed -n '/^\/\* lock by lane/,/^\/\* lock by ticket/p' "$SRC/atomics/lock.cuh"
        sed -n '/^__global__ void add_by_warp/,/^int main/p' "$SRC/atomics/solutions/mend.cu" | sed '$d'
    } | sed '/^#line/d' >"$tap_tmp/kernels.h"
    ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -o "$tap_tmp/parts" tests/data/atomics/parts.cc &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" | diff - tests/data/atomics/parts.txt
}
ok "histograms are launched, loops take their steps, and the benchmark adds, reads and counts, as is listed" parts

for b in $BACKENDS; do
    P=$B/$b/atomics

    each "E8: @ atomic additions all arrive, on the $b" count 1 31 33 257 100003
    for n in 1 300 1000; do
        ok_run "plain additions lose some and make none up, $n, on the $b" $P/count $n --plain
    done
    each "every operation, @ threads, on the $b" ops 0 1 2 31 32 33 64 65 127 129 1021 20011
    each "swaps by @ threads on the $b" cas 1 2 31 32 33 64 65 127 129 1021 20011
    each "the last block adds up @ on the $b" last "0 1 1" "1 1 1" "5 3 2" "31 9 32" \
        "33 2 32" "1000 1 1024" "1021 129 64" "65537 40 128"
    fails_run "the last block refuses 96 threads, on the $b" 'no power of two' \
        $P/last 10 1 96
    ok_run "histograms of 0 to 129 bytes on the $b" \
        runs $P/histogram "$(sizes 0 129 0)"
    ok_run "histograms from every start within 16, on the $b" \
        runs $P/histogram "$(for n in 0 15 17 33 1000; do sizes 0 15 | sed "s/^/$n /"; done)"
    each "histograms of @ on the $b" histogram "257 1" "4099 3" "65537 15" "200003 11 1" \
        "300007 4 2"
    prints "the five kinds of data are what they were ($b)" '^3481114145 5037$' \
        sum_of $P/histogram 1000 --data --seed 7
    each "three locks and none, @ notes, on the $b" lock 1 2 31 32 33 127 128 129 300 1021
    each "a sum in seven ways, @, on the $b" versus "0 1" "1 1" "31 1" "33 2" "129 3" \
        "1021 1" "1021 300" "65537 17"
    for n in "1 1" "31 3" "129 3" "257 2" "5003 4"; do
        prints "fixed point has one sum, $n, on the $b" \
            '^ok: fixed point: 1 sum' $P/sums $n
    done
    each "keep the positive of @ on the $b" solutions/compact 1 31 33 129 1021
    each "weights of @ on the $b" solutions/weights 1 31 33 129 257 1021
    each "two locks mended, @ blocks, on the $b" solutions/mend 1 2 17
    ok_run "the maximum of floats by integers on the $b" \
        $P/solutions/float_max
    prints "the benchmark counts what arrives, on the $b" \
        '^atomics,fixed_sum,[0-9]+,different,1,count' $P/bench 9
done

# what the checker says
if have inst; then
    I=$B/inst/atomics
    for p in "count 300" "ops 40" "cas 70" "last 300 5 32" \
        "histogram 300 3" "lock 70" "versus 300 3" "sums 300 2" \
        "solutions/mend 3" "solutions/compact 100" "solutions/weights 100"; do
        ok_run "the checker finds no race in $p" $I/$p
    done
    fails_run "E8: plain additions beside atomic ones are a race" \
        'race on global memory' $I/wrong/mixed
    fails_run "E8: an atomic orders nothing else: no fence, a race" \
        'race on global memory' $I/wrong/last
else
    skip "E8: what the checker says" "needs the instrumented Loom"
fi
if have gpu; then
    prints "E8: plain additions wipe out atomic ones" \
        '^mixed:  ([0-9]{1,6}|10[0-3][0-9]{4}) of 1048576 arrive' \
        $B/gpu/atomics/count 1048576 --plain
    if command -v cuobjdump >/dev/null; then
        prints "the compiler adds up a warp before it adds to one address" \
            'REDUX.SUM' cuobjdump -sass $B/gpu/atomics/versus
        prints "adding the constant 1 counts lanes" \
            'ATOMS.POPC.INC' cuobjdump -sass $B/gpu/atomics/bench
        prints "adding floats in shared memory is a loop" \
            'ATOMS.CAST.SPIN' cuobjdump -sass $B/gpu/atomics/bench
    else
        skip "what the compiler makes of atomics" "needs cuobjdump"
    fi
else
    skip "E8: plain additions wipe out atomic ones" "needs a GPU"
fi

# the table: every cell, for the first and the last of the architectures of this nvcc that have
# the same lists of what must compile and what must be refused
ops=$SRC/atomics/ops.awk
txt=$SRC/atomics/ops.txt
[ -f "$ops" ] || ops=tangled/atomics/ops.awk txt=tangled/atomics/ops.txt
# shown TABLE: is the chapter's table what ops.awk prints, row for row?  With nvcc every
# cell is tried as well; without it this is what catches a wrong one.
shown()
{
    awk -v what=table -f "$ops" "$1" >"$tap_tmp/table" &&
        awk -v head="$(head -n 1 "$tap_tmp/table")" '
            $0 == head { on = 1 }
            !/^\|/ { on = 0 }
            on' book/09-atomics.md | diff - "$tap_tmp/table"
}
ok_run "E9: the table in the chapter is what ops.awk prints" shown $txt

table=yes
case " $ONLY " in "  " | *ops.txt*) ;; *) table= ;; esac

# lists CC: of what must be and of what is refused, as two files of $work
lists()
{
    for what in must refused; do
        awk -v what=$what -v cc="$1" -f "$ops" "$txt" >"$work/$what$1.cu"
    done
}
# cells CC: compiles both files; leaves a line of verdict in $work/CC
cells()
{
    cd "$work" || return
    ${NVCC:-nvcc} -arch=sm_$1 -cubin -o must$1.cubin must$1.cu 2>must$1.err &&
        echo "compiles" >"$1"
    ${NVCC:-nvcc} -arch=sm_$1 -Xcudafe --error_limit=10000 -cubin \
        -o refused$1.cubin refused$1.cu >refused$1.err 2>&1
    sed -n "s/^refused$1.cu(\([0-9]*\)): error.*/\1/p" refused$1.err |
        sort -un >refused$1.got
    grep -n '^    atomic' refused$1.cu | sed 's/:.*//' | sort -un |
        cmp -s - refused$1.got && echo "refuses" >>"$1"
}

# loom_cells: does Loom have all that sm_80 has?
loom_cells()
{
    awk -v what=must -v cc=80 -f "$ops" "$txt" >"$tap_tmp/cells.cu" &&
        ${CXX:-g++} -std=gnu++17 -x c++ -I"$B/loom/src" -I"$SRC" \
            -isystem "$SRC/loom" -D__CUDACC__=1 -include cuda_runtime.h -fsyntax-only \
            "$tap_tmp/cells.cu"
}
[ -n "$ONLY" ] ||
    ok_run "E9: Loom has every cell of 8.0" loom_cells

if [ -z "$table" ]; then
    : # a planted bug elsewhere
elif have nvcc; then
    work=$(mktemp -d)
    archs=$(${NVCC:-nvcc} --list-gpu-arch | sed -n 's/^compute_\([0-9]*\)$/\1/p' | sort -n)
    [ -z "$ONLY" ] || archs=80
    archs=$(for cc in $archs; do
        lists $cc
        echo $cc $(cat "$work/must$cc.cu" "$work/refused$cc.cu" | cksum)
    done | awk '
        $2 != sum { if (NR > 1 && !alone) print last; print $1 }
        { alone = $2 != sum; sum = $2; last = $1 }
        END { if (!alone) print last }')
    [ -e "$work/must80.cu" ] || lists 80
    set -- $archs
    while [ $# -gt 0 ]; do
        (cells "$1") &
        [ $# -lt 2 ] || (cells "$2") &
        wait
        shift
        [ $# -eq 0 ] || shift
    done
    # verdict CC TABLE: what cells has left behind
    verdict()
    {
        cat "$work/must$1.err" "$work/$1"
        [ "$(tr '\n' ' ' <"$work/$1")" = "compiles refuses " ]
    }
    for cc in $archs; do
        ok_run "E9: sm_$cc has every cell of the table, and refuses the others" \
            verdict $cc $txt
    done
    sub=$(grep -c 'atomicSub(at<float>' "$work/refused90.cu")
    is "E9: atomicSub for float is among the refused" "$sub" 1
    sub=$(grep -c 'atomicAdd(at<float2>' "$work/refused80.cu")
    is "E9: float2 is refused for sm_80 ..." "$sub" 1
    sub=$(grep -c 'atomicAdd(at<float2>' "$work/must90.cu")
    is "E9: ... and compiles for sm_90" "$sub" 1
    cat >"$work/ref.cu" <<'END'
#include <cuda/atomic>
__global__ void weak(int *p)
{
    *p = cuda::atomic_ref<int, cuda::thread_scope_block>(p[1]).fetch_add(
        1, cuda::memory_order_relaxed);
}
__global__ void strong(int *p)
{
    *p = cuda::atomic_ref<int>(p[1]).fetch_add(1);
}
END
    prints "atomic_ref, relaxed and of the block, is one instruction" \
        'atom.*relaxed.cta' ${NVCC:-nvcc} -arch=sm_90 -ptx -o - "$work/ref.cu"
    prints "atomic_ref with nothing said has a fence for the whole system" \
        'fence.sc.sys' ${NVCC:-nvcc} -arch=sm_90 -ptx -o - "$work/ref.cu"
    rm -rf "$work"
else
    skip "E9: every cell of the table" "needs nvcc"
fi

checked atomics
tallied atomics
# an endless spin is named after this many seconds
allowed=$LOOM_LIMIT
LOOM_LIMIT=2
wrongs atomics
LOOM_LIMIT=$allowed
solutions atomics
transcripts atomics
small_agrees atomics 4
done_testing
