#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: what it counts, against a count by hand.
. tests/tap.sh

P=$B/inst/loom/probe_count
if ! have inst; then
    skip "counting" "needs the instrumented Loom"
    done_testing
fi
# (of a program without the checker nothing is run below)
case " $ONLY " in "  " | *" inst/"*) ;; *) done_testing ;; esac
tap_build $P
$MAKE -s SRC="$SRC" B="$B" $P >"$tap_tmp/make" 2>&1 || diag "$(cat "$tap_tmp/make")"

# counts NAME: a command that prints the rows of a probe in one line
counts()
{
    echo "LOOM_COUNT=csv:loom,$1,512 $P $1 2>/dev/null | awk -F, '
        \$4 != \"lanes\" { gsub(/global_/, \"g\"); gsub(/shared_/, \"s\")
            gsub(/_requests/, \"\"); printf \"%s%s=%s\", sep, \$4, \$5; sep = \" \" }'"
}
# probe NAME 'by hand': 16 warps, so 16 requests for each instruction
probe()
{
    prints "$1" "^$2\$" sh -c "$(counts $1)"
}
for s in 1:64 2:128 4:256 8:512 16:512 32:512; do
    probe stride${s%:*} \
        "gread=16 gread_sectors=${s#*:} gwrite=16 gwrite_sectors=64 splits=0"
done
probe misaligned "gread=16 gread_sectors=80 gwrite=16 gwrite_sectors=64 splits=0"
probe broadcast "gread=16 gread_sectors=16 gwrite=16 gwrite_sectors=64 splits=0"
probe reverse "gread=16 gread_sectors=64 gwrite=16 gwrite_sectors=64 splits=0"
probe float2 "gread=16 gread_sectors=128 gwrite=16 gwrite_sectors=128 splits=0"
probe float4 "gread=16 gread_sectors=256 gwrite=16 gwrite_sectors=256 splits=0"
# a tile: 4 blocks, 32 rows each
for t in plain:4096 padded:128 swizzled:128; do
    probe tile_${t%:*} "gread=128 gread_sectors=512 gwrite=128 gwrite_sectors=512 \
sread=128 sread_passes=${t#*:} swrite=128 swrite_passes=128 splits=0"
done
# passes of the 16 reads of shared memory
for t in shared_float:16 shared_float_2:32 shared_float_8:128 shared_float2:32 \
    shared_float2_2:64 shared_float4:64 shared_float4_2:128; do
    prints "${t%:*} takes ${t#*:} passes" "sread_passes=${t#*:} " \
        sh -c "$(counts ${t%:*})"
done
# a sector of a global atomic counts as often as its most crowded word has lanes
probe histogram_global "gread=16 gread_sectors=64 gatomic=16 gatomic_sectors=64 splits=0"
probe atomic_one "gread=16 gread_sectors=64 gatomic=16 gatomic_sectors=512 splits=0"
probe atomic_apart "gread=16 gread_sectors=64 gatomic=16 gatomic_sectors=512 splits=0"
# a bank takes one lane a pass
for t in histogram_shared:64 histogram_ones:64 shared_atomic_2:32 shared_atomic_32:512; do
    prints "${t%:*} takes ${t#*:} passes" "satomic=16 satomic_passes=${t#*:} " \
        sh -c "$(counts ${t%:*})"
done
# The watchman may ask for the turn at any access: here a signal like his comes before
# each atomic, which is one request of each of the two warps all the same.
cat >"$tap_tmp/ticks.cu" <<'EOF'
#include <signal.h>
__global__ void add(int *sum)
{
    __shared__ int own;

    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
    raise(SIGURG);
    atomicAdd(&own, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        *sum = own;
}
int main(void)
{
    int *sum, got = 0;

    cudaMalloc(&sum, sizeof *sum);
    add<<<1, 64>>>(sum);
    cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
    return got != 64;
}
EOF
# ticked PROGRAM: which is named for ONLY.
ticked()
{
    own=$tap_tmp/ticks
    lend "$own" && $MAKE -s SRC="$SRC" B="$own" run COUNT=1 FILE="$tap_tmp/ticks.cu" &&
        LOOM_COUNT=csv:loom,ticks,64 "$own/run/program"
}
prints "an atomic that is interrupted is counted once" \
    '^loom,ticks,64,shared_atomic_requests,2,count' ticked $P
probe shuffle "gread=16 gread_sectors=64 gwrite=16 gwrite_sectors=16 splits=0"
probe uneven "gread=64 gread_sectors=256 gwrite=16 gwrite_sectors=64 splits=48"
probe halves "gread=96 gread_sectors=384 gwrite=16 gwrite_sectors=64 splits=16"
probe guard "gread=16 gread_sectors=63 gwrite=16 gwrite_sectors=63 splits=0"

# ---- the table -------------------------------------------------------------
table=$tap_tmp/table
LOOM_COUNT=1 $P tile_plain >"$table" 2>&1
ok "a line of the table says passes and what they could be" \
    grep -Eq ':[0-9]+ +shared read +4 +128 +32\.00 +32\.00 passes +1\.00$' "$table"
ok "barriers are counted" grep -Eq ':[0-9]+ +4 barriers$' "$table"
ok "bytes asked for and moved" \
    grep -Eq 'global memory: 32768 bytes asked for, 32768 bytes in sectors' "$table"
LOOM_COUNT=1 $P histogram_global >"$table" 2>&1
ok "atomics on one address" grep -Eq 'global atomic .* 4\.00 lanes on one address' "$table"
LOOM_COUNT=1 $P guard >"$table" 2>&1
ok "where some lanes end" grep -Eq ':[0-9]+ +some lanes end in 1 of 16$' "$table"
LOOM_COUNT=1 $P uneven >"$table" 2>&1
ok "where the lanes part" grep -Eq ':[0-9]+ +the lanes part in 48 of 64$' "$table"
is "counting does not change what the program prints" \
    "$(LOOM_COUNT=1 $P 2>/dev/null)" ""
# What the chapter says of the two tables: every number of Loom is ncu's too, or the
# difference is one of those that the chapter explains.
cat >"$tap_tmp/explained" <<'EOF'
histogram_ones splits
histogram_ones shared_atomic_passes
histogram_ones lanes
histogram_shared lanes
shuffle lanes
uneven lanes
halves lanes
guard lanes
EOF
compare()
{
    awk -F, -v explained="$tap_tmp/explained" '
        BEGIN { while ((getline line < explained) > 0) { split(line, w, " "); why[w[1], w[2]] = 1 } }
        $6 != "count" && $6 != "lanes" { next }
        FILENAME == ARGV[1] { ncu[$2, $4] = $5; next }
        { n++ }
        !(($2, $4) in ncu) { print $2, $4 ": ncu has no such number"; bad = 1; next }
        $5 != ncu[$2, $4] && !(($2, $4) in why) { print $2, $4 ": loom " $5 ", ncu " ncu[$2, $4]; bad = 1 }
        $5 == ncu[$2, $4] && ($2, $4) in why { print $2, $4 ": equal, and explained"; bad = 1 }
        END { if (n < 200) { print "only " n " numbers"; bad = 1 }; exit bad }' \
        bench/results/h200/loom.csv "$1"
}
ok "what was recorded of Loom and of the H200 is the same, or explained" \
    compare bench/results/loom/loom.csv
for p in $($P list); do
    LOOM_COUNT=csv:loom,$p,512 $P $p 2>/dev/null
done >"$tap_tmp/now"
ok "what Loom counts now is what ncu counted, or explained" compare "$tap_tmp/now"

# The machine code that the chapter shows.
if have nvcc && have cuobjdump; then
    $MAKE -s SRC="$SRC" B="$B" "$B/gpu/loom/probe_count" >"$tap_tmp/make" 2>&1 || tap_diag <"$tap_tmp/make"
    cuobjdump -sass "$B/gpu/loom/probe_count" >"$tap_tmp/sass" 2>&1
    ok "a sum of ones in shared memory has an instruction of its own" grep -q 'ATOMS.POPC.INC.32 RZ' "$tap_tmp/sass"
    ok "a short if is a predicate" grep -q '@!P0 STS \[R[0-9]*\], RZ' "$tap_tmp/sass"
    ok "a guard is @P0 EXIT" grep -q '@P0 EXIT' "$tap_tmp/sass"
else
    skip "the machine code of the probes" "needs nvcc and cuobjdump"
fi

done_testing
