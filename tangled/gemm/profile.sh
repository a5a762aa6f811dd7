#!/bin/sh
# profile.sh [N]: what ncu counts of each kernel at N (4096), as rows of CSV.
# Needs a GPU, ncu and build/gpu/gemm/once.
set -eu
n=${1-4096} program=${ONCE-build/gpu/gemm/once} ncu=${NCU-ncu}
command -v "$ncu" >/dev/null || { echo "profile.sh: needs ncu" >&2; exit 2; }
test -x "$program" || { echo "profile.sh: needs $program" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# name the metrics of a product
stall=smsp__average_warps_issue_stalled
metrics="us=gpu__time_duration.sum=µs
issue=smsp__issue_active.avg.pct_of_peak_sustained_active=%
fma=sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active=%
load_unit=l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active=%
l2=lts__t_sectors.avg.pct_of_peak_sustained_elapsed=%
l2_hit=lts__t_sector_hit_rate.pct=%
dram=dram__throughput.avg.pct_of_peak_sustained_elapsed=%
warps=sm__warps_active.avg.pct_of_peak_sustained_active=%
registers=launch__registers_per_thread=count
dram_bytes=dram__bytes.sum=B
ffma=smsp__sass_thread_inst_executed_op_ffma_pred_on.sum=count
instructions=smsp__inst_executed.sum=count
shared_loads=smsp__inst_executed_op_shared_ld_pred_on_any.sum=count
shared_passes=l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum=count
stall_math=${stall}_math_pipe_throttle_per_issue_active.ratio=warps
stall_dispatch=${stall}_dispatch_stall_per_issue_active.ratio=warps
stall_mio=${stall}_mio_throttle_per_issue_active.ratio=warps
stall_shared=${stall}_short_scoreboard_per_issue_active.ratio=warps
stall_memory=${stall}_long_scoreboard_per_issue_active.ratio=warps
stall_barrier=${stall}_barrier_per_issue_active.ratio=warps
stall_fixed=${stall}_wait_per_issue_active.ratio=warps
stall_fetch=${stall}_no_instruction_per_issue_active.ratio=warps
stall_branch=${stall}_branch_resolving_per_issue_active.ratio=warps
not_selected=${stall}_not_selected_per_issue_active.ratio=warps"
"$ncu" --query-metrics > "$work/known"
echo "$metrics" | while IFS== read -r short metric unit; do
    base=${metric%%.*}
    if grep -q "^$base[ .]" "$work/known" || [ "${base#launch__}" != "$base" ] ||
        [ "${base#smsp__average_warps}" != "$base" ]; then
        echo "$short=$metric=$unit"
    else
        echo "profile.sh: this ncu does not know $base" >&2
    fi
done > "$work/metrics"
list=$(cut -d= -f2 "$work/metrics" | paste -sd, -)
"$program" "$n" > "$work/names"
"$ncu" --clock-control none --csv --print-units base --metrics "$list" "$program" "$n" \
    > "$work/rows" 2> "$work/said" || { cat "$work/rows" "$work/said" >&2; exit 1; }
echo "# chapter: gemm"
echo "# counted: ncu, each kernel once"
echo "# tangled: $(tangled/weave/hash.sh gemm/once)"
echo chapter,variant,size,metric,value,unit
awk -v n="$n" -v names="$work/names" -v metrics="$work/metrics" \
    -f tangled/gemm/profile.awk "$work/rows"
