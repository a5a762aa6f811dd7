#!/bin/sh
# Chapter 8, Races and barriers.
# depends: tests/data/once.h
. tests/tap.sh
. tests/small.sh

# allowed TABLE litmus...: which outcomes the model allows (1), test by test; and Loom,
# which keeps every order, sees none of them
allowed()
{
    table=$1
    shift
    "$@" >"$tap_tmp/litmus" || return
    awk -v table="$table" -v b="$b" '
        $2 == "fence" { got = got ($4 == "allowed,"); seen += $6 }
        END { print got, seen; exit got != table || b == "loom" && seen }' "$tap_tmp/litmus"
}

# The litmus tests as they are written down and counted, and grids that fit: the chapter's
# headers with one thread at a time and no device, k<<<g, b>>>(x) as (launched(g, b), k)(x).
parts()
{
    {
        sed -n '/^\/\* count the blocks that fit/,$p' "$SRC/sync/fits.cuh" | sed '$d'
        sed -n '/^static __device__ void/,/^}/p; /^__global__ void mail/,/^}/p' "$SRC/sync/solutions/mailbox.cu"
        # up to the barrier
        sed -n '/^__global__ void halve_all/,/^}/p' "$SRC/sync/solutions/branch.cu" |
            sed 's/__shared__/extern/; s/__syncthreads();/return;/'
        sed -n '/^static __device__ inline void ring_step/,/^}/p; /^__global__ void ring_/,/^}/p' "$SRC/sync/grid.cu"
        sed -n '/^enum line {/,/^};/p; /^template <int LINE>/,/^}/p' "$SRC/sync/bench.cu"
        sed -n '/^\/\* write the litmus tests down/,$p' "$SRC/sync/litmus.cuh" | sed '$d'
        sed -n '/^__global__ void shift_\(racy\|seams\)/,/^}/p
            /^static void shift_reference/,/^}/p' "$SRC/sync/shift.cuh"
    } | sed -E -e '/^#(include|ifndef|define|line)/d' \
        -e 's/litmus_games<<<(.*)>>>/(launched(\1), fake_games)/' >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -o "$tap_tmp/parts" -include tests/data/refused.h \
        tests/data/sync/parts.cc &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" | diff - tests/data/sync/parts.txt
}
ok "litmus tests are written, played and counted as listed; so many blocks fit and wait" parts

for b in $BACKENDS; do
    P=$B/$b/sync

    each shift "1 1" "2 1" "2 1024" "31 32" "32 32" "33 32" "129 64" "257 256" \
        "1000 33" "1024 1024" "1025 1024" "65537 256" "5000 100"
    ok_run "shift 1 to 66 on the $b" runs $P/shift "$(sizes 1 66 32)"
    fails_run "shift refuses a block of 1025, on the $b" 'too large' \
        $P/shift 10 1025

    prints "E6: a hundred dependent kernels are right without a wait ($b)" \
        '^ok: 100 launches without a wait, 65536 elements right' \
        $P/race 16 100
    prints "E6: a racy kernel is wrong, whatever the host waits for ($b)" \
        '^racy: [1-9][0-9]* of 1048576 elements wrong' $P/race 20 1 --racy
    each "dependent kernels @ on the $b" race "1 1" "5 31" "12 1000"
    each "turn @ rows on the $b" turn 1 2 3 4 5 31 33 129 1000

    for n in "1 5" "2 8" "4 3" "8 1" "64 1"; do
        prints "litmus $n on the $b: nothing forbidden is seen" \
            '^ok: nothing that is forbidden' $P/litmus $n
    done
    ok_run "litmus 1 2 on the $b: what the model allows, test by test" \
        allowed 1100111011000000 $P/litmus 1 2

    each "lines across a grid, @, on the $b" grid "1 0 1" "1 5 2" "2 1 3" "3 4 7" \
        "31 100 33" "1000 201 129" "1021 2 100" "2048 64 500" "257 101 1"
    each "host threads @ on the $b" threads "1 1 1" "8 1000 50" "5 257 0" "16 33 20" "2 129 3"
    ok_run "a product by tiles, with both barriers, on the $b" \
        $P/solutions/tile 66 --seed 3
    ok_run "a barrier outside the branch, on the $b" $P/solutions/branch
    each "ping-pong, @ steps, on the $b" solutions/pingpong 0 1 2 31 1000
    each "a mailbox for @ numbers on the $b" solutions/mailbox 0 1 2 31 1000
    prints "the benchmark prints the price of every line, on the $b" \
        '^sync,by_hand,64,ns,-?[0-9.e+-]+,ns$' $P/bench
done

# races_alone program...: of what the checker reports nothing is another mistake
races_alone()
{
    "$@" >"$tap_tmp/races" 2>&1
    ! grep 'error: ' "$tap_tmp/races" | grep -v 'error: race on'
}

# E7: what the checker says does not depend on results
if have inst; then
    I=$B/inst/sync
    for p in "shift 300 64" "shift 129 32" "race 9 10" "turn 9" "litmus 1 1" \
        "grid 300 5 4" "threads 3 200 4" "solutions/tile 20" \
        "solutions/branch" "solutions/mailbox 10" "solutions/streams" \
        "solutions/pingpong 6"; do
        ok_run "E7: threads that run ahead are no race: $p" $I/$p
    done
    for p in row warp fence; do
        fails_run "E7: a race with a right result is reported: wrong/$p" \
            'race on' $I/wrong/$p
    done
    for p in racy seams; do
        fails_run "E7: a race between loads and stores is reported: $p" \
            "race on global memory: .*in shift_$p" $I/shift 300 128 --racy
    done
    ok_run "E7: and nothing but races" races_alone $I/shift 300 128 --racy
else
    skip "E7: threads that run ahead are no race; a race with a right result is" \
        "needs the instrumented Loom"
fi

# What compute-sanitizer does not see (what it does see, wrongs below tries)
if ! have gpu || ! have compute-sanitizer; then
    skip "races on global memory are not seen by compute-sanitizer" \
        "needs a GPU and compute-sanitizer"
else
    for tool in memcheck racecheck initcheck synccheck; do
        for p in "shift 300 128 --racy" wrong/fence; do
            prints "compute-sanitizer's $tool sees no race in $p" 'SUMMARY: 0 ' \
                compute-sanitizer --tool $tool $B/gpu/sync/$p
        done
    done
fi

if have nvcc; then
    fails_run "E6: nvcc refuses cudaDeviceSynchronize in a kernel" \
        'calling a __host__ function\("cudaDeviceSynchronize"' \
        ${NVCC:-nvcc} -I$SRC -c $SRC/sync/wrong/inside.cu -o /dev/null
else
    skip "E6: nvcc refuses cudaDeviceSynchronize in a kernel" "needs nvcc"
fi

checked sync
tallied tests/data/sync/counts.txt
# an endless spin is named after this many seconds
allowed=$LOOM_LIMIT
LOOM_LIMIT=2
wrongs sync
LOOM_LIMIT=$allowed
solutions sync
transcripts sync
small_agrees sync 9
done_testing
