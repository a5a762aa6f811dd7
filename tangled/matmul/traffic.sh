#!/bin/sh
# traffic.sh loom, or traffic.sh h200: count the products on Loom, or
# with ncu on the GPU, and keep the counts under bench/results.
set -eu
where=${1-} small=128 large="2048 4096"

# say what is missing
miss()
{
    echo "traffic.sh: $1" >&2
    exit 2
}
case $where in
loom) program=build/inst/matmul/traffic with=sh ;;
'' | *[!a-z0-9]*) miss "count where? loom, or the GPU's name: h200" ;;
*) program=build/gpu/matmul/traffic with=ncu ;;
esac
[ -x $program ] || miss "needs $program: make $program"
command -v $with >/dev/null || miss "needs $with"
into=bench/results/$where/matmul-count.csv
new=$(mktemp)
trap 'rm -f "$new"*' EXIT

# name what ncu counts
l1=l1tex__t shared=l1tex__data_pipe_lsu_wavefronts_mem_shared_op
metrics="global_read_requests=${l1}_requests_pipe_lsu_mem_global_op_ld.sum
global_read_sectors=${l1}_sectors_pipe_lsu_mem_global_op_ld.sum
global_write_sectors=${l1}_sectors_pipe_lsu_mem_global_op_st.sum
shared_read_passes=${shared}_ld.sum
shared_write_passes=${shared}_st.sum
l2_read_sectors=lts__t_sectors_srcunit_tex_op_read.sum
dram_read_sectors=dram__sectors_read.sum
dram_write_sectors=dram__sectors_write.sum"

# count with ncu
# count_gpu SIZE: the kernels of one run are in the order of the list
count_gpu()
{
    $program "$1" | cut -d, -f1 | uniq > "$new.names"
    ncu --clock-control none --csv --print-units base \
        --metrics "$(echo "$metrics" | sed 's/.*=//' | paste -sd, -)" \
        $program "$1" > "$new.ncu"
    awk -v size="$1" -v metrics="$(echo $metrics)" '
        BEGIN {
            n = split(metrics, m, /[= ]/)
            for (i = 1; i < n; i += 2) short[m[i + 1]] = m[i]
        }
        FNR == NR { name[++names] = $1; next }
        /^"[0-9]/ {
            k = split(substr($0, 2, length($0) - 2), f, /","/)
            if (!(f[k - 2] in short)) next
            if (!(f[1] in at)) at[f[1]] = name[++seen]
            gsub(/,/, "", f[k])
            print "matmul," at[f[1]] "," size "," short[f[k - 2]] "," f[k] ",count"
        }
        END { if (seen != names) { print seen " of " names; exit 1 } }
    ' "$new.names" "$new.ncu"
}

# count on Loom
count_loom()
{
    for v in $($program 32 | cut -d, -f1 | uniq); do
        LOOM_THREADS=1 LOOM_COUNT=csv:matmul,$v,$1 \
            $program "$1" --only $v | grep '^matmul,'
    done
}

# keep what was counted
if [ "$where" = loom ]; then
    count_loom $small > "$new"
else
    for n in $small $large; do count_gpu $n; done > "$new"
fi
{
    echo "# chapter: matmul"
    echo "# counted on: $where"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# tangled: $(tangled/weave/hash.sh matmul/traffic)"
    echo chapter,variant,size,metric,value,unit
    cat "$new"
} > "$new.csv"
mkdir -p "${into%/*}"
cp "$new.csv" "$into"
echo "  $into"
