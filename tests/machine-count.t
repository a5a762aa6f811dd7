#!/bin/sh
# Chapter 5, A SIMT machine in C: what it counts, against a count by hand.
. tests/tap.sh

P=$B/inst/machine/probe_count
if ! have inst; then
    skip "counting" "the Makefile does not include machine/machine.mk"
    done_testing
fi
tap_build $P
$MAKE -s SRC="$SRC" B="$B" $P >"$tap_tmp/make" 2>&1 || diag "$(cat "$tap_tmp/make")"

# counts NAME: a command that prints the rows of a probe in one line
counts()
{
    echo "SIMT_COUNT=csv:machine,$1,512 $P $1 2>/dev/null | awk -F, '
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
probe histogram_global "gread=16 gread_sectors=64 gatomic=16 gatomic_sectors=16 splits=0"
prints "histogram_shared: four lanes on each key" 'satomic_passes=64 ' \
    sh -c "$(counts histogram_shared)"
probe shuffle "gread=16 gread_sectors=64 gwrite=16 gwrite_sectors=16 splits=16"
probe uneven "gread=64 gread_sectors=256 gwrite=16 gwrite_sectors=64 splits=48"
probe halves "gread=96 gread_sectors=384 gwrite=16 gwrite_sectors=64 splits=16"
probe guard "gread=16 gread_sectors=63 gwrite=16 gwrite_sectors=63 splits=1"

# ---- the table -------------------------------------------------------------
table=$tap_tmp/table
SIMT_COUNT=1 $P tile_plain >"$table" 2>&1
ok "a line of the table says passes and what they could be" \
    grep -Eq ':[0-9]+ +shared read +4 +128 +32\.00 +32\.00 +1\.00$' "$table"
ok "barriers are counted" grep -Eq ':[0-9]+: 4 barriers$' "$table"
ok "bytes asked for and moved" \
    grep -Eq 'global memory: 32768 bytes asked for, 32768 bytes in sectors' "$table"
SIMT_COUNT=1 $P histogram_global >"$table" 2>&1
ok "atomics on one address" grep -Eq 'global atomic .* 4\.00 lanes on one address' "$table"
SIMT_COUNT=1 $P guard >"$table" 2>&1
ok "where the lanes part" grep -Eq ':[0-9]+: the lanes part in 1 of 16$' "$table"
is "counting does not change what the program prints" \
    "$(SIMT_COUNT=1 $P 2>/dev/null)" ""
# What the chapter says of the two tables: loads and passes are the same.
same_as_ncu()
{
    awk -F, '$4 ~ /^global_read_(requests|sectors)$|^shared_(read|atomic)_passes$/ {
            if (FILENAME == ARGV[1]) ncu[$2, $4] = $5
            else if (($2, $4) in ncu) { n++; if (ncu[$2, $4] != $5) { print $2, $4, ncu[$2, $4], $5; bad = 1 } }
        }
        END { if (n < 12) print "only " n " values to compare"; exit bad || n < 12 }' \
        bench/results/h200/machine.csv bench/results/machine/machine.csv
}
ok "loads and passes are what ncu counted on the H200" same_as_ncu

planted machine-count
done_testing
