#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: PTX's instructions mean what they mean on a GPU, and their misuse is found.
. tests/tap.sh

work=$tap_tmp/work
mkdir -p "$work"

for b in $BACKENDS; do
    case $b in loom) how= ;; *) how=" on the $b" ;; esac
    for part in cp.async ldmatrix stmatrix mma mbarrier bulk box cluster elect wmma libcu inline wgmma part; do
        prints "$part$how: as a plain computation" '^ok: 0 of [1-9][0-9]* differ$' $B/$b/loom/ptx_same $part
    done
    for part in words floats memory boxes warp cluster products groups; do
        prints "strangers' $part$how: as a GPU has them" '^ok: 0 of [1-9][0-9]* differ$' $B/$b/loom/probe_ptx $part
    done
done

if ! have inst; then
    skip "checking" "needs the instrumented Loom"
    done_testing
fi
# (of a program without the checker nothing is run below)
case " $ONLY " in "  " | *" inst/"*) ;; *) done_testing ;; esac
S=$B/inst/loom/ptx_same
M=$B/inst/loom/ptx_mistakes
tap_build $S $M
build()
{
    $MAKE -s SRC="$SRC" B="$B" "$@" >"$work/make" 2>&1 || diag "$(cat "$work/make")"
}
[ -z "$ONLY" ] && build $S $M
tap_wanted $S && build $S
tap_wanted $M && build $M

# nothing is wrong with the right program, under any order
for s in 1 2 3; do
    ok_run "nothing is reported of the right program under seed $s" env LOOM_SEED=$s $S
done

# reports FILE: what it reports, of which threads, without the places; and what it leaves
reports()
{
    sed -E -n 's/^ *[^ ]*:[0-9]+: //; s/, in [a-z_]+( \([0-9]+ times\))?$//
        /^(error|left|[0-9]+ threads?,|  in kernel)/p' "$1"
}
# what each mistake must be called, and, as a seed fixes the order, all that is said of it
while read -r m words; do
    tap_wanted $M $m || continue
    for s in 1 2 3; do
        fails_run "$m is found under seed $s" "error: $words" env LOOM_SEED=$s $M $m
    done
    LOOM_SEED=1 $M $m >"$work/said" 2>&1
    is "$m is found where it is, and does the rest" "$(reports "$work/said")" \
        "$(sed -n "/^$m:\$/,/^\$/p" tests/data/loom/ptx_mistakes.txt | sed '1d;/^$/d')"
done <<'END'
early uninitialized shared memory: .* reads 4 bytes that nobody has written
unshared (race on|uninitialized) shared memory
bulk uninitialized shared memory: .* reads 4 bytes that nobody has written
source race on shared memory: .* reads what .* has written
unwaited the block ends before this bulk copy has read its shared memory
lost the block ends before this bulk copy has arrived
odd a bulk copy has multiples of 16 bytes
slanted a box begins at a multiple of 16 bytes of a row, this one at element 1
behind a box that is stored begins within the tensor, this one at -4 in dimension 0
missing deadlock: no thread can go on
expired here is no mbarrier
parity deadlock: no thread can go on
uninitialized uninitialized shared memory: .* reads 8 bytes
unmet (race on|uninitialized) shared memory
lanes all 32 lanes of the warp must come to the same instruction for matrices; lane 31 has not
stale race on shared memory
before shared memory of a block that may not have begun
after shared memory of a block that has ended
apart deadlock: no thread can go on
far_away maps an address to block 4 of a cluster of 4
taken a register of this multiplication was written before it was waited for
unfenced registers of this multiplication were touched before it without wgmma.fence
unlike the four warps of a warpgroup ask for different multiplications
dropped the block ends before this multiplication was waited for
ruined race on shared memory
part deadlock: no thread can go on
END
prints "a warpgroup without a mistake is right" '^right: 1 - 1 is 0$' $M right
prints "sums that are read before they are waited for are NaN" '^peek: 1 - 1 is -*nan$' $M peek
prints "all of them, and right ones are 0" '^left: 128 and 1551658;left: 0 and 1551658;$' \
    sh -c "{ $M peek; $M right; } | grep left | tr '\n' ';'"
fails_run "a deadlock says what a barrier of some warps lacks" 'at barrier 3 .32 of 64 threads have come.' $M part
# whoever fails first, the other blocks of its cluster go home
go_home()
{
    for n in $(seq 40); do
        LOOM_LIMIT=1 LOOM_SEED=$n $M early_end && return 1
    done
    return 0
}
tap_wanted $M early_end && ok "a cluster whose first block fails ends" go_home
# PTX that Loom does not know is named; another processor's assembler is left alone
cat >"$work/unknown.cu" <<'END'
static inline unsigned long ticks(void)
{
    unsigned low, high;
    asm volatile("mov $1, %0; mov $0, %1" : "=a"(low), "=d"(high));
    return (unsigned long)high << 32 | low;
}
__global__ void k(unsigned *out, int n)
{
    if (n == 1)
        asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    else if (n == 4)
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %0, %0, %0}, %1, %1, 1, 1, 1;" : "+r"(out[0]) : "l"(0ul));
    else if (n == 2)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0, %0, %0, %0}, {%0, %0}, {%0, %0}, {%0, %0, %0, %0};" : "+r"(out[0]));
    else
        asm volatile("cvt.pack.sat.u16.s32 %0, %0, %0;" : "+r"(out[0]));
    out[0] = 1;
}
int main(int argc, char **argv)
{
    unsigned *p;
    cudaMalloc(&p, 4);
    if (ticks() != 1)
        return 1;
    k<<<1, 1>>>(p, argc);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
# unknown ARGUMENTS: the program, made once
unknown()
{
    [ -x "$work/own/run/program" ] || {
        lend "$work/own" && $MAKE -s SRC="$SRC" B="$work/own" CHECK=1 run FILE="$work/unknown.cu" >"$work/make" 2>&1
    }
    "$work/own/run/program" $(echo "$1" | tr - " ") 2>&1
}
while read -r words instruction; do
    [ -z "$ONLY" ] || break
    unknown "$words" >"$work/out"
    is "an instruction that Loom does not know is named, in its line: $instruction" \
        "$(grep -c "unknown.cu:[0-9]*: error: Loom does not know this PTX so far: $instruction" "$work/out")" 1
done <<'END'
- tcgen05.wait::ld.sync.aligned
1 mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16
1-2 cvt.pack.sat.u16.s32
1-2-3 wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32
END
fails_run "a deadlock says what the mbarrier lacks" 'wait for a phase of an mbarrier .it lacks 1 of 33 arrivals and 0 bytes' $M missing
fails_run "a deadlock says who waits for the cluster" 'wait at a barrier of the cluster' $M apart
done_testing
