#!/bin/sh
# ncu.sh [GPU]: count the probes on Loom and with ncu, for bench/results.
# Needs build/gpu/loom/probe_count and build/inst/loom/probe_count.
set -eu
gpu=${1:-h200} size=512
probes=$(build/inst/loom/probe_count list)

# name the metrics
l1=l1tex__t lsu=pipe_lsu_mem inst=smsp__inst_executed_op_shared on=pred_on_any
waves=l1tex__data_pipe_lsu_wavefronts_mem_shared
metrics="global_read_requests=${l1}_requests_${lsu}_global_op_ld.sum
global_read_sectors=${l1}_sectors_${lsu}_global_op_ld.sum
global_write_requests=${l1}_requests_${lsu}_global_op_st.sum
global_write_sectors=${l1}_sectors_${lsu}_global_op_st.sum
global_atomic_requests=${l1}_requests_${lsu}_global_op_red.sum
global_atomic_sectors=${l1}_sectors_${lsu}_global_op_red.sum
shared_read_requests=${inst}_ld_$on.sum
shared_read_passes=${waves}_op_ld.sum
shared_write_requests=${inst}_st_$on.sum
shared_write_passes=${waves}_op_st.sum
shared_atomic_requests=${inst}_atom_$on.sum
shared_atomic_passes=${waves}_op_atom.sum
shared_writes_off=${inst}_st_pred_off_all.sum
splits=smsp__sass_branch_targets_threads_divergent.sum
lanes=smsp__thread_inst_executed_per_inst_executed.ratio"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# keep the metrics that this ncu has
ncu --query-metrics > "$work/known"
for m in $metrics; do
    base=${m#*=}
    if grep -q "^${base%.*}[ .]" "$work/known"; then
        echo "$m"
    else
        echo "ncu.sh: this ncu does not know ${base%.*}" >&2
    fi
done > "$work/metrics"
list=$(sed 's/.*=//' "$work/metrics" | paste -sd, -)
for p in $probes; do
    LOOM_COUNT=csv:loom,$p,$size build/inst/loom/probe_count $p \
        >> "$work/loom" 2> "$work/said" || { cat "$work/said" >&2; exit 1; }
done

# count the probes with ncu
ncu --clock-control none --csv --metrics "$list" \
    build/gpu/loom/probe_count > "$work/ncu" 2> "$work/said" ||
    { cat "$work/ncu" "$work/said" >&2; exit 1; }
echo $probes | awk -v size=$size -v names="$work/metrics" -v rows="$work/ncu" '{
    n = split($0, probe)
    while ((getline line < names) > 0)
        short[substr(line, index(line, "=") + 1)] = substr(line, 1, index(line, "=") - 1)
    while ((getline line < rows) > 0) {
        k = split(substr(line, 2, length(line) - 2), f, /","/)
        if (line !~ /^"[0-9]/ || f[5] ~ /mem(set|cpy)/ || !(f[k - 2] in short)) continue
        if (!(f[1] in at)) at[f[1]] = probe[++seen]
        name = short[f[k - 2]]
        gsub(/,/, "", f[k])
        print "loom," at[f[1]] "," size "," name "," f[k] "," (name == "lanes" ? "lanes" : "count")
    }
    if (seen != n) { print "ncu.sh: " seen " kernels, " n " probes" > "/dev/stderr"; exit 1 }
}' > "$work/gpu"

# keep the rows beside what the benchmark measured
# keep WHERE GPU FILE
keep()
{
    f=bench/results/$1/loom.csv
    mkdir -p "${f%/*}"
    touch "$f"
    awk -F, '$6 != "count" && $6 != "lanes"' "$f" > "$work/kept"
    grep -q '^loom,' "$work/kept" ||
        printf '# chapter: loom\n# gpu: %s\n# date: %s\n# tangled: %s\n# commit: %s\n%s\n' \
            "$2" "$(date -u +%Y-%m-%d)" "$(tangled/weave/hash.sh loom/probe_count)" \
            "${COMMIT:-$(git rev-parse --short=12 HEAD)}" \
            chapter,variant,size,metric,value,unit > "$work/kept"
    cat "$work/kept" "$3" > "$f"
    echo "  $f"
}
keep loom loom "$work/loom"
keep "$gpu" "$(nvidia-smi --query-gpu=name --format=csv,noheader)" "$work/gpu"
