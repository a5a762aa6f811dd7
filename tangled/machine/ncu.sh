#!/bin/sh
# ncu.sh [GPU]: count the probes on the machine and with ncu, for bench/results.
# Needs build/gpu/machine/probe_count and build/inst/machine/probe_count.
set -eu
gpu=${1:-h200} size=512
probes=$(build/inst/machine/probe_count list)

# name the metrics
l1=l1tex__t lsu=pipe_lsu_mem
metrics="global_read_requests=${l1}_requests_${lsu}_global_op_ld.sum
global_read_sectors=${l1}_sectors_${lsu}_global_op_ld.sum
global_write_requests=${l1}_requests_${lsu}_global_op_st.sum
global_write_sectors=${l1}_sectors_${lsu}_global_op_st.sum
global_atomic_requests=${l1}_requests_${lsu}_global_op_red.sum
global_atomic_sectors=${l1}_sectors_${lsu}_global_op_red.sum
shared_read_requests=smsp__inst_executed_op_shared_ld.sum
shared_read_passes=l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
shared_read_conflicts=l1tex__data_bank_conflicts_${lsu}_shared_op_ld.sum
shared_write_requests=smsp__inst_executed_op_shared_st.sum
shared_write_passes=l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
shared_write_conflicts=l1tex__data_bank_conflicts_${lsu}_shared_op_st.sum
shared_atomic_passes=l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
shared_passes=smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum
splits=smsp__sass_branch_targets_threads_divergent.sum
branches=smsp__sass_branch_targets.sum
lanes=smsp__thread_inst_executed_per_inst_executed.ratio"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# keep the metrics that this ncu has
if ncu --query-metrics > "$work/known" 2>&1; then
    for m in $metrics; do
        base=${m#*=}
        if grep -q "^${base%.*}[ .]" "$work/known"; then
            echo "$m"
        else
            echo "ncu.sh: this ncu does not know ${base%.*}" >&2
        fi
    done > "$work/metrics"
else
    printf '%s\n' "$metrics" > "$work/metrics"
fi
list=$(sed 's/.*=//' "$work/metrics" | paste -sd, -)
for p in $probes; do
    SIMT_COUNT=csv:machine,$p,$size build/inst/machine/probe_count $p \
        >> "$work/machine" 2> "$work/said" || { cat "$work/said" >&2; exit 1; }
    # count one probe with ncu
    ncu --clock-control none --csv --metrics "$list" \
        build/gpu/machine/probe_count $p > "$work/ncu" 2> "$work/said" ||
        { cat "$work/ncu" "$work/said" >&2; exit 1; }
    awk -v first="machine,$p,$size" -v names="$work/metrics" '
        BEGIN {
            while ((getline line < names) > 0)
                short[substr(line, index(line, "=") + 1)] = substr(line, 1, index(line, "=") - 1)
        }
        /^"/ {
            n = split(substr($0, 2, length($0) - 2), f, /","/)
            value = f[n]
            gsub(/,/, "", value)
            if (f[n - 2] in short)
                print first "," short[f[n - 2]] "," value "," (short[f[n - 2]] == "lanes" ? "lanes" : "count")
        }' "$work/ncu" >> "$work/gpu"
done

# keep the rows beside what the benchmark measured
keep()
{
    f=bench/results/$1/machine.csv
    mkdir -p "${f%/*}"
    if [ ! -f "$f" ]; then
        printf '# chapter: machine\n# gpu: %s\n# date: %s\n# tangled: %s\n%s\n' \
            "$1" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(tangled/weave/hash.sh machine)" \
            chapter,variant,size,metric,value,unit > "$f"
    fi
    awk -F, '$6 != "count" && $6 != "lanes"' "$f" > "$work/kept"
    cat "$work/kept" "$2" > "$f"
    echo "  $f"
}
keep machine "$work/machine"
keep "$gpu" "$work/gpu"
